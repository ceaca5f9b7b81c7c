import { asBuffer, latin1 } from '../chars.ts';
import { type LineIndex, lineAt } from '../line-index.ts';
import { late } from '../late.ts';
import { walkLines } from '../line-walk.ts';
import { DIFF_SIGNS, SIGN } from '../signs.ts';
import { stripEscapes } from '../escapes.ts';
import { ROLE } from './role.ts';

/** A run of lines `[from, to)`. */
export interface Zone {
  readonly from: number;
  readonly to: number;
}

/** What a diff begins with where nothing is before it. */
const FIRST_SIGNS = /^(?:diff -|@@|On branch )/;
/** Lines before a sign that may belong to it: a commit with its message. */
const BEFORE = 300;
/** Other lines in a row that end a diff. */
const MOST_OTHERS = 4;
/** A diff between other lines needs so many to be cut out of them; one without a header of git, more than half of all. */
const LEAST_LINES = 20;

/** The diffs of an input: from the first commit or file header to the last line of a hunk. */
export function diffZones(index: LineIndex): Zone[] {
  const zones: Zone[] = [];
  let at = 0;
  for (const sign of signLines(index)) {
    if (sign < at) continue;
    at = readZones(index, { from: Math.max(at, sign - BEFORE), sign }, zones);
  }
  return zones;
}

/** Reads on behind a sign until no diff is open; the line where it stopped. */
function readZones(index: LineIndex, { from, sign }: { from: number; sign: number }, zones: Zone[]): number {
  const reader = new (late().DiffReader)();
  const zone = new OpenZone(index.count, zones);
  let stop = index.count;
  walkLines(index, from, index.count, (line, text, at, end) => {
    const role = reader.read(text, at, end);
    if (zone.others > MOST_OTHERS) zone.close();
    if (line > sign + 1 && !zone.isOpen) {
      stop = line;
      return false;
    }
    zone.add(line, reader.isLate ? ROLE.head : role, at === end);
  });
  if (stop === index.count) zone.takeEnd();
  zone.close();
  return Math.max(stop, sign + 1);
}

/** A zone while it is read. */
class OpenZone {
  others = 0;
  private from = -1;
  private to = -1;
  private strong = 0;
  private plain = 0;
  private hunks = 0;
  private readonly lines: number;
  private readonly zones: Zone[];

  constructor(lines: number, zones: Zone[]) {
    this.lines = lines;
    this.zones = zones;
  }

  get isOpen(): boolean {
    return this.from >= 0;
  }

  add(line: number, role: number, isBlank: boolean): void {
    if (role === ROLE.other) {
      if (!isBlank) this.others += 1;
      return;
    }
    this.others = 0;
    if (this.from < 0) this.from = line;
    this.to = line + 1;
    if (role === ROLE.hunk) this.hunks += 1;
    else if (role === ROLE.head) this.plain += 1;
    else if (role === ROLE.header || role === ROLE.total || role === ROLE.entry) this.strong += 1;
  }

  /** The few lines at the end of a text belong to its diff: the signature of a patch. */
  takeEnd(): void {
    if (this.from >= 0) this.to = this.lines;
  }

  close(): void {
    if (this.from >= 0 && this.isDiff()) this.zones.push({ from: this.from, to: this.to });
    this.from = -1;
    this.others = 0;
    this.strong = this.plain = this.hunks = 0;
  }

  private isDiff(): boolean {
    const size = this.to - this.from;
    const isMost = size * 2 > this.lines;
    if (this.strong > 0 && size >= LEAST_LINES) return true;
    return isMost && (this.strong > 0 || (this.plain > 0 && this.hunks > 0));
  }
}

/** Lines with signs, in order, thinned out: one in so many lines is enough. */
function signLines(index: LineIndex): number[] {
  const { source, starts } = index;
  const lines: number[] = [];
  const add = (line: number): void => {
    const last = lines.at(-1);
    if (last === undefined || line > last + BEFORE) lines.push(line);
  };
  for (const { base, size, signs } of index.parts) {
    const hasSigns = (signs & (SIGN.diff | SIGN.escapes)) !== 0;
    const bytes = source.read(base, base + (hasSigns ? size : Math.min(size, 16)));
    const text = stripEscapes(bytes);
    if (FIRST_SIGNS.test(latin1(text, 0, 16))) add(lineAt(index, base));
    if (!hasSigns) continue;
    const places = signPlaces(asBuffer(text));
    if (text.length === bytes.length) for (const at of places) add(lineAt(index, base + at));
    else if (places.length > 0) {
      const last = lineAt(index, base + bytes.length - 1);
      for (let line = lineAt(index, base); line <= last; line += BEFORE + 1) add(line);
    }
  }
  return lines.filter((line) => starts[line] !== undefined);
}

/** Where signs are, in order; of one sign no two within a small distance. */
function signPlaces(text: Buffer): number[] {
  const places: number[] = [];
  for (const sign of DIFF_SIGNS) {
    for (let at = text.indexOf(sign, 0, 'latin1'); at >= 0; at = text.indexOf(sign, at + NEAR, 'latin1'))
      places.push(at + (sign.startsWith('\n') ? 1 : 0));
  }
  return places.sort((a, b) => a - b);
}

/** Bytes behind a sign in which another one of its kind says nothing new. */
const NEAR = 1000;
