import { kernel, memoryWords, place } from './kernel.ts';

/** Where the columns of a table are, in display columns; a cell's words overlap its column most. */
export interface Columns {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Widest line that is looked at. */
const WIDEST = 2000;
/** No byte takes more columns than a tab. */
const TAB = 8;

/**
 * Cuts rows into columns where (nearly) all of them are blank. Gaps of one blank count only with 20 rows and more:
 * in a few rows blanks meet by chance. undefined where the rows have no two columns in common.
 */
export function alignedColumns(rows: readonly Uint8Array[]): Columns | undefined {
  const { inkStart, inkRow } = kernel();
  const at = inkStart() >> 2;
  let longest = 0;
  for (const row of rows) {
    const placed = place(row, 'line');
    inkRow(placed, placed + row.length);
    if (row.length > longest) longest = row.length;
  }
  const ink = memoryWords().slice(at, at + WIDEST + 1);
  const reach = memoryWords().slice(at + WIDEST + 1, at + 2 * (WIDEST + 1));
  let last = Math.min(WIDEST, TAB * longest);
  while (last > 0 && reach[last] === 0) last -= 1;
  for (let c = last - 1; c >= 0; c -= 1) reach[c]! += reach[c + 1]!;
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
  const placed = place(rule, 'line');
  const { inkStart, ruleWords, wordsAt } = kernel();
  inkStart();
  const count = ruleWords(placed, placed + rule.length);
  if (count < 2) return undefined;
  const words = memoryWords().slice(wordsAt() >> 2, (wordsAt() >> 2) + 4 * count);
  const pick = (member: number): number[] => Array.from({ length: count }, (_, w) => words[4 * w + member]!);
  return { starts: pick(2), ends: pick(3) };
}
