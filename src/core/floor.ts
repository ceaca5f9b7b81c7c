import { countFailures } from './line-units.ts';
import { ANCHOR, EMPTY, KEEP, type Outline, PINNED, REASON } from './outline.ts';
import { NUMBERS } from './policy.ts';
import type { Kept } from './worth.ts';

/** Failures of one profile: the units that the floor keeps, in order. */
export interface FailureGroup {
  readonly severity: number;
  readonly count: number;
  /** The first units and the last. */
  readonly units: readonly number[];
}

/** Design §5, reasons 1 to 3 and what is pinned. */
export function floorOf(kept: Kept): void {
  const { groups } = kept;
  keepFlagged(kept, PINNED, REASON.pinned);
  for (const group of groups) for (const unit of group.units) kept.add(unit, REASON.failure);
  keepFlagged(kept, KEEP, REASON['keep pattern']);
  keepFlagged(kept, ANCHOR, REASON.anchor);
  for (const group of groups) {
    addContext(kept, group.units[0]!);
    if (kept.outline.bodyOf !== undefined) for (const unit of group.units.slice(1)) addBody(kept, unit);
  }
}

/** What explains a failure stays with it, where the strategy knows it. */
function addBody(kept: Kept, unit: number): void {
  for (const near of kept.outline.bodyOf?.(unit) ?? []) kept.add(near, REASON.context);
}

export function keepFlagged(kept: Kept, flag: number, reason: number): void {
  const { flags, count } = kept.outline;
  for (let i = 0; i < count; i += 1) if (flags[i]! & flag) kept.add(i, reason);
}

/** Failures by what they say, or by coarse profile; of each the first and the last few, where they are many. Warnings: the first. */
export function failureGroups(outline: Outline): FailureGroup[] {
  const { severity, kind, coarse, count } = outline;
  const { last, allUpTo } = outline.failures;
  const first = countFailures(severity, 0, count) <= allUpTo ? allUpTo : outline.failures.first;
  const groups = new Map<number, { severity: number; count: number; head: number[]; tail: number[] }>();
  for (let i = 0; i < count; i += 1) {
    const level = severity[i]!;
    if (level === 0) continue;
    const key = (outline.failureKeys?.[i] ?? coarse[kind[i]!]!) * 2 + (level === 1 ? 1 : 0);
    let group = groups.get(key);
    if (group === undefined) {
      group = { severity: level, count: 0, head: [], tail: [] };
      groups.set(key, group);
    }
    group.count += 1;
    group.severity = Math.max(group.severity, level);
    if (group.head.length < (level === 1 ? 1 : first)) group.head.push(i);
    else if (level > 1) group.tail.push(i);
    if (group.tail.length > last) group.tail.shift();
  }
  return [...groups.values()].map((g) => ({
    severity: g.severity,
    count: g.count,
    units: [...g.head, ...g.tail],
  }));
}

/** One line before and after the first failure of a template, and the first frames under it. */
export function addContext(kept: Kept, unit: number): void {
  for (const near of contextOf(kept, unit)) kept.add(near, REASON.context);
}

/**
 * Units around a failure that explain it, as far as they are cheap: one on each side; in a stretch of lines that are
 * seen nowhere else, as few are, four before and eight after; and the first lines of its record.
 */
export function contextOf(kept: Kept, unit: number): number[] {
  const { outline, counts } = kept;
  const { parents, kind } = outline;
  if (!outline.hasContext) return [];
  const body = outline.bodyOf?.(unit);
  if (body !== undefined) return [...body];
  const near: number[] = [];
  const walk = (step: 1 | -1, most: number): void => {
    let found = 0;
    for (
      let u = unit + step;
      found < most && u >= 0 && u < outline.count && Math.abs(u - unit) <= 2 * most;
      u += step
    ) {
      if (outline.flags[u]! & EMPTY) continue;
      if (found > 0 && counts.exact[kind[u]!]! > NUMBERS.novelUnits) return;
      found += 1;
      if (kept.cost(u) <= NUMBERS.contextCost) near.push(u);
    }
  };
  const { before, after } = kept.isRarityNews ? AROUND : CLOSE;
  walk(-1, before);
  walk(1, after);
  const heading = headingOf(outline, unit);
  if (heading !== undefined && kept.cost(heading) <= NUMBERS.contextCost) near.push(heading);
  if (parents === undefined) return near;
  const head = parents[unit]! >= 0 ? parents[unit]! : unit;
  for (
    let u = head + 1;
    u < Math.min(outline.count, head + 1 + NUMBERS.frames) && parents[u] === head;
    u += 1
  ) {
    if (kept.cost(u) <= NUMBERS.contextCost) near.push(u);
  }
  return near;
}

/** How far context goes where lines are seen nowhere else; and where hardly any line is seen twice. */
const AROUND = { before: NUMBERS.contextBefore, after: NUMBERS.contextAfter };
const CLOSE = { before: 1, after: NUMBERS.frames };

/** The first line of the paragraph that a unit is in, if a blank line stands above it: `TASK [copy the key] ****`. */
function headingOf({ flags }: Outline, unit: number): number | undefined {
  for (let u = unit; u > 0 && unit - u < NUMBERS.paragraph; u -= 1) {
    if (flags[u - 1]! & EMPTY) return u === unit ? undefined : u;
  }
  return undefined;
}
