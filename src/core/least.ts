import { keepFlagged } from './floor.ts';
import { fewOfEach } from './offers.ts';
import { ANCHOR, EMPTY, KEEP, PINNED, REASON, WHOLE } from './outline.ts';
import type { Kept } from './worth.ts';

/** Profiles of which one unit is shown: of the commonest so many, each of at least this share of the units. */
const MOST_EXEMPLARS = 6;
const LEAST_SHARE = 0.05;
/** Lines that explain a failure. */
const MOST_LINES = 12;
/** Outliers of a section that are shown. */
const MOST_OUTLIERS = 2;

/**
 * What stays of a section at level `aggressive`, the smallest honest view: the floor with what explains the first of each
 * failure, one of each rare value, the highest outliers, one exemplar for each of the main profiles. Markers count the rest.
 */
export function keepLeast(kept: Kept): void {
  keepFlagged(kept, PINNED, REASON.pinned);
  for (const { units } of kept.groups) addFailures(kept, units);
  keepFlagged(kept, KEEP, REASON['keep pattern']);
  keepFlagged(kept, ANCHOR, REASON.anchor);
  // Text that repeats nothing has no smaller view.
  if (kept.outline.shape === 'text') keepFlagged(kept, WHOLE, REASON.text);
  addOdd(kept);
  addExemplars(kept);
}

function addFailures(kept: Kept, units: readonly number[]): void {
  for (const unit of units) kept.add(unit, REASON.failure);
  const body = kept.outline.bodyOf?.(units[0]!) ?? [];
  for (const line of [...body].slice(0, MOST_LINES)) kept.add(line, REASON.context);
}

function addOdd(kept: Kept): void {
  const shown = new Set<object>();
  let outliers = 0;
  for (const odd of fewOfEach(kept)) {
    if (odd.kind === 'extreme' || (odd.value !== undefined && shown.has(odd.value))) continue;
    if (odd.value === undefined && (outliers += 1) > MOST_OUTLIERS) continue;
    if (odd.value !== undefined) shown.add(odd.value);
    kept.add(odd.unit, REASON[odd.kind]);
  }
}

function addExemplars(kept: Kept): void {
  const { outline, counts } = kept;
  const least = Math.max(2, outline.count * LEAST_SHARE);
  const main = [...counts.coarse.keys()]
    .filter((c) => counts.coarse[c]! >= least)
    .sort((a, b) => counts.coarse[b]! - counts.coarse[a]!)
    .slice(0, MOST_EXEMPLARS);
  const wanted = new Set(main.filter((c) => kept.shown.coarse[c] === 0));
  for (let unit = 0; unit < outline.count && wanted.size > 0; unit += 1) {
    const c = outline.coarse[outline.kind[unit]!]!;
    if ((outline.flags[unit]! & EMPTY) !== 0 || !wanted.delete(c)) continue;
    kept.add(unit, REASON.exemplar);
  }
}
