/** Finds the pattern of lines: what nearly all of them have in the same field. Texts are of one character a byte. */
import { commonEnds, type Ends, mostCommon, PLAIN } from './text-common.ts';
import { type Cut, cutLine, type Fields } from './text-fields.ts';
import { charsOf, lineOf, type Pattern, type Piece, type Separator } from './text-pattern.ts';

/** Nearly all; other lines are written as they are. */
const NEARLY_ALL = 0.92;
/** A frame that fewer lines fit is none. */
const LEAST_FIT = 0.6;
const MOST_FIELDS = 40;
/** Of lines that differ in their number of fields, so many of the first ones are looked at. */
const LEADING_FIELDS = 12;

/** What stands before a field (or behind the last): the same text everywhere, or the blanks that fill a cell. */
interface Gap {
  readonly text?: string;
  /** Characters of the field before, with the gap. */
  readonly left?: number;
  /** Characters of the gap, with the field behind. */
  readonly right?: number;
}

/** A pattern, and what it takes to bring a line into it. */
export interface Frame {
  readonly cut: Cut;
  /** Fields that are cut off; `hasRest`: one more has what is left of the line. */
  readonly count: number;
  readonly hasRest: boolean;
  readonly fields: readonly Ends[];
  readonly pattern: Pattern;
}

/** The frame that most of the lines fit, but for a share of them that may be shorter; undefined where there is none. */
export function frameOf(lines: readonly string[], cut: Cut, shorter: number): Frame | undefined {
  const counts = lines.map((line) => cutLine(line, cut, MOST_FIELDS).fields.length).sort((a, b) => a - b);
  const least = counts[Math.floor(counts.length * shorter)]!;
  const hasRest = least !== counts[counts.length >> 1] || least > MOST_FIELDS;
  const count = hasRest ? Math.min(least - 1, LEADING_FIELDS) : least;
  if (count < 1) return undefined;
  const cutAll = lines.map((line) => cutLine(line, cut, hasRest ? count : MOST_FIELDS));
  const total = hasRest ? count + 1 : count;
  const like = cutAll.filter(({ fields }) => fields.length === total);
  const found = fieldsAndGaps(like, total, hasRest);
  if (found === undefined || found.left < lines.length * LEAST_FIT) return undefined;
  const { fields, gaps, hasBlanks } = found;
  const separator = separatorOf(cut, hasBlanks);
  if (hasRest) joinRest(fields, gaps, separator);
  const { length } = fields;
  return {
    cut,
    count: hasRest ? length - 1 : length,
    hasRest,
    fields,
    pattern: { pieces: piecesOf(fields, gaps), separator },
  };
}

function separatorOf(cut: Cut, hasBlanks: boolean): Separator {
  if (cut === 'wide') return hasBlanks ? '|' : ' ';
  return cut === 'words' ? ' ' : cut;
}

/** The last cells before the rest belong to it where a row has between them what the line has. */
function joinRest(fields: Ends[], gaps: Gap[], separator: string): void {
  for (let i = fields.length - 2; i > 0; i -= 1) {
    if (fields[i] !== PLAIN || gaps[i + 1]!.text !== separator || gaps[i]!.right !== undefined) return;
    fields.splice(i, 1);
    gaps.splice(i + 1, 1);
  }
}

/** The row of a line; undefined where the line does not fit. */
export function rowOf({ cut, count, hasRest, fields, pattern }: Frame, line: string): string | undefined {
  const own = cutLine(line, cut, hasRest ? count : MOST_FIELDS).fields;
  if (own.length !== fields.length) return undefined;
  let row: string | undefined;
  for (const [i, { constant, before, behind }] of fields.entries()) {
    if (constant !== undefined) continue;
    const cell = own[i]!.slice(before.length, Math.max(before.length, own[i]!.length - behind.length));
    row = row === undefined ? cell : row + pattern.separator + cell;
  }
  row ??= '';
  return lineOf(pattern, row) === line ? row : undefined;
}

