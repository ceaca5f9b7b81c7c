import { countFailures, namedCounts } from '../line-units.ts';
import type { Hole, Outline } from '../outline.ts';
import type { JsonUnits } from './units.ts';

/** How many neighbours the units `[first, end)` are, without those inside of them, and what states they are in. */
export function countNeighbours(
  { afterOf }: Pick<JsonUnits, 'afterOf'>,
  { states }: Pick<Outline, 'states'>,
  first: number,
  end: number,
): Pick<Hole, 'count' | 'values'> {
  const counts = new Uint32Array(256);
  let count = 0;
  for (let unit = first; unit < end; unit = afterOf(unit)) {
    if (states !== undefined) counts[states.of[unit]!]! += 1;
    count += 1;
  }
  return { count, values: states === undefined ? [] : namedCounts(states, counts, count) };
}

/** What is counted of units that went. */
export type Counts = Pick<Hole, 'count' | 'values' | 'failures'>;

/** The same with how many of them are failures. */
export function countsOf(
  units: Pick<JsonUnits, 'afterOf'>,
  facts: Pick<Outline, 'severity' | 'states'>,
  { first, end }: { readonly first: number; readonly end: number },
): Counts {
  return {
    ...countNeighbours(units, facts, first, end),
    failures: countFailures(facts.severity, first, end),
  };
}
