import { lineEndOf } from '../edges.ts';
import { lineAt, type LineIndex } from '../line-index.ts';
import type { UnitSpans } from './body.ts';
import type { LineHole } from './place.ts';

/**
 * The hole of the whole lines that the records `first` to `last` are on, with what stands before them; undefined where
 * others are on these lines, too. The offsets of the units count from `base`.
 */
export function wholeLines(
  index: LineIndex,
  base: number,
  spans: UnitSpans,
  { first, last }: { readonly first: number; readonly last: number },
): LineHole | undefined {
  const from = lineAt(index, base + spans.startOf(first));
  const to = lineAt(index, base + spans.endOf(last) - 1);
  const [start, end] = [index.starts[from]!, index.starts[to + 1]!];
  const before = spans.beforeOf(first);
  const behind = spans.afterOf(last);
  if (before >= 0 && base + spans.endOf(before) > start) return undefined;
  if (behind < spans.count && base + spans.startOf(behind) < end) return undefined;
  return {
    start,
    end,
    address: { kind: 'lines', from: from + 1, to: to + 1 },
    after: `"}${lineEndOf(index.source.read(Math.max(start, end - 2), end))}`,
  };
}