interface Found {
  readonly fields: Ends[];
  readonly gaps: Gap[];
  /** Lines that fit all of it. */
  readonly left: number;
  /** Has a cell a blank in it? */
  readonly hasBlanks: boolean;
}

/** From left to right: what does not fit a gap or a field is not looked at further. */
function fieldsAndGaps(all: readonly Fields[], total: number, hasRest: boolean): Found | undefined {
  let lines = all;
  const fields: Ends[] = [];
  const gaps: Gap[] = [];
  for (let i = 0; i <= total; i += 1) {
    const gap = gapAt(lines, i, total, gaps[i - 1]);
    if (gap === undefined) return undefined;
    if (gap.left !== undefined) fields[i - 1] = PLAIN;
    gaps.push(gap);
    lines = lines.filter((line) => fits(line, i, gap));
    if (i === total) break;
    const values = lines.map((line) => line.fields[i]!);
    const isPlain = gap.right !== undefined || (hasRest && i === total - 1);
    const field = isPlain ? PLAIN : commonEnds(values, NEARLY_ALL);
    fields.push(field);
    lines = lines.filter((line) => hasEnds(line.fields[i]!, field));
  }
  const hasBlanks = lines.some((line) =>
    line.fields.some((value, i) => fields[i]!.constant === undefined && i < total - 1 && value.includes(' ')),
  );
  return { fields, gaps, left: lines.length, hasBlanks };
}

function hasEnds(value: string, { constant, before, behind }: Ends): boolean {
  if (constant !== undefined) return value === constant;
  return value.length >= before.length + behind.length && value.startsWith(before) && value.endsWith(behind);
}

/** What the gap before field `i` is in nearly all lines. */
function gapAt(lines: readonly Fields[], i: number, total: number, before?: Gap): Gap | undefined {
  const [text, count] = mostCommon(lines.map(({ gaps }) => gaps[i]!));
  const enough = lines.length * NEARLY_ALL;
  if (count >= enough) return { text: text! };
  const size = (line: Fields, at: number): number => (at < 0 || at >= total ? 0 : charsOf(line.fields[at]!));
  const mayBeLeft = i > 0 && before?.right === undefined;
  if (mayBeLeft) {
    const [left, fit] = mostCommon(lines.map((line) => size(line, i - 1) + line.gaps[i]!.length));
    if (fit >= enough) return { left: left! };
  }
  if (i === total) return undefined;
  const [right, fit] = mostCommon(lines.map((line) => line.gaps[i]!.length + size(line, i)));
  if (fit >= enough) return { right: right! };
  if (!mayBeLeft) return undefined;
  const sizes = lines.map((line) => size(line, i - 1) + line.gaps[i]!.length + size(line, i));
  const [both, fitBoth] = mostCommon(sizes);
  if (fitBoth < enough) return undefined;
  const left = Math.max(...lines.map((line, n) => (sizes[n] === both ? size(line, i - 1) : 0)));
  return { left, right: both! - left };
}

function fits(line: Fields, i: number, { text, left, right }: Gap): boolean {
  const gap = line.gaps[i]!;
  if (text !== undefined) return gap === text;
  const before = left === undefined ? 0 : charsOf(line.fields[i - 1]!);
  const behind = right === undefined ? 0 : charsOf(line.fields[i]!);
  return before + gap.length + behind === (left ?? 0) + (right ?? 0) && before <= (left ?? 0);
}

function piecesOf(fields: readonly Ends[], gaps: readonly Gap[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: Piece): void => {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else if (piece !== '') pieces.push(piece);
  };
  for (const [i, { constant, before, behind }] of fields.entries()) {
    add(gaps[i]!.text ?? '');
    const right = gaps[i]!.right;
    const left = gaps[i + 1]!.left;
    if (constant !== undefined) add(constant);
    else {
      add(before);
      if (right !== undefined) add({ align: '>', width: right });
      else add({ align: left === undefined ? '' : '<', width: left ?? 0 });
      add(behind);
    }
  }
  add(gaps.at(-1)!.text ?? '');
  return pieces;
}
