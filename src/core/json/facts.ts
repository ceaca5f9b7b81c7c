import type { Outline } from '../outline.ts';
import type { Bodies } from './body.ts';
import type { poolsOf } from './pools.ts';
import type { JsonUnits } from './units.ts';

/** What an outline of units in a tree says of them, whatever their text is written in. */
export function treeFacts(
  units: Pick<JsonUnits, 'count' | 'parentOf' | 'afterOf' | 'beforeOf'>,
  facts: ReturnType<typeof poolsOf>,
  bodies: Bodies,
): Pick<
  Outline,
  | 'count'
  | 'sizeOf'
  | 'kind'
  | 'coarse'
  | 'middle'
  | 'severity'
  | 'failureKeys'
  | 'measure'
  | 'tree'
  | 'text'
  | 'odd'
  | 'states'
> {
  const { kind, coarse, middle, severity, failureKeys, odd, states } = facts;
  return {
    count: units.count,
    sizeOf: (unit) => bodies.size(unit),
    measure: (unit) => bodies.tokens(unit),
    text: (unit) => bodies.text(unit),
    tree: units,
    kind,
    coarse,
    middle,
    severity,
    failureKeys,
    odd,
    states,
  };
}
