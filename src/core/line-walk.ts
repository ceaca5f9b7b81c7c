import { stripEscapes } from './escapes.ts';
import type { LineIndex } from './line-index.ts';

/** Lines that are read at a time. */
const BLOCK = 2048;

/** A line in `text`: the bytes `[at, end)`, without line end and control sequences. False ends the walk. */
export type LineVisit = (line: number, text: Uint8Array, at: number, end: number) => boolean | void;

/** Visits the lines `[from, to)` in order. */
export function walkLines(index: LineIndex, from: number, to: number, visit: LineVisit): void {
  for (let first = from; first < to; first += BLOCK) {
    const last = Math.min(to, first + BLOCK);
    const base = index.starts[first]!;
    const raw = index.source.read(base, index.starts[last]!);
    const text = stripEscapes(raw);
    let at = 0;
    for (let line = first; line < last; line += 1) {
      const next = text === raw ? endOf(text, index.starts[line + 1]! - base) : lineEnd(text, at);
      const end = next > at && text[next - 1] === 13 ? next - 1 : next;
      if (visit(line, text, at, end) === false) return;
      at = Math.min(text.length, next + 1);
    }
  }
}

/** The end of a line behind which the next one starts at `stop`. */
function endOf(text: Uint8Array, stop: number): number {
  return text[stop - 1] === 10 ? stop - 1 : stop;
}

function lineEnd(text: Uint8Array, at: number): number {
  const next = text.indexOf(10, at);
  return next < 0 ? text.length : next;
}
