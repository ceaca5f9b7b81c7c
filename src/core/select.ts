import { fitBudget } from './budget.ts';
import { failureGroups, type FailureGroup, floorOf } from './floor.ts';
import { Heap } from './heap.ts';
import type { Policy } from './model.ts';
import { EMPTY, type Outline, REASON, WHOLE } from './outline.ts';
import type { Odd } from './odd.ts';
import { NUMBERS } from './policy.ts';
import { countProfiles, Kept, novelty, rarity, shownCost } from './worth.ts';

/** Decides what stays, by the reasons of design §5. */
export function select(outlines: readonly Outline[], policy: Policy): Kept[] {
  const groups = outlines.map(failureGroups);
  if (policy.budgetAsked) return fitBudget(outlines, groups, policy);
  const all = outlines.map((outline, i) => selectOne(outline, groups[i]!));
  spendPurse(all);
  for (const kept of all) fillSmallGaps(kept, NUMBERS.gapGain);
  if (policy.maxTokens > 0 && totalTokens(all) > limitOf(policy, all)) {
    return fitBudget(outlines, groups, policy);
  }
  return all;
}

/** The floor may exceed the default budget up to twice; a budget that was asked for binds everything. */
function limitOf(policy: Policy, all: readonly Kept[]): number {
  if (policy.budgetAsked) return policy.maxTokens;
  let floor = 0;
  for (const { outline, reasons } of all) {
    for (let i = 0; i < outline.count; i += 1) {
      if (reasons[i]! >= REASON.pinned && reasons[i]! <= REASON.anchor) floor += shownCost(outline, i);
    }
  }
  return Math.max(policy.maxTokens, Math.min(2 * policy.maxTokens, floor));
}

export function totalTokens(all: readonly Kept[]): number {
  const gaps = all.reduce((sum, kept) => sum + kept.gaps, 0);
  return all.reduce((sum, kept) => sum + kept.tokens, 0) + markerTokens(gaps);
}

/** The first marker has hash and command, the last the hash. */
export function markerTokens(gaps: number): number {
  if (gaps === 0) return 0;
  return NUMBERS.hintMarker + (gaps > 1 ? NUMBERS.fullMarker : 0) + Math.max(0, gaps - 2) * NUMBERS.shortMarker;
}

function selectOne(outline: Outline, groups: readonly FailureGroup[]): Kept {
  const kept = new Kept(outline, countProfiles(outline));
  floorOf(kept, groups);
  for (let i = 0; i < outline.count; i += 1) if (outline.flags[i]! & WHOLE) kept.add(i, REASON.text);
  for (const odd of fewOfEach(kept)) kept.add(odd.unit, REASON[odd.kind]);
  return kept;
}

/** The odd units, of each rare value a few: what is kept already counts. */
export function* fewOfEach(kept: Kept): Generator<Odd> {
  const shown = new Map<object, number>();
  for (const odd of kept.outline.odd) {
    if (odd.value === undefined || kept.reasons[odd.unit] === 0) continue;
    shown.set(odd.value, (shown.get(odd.value) ?? 0) + 1);
  }
  for (const odd of kept.outline.odd) {
    if (odd.value !== undefined) {
      const count = shown.get(odd.value) ?? 0;
      if (count >= NUMBERS.rareValueUnits || kept.reasons[odd.unit] !== 0) continue;
      shown.set(odd.value, count + 1);
    }
    yield odd;
  }
}

/** Rare profiles, exemplars and edges, best worth per token first, for 2 % of the input's tokens. */
function spendPurse(all: readonly Kept[]): void {
  const heap = new Heap();
  const items: Array<{ kept: Kept; unit: number; base: number; reason: number }> = [];
  let left = 0;
  let whole = 0;
  for (const kept of all) {
    const { outline } = kept;
    let tokens = 0;
    for (let i = 0; i < outline.count; i += 1) tokens += outline.costs[i]!;
    left += tokens * NUMBERS.purse;
    whole += tokens;
    for (const { unit, base, reason } of candidates(kept)) {
      items.push({ kept, unit, base, reason });
    }
  }
  left += Math.min(NUMBERS.purseBase, NUMBERS.purseBaseShare * whole);
  const score = (item: (typeof items)[number]): number => {
    const worth = item.base + novelty(item.kept, item.unit);
    return worth <= 0 ? 0 : worth / Math.max(1, item.kept.price(item.unit));
  };
  items.forEach((item, i) => heap.push(i, score(item)));
  while (heap.size > 0 && left > 0) {
    const at = heap.pop()!;
    const item = items[at]!;
    if (item.kept.reasons[item.unit] !== 0) continue;
    const now = score(item);
    if (now <= 0) continue;
    if (now < heap.topScore() * 0.999) {
      heap.push(at, now);
      continue;
    }
    const price = item.kept.price(item.unit);
    if (price > left) continue;
    item.kept.add(item.unit, item.reason);
    left -= price;
  }
}

export interface Candidate {
  readonly unit: number;
  /** Worth of its own, beside what it shows of its profiles. */
  readonly base: number;
  readonly reason: number;
}

/** The optional units: one of each profile, all of the rare ones, the edges. */
export function* candidates(kept: Kept): Generator<Candidate> {
  const { outline, counts } = kept;
  const seen = new Uint8Array(counts.exact.length);
  const mostlyRare = rareShare(kept) > 0.5;
  for (let i = 0; i < outline.count; i += 1) {
    const k = outline.kind[i]!;
    if (outline.flags[i]! & EMPTY) continue;
    const rare = !mostlyRare && counts.coarse[outline.coarse[k]!]! <= NUMBERS.rareUnits;
    if (seen[k] === 0) {
      seen[k] = 1;
      yield { unit: i, base: 0, reason: rare ? REASON['rare profile'] : REASON.exemplar };
    } else if (rare) yield { unit: i, base: 0.1, reason: REASON['rare profile'] };
  }
  for (let i = 0; i < Math.min(NUMBERS.edgeFirst, outline.count); i += 1) {
    yield { unit: i, base: 0.3 / (i + 1), reason: REASON.edge };
  }
  for (let i = 0; i < Math.min(NUMBERS.edgeLast, outline.count); i += 1) {
    yield { unit: outline.count - 1 - i, base: 0.4 / (i + 1), reason: REASON.edge };
  }
}

/** Share of the units whose coarse profile is rare: where it is large, rarity says nothing. */
function rareShare({ outline, counts }: Kept): number {
  let rare = 0;
  for (let k = 0; k < counts.exact.length; k += 1) {
    if (rarity(counts.coarse[outline.coarse[k]!]!) === 1) rare += counts.exact[k]!;
  }
  return rare / Math.max(1, outline.count);
}

/** A gap must save its marker and `gain` tokens more; else it stays text. */
export function fillSmallGaps(kept: Kept, gain: number): void {
  const { outline, reasons } = kept;
  const least = NUMBERS.shortMarker + gain;
  for (let i = 0; i < outline.count; ) {
    if (reasons[i] !== 0) {
      i += 1;
      continue;
    }
    let tokens = 0;
    let end = i;
    while (end < outline.count && reasons[end] === 0) {
      tokens += outline.costs[end]!;
      end += 1;
    }
    if (tokens < least) for (let u = i; u < end; u += 1) kept.add(u, REASON['small gap']);
    i = end;
  }
}
