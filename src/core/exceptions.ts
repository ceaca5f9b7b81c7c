import { memoryWords } from './kernel.ts';
import { mostRare, type Odd, ODD, rareValue } from './odd.ts';

const MOST_PLACES = 32;

/** Rows that break what the other rows of a column keep to: a placeholder among values, a count that differs. */
export class Exceptions {
  readonly count: number;
  private readonly rows: readonly number[];

  /** `at` is where the kernel has counted and gathered them. */
  constructor(at: number) {
    const words = memoryWords();
    const from = (at >> 2) + 1;
    this.count = words[from - 1]!;
    this.rows = Array.from(words.subarray(from, from + Math.min(this.count, MOST_PLACES)));
  }

  /** The rows as rare values, if there are few enough of them among `rows`. */
  odd(rows: number): Odd[] {
    const { count } = this;
    if (count === 0 || rows < ODD.rareFrom || count > mostRare(rows, rows - count)) return [];
    return this.rows.map((row) => rareValue(row, this, count, rows));
  }
}
