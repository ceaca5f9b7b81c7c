import type { LineIndex } from './line-index.ts';
import { anchorsIn, matchPatterns, type Patterns, type Searched } from './match.ts';
import type { Policy } from './model.ts';
import { ANCHOR, KEEP, type Outline } from './outline.ts';

/** Flags the units that the keep patterns and the query are about. Throws `SlowPattern`. */
export function markUnits(outlines: readonly Outline[], policy: Policy, patterns: Patterns): void {
  const byIndex = new Map<LineIndex, Outline[]>();
  for (const outline of outlines) {
    const { index, count, text: textOf } = outline;
    if (textOf !== undefined) {
      const mark = (unit: number, flag: number): void => {
        outline.flags[unit]! |= flag;
      };
      search({ kind: 'units', count, textOf }, policy, patterns, mark);
    } else if (index !== undefined) byIndex.set(index, [...(byIndex.get(index) ?? []), outline]);
  }
  for (const [index, group] of byIndex) {
    search({ kind: 'lines', index }, policy, patterns, (line, flag) => {
      for (const { lines, count, flags } of group) {
        const unit = line + 1 - lines[0];
        if (unit >= 0 && unit < count) flags[unit]! |= flag;
      }
    });
  }
}

function search(
  searched: Searched,
  { query }: Policy,
  patterns: Patterns,
  mark: (place: number, flag: number) => void,
): void {
  matchPatterns(searched, patterns, (place) => mark(place, KEEP));
  if (query !== undefined) for (const place of anchorsIn(searched, query)) mark(place, ANCHOR);
}
