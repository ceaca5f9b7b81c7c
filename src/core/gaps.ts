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
