import { hashBytes } from './hash.ts';
import { type Odd, rareValues } from './odd.ts';
import { Values } from './values.ts';

/** Keys that are told apart in one column. */
const MOST_KEYS = 64;

/** The values of `key=value` pairs in the cells of a column, parted by commas: labels, selectors, tags. */
export class Labels {
  private readonly keys = new Map<number, Values>();

  /** Adds the pairs of the cell `[from, to)`. */
  add(row: number, b: Uint8Array, from: number, to: number): void {
    let start = from;
    let equals = -1;
    for (let at = from; at <= to; at += 1) {
      if (at < to && b[at] !== 44) {
        if (b[at] === 61 && equals < 0) equals = at;
        continue;
      }
      if (equals > start) this.pair(hashBytes(b, start, equals), row, b, equals + 1, at);
      start = at + 1;
      equals = -1;
    }
  }

  odd(): Odd[] {
    return [...this.keys.values()].flatMap(({ few, field }) => (few ? rareValues(field) : []));
  }

  private pair(key: number, row: number, b: Uint8Array, from: number, to: number): void {
    let values = this.keys.get(key);
    if (values === undefined) {
      if (this.keys.size >= MOST_KEYS) return;
      values = new Values(0);
      this.keys.set(key, values);
    }
    values.add(row, hashBytes(b, from, to), b, from, to);
  }
}
