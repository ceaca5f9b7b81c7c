import type { Field } from '../fields.ts';
import { ODD, type Odd, outliers } from '../odd.ts';

/** The odd ones among the dates of a field, as numbers: those that are far from the others, the first and the last. */
export function oddDates(field: Field): Odd[] {
  field.finish();
  return [...outliers(field), ...ends(field)];
}

/** The first and the last date. */
function ends(field: Field): Odd[] {
  const first = field.lowest(1)[0];
  const last = field.highest(1)[0];
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
