/**
 * A view against its original as a unified diff. Nothing has to be compared: the gaps say what differs, and between them
 * the view is the original (without its control sequences, where they were stripped).
 */
import type { Gap } from '../core/model.ts';
import type { Reader } from '../store/port.ts';

/** A line of the diff; `text` is without its line end. */
export interface DiffLine {
  readonly kind: 'hunk' | 'same' | 'out' | 'in' | 'no line end';
  readonly text: Uint8Array;
}

/** Lines that differ: bytes `[start, end)` of both sides, whole lines. */
interface Region {
  readonly original: readonly [number, number];
  readonly view: readonly [number, number];
}

const CONTEXT = 3;
const NEWLINE = 10;
const BLOCK = 1 << 20;
const NO_BYTES = new Uint8Array(0);

/** The lines of the diff; none where the view has no gap. */
export function* diffOf(original: Reader, view: Uint8Array, gaps: readonly Gap[]): Generator<DiffLine> {
  const regions = regionsOf(original, view, gaps);
  let lineOf = { original: 1, view: 1 };
  let from = 0;
  for (let i = 0; i < regions.length;) {
    const hunk = [regions[i]!];
    while (i + hunk.length < regions.length && isNear(view, hunk.at(-1)!, regions[i + hunk.length]!))
      hunk.push(regions[i + hunk.length]!);
    const skipped = countLines(view.subarray(from, hunk[0]!.view[0]));
    const at = { original: lineOf.original + skipped, view: lineOf.view + skipped };
    const next = regions[i + hunk.length]?.view[0] ?? view.length;
    const counts = yield* hunkOf(original, view, { hunk, from, next, at });
    lineOf = { original: at.original + counts.original, view: at.view + counts.view };
    from = hunk.at(-1)!.view[1];
    i += hunk.length;
  }
}

interface Hunk {
  readonly hunk: readonly Region[];
  /** Where the lines before it begin in the view, and those behind it end. */
  readonly from: number;
  readonly next: number;
  /** Numbers of the first lines that differ. */
  readonly at: { readonly original: number; readonly view: number };
}

/** Gives the number of lines from the first to the last that differ, on both sides. */
function* hunkOf(
  original: Reader,
  view: Uint8Array,
  { hunk, from, next, at }: Hunk,
): Generator<DiffLine, { original: number; view: number }> {
  const before = linesIn(view.subarray(from, hunk[0]!.view[0])).slice(-CONTEXT);
  const after = linesIn(view.subarray(hunk.at(-1)!.view[1], next)).slice(0, CONTEXT);
  const between = hunk.slice(1).map((region, i) => linesIn(view.subarray(hunk[i]!.view[1], region.view[0])));
  const inside = between.reduce((sum, lines) => sum + lines.length, 0);
  const out = hunk.reduce((sum, region) => sum + countIn(original, region.original), 0) + inside;
  const shown = hunk.reduce((sum, region) => sum + linesIn(view.subarray(...region.view)).length, 0) + inside;
  const around = before.length + after.length;
  const head = `@@ -${span(at.original - before.length, out + around)} +${span(at.view - before.length, shown + around)} @@`;
  yield { kind: 'hunk', text: Buffer.from(head) };
  yield* all('same', before);
  for (const [i, region] of hunk.entries()) {
    yield* all('out', linesOf(original, region.original));
    yield* all('in', linesIn(view.subarray(...region.view)));
    yield* all('same', between[i] ?? []);
  }
  yield* all('same', after);
  return { original: out, view: shown };
}

/** In a unified diff no lines stand behind the line before them. */
function span(first: number, count: number): string {
  return count === 1 ? String(first) : `${count === 0 ? first - 1 : first},${count}`;
}

function* all(kind: DiffLine['kind'], lines: Iterable<Uint8Array>): Generator<DiffLine> {
  for (const line of lines) {
    const isEnded = line.at(-1) === NEWLINE;
    yield { kind, text: isEnded ? line.subarray(0, -1) : line };
    if (!isEnded) yield { kind: 'no line end', text: NO_BYTES };
  }
}

/** The gaps, each widened to the lines that it is in; those that share a line or touch are one. */
function regionsOf(original: Reader, view: Uint8Array, gaps: readonly Gap[]): Region[] {
  const regions: Region[] = [];
  for (const gap of gaps) {
    const last = regions.at(-1);
    const start = [
      lineStart(original, gap.bytes[0]),
      view.lastIndexOf(NEWLINE, gap.view[0] - 1) + 1,
    ] as const;
    const end = endOf(original, view, gap);
    const isShared = last !== undefined && (start[0] <= last.original[1] || start[1] <= last.view[1]);
    if (isShared) regions.pop();
    regions.push({
      original: [isShared ? last.original[0] : start[0], end[0]],
      view: [isShared ? last.view[0] : gap.view[0] === 0 ? 0 : start[1], end[1]],
    });
  }
  return regions;
}

function endOf(original: Reader, view: Uint8Array, gap: Gap): [number, number] {
  const isWhole =
    original.read(gap.bytes[1] - 1, gap.bytes[1])[0] === NEWLINE && view[gap.view[1] - 1] === NEWLINE;
  if (isWhole) return [gap.bytes[1], gap.view[1]];
  const newline = view.indexOf(NEWLINE, gap.view[1]);
  return [lineEnd(original, gap.bytes[1]), newline < 0 ? view.length : newline + 1];
}

function lineStart(original: Reader, byte: number): number {
  for (let end = byte; end > 0;) {
    const start = Math.max(0, end - BLOCK);
    const found = original.read(start, end).lastIndexOf(NEWLINE);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

function lineEnd(original: Reader, byte: number): number {
  for (let start = byte; start < original.size; start += BLOCK) {
    const found = original.read(start, Math.min(original.size, start + BLOCK)).indexOf(NEWLINE);
    if (found >= 0) return start + found + 1;
  }
  return original.size;
}

/** Are there so few lines between two regions that they are in one hunk? */
function isNear(view: Uint8Array, a: Region, b: Region): boolean {
  return countLines(view.subarray(a.view[1], b.view[0])) <= 2 * CONTEXT;
}

function* linesOf(original: Reader, [start, end]: readonly [number, number]): Generator<Uint8Array> {
  for (let at = start; at < end;) {
    const stop = Math.min(end, lineEnd(original, Math.min(end, at + BLOCK)));
    for (const line of linesIn(original.read(at, stop))) yield line;
    at = stop;
  }
}

function countIn(original: Reader, [start, end]: readonly [number, number]): number {
  let count = 0;
  for (let at = start; at < end; at += BLOCK) {
    const bytes = original.read(at, Math.min(end, at + BLOCK));
    count += newlines(bytes) + (at + BLOCK >= end && bytes.at(-1) !== NEWLINE ? 1 : 0);
  }
  return count;
}

function countLines(bytes: Uint8Array): number {
  return newlines(bytes) + (bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0);
}

function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

function linesIn(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, at);
    const next = newline < 0 ? bytes.length : newline + 1;
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return lines;
}
