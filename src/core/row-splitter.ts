import { cellsOf } from './columns.ts';
import { barCells, type TableLayout } from './table-layout.ts';
import { LineWords } from './words-of-line.ts';

/** Cuts a line into cells. */
export interface Splitter {
  /** Cells that a row fills at least. */
  readonly least: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  split(b: Uint8Array, from: number, to: number): number;
}

export function splitterOf(layout: TableLayout): Splitter {
  const width = layout.columns.starts.length;
  const starts = new Int32Array(width);
  const ends = new Int32Array(width);
  const words = new LineWords();
  if (layout.kind === 'bars')
    return { least: 1, starts, ends, split: (b, from, to) => splitBars(b, from, to, starts, ends) };
  if (layout.kind === 'words') {
    return {
      least: Math.max(1, width - 1),
      starts,
      ends,
      split: (b, from, to) => splitWords(b, from, to, { words, starts, ends }),
    };
  }
  const split = (b: Uint8Array, from: number, to: number): number => {
    words.read(b, from, to);
    return cellsOf(words, layout.columns, starts, ends);
  };
  return { least: Math.max(2, Math.ceil(width * 0.3)), starts, ends, split };
}

function splitBars(b: Uint8Array, from: number, to: number, starts: Int32Array, ends: Int32Array): number {
  const cells = barCells(b.subarray(from, to));
  if (cells.length !== starts.length) return 0;
  let at = from;
  let filled = 0;
  for (let c = 0; c < cells.length; c += 1) {
    const cell = Buffer.from(cells[c]!.trim(), 'latin1');
    const found = cell.length === 0 ? -1 : Buffer.from(b.buffer, b.byteOffset, to).indexOf(cell, at);
    starts[c] = found;
    ends[c] = found < 0 ? -1 : found + cell.length;
    if (found < 0) continue;
    at = found + cell.length;
    filled += 1;
  }
  return filled;
}

function splitWords(
  b: Uint8Array,
  from: number,
  to: number,
  { words, starts, ends }: { words: LineWords; starts: Int32Array; ends: Int32Array },
): number {
  words.read(b, from, to);
  const last = starts.length - 1;
  for (let c = 0; c <= last; c += 1) {
    starts[c] = c < words.count ? words.startByte[c]! : -1;
    ends[c] = c < words.count ? words.endByte[c === last ? words.count - 1 : c]! : -1;
  }
  return Math.min(words.count, starts.length);
}
