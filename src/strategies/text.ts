import { lineBytes, type LineIndex } from '../core/line-index.ts';
import { BLANK_LINE, CODE, FRAME, INDENTED, KEYED, LEVELLED, STAMPED } from '../core/line-class.ts';
import { latin1 } from '../core/chars.ts';
import { EMPTY, type Outline, PINNED, WHOLE } from '../core/outline.ts';
import type { ShapedLines } from './log.ts';

/** Lines of one template in a row from which on they are near-duplicates. */
const LEAST_RUN = 8;

/** How much of a section is lines that a log has, lines that repeat a template, and lines of other shapes. */
export interface LineMix {
  readonly lines: number;
  /** Lines with a time stamp, and frames of traces. */
  readonly stamped: number;
  /** Lines that say a level. */
  readonly levelled: number;
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
  const mix = { lines: 0, stamped: 0, levelled: 0, repeated: 0, code: 0, keyed: 0, indented: 0 };
  for (let s = 0; s < shapes.infos.length; s += 1) {
    const { bits, coarse, level } = shapes.infos[s]!;
    const count = shapes.counts[s]!;
    if (bits & BLANK_LINE) continue;
    mix.lines += count;
    if (bits & (STAMPED | FRAME)) mix.stamped += count;
    else if (bits & LEVELLED || level >= 0) mix.levelled += count;
    if (perTemplate[coarse]! >= 5) mix.repeated += count;
    if (bits & CODE) mix.code += count;
    if (bits & KEYED) mix.keyed += count;
    if (bits & INDENTED) mix.indented += count;
  }
  return kind.length === 0 ? { ...mix, lines: 1 } : mix;
}

/** Have the lines the heads of a log: time stamps, or levels where the text is no YAML that speaks of levels? */
export function isHeaded({ lines, stamped, levelled, keyed, indented }: LineMix): boolean {
  if (stamped * 10 >= lines * 3) return true;
  return (stamped + levelled) * 10 >= lines * 3 && keyed + indented < lines;
}

/** Looks the section like a shape that must not be cut by lines: a diff, search results, CSV, code, YAML, Markdown? */
export function lookalike(index: LineIndex, from: number, to: number, mix: LineMix): string | undefined {
  const sample = sampleOf(index, from, to);
  const share = (pattern: RegExp): number =>
    sample.filter((line) => pattern.test(line)).length / Math.max(1, sample.length);
  if (sameDelimiters(sample, isHeaded(mix) ? 3 : 2)) return 'CSV';
  if (isHeaded(mix)) return undefined;
  if (
    share(/^(?:@@ -\d+(?:,\d+)? \+\d+|diff --git |--- [ab]\/|\+\+\+ [ab]\/)/) > 0.005 &&
    share(/^[ +-]/) > 0.4
  )
    return 'diff';
  if (share(/^(?:[A-Za-z]:)?[^\s:]{1,200}[:-]\d+[:-]/) > 0.5) return 'search results';
  if (share(/^```|^#{1,4} \S/) > 0.02) return 'Markdown';
  if (mix.code * 5 > mix.lines) return 'code';
  const isFlat = mix.indented * 5 < mix.lines && mix.repeated * 10 > mix.lines * 6;
  const isNested = mix.keyed * 10 > mix.lines * 3 && mix.indented * 2 > mix.lines;
  if (isNested || (mix.keyed * 2 > mix.lines && !isFlat)) return 'key-value text';
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

/** As many commas, semicolons, tabs or bars in (nearly) all lines: at least three, or two where nothing says log. */
function sameDelimiters(sample: readonly string[], least: number): boolean {
  if (sample.length < 5) return false;
  return [',', ';', '\t', '|'].some((delimiter) => {
    const counts = sample.map((line) => line.split(delimiter).length - 1);
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)]!;
    const spaced = sample.filter((line) => line.includes(`${delimiter} `)).length;
    return (
      usual >= least &&
      counts.filter((n) => n === usual).length >= sample.length * 0.8 &&
      spaced * 2 < sample.length
    );
  });
}

/**
 * Text stays whole, but for long runs of near-duplicate lines where it is no other shape (`runs`), and for what a budget
 * takes; `fast` text is not touched at all.
 */
export function textOutline(
  outline: Outline,
  { shapes, kind, markers }: ShapedLines,
  stays: 'fast' | 'whole' | 'runs',
): Outline {
  const flags = new Uint8Array(kind.length).fill(stays === 'fast' ? PINNED : WHOLE);
  const template = (i: number): number => shapes.infos[kind[i]!]!.coarse;
  for (let i = 0; i < kind.length;) {
    let end = i + 1;
    while (end < kind.length && template(end) === template(i)) end += 1;
    if (stays === 'runs' && end - i >= LEAST_RUN) for (let u = i; u < end; u += 1) flags[u] = 0;
    i = end;
  }
  for (let i = 0; i < kind.length; i += 1) {
    if (shapes.infos[kind[i]!]!.bits & BLANK_LINE) flags[i]! |= EMPTY;
  }
  for (const line of markers) flags[line]! |= PINNED;
  const { parents: _, ...rest } = outline;
  return { ...rest, shape: 'text', flags, ...(stays === 'fast' && { uncut: true }) };
}
