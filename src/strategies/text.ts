import { lineBytes, type LineIndex } from '../core/line-index.ts';
import { BLANK_LINE, CODE, FRAME, INDENTED, KEYED, LEVELLED, MARKER, STAMPED } from '../core/line-class.ts';
import { latin1 } from '../core/chars.ts';
import { EMPTY, type Outline, PINNED, WHOLE } from '../core/outline.ts';
import type { ShapedLines } from './log.ts';

/** Lines of one template in a row from which on they are near-duplicates. */
const LEAST_RUN = 8;

/** How much of a section is lines that a log has, lines that repeat a template, and lines of other shapes. */
export interface LineMix {
  readonly lines: number;
  readonly headed: number;
  readonly repeated: number;
  readonly code: number;
  readonly keyed: number;
  readonly indented: number;
}

export function mixOf({ shapes, kind }: ShapedLines): LineMix {
  const perTemplate = new Uint32Array(shapes.coarse.count + 1);
  shapes.infos.forEach((info, s) => {
    perTemplate[info.coarse]! += shapes.counts[s]!;
  });
  const mix = { lines: 0, headed: 0, repeated: 0, code: 0, keyed: 0, indented: 0 };
  for (let s = 0; s < shapes.infos.length; s += 1) {
    const { bits, coarse } = shapes.infos[s]!;
    const count = shapes.counts[s]!;
    if (bits & BLANK_LINE) continue;
    mix.lines += count;
    if (bits & (STAMPED | LEVELLED | FRAME)) mix.headed += count;
    if (perTemplate[coarse]! >= 5) mix.repeated += count;
    if (bits & CODE) mix.code += count;
    if (bits & KEYED) mix.keyed += count;
    if (bits & INDENTED) mix.indented += count;
  }
  return kind.length === 0 ? { ...mix, lines: 1 } : mix;
}

/** Have the lines the heads of a log: a time stamp, a level, or are they frames under such a line? */
export function isHeaded(mix: LineMix): boolean {
  return mix.headed * 10 >= mix.lines * 3;
}

/** Looks the section like a shape that must not be cut by lines: a diff, search results, CSV, code, YAML, Markdown? */
export function lookalike(index: LineIndex, from: number, to: number, mix: LineMix): string | undefined {
  const sample = sampleOf(index, from, to);
  const share = (pattern: RegExp): number => sample.filter(line => pattern.test(line)).length / Math.max(1, sample.length);
  if (sameDelimiters(sample) && (!isHeaded(mix) || share(/^[[\d:T/. +-]{8,35}[,;\t]/) > 0.8)) return 'CSV';
  if (isHeaded(mix)) return undefined;
  if (share(/^(?:@@ -\d+(?:,\d+)? \+\d+|diff --git |--- [ab]\/|\+\+\+ [ab]\/)/) > 0.005 && share(/^[ +-]/) > 0.4) return 'diff';
  if (share(/^(?:[A-Za-z]:)?[^\s:]{1,200}[:-]\d+[:-]/) > 0.5) return 'search results';
  if (share(/^```|^#{1,4} \S/) > 0.02) return 'Markdown';
  if (mix.code * 5 > mix.lines) return 'code';
  const isFlat = mix.indented * 5 < mix.lines && mix.repeated * 10 > mix.lines * 6;
  if (mix.keyed * 2 > mix.lines && !isFlat) return 'key-value text';
  return undefined;
}

function sampleOf(index: LineIndex, from: number, to: number): string[] {
  const step = Math.max(1, Math.floor((to - from) / 300));
  const sample: string[] = [];
  for (let line = from; line < to; line += step) {
    const text = latin1(lineBytes(index, line, 2000));
    if (text.trim() !== '') sample.push(text);
  }
  return sample;
}

function sameDelimiters(sample: readonly string[]): boolean {
  if (sample.length < 5) return false;
  return [',', ';', '\t', '|'].some(delimiter => {
    const counts = sample.map(line => line.split(delimiter).length - 1);
    const first = counts[0]!;
    return first >= 2 && counts.filter(n => n === first).length >= sample.length * 0.8;
  });
}

/** Text stays whole, but for long runs of near-duplicate lines where the text is no other shape. */
export function textOutline(outline: Outline, { shapes, kind }: ShapedLines, whole: boolean): Outline {
  const flags = new Uint8Array(kind.length).fill(WHOLE);
  const template = (i: number): number => shapes.infos[kind[i]!]!.coarse;
  for (let i = 0; i < kind.length; ) {
    let end = i + 1;
    while (end < kind.length && template(end) === template(i)) end += 1;
    if (!whole && end - i >= LEAST_RUN) for (let u = i; u < end; u += 1) flags[u] = 0;
    i = end;
  }
  for (let i = 0; i < kind.length; i += 1) {
    const { bits } = shapes.infos[kind[i]!]!;
    if (bits & MARKER) flags[i]! |= PINNED;
    if (bits & BLANK_LINE) flags[i]! |= EMPTY;
  }
  const { parents: _, states: __, ...rest } = outline;
  return { ...rest, shape: 'text', flags };
}
