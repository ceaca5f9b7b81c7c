import { latin1 } from './chars.ts';
import { mostRare, type Odd, ODD, rareValue } from './odd.ts';

const MOST_PLACES = 32;

/** Rows that break what the other rows of a column keep to: a placeholder among values, a count that differs. */
export class Exceptions {
  count = 0;
  private readonly rows: number[] = [];

  add(row: number): void {
    this.count += 1;
    if (this.rows.length < MOST_PLACES) this.rows.push(row);
  }

  /** The rows as rare values, if there are few enough of them among `rows`. */
  odd(rows: number): Odd[] {
    const { count } = this;
    if (count === 0 || rows < ODD.rareFrom || count > mostRare(rows, rows - count)) return [];
    return this.rows.map((row) => rareValue(row, this, count, rows));
  }
}

/** What stands for no value: `<none>`, `<unset>`, `-`, `--`, `n/a`, `none`, `null`, `unknown`, `?`. */
export function isPlaceholder(b: Uint8Array, from: number, to: number): boolean {
  const size = to - from;
  if (size > 12) return false;
  if (b[from] === 60) return b[to - 1] === 62;
  if (size <= 3 && (b[from] === 45 || b[from] === 63)) return b[to - 1] === b[from];
  const first = b[from]! | 32;
  return size <= 7 && (first === 110 || first === 117) && PLACEHOLDER.test(latin1(b, from, to));
}

const PLACEHOLDER = /^(?:n\/?a|none|null|nil|unknown|unset)$/i;
