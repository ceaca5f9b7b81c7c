import { latin1 } from '../chars.ts';
import type { LineIndex } from '../line-index.ts';
import { walkLines } from '../line-walk.ts';
import { HIT } from './hit.ts';
import { digits, isDigit, isPath, placeAt, startsWith } from './located.ts';

const DASH = 45;
const EQUALS = 61;
const COLON = 58;

/** Reads search results line by line. */
export class HitReader {
  readonly paths: string[] = [];
  /** File of the line that was read; -1. */
  file = -1;
  /** Where its text starts, from the start of the line. */
  text = 0;
  /** The line before was the heading of this one. */
  isLate = false;
  private readonly ids = new Map<string, number>();
  private heading = -1;
  private candidate: string | undefined;
  /** Path of the match before, which the next one most often has, too. */
  private last: Uint8Array = new Uint8Array(0);
  private lastFile = -1;

  // oxlint-disable-next-line complexity -- a scanner: a branch a kind of line
  read(b: Uint8Array, at: number, end: number): number {
    this.file = -1;
    this.text = 0;
    this.isLate = false;
    if (at === end) {
      this.heading = -1;
      this.candidate = undefined;
      return HIT.blank;
    }
    if (end - at === 2 && b[at] === DASH && b[at + 1] === DASH) return HIT.separator;
    const under = this.underHeading(b, at, end);
    if (under !== undefined) return under;
    this.candidate = undefined;
    if (isExcerpt(b, at, end)) return HIT.attached;
    const known = startsWith(b, at, end, this.last) ? this.last.length : 0;
    const place = placeAt(b, at, end, known);
    if (place !== undefined) {
      this.heading = -1;
      const isSame = known > 0 && place.pathEnd === at + known;
      this.file = isSame ? this.lastFile : this.id(latin1(b, at, place.pathEnd));
      if (!isSame) this.last = b.slice(at, place.pathEnd);
      this.lastFile = this.file;
      this.text = place.text - at;
      return HIT.match;
    }
    if (isPath(b, at, end)) this.candidate = latin1(b, at, end);
    return HIT.note;
  }

  /** `12:text`, `12-text` and eslint's `  12:5  error  text` below the path that they are of. */
  // oxlint-disable-next-line complexity -- a scanner: a branch a form
  private underHeading(b: Uint8Array, at: number, end: number): number | undefined {
    if (this.heading < 0 && this.candidate === undefined) return undefined;
    const start = b[at] === 32 ? skipBlanks(b, at, end) : at;
    if (!isDigit(b[start])) return undefined;
    let next = digits(b, start, end);
    const mark = b[next];
    if (next >= end || (mark !== COLON && mark !== DASH && mark !== EQUALS)) return undefined;
    const second = digits(b, next + 1, end);
    const hasColumn = mark === COLON && second > next + 1 && (b[second] === COLON || b[second] === 32);
    if (start > at && !hasColumn) return undefined;
    if (hasColumn) next = second;
    if (this.heading < 0) {
      this.heading = this.id(this.candidate!);
      this.isLate = true;
      this.candidate = undefined;
    }
    this.file = this.heading;
    this.text = next + 1 - at;
    return mark === COLON ? HIT.match : HIT.context;
  }

  private id(path: string): number {
    let id = this.ids.get(path);
    if (id === undefined) {
      id = this.paths.length;
      this.ids.set(path, id);
      this.paths.push(path);
    }
    return id;
  }
}

/** `   return x;`, `12   return x;`, `12 | return x;` */
function isExcerpt(b: Uint8Array, at: number, end: number): boolean {
  const next = digits(b, at, end);
  return next < end && (b[next] === 32 || b[next] === 9) && next - at < 8;
}

function skipBlanks(b: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && b[i] === 32) i += 1;
  return i;
}

/** The lines of search results. */
export interface Hits {
  readonly role: Uint8Array;
  /** Number of the file in `paths`; -1. */
  readonly file: Int32Array;
  /** Where the text of a line starts behind its place, in bytes. */
  readonly text: Uint16Array;
  readonly paths: readonly string[];
}

/** Reads the lines `[from, to)` as search results. */
export function readHits(index: LineIndex, from: number, to: number): Hits {
  const role = new Uint8Array(to - from);
  const file = new Int32Array(to - from).fill(-1);
  const text = new Uint16Array(to - from);
  const reader = new HitReader();
  walkLines(index, from, to, (line, b, at, end) => {
    const i = line - from;
    role[i] = reader.read(b, at, end);
    file[i] = reader.file;
    text[i] = Math.min(0xffff, reader.text);
    if (reader.isLate) {
      role[i - 1] = HIT.heading;
      file[i - 1] = reader.file;
    }
  });
  const hits = { role, file, text, paths: reader.paths };
  if (role.includes(HIT.note) || role.includes(HIT.separator)) findContext(index, from, hits);
  return hits;
}

/** Finds `path-12-text` around the matches `path:13:text`: lines with the path of the match before or behind them. */
function findContext(index: LineIndex, from: number, { role, file, text, paths }: Hits): void {
  const names = paths.map((path) => Buffer.from(path, 'latin1'));
  const behind = new Int32Array(role.length);
  for (let i = role.length - 1, next = -1; i >= 0; i -= 1) {
    behind[i] = next;
    if (role[i] === HIT.match) next = file[i]!;
  }
  let before = -1;
  walkLines(index, from, from + role.length, (line, b, at, end) => {
    const i = line - from;
    if (role[i] !== HIT.note && role[i] !== HIT.match && role[i] !== HIT.attached) return;
    for (const known of [before, behind[i]!]) {
      const length = known < 0 ? 0 : contextAt(b, at, end, names[known]!);
      if (length === 0) continue;
      role[i] = HIT.context;
      file[i] = known;
      text[i] = Math.min(0xffff, length);
      break;
    }
    if (file[i]! >= 0) before = file[i]!;
  });
}

/** Length of `path-12-`, if the line starts with it; else 0. */
function contextAt(b: Uint8Array, at: number, end: number, path: Uint8Array): number {
  const mark = at + path.length;
  if (mark >= end || (b[mark] !== DASH && b[mark] !== EQUALS) || !startsWith(b, at, end, path)) return 0;
  const next = digits(b, mark + 1, end);
  return next > mark + 1 && b[next] === b[mark] ? next + 1 - at : 0;
}
