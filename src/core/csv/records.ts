import { kernel, place } from '../kernel.ts';
import type { LineIndex } from '../line-index.ts';
import { LONGEST_LINE, markSize } from '../source.ts';

/** How delimited text is written: the byte between cells, and whether quotes hide delimiters and line ends in them. */
export interface Dialect {
  readonly delimiter: number;
  readonly isQuoted: boolean;
}

/** A record that was cut; its cells are those of the row, as far as that has columns. */
export interface CsvRecord {
  /** The bytes around it, and where they lie in the kernel's memory. */
  readonly text: Uint8Array;
  readonly placed: number;
  /** `[start, end)` in `text`, with its line end. */
  start: number;
  end: number;
  /** Its first line, and the first one behind it. */
  line: number;
  nextLine: number;
  /** Cells that it has, and those that hold something. */
  cells: number;
  filled: number;
}

const CHUNK = 1 << 20;
/** A cell in quotes that does not end within so many bytes has none. */
const LONGEST_CELL = 1 << 20;
/** After so many of those quotes are letters. */
const MOST_OPEN = 8;

/** What stands behind the bytes at hand; see src/kernel/records.ts. */
const MAY_CLOSE = 0;
const NO_CLOSE = 1;
const ENDS = 2;

/** Cuts the lines `[from, to)` into records, until `act` returns false. There is one record at a time. */
// oxlint-disable-next-line complexity -- a scanner over chunks
export function eachRecord(
  { source, starts }: LineIndex,
  { from, to }: { readonly from: number; readonly to: number },
  dialect: Dialect,
  act: (record: CsvRecord) => boolean,
): void {
  const { cutRecord, recordCells, recordFilled, recordsStart } = kernel();
  let line = from;
  let at = starts[from]! + (from === 0 ? markSize(source) : 0);
  const end = starts[to]!;
  let size = CHUNK;
  let left = dialect.isQuoted ? MOST_OPEN : 0;
  while (at < end) {
    const text = source.read(at, Math.min(end, at + size));
    const placed = place(text);
    const rest = at + text.length >= end ? ENDS : size > LONGEST_CELL ? NO_CLOSE : MAY_CLOSE;
    recordsStart(placed, dialect.delimiter, left > 0);
    const record = { text, placed, start: 0, end: 0, line, nextLine: line, cells: 0, filled: 0 };
    while (record.start < text.length) {
      const next = cutRecord(placed + record.start, placed + text.length, rest);
      if (next === 0) break;
      record.end = next - placed;
      while (record.nextLine < to && starts[record.nextLine]! < at + record.end) record.nextLine += 1;
      record.cells = recordCells.value;
      record.filled = recordFilled.value;
      if (!act(record)) return;
      record.start = record.end;
      record.line = record.nextLine;
      if (rest === NO_CLOSE) break;
    }
    line = record.line;
    at += record.start;
    if (rest === NO_CLOSE) left -= 1;
    size = record.start === 0 ? size * 2 : CHUNK;
    if (size > 2 * LONGEST_LINE) throw new RangeError('a line is longer than 64 MiB');
  }
}
