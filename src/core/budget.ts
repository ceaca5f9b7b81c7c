import { contextOf, endOf, type FailureGroup, keepFlagged } from './floor.ts';
import { fillEnds, fillSmallGaps, totalTokens } from './gaps.ts';
import type { Policy } from './model.ts';
import { aroundOf } from './policy.ts';
import { type Offer, profileOffers, takeBest } from './offers.ts';
import { ANCHOR, EMPTY, KEEP, type Outline, PINNED, REASON, WHOLE } from './outline.ts';
import { pinned } from './pins.ts';
import { rarity } from './novelty.ts';
import { Kept } from './worth.ts';

/**
 * Builds the view up from nothing until the budget is reached: what is pinned and the keep patterns, distinct failures
 * (worst, rarest, earliest first), anchors; then everything else by worth per token.
 */
export function fitBudget(
  outlines: readonly Outline[],
  groups: ReadonlyArray<readonly FailureGroup[]>,
  policy: Policy,
  scale: number,
): { readonly kept: readonly Kept[]; readonly budget: number; readonly isFull: boolean } {
  const room = policy.maxTokens * (policy.budgetAsked ? 1 : 2) * scale;
  const all = pinned(
    () => outlines.map((outline, i) => new Kept(outline, groups[i]!, aroundOf(policy), true)),
    room,
    policy.budgetAsked,
  );
  const whole = roomOf(policy, totalTokens(all));
  const budget = whole * scale;
  for (const kept of all) keepFlagged(kept, KEEP, REASON['keep pattern']);
  const most = policy.budgetAsked ? budget : budget + policy.maxTokens;
  keepFailures(all, most, policy.budgetAsked);
  keepAnchors(all, most);
  openTexts(all, budget * OPENED);
  let used = totalTokens(all);
  let isFull = false;
  takeBest(all.filter(({ isOpen }) => isOpen).flatMap(optional), (price) => {
    if (used + price > budget) {
      isFull = true;
      return false;
    }
    used += price;
    return true;
  });
  for (const kept of all) fillSmallGaps(kept, LEAST_GAIN);
  fillEnds(all, 2 * LEAST_GAIN);
  return {
    kept: all,
    budget: policy.budgetAsked ? whole : whole + policy.maxTokens,
    isFull: isFull && policy.budgetAsked,
  };
}

/** Opens outputs that went whole, those with the worst failures and the last ones first, as long as `room` lasts. */
function openTexts(all: readonly Kept[], room: number): void {
  const closed = all.filter(({ isOpen }) => !isOpen);
  const worst = new Map(closed.map((kept) => [kept, Math.max(1, ...kept.groups.map((g) => g.severity))]));
  let used = totalTokens(all);
  for (const kept of closed.toReversed().sort((a, b) => worst.get(b)! - worst.get(a)!)) {
    const price = kept.priceToOpen();
    if (kept.isOpen || used + price > room) continue;
    kept.open();
    used += price;
  }
}

/** Share of a budget that outputs may take before anything of them is shown. */
const OPENED = 0.4;

/** The budget; more, where what can't be cut is more than one that was asked for, or leaves too little of the default one. */
function roomOf({ maxTokens, budgetAsked }: Policy, least: number): number {
  return Math.max(maxTokens, least + (budgetAsked ? 0 : maxTokens));
}

/**
 * The first of each failure, worst first, then those that are rare for their tokens. They may exceed the default budget up
 * to twice. In a log that a budget was asked for, the first ones take a share of it and the others compete with what else
 * is rare: a view of nothing but failures does not tell how it came to them. Reports are about their failures.
 */
function keepFailures(all: readonly Kept[], room: number, isShared: boolean): void {
  const distinct = all.flatMap((kept) =>
    kept.groups
      .filter((g) => g.severity > 1)
      .map((group) => ({ kept, group, worth: rarity(group.count) / kept.price(group.units[0]!) })),
  );
  distinct.sort((a, b) => b.group.severity - a.group.severity || b.worth - a.worth);
  let used = totalTokens(all);
  const share = used + (room - used) * FAILURES_FIRST;
  for (const { kept, group } of distinct) {
    if (isShared && used > share && kept.outline.bodyOf === undefined) continue;
    const unit = group.units[0]!;
    const price = kept.price(unit);
    if (used + price > room) continue;
    kept.add(unit, REASON.failure);
    used += price;
    const body = kept.outline.bodyOf?.(unit) ?? [];
    const more = body.reduce((sum, near) => sum + (kept.reasons[near] === 0 ? kept.cost(near) : 0), 0);
    if (used + more > room) continue;
    for (const near of body) kept.add(near, REASON.context);
    used += more;
  }
}

/** Share of a budget that the failures of logs have for themselves. */
const FAILURES_FIRST = 0.15;

function keepAnchors(all: readonly Kept[], room: number): void {
  let used = totalTokens(all);
  for (const kept of all) {
    const { flags, count } = kept.outline;
    for (let i = 0; i < count; i += 1) {
      if ((flags[i]! & ANCHOR) === 0) continue;
      const price = kept.price(i);
      if (used + price > room) continue;
      kept.add(i, REASON.anchor);
      used += price;
    }
  }
}

/** Tokens that a gap saves at least, and twice as many where its marker has a hash: it and its units are estimated one by one. */
const LEAST_GAIN = 4;

/** What failures behind the first ones, warnings, context and text are worth beside what they show of their profiles. */
const WORTH = {
  pinned: 0.5,
  failure: 0.3,
  warning: 0.5,
  repeated: 0.15,
  context: 0.3,
  end: 0.5,
  text: 0.1,
} as const;

function optional(kept: Kept): Offer[] {
  return [
    ...kept.groups.flatMap((group) => failureOffers(kept, group)),
    ...kept.outline.odd.map(({ unit, kind, worth, value }) => ({
      kept,
      unit,
      base: worth,
      reason: REASON[kind],
      value,
    })),
    ...profileOffers(kept),
    ...endOf(kept).map((unit) => ({ kept, unit, base: WORTH.end, reason: REASON.edge })),
    ...pinOffers(kept),
    ...textOffers(kept),
  ];
}

function failureOffers(kept: Kept, group: FailureGroup): Offer[] {
  const offers: Offer[] = group.units.map((unit, n) => {
    const base = group.severity < 2 ? WORTH.warning : n === 0 ? WORTH.failure : WORTH.repeated;
    return { kept, unit, base, reason: REASON.failure };
  });
  if (group.severity < 2) return offers;
  const near = contextOf(kept, group);
  return [...offers, ...near.map((unit) => ({ kept, unit, base: WORTH.context, reason: REASON.context }))];
}

/** What is pinned, where it had to give way. */
function* pinOffers(kept: Kept): Generator<Offer> {
  const { flags, outputs } = kept.outline;
  const texts = new Set(outputs?.values());
  for (const [unit, own] of flags.entries())
    if ((own & PINNED) !== 0 && kept.reasons[unit] === 0 && !texts.has(unit))
      yield { kept, unit, base: WORTH.pinned, reason: REASON.pinned };
}

function* textOffers(kept: Kept): Generator<Offer> {
  const { flags, count } = kept.outline;
  for (let unit = 0; unit < count; unit += 1) {
    if ((flags[unit]! & (WHOLE | EMPTY)) === WHOLE)
      yield { kept, unit, base: WORTH.text, reason: REASON.text };
  }
}
