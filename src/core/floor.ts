import { countFailures } from './line-units.ts';
import { ANCHOR, EMPTY, KEEP, type Outline, PINNED, REASON } from './outline.ts';
import { type Around, NUMBERS } from './policy.ts';
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
    addContext(kept, group);
    if (kept.outline.bodyOf !== undefined) for (const unit of group.units.slice(1)) addBody(kept, unit);
  }
  for (const unit of endOf(kept)) kept.add(unit, REASON.edge);
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
export function failureGroups(outline: Outline, around: Around): FailureGroup[] {
  const { severity, kind, coarse, count } = outline;
  const { allUpTo } = outline.failures;
  const last = Math.max(around.last, outline.failures.last);
  const few = Math.max(around.first, outline.failures.first);
  const first = countFailures(severity, 0, count) <= allUpTo ? allUpTo : few;
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

function addContext(kept: Kept, group: FailureGroup): void {
  for (const near of contextOf(kept, group)) kept.add(near, REASON.context);
}

/** What explains the failures of a group: the units around the first of them, and where the command failed all traces. */
export function contextOf(kept: Kept, { severity, units }: FailureGroup): number[] {
  const near = unitsAround(kept, units[0]!);
  if (!kept.around.allTraces || severity < 2) return near;
  return [...near, ...units.slice(1).flatMap((unit) => recordOf(kept, unit))];
}

/** The last units of a section, where the command failed. */
export function endOf({ outline, around }: Kept): number[] {
  const units: number[] = [];
  if (outline.tree !== undefined || outline.frame !== undefined) return units;
  for (let u = outline.count - 1; u >= 0 && units.length < around.end; u -= 1) {
    if ((outline.flags[u]! & EMPTY) === 0) units.push(u);
  }
  return units;
}

/**
 * Units around a failure that explain it, as far as they are cheap: one on each side; in a stretch of lines that are
 * seen nowhere else, as few are, four before and eight after; and the first lines of its record.
 */
function unitsAround(kept: Kept, unit: number): number[] {
  const { outline, counts, around } = kept;
  if (!outline.hasContext) return [];
  const body = outline.bodyOf?.(unit);
  if (body !== undefined) return around.allTraces ? [...body, ...recordOf(kept, unit)] : [...body];
  const near: number[] = [];
  const walk = (step: 1 | -1, most: number): void => {
    let found = 0;
    for (
      let u = unit + step;
      found < most && u >= 0 && u < outline.count && Math.abs(u - unit) <= 2 * most;
      u += step
    ) {
      if (outline.flags[u]! & EMPTY) continue;
      if (found >= around.near && counts.exact[outline.kind[u]!]! > NUMBERS.novelUnits) return;
      found += 1;
      if (kept.cost(u) <= around.cost) near.push(u);
    }
  };
  walk(-1, kept.isRarityNews ? around.before : around.near);
  walk(1, kept.isRarityNews ? around.after : around.frames);
  const heading = headingOf(outline, unit);
  if (heading !== undefined && kept.cost(heading) <= around.cost) near.push(heading);
  return [...near, ...recordOf(kept, unit)];
}

/** The first lines of the record that a unit belongs to; where traces stay whole, those of its trace as well. */
function recordOf(kept: Kept, unit: number): number[] {
  const { outline, around } = kept;
  const { parents, traceAt } = outline;
  if (!outline.hasContext) return [];
  const lines: number[] = [];
  const head = parents === undefined || parents[unit]! < 0 ? unit : parents[unit]!;
  for (let u = head + 1; u < outline.count && u <= head + around.frames && parents?.[u] === head; u += 1) {
    lines.push(u);
  }
  const [from, to] = (around.allTraces ? traceAt?.(unit, around.frames) : undefined) ?? [0, 0];
  for (let u = from; u < to; u += 1) lines.push(u);
  return lines.filter((u) => kept.cost(u) <= around.cost);
}

/** The first line of the paragraph that a unit is in, if a blank line stands above it: `TASK [copy the key] ****`. */
function headingOf({ flags }: Outline, unit: number): number | undefined {
  for (let u = unit; u > 0 && unit - u < NUMBERS.paragraph; u -= 1) {
    if (flags[u - 1]! & EMPTY) return u === unit ? undefined : u;
  }
  return undefined;
}
