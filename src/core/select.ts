import { fitBudget } from './budget.ts';
import { failureGroups, floorOf } from './floor.ts';
import { fillEnds, fillSmallGaps, totalTokens } from './gaps.ts';
import type { Policy } from './model.ts';
import { fewOfEach, profileOffers, takeBest } from './offers.ts';
import { keepLeast } from './least.ts';
import { type Outline, REASON, WHOLE } from './outline.ts';
import { aroundOf, NUMBERS } from './policy.ts';
import { Kept } from './worth.ts';

/** What a selection came to; `budget` is set where the tokens had to be fitted to one. */
export interface Selected {
  readonly kept: readonly Kept[];
  readonly budget?: number;
  /** Was there more to show than it had room for? */
  readonly isFull?: boolean;
}

/** Decides what stays, by the reasons of design §5. `scale` shrinks the budget where a first try came out too large. */
export function select(outlines: readonly Outline[], policy: Policy, scale = 1): Selected {
  const around = aroundOf(policy);
  const groups = outlines.map((outline) => failureGroups(outline, around));
  if (policy.budgetAsked) return fitBudget(outlines, groups, policy, scale);
  const all = outlines.map((outline, i) => new Kept(outline, groups[i]!, around, false));
  if (policy.level === 'aggressive') all.forEach(keepLeast);
  else {
    all.forEach(selectOne);
    spendPurse(all);
  }
  for (const kept of all) fillSmallGaps(kept, NUMBERS.gapGain);
  fillEnds(all, NUMBERS.gapGain);
  return totalTokens(all) <= limitOf(policy, all)
    ? { kept: all }
    : fitBudget(outlines, groups, policy, scale);
}

/** The default budget; the floor may exceed it up to twice. */
function limitOf({ maxTokens }: Policy, all: readonly Kept[]): number {
  if (maxTokens === 0) return Infinity;
  let floor = 0;
  for (const kept of all) {
    const { reasons } = kept;
    for (let i = 0; i < reasons.length; i += 1) {
      if (reasons[i]! >= REASON.pinned && reasons[i]! <= REASON.anchor) floor += kept.cost(i);
    }
  }
  return Math.max(maxTokens, Math.min(2 * maxTokens, floor));
}

function selectOne(kept: Kept): void {
  const { outline } = kept;
  floorOf(kept);
  for (let i = 0; i < outline.count; i += 1) if (outline.flags[i]! & WHOLE) kept.add(i, REASON.text);
  for (const odd of fewOfEach(kept)) kept.add(odd.unit, REASON[odd.kind]);
}

/** Rare profiles, exemplars and edges, for 2 % of the input's tokens (4 % of records) and a small sum. */
function spendPurse(all: readonly Kept[]): void {
  let whole = 0;
  let left = 0;
  for (const { outline } of all) {
    let tokens = 0;
    for (let i = 0; i < outline.count; i += 1) tokens += outline.costs[i]!;
    left += tokens * (outline.purse ?? NUMBERS.purse);
    whole += tokens;
  }
  left += Math.min(NUMBERS.purseBase, NUMBERS.purseBaseShare * whole);
  const offers = all.flatMap((kept) => [...profileOffers(kept)]);
  const fits = (price: number): boolean => {
    if (price > left) return false;
    left -= price;
    return true;
  };
  takeBest(offers, fits, NUMBERS.purseLeast);
}
