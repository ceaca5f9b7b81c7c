import { LineWords } from './words-of-line.ts';

/** Where the columns of a table are, in display columns; a cell's words overlap its column most. */
export interface Columns {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Widest line that is looked at. */
const WIDEST = 2000;

/**
 * Cuts rows into columns where (nearly) all of them are blank. Gaps of one blank count only with 20 rows and more:
 * in a few rows blanks meet by chance. undefined where the rows have no two columns in common.
 */
export function alignedColumns(rows: readonly Uint8Array[]): Columns | undefined {
  const words = new LineWords();
  const ink = new Uint32Array(WIDEST + 1);
  const reach = new Uint32Array(WIDEST + 1);
  for (const row of rows) {
    words.read(row, 0, row.length);
    for (let w = 0; w < words.count; w += 1) {
      const end = Math.min(WIDEST, words.endColumn[w]!);
      for (let c = Math.min(WIDEST, words.startColumn[w]!); c < end; c += 1) ink[c]! += 1;
    }
    if (words.count > 0) reach[Math.min(WIDEST, words.endColumn[words.count - 1]!)]! += 1;
  }
  for (let c = WIDEST - 1; c >= 0; c -= 1) reach[c]! += reach[c + 1]!;
  const columns = cut(ink, reach, rows.length);
  return columns.starts.length >= 2 ? columns : undefined;
}

/** Between the inked stretches are the separators; they need enough rows that go on behind them. */
// oxlint-disable-next-line complexity -- a scanner over columns
function cut(ink: Uint32Array, reach: Uint32Array, rows: number): Columns {
  const tolerated = rows >= 100 ? Math.floor(rows * 0.015) : rows >= 20 ? 1 : 0;
  const narrowest = rows >= 20 ? 1 : 2;
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  while (at < WIDEST && ink[at]! <= tolerated) at += 1;
  while (at < WIDEST && reach[at]! > 0) {
    const start = at;
    let end = at;
    while (at < WIDEST && reach[at]! > 0) {
      while (at < WIDEST && ink[at]! > tolerated) at += 1;
      end = at;
      while (at < WIDEST && reach[at]! > 0 && ink[at]! <= tolerated) at += 1;
      if (at - end >= narrowest && reach[at]! >= rows * 0.2) break;
    }
    starts.push(start);
    ends.push(end);
  }
  return { starts, ends };
}

/** The columns that a line of dashes rules: `-----  --- ------`. undefined where it is one stretch. */
export function ruledColumns(rule: Uint8Array): Columns | undefined {
  const words = new LineWords();
  words.read(rule, 0, rule.length);
  if (words.count < 2) return undefined;
  return {
    starts: [...words.startColumn.subarray(0, words.count)],
    ends: [...words.endColumn.subarray(0, words.count)],
  };
}

/**
 * Gives the words of a line to the columns that they overlap most, else to the one on their left: fills `starts` and
 * `ends` with the bytes of each cell (equal where it is empty). Returns how many cells are filled.
 */
export function cellsOf(words: LineWords, columns: Columns, starts: Int32Array, ends: Int32Array): number {
  const { length } = columns.starts;
  starts.fill(-1, 0, length);
  ends.fill(-1, 0, length);
  let filled = 0;
  let column = 0;
  for (let w = 0; w < words.count; w += 1) {
    const from = words.startColumn[w]!;
    const to = words.endColumn[w]!;
    while (column + 1 < length && columns.starts[column + 1]! <= from) column += 1;
    let best = column;
    let overlap = Math.min(to, columns.ends[column]!) - Math.max(from, columns.starts[column]!);
    for (let c = column + 1; c < length && columns.starts[c]! < to; c += 1) {
      const size = Math.min(to, columns.ends[c]!) - Math.max(from, columns.starts[c]!);
      if (size > overlap) {
        overlap = size;
        best = c;
      }
    }
    column = best;
    if (starts[best] === -1) {
      starts[best] = words.startByte[w]!;
      filled += 1;
    }
    ends[best] = words.endByte[w]!;
  }
  return filled;
}
