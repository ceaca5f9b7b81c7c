import { latin1 } from './chars.ts';
import { type LineIndex, textChunks } from './line-index.ts';
import {
  BLANK_LINE,
  CODE,
  CONTINUED,
  FRAME,
  INDENTED,
  KEYED,
  LEVELLED,
  SAYS_LEVEL,
  STAMPED,
} from './line-class.ts';
import { isForeignMarker } from './marker.ts';
import { Shapes } from './shapes.ts';

/** The lines of a section with their shapes. */
export interface ShapedLines {
  readonly shapes: Shapes;
  readonly kind: Uint32Array;
  /** Lines that hold a marker of this or another tool. */
  readonly markers: readonly number[];
}

/** Gives each line of `[from, to)` its shape. */
export function shapeLines(index: LineIndex, from: number, to: number): ShapedLines {
  const shapes = new Shapes(to - from);
  const markers: number[] = [];
  for (const { text } of textChunks(index.source, index.starts[from], index.starts[to])) {
    if (text.includes(60) || text.includes(91)) markers.push(...markerLines(text, shapes.lines));
    shapes.push(text);
  }
  shapes.finish();
  return { shapes, kind: shapes.kind, markers };
}

function markerLines(text: Uint8Array, first: number): number[] {
  const whole = latin1(text);
  if (!isForeignMarker(whole)) return [];
  return whole.split('\n').flatMap((line, i) => (isForeignMarker(line) ? [first + i] : []));
}

/** How many lines of a section are of which kind; blank ones do not count. */
export interface LineMix {
  readonly lines: number;
  /** Lines with a time stamp, and frames of traces. */
  readonly stamped: number;
  /** Lines that say a level. */
  readonly levelled: number;
  /** Lines of templates with at least five. */
  readonly repeated: number;
  readonly code: number;
  readonly keyed: number;
  readonly indented: number;
}

export function mixOf({ shapes }: ShapedLines): LineMix {
  const perTemplate = new Uint32Array(shapes.coarse.count + 1);
  shapes.infos.forEach((info, s) => {
    perTemplate[info.coarse]! += shapes.counts[s]!;
  });
  const mix = { lines: 0, stamped: 0, levelled: 0, repeated: 0, code: 0, keyed: 0, indented: 0 };
  shapes.infos.forEach(({ bits, coarse }, s) => {
    const count = shapes.counts[s]!;
    if (bits & BLANK_LINE) return;
    mix.lines += count;
    if (bits & (STAMPED | FRAME)) mix.stamped += count;
    else if (bits & (LEVELLED | SAYS_LEVEL)) mix.levelled += count;
    if (perTemplate[coarse]! >= 5) mix.repeated += count;
    if (bits & CODE) mix.code += count;
    if (bits & KEYED) mix.keyed += count;
    if (bits & INDENTED) mix.indented += count;
  });
  return mix;
}

/** Have the lines the heads of a log: time stamps, or levels where the text is no YAML that speaks of levels? */
export function isHeaded({ lines, stamped, levelled, keyed, indented }: LineMix): boolean {
  const heads = stamped + levelled;
  if (stamped * 10 >= lines * 3) return lines > 0;
  if (heads * 10 >= lines * 3 && keyed + indented < lines) return true;
  // Records of several lines: nearly all that is no head is indented under one.
  return (
    heads >= LEAST_HEADS && heads * 10 >= lines && (heads + indented) * 20 >= lines * 19 && keyed * 5 < lines
  );
}

const LEAST_HEADS = 12;

/** Frames that make a trace of indented lines. */
const LEAST_FRAMES = 2;

/** The lines `[from, to)` of the stack trace that a line heads, ends or is in, up to `most` on each side; none, where it is in no trace. */
export function traceAt(
  { shapes, kind }: ShapedLines,
  line: number,
  most: number,
): readonly [number, number] {
  const bitsOf = (i: number): number => shapes.infos[kind[i]!]!.bits;
  const isInside = (i: number): boolean =>
    (bitsOf(i) & (FRAME | CONTINUED | INDENTED)) !== 0 && (bitsOf(i) & BLANK_LINE) === 0;
  const first = Math.max(0, line - most);
  const last = Math.min(kind.length, line + 1 + most);
  let from = line;
  while (from > first && isInside(from - 1)) from -= 1;
  let to = line + 1;
  while (to < last && isInside(to)) to += 1;
  let frames = 0;
  for (let i = from; i < to; i += 1) if (bitsOf(i) & FRAME) frames += 1;
  if (frames < LEAST_FRAMES) return [line, line];
  // What is indented has a head.
  const hasHead = from > first && isInside(from) && (bitsOf(from - 1) & BLANK_LINE) === 0;
  return [hasHead ? from - 1 : from, to];
}
