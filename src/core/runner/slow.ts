import { Field } from '../fields.ts';
import { type Odd, outliers } from '../odd.ts';
import type { Reading } from './extent.ts';
import { ROLE } from './roles.ts';

/** Lines that are looked at. */
const MOST = 20_000;
/** Seconds from which on a test that passed is news. */
const SLOW = 10;

const DURATION = /[\s([](\d+(?:\.\d+)?) ?(ms|s|m)[)\]]?$/;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60 };

/** The tests that passed and took far longer than the others. */
export function slowTests({ roles, textOf }: Reading): Odd[] {
  const field = new Field();
  let left = MOST;
  for (let i = 0; i < roles.length && left > 0; i += 1) {
    if (roles[i] !== ROLE.passed) continue;
    left -= 1;
    const match = DURATION.exec(textOf(i).trimEnd());
    if (match !== null) field.number(Number(match[1]) * SECONDS[match[2]!]!, i);
  }
  const slow = new Set(
    field
      .highest()
      .filter(({ value }) => value >= SLOW)
      .map(({ unit }) => unit),
  );
  return outliers(field).filter(({ unit }) => slow.has(unit));
}
