import { latin1 } from './chars.ts';
import { indentOf, lineEndOf, MOST_INDENT } from './edges.ts';
import { stripEscapes } from './escapes.ts';
import { cutsOf, countCharacters, type Places } from './long-lines.ts';
import { formatMarker } from './marker.ts';
import type { Gap, Policy, Source } from './model.ts';
import type { Outline } from './outline.ts';
import { NUMBERS } from './policy.ts';
import { lineChunks } from './source.ts';
import type { Kept } from './worth.ts';

/** A view: its bytes in pieces, and where they are not the input's. */
export interface Rendered {
  readonly chunks: readonly Uint8Array[];
  readonly size: number;
  readonly gaps: readonly Gap[];
}

/** A line of fewer bytes is never cut inside. */
const SHORT_LINE = 80;

/** Part of the input that goes, before its marker is written. */
interface Hole {
  readonly start: number;
  readonly end: number;
  readonly address: string;
  readonly count: number;
  readonly unit: string;
  readonly values: ReadonlyArray<readonly [string, number]>;
  readonly failures: number;
  /** What stands before and after the marker: indentation, line end. */
  readonly before: string;
  readonly after: string;
}

export interface RenderOptions {
  readonly policy: Policy;
  /** First 12 hex digits of the SHA-256 of the input. */
  readonly hash: () => string;
  readonly places: Places;
  /** Is the whole input valid UTF-8? Then characters are code points, else bytes. */
  readonly isText: () => boolean;
}

/** Writes the view: the input with the units that went cut out and a marker in each place. */
export function render(source: Source, all: readonly Kept[], options: RenderOptions): Rendered {
  const holes = all.flatMap((kept) => holesOf(source, kept, options));
  const chunks: Uint8Array[] = [];
  const gaps: Gap[] = [];
  let size = 0;
  let at = 0;
  const push = (chunk: Uint8Array): void => {
    if (chunk.length > 0) chunks.push(chunk);
    size += chunk.length;
  };
  const text = (from: number, to: number): void => {
    for (const { bytes } of lineChunks(source, from, to)) {
      push(options.policy.escapes === 'strip' ? stripEscapes(bytes) : bytes);
    }
  };
  const hash = holes.length === 0 ? '' : options.hash();
  holes.forEach((hole, i) => {
    text(at, hole.start);
    const { address, count, unit, values, failures } = hole;
    const form =
      i === 0 && options.policy.hint ? 'first' : isFull(i, holes.length, options.policy) ? 'full' : 'short';
    const marker = formatMarker({ hash, form, address, count, unit, values, failures });
    const begin = size;
    push(Buffer.from(`${hole.before}${marker}${hole.after}`, 'latin1'));
    gaps.push({ address, bytes: [hole.start, hole.end], view: [begin, size], count, unit, values, failures });
    at = hole.end;
  });
  text(at, source.length);
  return { chunks, size, gaps };
}

function isFull(i: number, count: number, policy: Policy): boolean {
  return policy.markers === 'full' || i === 0 || i === count - 1;
}

/** The gaps of a section, and the parts that go of its kept units, in order. */
function holesOf(source: Source, kept: Kept, options: RenderOptions): Hole[] {
  const { outline, reasons } = kept;
  const holes: Hole[] = [];
  for (let i = 0; i < outline.count; i += 1) {
    if (reasons[i] !== 0) {
      const size = outline.starts[i + 1]! - outline.starts[i]!;
      if (outline.uncut !== true && size > SHORT_LINE) holes.push(...partsOf(source, outline, i, options));
      continue;
    }
    let end = i + 1;
    while (end < outline.count && reasons[end] === 0) end += 1;
    holes.push(gapOf(source, outline, i, end));
    i = end - 1;
  }
  return holes;
}

function gapOf(source: Source, outline: Outline, from: number, to: number): Hole {
  const start = outline.starts[from]!;
  const end = outline.starts[to]!;
  const first = outline.firstLine + from;
  const last = outline.firstLine + to - 1;
  let failures = 0;
  for (let i = from; i < to; i += 1) if (outline.severity[i]! > 1) failures += 1;
  return {
    start,
    end,
    address: first === last ? `L${first}` : `L${first}-${last}`,
    count: to - from,
    unit: outline.unit,
    values: stateCounts(outline, from, to),
    failures,
    before: indentation(source, start, end),
    after: lineEnd(source, end),
  };
}

/** Counts of the states of the hidden units, if there is a state to speak of. */
function stateCounts(outline: Outline, from: number, to: number): Array<readonly [string, number]> {
  const { states } = outline;
  if (states === undefined) return [];
  const counts = new Uint32Array(256);
  for (let i = from; i < to; i += 1) counts[states.of[i]!]! += 1;
  if (counts[255] === to - from) return [];
  return states.names.map((name, i) => [name, counts[i]!] as const).filter(([, count]) => count > 0);
}

function partsOf(source: Source, outline: Outline, unit: number, options: RenderOptions): Hole[] {
  const start = outline.starts[unit]!;
  const end = outline.starts[unit + 1]!;
  if (end - start <= NUMBERS.longLine && !source.read(start, end - 1).includes(13)) return [];
  const line = source.read(start, end - lineEnd(source, end).length);
  const cuts = cutsOf(line, options.places);
  if (cuts.length === 0) return [];
  const isText = options.isText();
  const number = outline.firstLine + unit;
  return cuts.map((cut) => {
    const first = countCharacters(line.subarray(0, cut.start), isText) + 1;
    const count = countCharacters(line.subarray(cut.start, cut.end), isText);
    return {
      start: start + cut.start,
      end: start + cut.end,
      address: `L${number}:c${first}-${first + count - 1}`,
      count,
      unit: 'chars',
      values: [],
      failures: cut.failures,
      before: '',
      after: '',
    };
  });
}

function lineEnd(source: Source, end: number): string {
  return lineEndOf(source.read(Math.max(0, end - 2), end));
}

function indentation(source: Source, start: number, end: number): string {
  const head = source.read(start, Math.min(end, start + MOST_INDENT));
  return latin1(head, 0, indentOf(head));
}
