import { GLANCE, type LineIndex } from '../line-index.ts';

/** A window may be so many times larger where its records are. */
export const LONGER = 4;

interface Sizes {
  readonly most: number;
  readonly longest: number;
  readonly prefixed: boolean;
}

/** The line at which a window of the lines `[line, to)` ends: one that begins with a record, if any does. */
export function windowEnd(
  index: LineIndex,
  [line, to]: readonly [number, number],
  { most: first, longest, prefixed }: Sizes,
): number {
  const { starts, glances } = index;
  const begins = (at: number): boolean =>
    prefixed || (glances[at]! & (GLANCE.opens | GLANCE.indented)) === GLANCE.opens;
  for (let most = first; ; most *= LONGER) {
    if (starts[to]! - starts[line]! <= most) return to;
    const end = lineWithin(starts, [line, to], starts[line]! + most);
    for (let at = end; at > line; at -= 1) if (begins(at)) return at;
    if (most >= longest) return end;
  }
}

/** The last line that starts at `stop` or before it; the one behind `line`, where that is too long. */
function lineWithin(starts: Uint32Array, [line, to]: readonly [number, number], stop: number): number {
  let end = to;
  while (end > line + 1 && starts[end]! > stop) end = (end + line) >> 1;
  while (end + 1 < to && starts[end + 1]! <= stop) end += 1;
  return end;
}
