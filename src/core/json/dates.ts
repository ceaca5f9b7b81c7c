import { Field } from '../fields.ts';
import { ODD, type Odd, outliers } from '../odd.ts';

/** The dates in the fields of a pool, as numbers: one that is far from the others is odd. */
export class Dates {
  private readonly fields = new Map<number, Field>();

  /** Reads `2025-05-14T11:23:09Z`, `2025-05-14 11:23:09` and `2025-05-14` at `[from, to)`. */
  add(column: number, row: number, b: Uint8Array, from: number, to: number): void {
    if (to - from < 10 || to - from > 40 || b[from + 4] !== 45 || b[from + 7] !== 45) return;
    const year = number(b, from, 4);
    const month = number(b, from + 5, 2);
    const day = number(b, from + 8, 2);
    if (year < 0 || month < 0 || day < 0) return;
    const hasTime = to - from >= 19 && b[from + 13] === 58;
    const seconds = hasTime
      ? number(b, from + 11, 2) * 3600 + number(b, from + 14, 2) * 60 + number(b, from + 17, 2)
      : 0;
    let field = this.fields.get(column);
    if (field === undefined) this.fields.set(column, (field = new Field()));
    // Days of 31 in each month: the order and nearly the distance are right, and no calendar is needed.
    field.number(((year * 12 + month) * 31 + day) * 86_400 + seconds, row);
  }

  odd(): Odd[] {
    return [...this.fields.values()].flatMap((field) => {
      field.finish();
      return [...outliers(field), ...ends(field)];
    });
  }
}

/** The first and the last date. */
function ends(field: Field): Odd[] {
  const first = field.lowest[0];
  const last = field.highest[0];
  if (
    first === undefined ||
    last === undefined ||
    field.count < ODD.extremeFrom ||
    first.value === last.value
  )
    return [];
  const worth = Math.min(1, Math.log2(field.count) / 10) * 0.3;
  return [first, last].map(({ unit }) => ({ unit, kind: 'extreme', worth }));
}

function number(b: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let i = at; i < at + digits; i += 1) {
    const digit = b[i]! - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}
