import { EMPTY, REASON } from './outline.ts';
import { NUMBERS } from './policy.ts';
import type { Kept } from './worth.ts';

/** Estimated tokens of a view: what stays and the markers. */
export function totalTokens(all: readonly Kept[]): number {
  const open = all.filter((kept) => kept.isOpen);
  const gaps = open.reduce((sum, kept) => sum + kept.gaps, 0);
  const texts = open.reduce((sum, kept) => sum + kept.tokens + kept.gaps * kept.outline.wrapping, 0);
  return texts + markerTokens(gaps);
}

/** The first marker has hash and command, the last the hash. */
function markerTokens(gaps: number): number {
  if (gaps === 0) return 0;
  return (
    NUMBERS.hintMarker + (gaps > 1 ? NUMBERS.fullMarker : 0) + Math.max(0, gaps - 2) * NUMBERS.shortMarker
  );
}

/** Neighbouring units that went, `first` to `last`, with all that is inside of them: the units `[first, end)`. */
export interface Run {
  readonly first: number;
  readonly last: number;
  readonly end: number;
}

/** The hidden units from `first` on. */
function runFrom(first: number, { outline: { count, tree }, reasons }: Kept): Run {
  let last = first;
  let end = tree?.afterOf(first) ?? first + 1;
  for (; end < count && reasons[end] === 0; end = tree?.afterOf(end) ?? end + 1) {
    if (tree !== undefined && tree.beforeOf(end) !== last) break;
    last = end;
  }
  return { first, last, end };
}

/** The runs of units that went, in order; one in a tree has a kept parent. None where the whole text went with another. */
export function* hiddenRuns(kept: Kept): Generator<Run> {
  const { reasons } = kept;
  const { count } = kept.outline;
  if (!kept.isOpen) return;
  for (let first = 0; first < count;) {
    if (reasons[first] !== 0) {
      first += 1;
      continue;
    }
    const run = runFrom(first, kept);
    yield run;
    first = run.end;
  }
}

/**
 * Does the run hide less than `wanted` tokens, and what its marker is longer by? The costs of units are rough: near the
 * limit they are counted.
 */
function isSmall(kept: Kept, run: Run, wanted: number): boolean {
  const { costs, measure, severity } = kept.outline;
  // No output is small.
  if (kept.hasTexts(run.first, run.end)) return false;
  const rough = costOf(kept, run, (unit) => costs[unit]!, NEAR * (wanted + NUMBERS.countInMarker));
  if (rough >= NEAR * (wanted + NUMBERS.countInMarker)) return false;
  const levels = severity.subarray(run.first, run.end);
  const least = wanted + (levels.includes(2) || levels.includes(3) ? NUMBERS.countInMarker : 0);
  if (rough >= NEAR * least || rough * NEAR < least) return rough < least;
  return costOf(kept, run, measure, least) < least;
}

const NEAR = 3;

/** Tokens of a run, up to `most`; blank lines one after the other are one token. */
function costOf(
  { outline: { flags } }: Kept,
  { first, end }: Run,
  cost: (unit: number) => number,
  most: number,
): number {
  let tokens = 0;
  for (let unit = first; unit < end && tokens < most; unit += 1) {
    const isMoreBlank = unit > first && (flags[unit]! & flags[unit - 1]! & EMPTY) !== 0;
    if (!isMoreBlank) tokens += cost(unit);
  }
  return tokens;
}

function keepAll(kept: Kept, { first, end }: Run): void {
  for (let unit = first; unit < end; unit += 1) kept.add(unit, REASON['small gap']);
}

/** A gap must save its marker and `gain` tokens more; else it stays text. */
export function fillSmallGaps(kept: Kept, gain: number): void {
  const least = NUMBERS.shortMarker + kept.outline.wrapping + gain;
  for (const run of hiddenRuns(kept)) if (isSmall(kept, run, least)) keepAll(kept, run);
}

/** The first and the last gap of a view have longer markers: they must be worth those. */
export function fillEnds(all: readonly Kept[], gain: number): void {
  const runs = all
    .flatMap((kept) =>
      [...hiddenRuns(kept)].map((run) => ({ kept, run, at: kept.outline.placeOf(run.first) })),
    )
    .sort((a, b) => a.at - b.at);
  const isFilled = ({ kept, run }: (typeof runs)[number], marker: number): boolean => {
    if (!isSmall(kept, run, marker + kept.outline.wrapping + gain)) return false;
    keepAll(kept, run);
    return true;
  };
  let first = 0;
  while (first < runs.length && isFilled(runs[first]!, NUMBERS.hintMarker)) first += 1;
  let last = runs.length - 1;
  while (last > first && isFilled(runs[last]!, NUMBERS.fullMarker)) last -= 1;
}
