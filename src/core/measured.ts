import type { Outline } from './outline.ts';
import { NUMBERS } from './policy.ts';

/** Which costs of an outline are exact, and what is shown of its long units costs. */
export interface Measured {
  readonly isExact: Uint8Array;
  readonly shown: Map<number, number>;
}

/** A view is made several times until it has the size that was asked for. */
const measurements = new WeakMap<Outline, Measured>();

export function measuredOf(outline: Outline): Measured {
  let measured = measurements.get(outline);
  if (measured === undefined) {
    measured = { isExact: new Uint8Array(outline.count), shown: new Map() };
    measurements.set(outline, measured);
  }
  return measured;
}

/** Tokens of what is shown of a long unit. */
export function costOfShown(outline: Outline, { shown }: Measured, unit: number): number {
  let tokens = shown.get(unit);
  if (tokens === undefined) {
    const parts = outline.parts(unit, () => []);
    const hidden = parts.reduce((sum, { start, end }) => sum + end - start, 0);
    const share = Math.max(0, 1 - hidden / Math.max(1, outline.sizeOf(unit)));
    tokens = outline.costs[unit]! * share + parts.length * (NUMBERS.shortMarker + 4);
    shown.set(unit, tokens);
  }
  return tokens;
}
