import { Row } from './rows.ts';
import { barCells, type TableLayout } from './table-layout.ts';

/** Cuts a line into cells. */
export interface Splitter {
  /** Cells that a row fills at least. */
  readonly least: number;
  /** The cells of the line that was split last. */
  readonly row: Row;
  /** Splits the line `[from, to)` of the text `b`, which lies at `placed`; returns how many cells are filled. */
  split(b: Uint8Array, from: number, to: number, placed: number): number;
}

export function splitterOf({ kind, columns }: TableLayout): Splitter {
  const row = new Row(columns, kind === 'words');
  if (kind === 'bars') return { least: 1, row, split: (b, from, to) => splitBars(b, from, to, row) };
  const least = kind === 'words' ? Math.max(1, row.width - 1) : Math.max(2, Math.ceil(row.width * 0.3));
  return { least, row, split: (_, from, to, placed) => row.cut(placed, from, to) };
}

function splitBars(b: Uint8Array, from: number, to: number, row: Row): number {
  const cells = barCells(b.subarray(from, to));
  if (cells.length !== row.width) return 0;
  let at = from;
  let filled = 0;
  for (let c = 0; c < cells.length; c += 1) {
    const cell = Buffer.from(cells[c]!.trim(), 'latin1');
    const found = cell.length === 0 ? -1 : Buffer.from(b.buffer, b.byteOffset, to).indexOf(cell, at);
    row.set(c, found, found < 0 ? -1 : found + cell.length);
    if (found < 0) continue;
    at = found + cell.length;
    filled += 1;
  }
  return filled;
}
