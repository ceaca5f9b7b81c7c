import type { Columns } from './columns.ts';
import { kernel, memory, memoryWords } from './kernel.ts';

/** The kind of a cell that is no number; those of numbers are told in src/kernel/cells.ts. */
export const NONE = 0;

/** Members of the kernel's record of a cell, in 32-bit words. */
const START = 0;
const END = 1;
const KIND = 2;
const CELL_WORDS = 3;

/** The cells of the row that was cut last, by the kernel (src/kernel/rows.ts); there is only one such row at a time. */
export class Row {
  readonly width: number;
  /** They lie in the kernel's memory: empty when that has grown. */
  private words: Int32Array = new Int32Array(0);
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
  }

  private get live(): Int32Array {
    if (this.words.length === 0)
      this.words = new Int32Array(memory().buffer, this.at, this.width * CELL_WORDS);
    return this.words;
  }

  /** Cuts the line `[from, to)` of the text that lies at `placed`; returns how many cells are filled. */
  cut(placed: number, from: number, to: number): number {
    return kernel().cutRow(placed, placed + from, placed + to);
  }

  /** A cell that was cut elsewhere; -1 where it is empty. */
  set(c: number, start: number, end: number): void {
    this.live[c * CELL_WORDS + START] = start;
    this.live[c * CELL_WORDS + END] = end;
  }

  /** Finds the kinds of the cells. */
  read(placed: number): void {
    kernel().readCells(placed);
  }

  /** Offset of the cell in the text; -1 where it is empty. */
  start(c: number): number {
    return this.live[c * CELL_WORDS + START]!;
  }

  end(c: number): number {
    return this.live[c * CELL_WORDS + END]!;
  }

  kind(c: number): number {
    return this.live[c * CELL_WORDS + KIND]!;
  }
}
