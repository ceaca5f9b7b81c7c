import { contextOf, type FailureGroup, keepFlagged } from './floor.ts';
import { Heap } from './heap.ts';
import type { Policy } from './model.ts';
import { ANCHOR, EMPTY, KEEP, type Outline, PINNED, REASON, WHOLE } from './outline.ts';
import { candidates, fillSmallGaps, totalTokens } from './select.ts';
import { countProfiles, Kept, novelty } from './worth.ts';

interface Item {
  readonly kept: Kept;
  readonly unit: number;
  readonly base: number;
  readonly reason: number;
  /** The rare value that the unit stands for. */
  readonly value?: object | undefined;
}

/**
 * Builds the view up from nothing until the budget is reached: what is pinned and the keep patterns, distinct failures
 * (worst, rarest, earliest first), anchors; then everything else by worth per token.
 */
export function fitBudget(
  outlines: readonly Outline[],
  groups: ReadonlyArray<readonly FailureGroup[]>,
  policy: Policy,
): Kept[] {
  const all = outlines.map(outline => new Kept(outline, countProfiles(outline)));
  const budget = policy.maxTokens;
  for (const kept of all) {
    keepFlagged(kept, PINNED, REASON.pinned);
    keepFlagged(kept, KEEP, REASON['keep pattern']);
  }
  const distinct = all.flatMap((kept, i) => groups[i]!.map(group => ({ kept, group })));
  distinct.sort((a, b) => b.group.severity - a.group.severity || a.group.count - b.group.count);
  const room = policy.budgetAsked ? budget : 2 * budget;
  for (const { kept, group } of distinct) {
    if (group.severity < 2) continue;
    if (totalTokens(all) + kept.price(group.units[0]!) <= room) kept.add(group.units[0]!, REASON.failure);
  }
  for (const kept of all) {
    for (let i = 0; i < kept.outline.count; i += 1) {
      if ((kept.outline.flags[i]! & ANCHOR) !== 0 && totalTokens(all) + kept.price(i) <= room) kept.add(i, REASON.anchor);
    }
  }
  spend(all, optional(all, groups), budget);
  for (const kept of all) fillSmallGaps(kept, 0);
  return all;
}

/** What the odd, repeated failures, context and text are worth beside what they show of their profiles. */
const WORTH = {
  warning: 0.5,
  repeated: 0.15,
  context: 0.6,
  text: 0.1,
} as const;

function optional(all: readonly Kept[], groups: ReadonlyArray<readonly FailureGroup[]>): Item[] {
  const items: Item[] = [];
  all.forEach((kept, i) => {
    const { outline } = kept;
    for (const group of groups[i]!) {
      group.units.forEach((unit, n) => {
        const base = group.severity < 2 ? WORTH.warning : n === 0 ? 1 : WORTH.repeated;
        items.push({ kept, unit, base, reason: REASON.failure });
      });
      if (group.severity >= 2) {
        for (const unit of contextOf(kept, group.units[0]!)) {
          items.push({ kept, unit, base: WORTH.context, reason: REASON.context });
        }
      }
    }
    for (const { unit, kind, worth, value } of outline.odd) {
      items.push({ kept, unit, base: worth, reason: REASON[kind], value });
    }
    for (const c of candidates(kept)) items.push({ kept, ...c });
    for (let u = 0; u < outline.count; u += 1) {
      if ((outline.flags[u]! & (WHOLE | EMPTY)) === WHOLE) items.push({ kept, unit: u, base: WORTH.text, reason: REASON.text });
    }
  });
  return items;
}

/** Adds items by worth per token, marker included, as long as the budget lasts. */
function spend(all: readonly Kept[], items: readonly Item[], budget: number): void {
  const heap = new Heap();
  const shown = new Map<object, number>();
  const score = ({ kept, unit, base, value }: Item): number => {
    const own = value === undefined ? base : base / (1 + 3 * (shown.get(value) ?? 0));
    return (own + novelty(kept, unit)) / Math.max(1, kept.price(unit));
  };
  items.forEach((item, i) => heap.push(i, score(item)));
  let used = totalTokens(all);
  while (heap.size > 0) {
    const at = heap.pop()!;
    const item = items[at]!;
    if (item.kept.reasons[item.unit] !== 0) {
      if (item.value !== undefined) shown.set(item.value, (shown.get(item.value) ?? 0) + 1);
      continue;
    }
    const now = score(item);
    if (now <= 0) continue;
    if (now < heap.topScore() * 0.999) {
      heap.push(at, now);
      continue;
    }
    if (used + item.kept.price(item.unit) > budget) continue;
    item.kept.add(item.unit, item.reason);
    if (item.value !== undefined) shown.set(item.value, (shown.get(item.value) ?? 0) + 1);
    used = totalTokens(all);
  }
}
