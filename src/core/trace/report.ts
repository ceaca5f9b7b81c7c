import type { Block, Report } from '../blocks.ts';
import { BLANK_LINE } from '../line-class.ts';
import { lineHead, rolesOf } from '../line-roles.ts';
import { PINNED, WHOLE } from '../outline.ts';
import type { SectionView } from '../strategy.ts';
import { entriesOf, type Entry } from './entries.ts';
import { isFrame, textStart, TRACE, traceRoleOf } from './roles.ts';
import { shownLines } from './shown.ts';

/** Profiles of lines that say nothing of their own. */
const FRAMES = 1;
const NOISE = 2;

/** Of so many equal failures the frames stay. */
const WITH_FRAMES = 2;

/** What a text of traces says of its lines. */
export function traceReport(view: SectionView): Report {
  const { index, section, lines } = view;
  const roles = rolesOf(index, section.from, lines, traceRoleOf);
  const textOf = (line: number): string => {
    const text = lineHead(index, section.from + line);
    return text.slice(textStart(text));
  };
  const isBlank = (line: number): boolean =>
    (lines.shapes.infos[lines.kind[line]!]!.bits & BLANK_LINE) !== 0 ||
    /^(?:==\d+==)?\s*$/.test(textOf(line));
  const entries = entriesOf({ roles, isBlank, isIndented: (line) => /^[\s}\]]/.test(textOf(line)) });
  const marks = new Marks(roles.length);
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] === TRACE.noise) marks.quiet[i] = NOISE;
    else if (roles[i] === TRACE.summary) marks.flags[i] = PINNED;
  }
  for (const entry of entries)
    marks.take(entry, {
      lines,
      roles,
      textOf,
      isBlank,
      severityOf: (line) => lines.shapes.infos[lines.kind[line]!]!.severity,
    });
  return marks;
}

interface Text {
  readonly lines: SectionView['lines'];
  readonly roles: Uint8Array;
  readonly textOf: (line: number) => string;
  readonly isBlank: (line: number) => boolean;
  readonly severityOf: (line: number) => number;
}

/** What is found out of the lines, entry by entry. */
class Marks implements Report {
  readonly blocks: Block[] = [];
  readonly quiet: Uint8Array;
  readonly flags: Uint8Array;
  readonly states: { readonly of: Uint8Array; readonly names: string[] };
  private readonly known = new Map<string, { readonly key: number; count: number }>();

  constructor(lines: number) {
    this.quiet = new Uint8Array(lines);
    this.flags = new Uint8Array(lines);
    this.states = { of: new Uint8Array(lines).fill(255), names: [] };
  }

  take(entry: Entry, text: Text): void {
    const { from, to, kind } = entry;
    if (kind === 'deadlock') {
      for (let i = from; i < to; i += 1) this.flags[i] = PINNED;
      return;
    }
    const texts = Array.from({ length: to - from }, (_, i) => text.textOf(from + i));
    const shown = shownLines(texts, (line) => text.lines.kind[from + line]!);
    const state = stateOf(texts);
    const same = this.same(`${kind}${state ?? ''}${signature(entry, text, texts)}`);
    const isThread = kind === 'thread' && state !== 'BLOCKED';
    for (let i = from; i < to; i += 1) {
      if (this.quiet[i] === 0) this.quiet[i] = FRAMES;
    }
    const body: number[] = [];
    for (let i = from + 1; i < to; i += 1) if (shown[i - from] === 1 && this.quiet[i] !== NOISE) body.push(i);
    if (isThread) this.thread(from, body, state, same.count);
    else this.failure(entry, body, text, same);
  }

  /** The first of equal threads stays, of the others the state is counted. */
  private thread(head: number, body: readonly number[], state: string | undefined, nth: number): void {
    if (nth === 1) for (const line of [head, ...body]) this.flags[line] = WHOLE;
    else if (state !== undefined) this.states.of[head] = this.stateId(state);
  }

  private failure(
    { from, to }: Entry,
    shown: readonly number[],
    text: Text,
    same: { key: number; count: number },
  ): void {
    let worst = text.severityOf(from);
    let last = from;
    for (let i = from; i < to; i += 1) {
      const severity = text.severityOf(i);
      if (severity > 1 && NAMES.has(text.roles[i]!)) last = i;
      if (severity > worst) worst = severity;
    }
    const before = above(from, text, this.quiet);
    if (before.length > 1) for (const line of before) this.quiet[line] = FRAMES;
    const body = same.count <= WITH_FRAMES ? [...before, ...shown] : last === from ? [] : [last];
    this.blocks.push({ head: from, severity: worst > 2 ? 3 : 2, key: same.key, body });
  }

  private same(name: string): { readonly key: number; count: number } {
    let same = this.known.get(name);
    if (same === undefined) {
      same = { key: this.known.size, count: 0 };
      this.known.set(name, same);
    }
    same.count += 1;
    return same;
  }

  private stateId(name: string): number {
    const { names } = this.states;
    const at = names.indexOf(name);
    if (at >= 0) return at;
    if (names.length >= 200) return 255;
    return names.push(name) - 1;
  }
}

/** What is equal in equal entries: their frames without addresses, the shapes of other lines; threads differ in their heads. */
function signature(
  { from, to, kind }: Entry,
  { lines, isBlank, roles }: Text,
  texts: readonly string[],
): string {
  const parts: string[] = [];
  for (let i = kind === 'thread' ? from + 1 : from; i < to; i += 1) {
    if (isBlank(i)) continue;
    parts.push(isFrame(roles[i]!) ? texts[i - from]!.replace(CHANGING, '0') : `#${lines.kind[i]!}`);
  }
  return parts.join('\n');
}

const CHANGING = /0x[0-9a-f]+|\bgoroutine \d+|\$\$Lambda[^(]*|Accessor\d+/gi;

/** `WAITING` of a Java thread, `select` of a goroutine. */
function stateOf(texts: readonly string[]): string | undefined {
  const go = /^goroutine \d+ [^[]*\[([^\],:]+)/.exec(texts[0]!)?.[1];
  if (go !== undefined)
    return go
      .trim()
      .replace(/[^A-Za-z0-9]+/g, '_')
      .slice(0, 24);
  for (const text of texts.slice(0, 3)) {
    const java = /^\s*java\.lang\.Thread\.State: ([A-Z_]+)/.exec(text)?.[1];
    if (java !== undefined) return java;
  }
  return undefined;
}

/** What names a failure at the end of its entry, as Python does. */
const NAMES: ReadonlySet<number> = new Set([TRACE.exception, TRACE.chain, TRACE.end]);

/** The line before a failure, which may say what was done; before an error of Node the place and its source. */
function above(head: number, { textOf, isBlank }: Text, quiet: Uint8Array): number[] {
  const lines: number[] = [];
  for (let i = head - 1; i >= 0 && i >= head - 5 && quiet[i] === 0; i -= 1) {
    if (!isBlank(i)) lines.push(i);
    if (/^(?:file:\/\/)?\/?\S+\.[cm]?[jt]sx?:\d+$/.test(textOf(i))) return lines;
  }
  return head > 0 && !isBlank(head - 1) && quiet[head - 1] === 0 ? [head - 1] : [];
}
