import { REASON } from './outline.ts';
import { NUMBERS } from './policy.ts';
import type { Kept } from './worth.ts';

/** Estimated tokens of a view: what stays and the markers. */
export function totalTokens(all: readonly Kept[]): number {
  const gaps = all.reduce((sum, kept) => sum + kept.gaps, 0);
  return all.reduce((sum, kept) => sum + kept.tokens, 0) + markerTokens(gaps);
}

/** The first marker has hash and command, the last the hash. */
function markerTokens(gaps: number): number {
  if (gaps === 0) return 0;
  return (
    NUMBERS.hintMarker + (gaps > 1 ? NUMBERS.fullMarker : 0) + Math.max(0, gaps - 2) * NUMBERS.shortMarker
  );
}

/** A gap must save its marker and `gain` tokens more; else it stays text. */
export function fillSmallGaps(kept: Kept, gain: number): void {
  const { outline, reasons } = kept;
  const least = NUMBERS.shortMarker + gain;
  for (let i = 0; i < outline.count;) {
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

/** The first and the last gap of a view have longer markers: they must be worth those. */
export function fillEnds(all: readonly Kept[], gain: number): void {
  const forward = [...all];
  const backward = all.toReversed();
  while (fillEnd(forward, NUMBERS.hintMarker + gain, 1));
  while (fillEnd(backward, NUMBERS.fullMarker + gain, -1));
}

/** Keeps the gap nearest to an end if it hides less than `least` tokens; false where it is worth its marker. */
function fillEnd(all: readonly Kept[], least: number, step: 1 | -1): boolean {
  for (const kept of all) {
    const { outline, reasons } = kept;
    let at = step === 1 ? 0 : outline.count - 1;
    while (at >= 0 && at < outline.count && reasons[at] !== 0) at += step;
    if (at < 0 || at >= outline.count) continue;
    const units: number[] = [];
    let tokens = 0;
    for (; at >= 0 && at < outline.count && reasons[at] === 0 && tokens < least; at += step) {
      tokens += outline.costs[at]!;
      units.push(at);
    }
    if (tokens >= least) return false;
    for (const unit of units) kept.add(unit, REASON['small gap']);
    return true;
  }
  return false;
}
