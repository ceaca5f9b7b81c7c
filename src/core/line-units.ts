import { latin1 } from './chars.ts';
import { indentOf, lineEndOf, MOST_INDENT } from './edges.ts';
import { type Frame, inputPlace } from './frame.ts';
import type { LineIndex } from './line-index.ts';
import { countCharacters, cutsOf, type Places } from './long-lines.ts';
import type { Source } from './model.ts';
import type { Hole, Outline } from './outline.ts';
import { NUMBERS } from './policy.ts';
import { isText } from './source.ts';

/** A line of fewer bytes is never cut inside. */
const SHORT_LINE = 80;

interface LineFacts {
  readonly severity: Uint8Array;
  readonly states?: Outline['states'] | undefined;
}

/** What an outline says of units that are the lines `[from, to)`, side by side. */
export function lineUnits(
  index: LineIndex,
  from: number,
  to: number,
  { facts, frame }: { readonly facts: LineFacts; readonly frame: Frame | undefined },
): Pick<
  Outline,
  'lines' | 'count' | 'placeOf' | 'sizeOf' | 'hole' | 'parts' | 'wrapping' | 'index' | 'frame'
> {
  const { source, starts } = index;
  return {
    lines: [from + 1, to],
    count: to - from,
    placeOf: (unit) => inputPlace(frame, starts[from + unit]!),
    sizeOf: (unit) => starts[from + unit + 1]! - starts[from + unit]!,
    hole: ({ first, last }) => gapOf(index, from, { first, last }, facts),
    parts: (unit, places) => partsOf(source, starts, from + unit, places),
    wrapping: 0,
    index,
    ...(frame !== undefined && { frame }),
  };
}

function gapOf(
  { source, starts }: LineIndex,
  from: number,
  { first, last }: { readonly first: number; readonly last: number },
  facts: LineFacts,
): Hole {
  const start = starts[from + first]!;
  const end = starts[from + last + 1]!;
  return {
    start,
    end,
    address: { kind: 'lines', from: from + first + 1, to: from + last + 1 },
    count: last + 1 - first,
    unit: 'lines',
    values: stateCounts(facts.states, first, last + 1),
    failures: countFailures(facts.severity, first, last + 1),
    before: indentation(source, start, end),
    after: lineEnd(source, end),
  };
}

export function countFailures(severity: Uint8Array, from: number, to: number): number {
  let failures = 0;
  for (let i = from; i < to; i += 1) if (severity[i]! > 1) failures += 1;
  return failures;
}

/** Counts of the states of units, if there is a state to speak of. */
export function stateCounts(
  states: Outline['states'] | undefined,
  from: number,
  to: number,
): Array<readonly [string, number]> {
  if (states === undefined) return [];
  const counts = new Uint32Array(256);
  for (let i = from; i < to; i += 1) counts[states.of[i]!]! += 1;
  return namedCounts(states, counts, to - from);
}

/** Counts of states by their numbers, those of `all` units, with their names; none where no unit has a state. */
export function namedCounts(
  states: NonNullable<Outline['states']>,
  counts: Uint32Array,
  all: number,
): Array<readonly [string, number]> {
  if (counts[255] === all) return [];
  return states.names.map((name, i) => [name, counts[i]!] as const).filter(([, count]) => count > 0);
}

/** The parts of a long line that go. */
export function partsOf(source: Source, starts: Uint32Array, line: number, places: Places): Hole[] {
  const start = starts[line]!;
  const end = starts[line + 1]!;
  if (end - start <= SHORT_LINE) return [];
  if (end - start <= NUMBERS.longLine && !source.read(start, end - 1).includes(13)) return [];
  const text = source.read(start, end - lineEnd(source, end).length);
  const cuts = cutsOf(text, places);
  if (cuts.length === 0) return [];
  const isUnicode = isText(source);
  return cuts.map((cut) => {
    const first = countCharacters(text.subarray(0, cut.start), isUnicode) + 1;
    const count = countCharacters(text.subarray(cut.start, cut.end), isUnicode);
    return {
      start: start + cut.start,
      end: start + cut.end,
      address: { kind: 'chars', line: line + 1, from: first, to: first + count - 1 },
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
