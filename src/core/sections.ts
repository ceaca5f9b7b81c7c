import type { LineIndex } from './line-index.ts';

/** A run of lines that goes to one strategy. */
export interface Section {
  readonly from: number;
  readonly to: number;
  readonly kind: 'lines' | 'table' | 'json';
}

export function sectionsOf(index: LineIndex): Section[] {
  return index.count === 0 ? [] : [{ from: 0, to: index.count, kind: 'lines' }];
}
