import { latin1 } from '../chars.ts';
import { Field } from '../fields.ts';
import { type Odd, rareValues } from '../odd.ts';

/** Bytes of a line that are looked at. */
const MOST = 400;

/**
 * What differs in the lines of generated files: the key of each, and where what it names comes from. Nearly all lines of a
 * lock file have one registry and one kind of digest; the one that has another is odd.
 */
export class LockedLines {
  private readonly kinds = new Map<string, number>();
  private readonly sources = new Field();
  private readonly digests = new Field();
  private readonly ids = new Map<string, number>();

  /** Number of a kind: the sign and the key of a line. */
  read(unit: number, b: Uint8Array, at: number, end: number): number {
    const text = latin1(b, at, Math.min(end, at + MOST));
    const source = SOURCE.exec(text);
    if (source !== null) this.sources.word(this.id(source[0].toLowerCase()), unit);
    const digest = DIGEST.exec(text);
    if (digest !== null) this.digests.word(this.id(digest[0].toLowerCase()), unit);
    const key = /^[\w-]{1,40}/.exec(text.slice(1).replace(/^[\s"'-]+/, ''))?.[0] ?? '';
    const isName =
      /\d/.test(key) || !IS_FIELD.test(text) || (VERSIONED.test(text) && !/version|specifier/i.test(key));
    return number(this.kinds, text[0]! + (isName ? '' : key));
  }

  odd(): Odd[] {
    return [this.sources, this.digests].flatMap(rareValues);
  }

  get count(): number {
    return this.kinds.size;
  }

  private id(text: string): number {
    return number(this.ids, text);
  }
}

/** Scheme and host of what is fetched. */
const SOURCE = /\b[a-z][a-z+]{1,12}:\/\/[^/\s"'#?]{1,100}/i;
/** A key of a few words, and no path. */
const IS_FIELD = /^.[\s"'-]*[\w-]+["']?\s*(?:[:=]|$| ["'])/;
/** `left-pad: 1.3.0`, `"left-pad": "^1.3.0"`: a name with its version. */
const VERSIONED = /^.[\s"'-]*[\w-]+["']?\s*[:= ]\s*["']?[~^<>=v\s]*\d/;
/** Kind of a digest. */
const DIGEST = /\b(?:sha\d{1,3}|md5|h1|blake\d\w?)(?=[-:=])/i;

function number(known: Map<string, number>, text: string): number {
  let id = known.get(text);
  if (id === undefined) known.set(text, (id = known.size));
  return id;
}

/** What lines are nested under by their indentation, before and after a change. */
export class Nesting {
  private readonly sides = [new Map<number, number>(), new Map<number, number>()];
  private hunk = -1;

  /** The line that the next one is nested under; its hunk's header where none of the hunk is. */
  under(unit: number, hunk: number, b: Uint8Array, at: number, end: number): number {
    if (hunk !== this.hunk) for (const side of this.sides) side.clear();
    this.hunk = hunk;
    let indent = at + 1;
    while (indent < end && b[indent] === 32) indent += 1;
    const sign = b[at];
    let under = -1;
    this.sides.forEach((side, i) => {
      if (sign === (i === 0 ? 43 : 45)) return;
      for (const [depth, line] of side) {
        if (depth >= indent - at) side.delete(depth);
        else under = Math.max(under, line);
      }
      if (indent < end) side.set(indent - at, unit);
    });
    return under < 0 ? hunk : under;
  }
}
