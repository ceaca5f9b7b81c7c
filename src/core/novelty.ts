import { EMPTY, SEEN } from './outline.ts';
import { NUMBERS } from './policy.ts';
import type { Kept } from './worth.ts';

/** What the three levels of profiles add to the worth of a unit that is the first of its profile in the view. */
const LEVELS = { coarse: 1, middle: 0.5, exact: 0.7 } as const;
/** The same of lines, whose profiles are templates: what is new in an exact one are its words. */
const LINE_LEVELS = { coarse: 1.5, middle: 1, exact: 2.5 } as const;
/** What a line without a new word is worth beside one that has one, in a rare template; in a common one it is less. */
const KNOWN_WORDS = 0.6;
const COMMON = 0.6;

/** Worth of showing a profile of `count` units: rare ones most. */
export function rarity(count: number): number {
  return count <= NUMBERS.rareUnits ? 1 : 1 / (2 + Math.log2(count / NUMBERS.rareUnits));
}

/** Worth of a unit for the profiles that nothing in the view shows yet. */
export function novelty(kept: Kept, unit: number): number {
  const { outline, counts, shown } = kept;
  if (outline.flags[unit]! & (EMPTY | SEEN)) return 0;
  const k = outline.kind[unit]!;
  const m = outline.middle[k]!;
  const c = outline.coarse[k]!;
  const levels = kept.words === undefined ? LEVELS : LINE_LEVELS;
  const common = rarity(counts.coarse[c]!);
  let worth = 0;
  if (shown.coarse[c] === 0) worth += levels.coarse * common;
  if (shown.middle[m] === 0) worth += levels.middle * rarity(counts.middle[m]!);
  if (shown.exact[k] !== 0) return worth;
  const news = kept.words === undefined ? 1 : kept.words.worth(k, c) || KNOWN_WORDS * common ** COMMON;
  return worth + levels.exact * rarity(counts.exact[k]!) * news;
}
