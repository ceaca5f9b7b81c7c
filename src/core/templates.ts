/**
 * Groups the shapes of lines by the likeness of their words, in the manner of Drain: shapes of as many words are
 * compared word by word; near ones share a template in which differing words are wildcards. A key (`took=`, `State:`)
 * must be equal, or parameters of unlike fields would mix.
 */

/** Templates of a bucket that are looked at, latest first; found by the selection spike. */
const LOOK_BACK = 60;
/** What a wildcard adds to the likeness. */
const WILDCARD_VALUE = 0.3;
const MOST_WORDS = 160;

/** Words of a line with digits and ids masked as `#`, as ids; a key has an odd id. */
export class Words {
  private readonly ids = new Map<string, number>();
  private readonly texts: string[] = [];

  /** `line` is the body of a line, without its time stamp. */
  of(line: string): Int32Array {
    const out: number[] = [];
    for (const word of line.split(/[ \t]+/)) {
      if (word === '') continue;
      if (out.length >= MOST_WORDS) break;
      const key = KEY.exec(word);
      if (key !== null) {
        out.push(this.id(mask(key[0]), 1));
        if (key[0].length < word.length) out.push(this.id(mask(word.slice(key[0].length)), 0));
      } else out.push(this.id(mask(word), 0));
    }
    return Int32Array.from(out);
  }

  text(id: number): string {
    return this.texts[id >> 1]!;
  }

  private id(text: string, key: 0 | 1): number {
    let id = this.ids.get(text);
    if (id === undefined) {
      id = this.texts.length;
      this.ids.set(text, id);
      this.texts.push(text);
    }
    return (id << 1) | key;
  }
}

/** A name without digits, followed by `=` or `:`. */
const KEY = /^["'([{]*[A-Za-z_@][A-Za-z_.@/-]{0,40}["']?(?:[=]|:(?=["'[{\w-]|$))/;

function mask(word: string): string {
  if (!/\d/.test(word)) return word;
  return word.replace(/[A-Za-z0-9\x80-\xff]+/g, maskRun).replace(/#(?:[.:,/+-]?#)+/g, '#');
}

function maskRun(run: string): string {
  if (!/\d/.test(run)) return run;
  return run.replace(/[A-Za-z\x80-\xff]+|\d+/g, part =>
    /\d/.test(part) || part.length < 3 || /^[a-f]+$/i.test(part) ? '#' : part,
  );
}

export class Templates {
  count = 0;
  private readonly likeness: number;
  private readonly buckets = new Map<number, Template[]>();

  constructor(likeness: number) {
    this.likeness = likeness;
  }

  /** The template of these words; a near one takes them in. */
  assign(words: Int32Array): number {
    const bucket = this.buckets.get(words.length);
    if (bucket === undefined) {
      const first = { id: this.count++, words: words.slice() };
      this.buckets.set(words.length, [first]);
      return first.id;
    }
    let best: Template | undefined;
    let bestScore = 0;
    for (let i = bucket.length - 1; i >= 0 && i >= bucket.length - LOOK_BACK; i -= 1) {
      const score = likeness(bucket[i]!.words, words);
      if (score > bestScore) {
        bestScore = score;
        best = bucket[i]!;
        if (score === 1) break;
      }
    }
    if (best !== undefined && bestScore >= this.likeness) {
      merge(best.words, words);
      return best.id;
    }
    const added = { id: this.count++, words: words.slice() };
    bucket.push(added);
    return added.id;
  }
}

interface Template {
  readonly id: number;
  readonly words: Int32Array;
}

const WILDCARD = -2;

/** Share of equal words; 0 where a key differs, or the first of two words. */
function likeness(template: Int32Array, words: Int32Array): number {
  const n = words.length;
  if (n === 0) return 1;
  if (n <= 2 && template[0] !== words[0]) return 0;
  let equal = 0;
  for (let i = 0; i < n; i += 1) {
    const a = template[i]!;
    const b = words[i]!;
    if (a === b) equal += 1;
    else if ((a & 1) === 1 || (b & 1) === 1) return 0;
    else if (a === WILDCARD) equal += WILDCARD_VALUE;
  }
  return equal / n;
}

function merge(template: Int32Array, words: Int32Array): void {
  for (let i = 0; i < words.length; i += 1) if (template[i] !== words[i]) template[i] = WILDCARD;
}
