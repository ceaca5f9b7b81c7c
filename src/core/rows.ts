import type { Columns } from './columns.ts';
import { kernel, memory, memoryWords } from './kernel.ts';

/** What a cell is as a number. */
export const NONE = 0;
export const COUNT = 1;
/** A decimal, a size, a percentage, an amount of money. */
export const MEASURE = 2;
/** A duration: `2d21h`, `4m40s`, `183,19:35:02`, `0:38`. */
export const DURATION = 3;
/** `n/m`. */
export const RATIO = 4;

/**
 * Members of the kernel's record of a cell: the first three in 64-bit numbers, the others in 32-bit words. `MASKED` is the
 * hash of what is no number with digits masked, and with them short letter runs beside them; `ORDER` of a ratio is -1
 * where n < m, 0 where they are equal, 1 where n > m, and of what is no number 1 where it holds a `=`.
 */
export const VALUE = 0;
export const HASH = 1;
export const MASKED = 2;
export const START = 6;
export const END = 7;
export const KIND = 8;
export const ORDER = 9;
export const CELL_WORDS = 10;
export const CELL_FLOATS = 5;

/** The cells of the row that was cut last, by the kernel (src/kernel/rows.ts); there is only one such row at a time. */
export class Row {
  readonly width: number;
  /** What `read` found, members as above. They lie in the kernel's memory: empty when that has grown, until `refresh`. */
  floats: Float64Array = new Float64Array(0);
  words: Int32Array = new Int32Array(0);
  private readonly at: number;

  /** With `isByWords` the n-th word is the n-th cell, the last takes the rest. */
  constructor({ starts, ends }: Columns, isByWords = false) {
    const { rowsStart, cells } = kernel();
    this.width = starts.length;
    const columns = rowsStart(this.width, isByWords) >> 2;
    const words = memoryWords();
    for (let c = 0; c < ends.length; c += 1) {
      words[columns + 2 * c] = starts[c]!;
      words[columns + 2 * c + 1] = ends[c]!;
    }
    this.at = cells.value;
    this.refresh();
  }

  /** Looks at the kernel's memory anew. */
  refresh(): void {
    const { buffer } = memory();
    this.floats = new Float64Array(buffer, this.at, this.width * CELL_FLOATS);
    this.words = new Int32Array(buffer, this.at, this.width * CELL_WORDS);
  }

  /** Cuts the line `[from, to)` of the text that lies at `placed`; returns how many cells are filled. */
  cut(placed: number, from: number, to: number): number {
    return kernel().cutRow(placed, placed + from, placed + to);
  }

  /** A cell that was cut elsewhere; -1 where it is empty. */
  set(c: number, start: number, end: number): void {
    const words = memoryWords();
    words[(this.at >> 2) + c * CELL_WORDS + START] = start;
    words[(this.at >> 2) + c * CELL_WORDS + END] = end;
  }

  /** Finds what the cells are. */
  read(placed: number): void {
    kernel().readCells(placed);
    if (this.words.length === 0) this.refresh();
  }

  /** Offset of the cell in the text; -1 where it is empty. */
  start(c: number): number {
    return this.words[c * CELL_WORDS + START]!;
  }

  end(c: number): number {
    return this.words[c * CELL_WORDS + END]!;
  }

  kind(c: number): number {
    return this.words[c * CELL_WORDS + KIND]!;
  }
}
