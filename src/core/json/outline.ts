import { inputPlace } from '../frame.ts';
import type { Shape } from '../model.ts';
import { type Outline, PINNED } from '../outline.ts';
import { NUMBERS } from '../policy.ts';
import { mayHoldMarkers } from '../signs.ts';
import type { SectionView } from '../strategy.ts';
import { densityOf } from '../tokens.ts';
import { Bodies, spansOf } from './body.ts';
import { countsOf } from './counts.ts';
import { JsonPlaces } from './place.ts';
import { poolsOf } from './pools.ts';
import { judgePrefixes, prefixOf } from './prefix.ts';
import { wholeLines } from './record-lines.ts';
import { framesOf, JsonStrings, type OutputString } from './strings.ts';
import type { Tape } from './tape.ts';
import { treeFacts } from './facts.ts';
import { keepFew, keepSmall, topRecords } from './few.ts';
import { tellMessagesApart } from './messages.ts';
import { JSON_UNITS, type JsonUnits, unitsOf } from './units.ts';

/** Tokens of the quotes and the key around a marker. */
export const WRAPPING = 6;

export interface JsonSection {
  readonly shape: Shape;
  readonly reason: string;
  /** Its offsets count from `base` of the text. */
  readonly tape: Tape;
  readonly base: number;
  readonly isLines: boolean;
}

/** The outlines of JSON: first its own, then those of the outputs in its strings. */
export function jsonOutlines(view: SectionView, json: JsonSection): Outline[] {
  const { index, section, frame } = view;
  const { tape, base } = json;
  const units = unitsOf(tape, JSON_UNITS);
  const bodies = new Bodies(spansOf(tape, units), (start, end) => tape.bytes.subarray(start, end));
  const facts = poolsOf(tape, units);
  tellMessagesApart(tape, units, facts);
  if (json.isLines) judgePrefixes(tape, units, facts);
  const places = placesIn(view, json, units, bodies);
  const strings = new JsonStrings(tape, units, { placeOf: (offset) => base + offset, places, frame });
  const outputs = strings.outputs();
  const flags = flagsOf(bodies, outputs, mayHoldMarkers(index.parts, base, base + tape.bytes.length));
  const density = densityOf(index.source, base + tape.start[0]!, base + tape.end[0]!);
  const costs = costsOf(bodies, strings, density, units.count);
  keepFew(tape, units, costs, flags);
  if (json.shape === 'envelope') keepSmall(topRecords(tape), costs, flags, density * tape.bytes.length);
  const outline: Outline = {
    shape: json.shape,
    lines: [section.from + 1, section.to],
    ...treeFacts(units, facts, bodies),
    placeOf: (unit) => inputPlace(frame, base + bodies.startOf(unit)),
    flags,
    costs,
    measure: (unit) => bodies.tokens(unit) * shareOf(bodies, strings, unit),
    hole: (run, gaps) => places.hole(run, gaps, countsOf(units, facts, run)),
    parts: (unit, found) => strings.parts(unit, found),
    wrapping: WRAPPING,
    purse: NUMBERS.recordPurse,
    outputs: framesOf(outputs),
    ...(json.isLines && { text: (unit) => prefixText(tape, units, unit) + bodies.text(unit) }),
    failures: { first: 2, last: 0, allUpTo: 0 },
    hasContext: false,
    isTorn: tape.isTorn,
    reason: json.reason,
    ...(frame !== undefined && { frame }),
  };
  return [outline, ...outputs.flatMap(({ source, frame: inner }) => view.outlineInner(source, inner))];
}

function placesIn(
  { index, section }: SectionView,
  { tape, base, isLines }: JsonSection,
  units: JsonUnits,
  { spans }: Bodies,
): JsonPlaces {
  return new JsonPlaces(tape, units, {
    hasPaths: section.from === 0 && section.to === index.count,
    placeOf: (offset) => base + offset,
    firstIndex: 0,
    list: 0,
    wholeLines: (first, last) => (isLines ? wholeLines(index, base, spans, { first, last }) : undefined),
  });
}

/** What must stay: the root, the outputs in strings, markers of other tools. */
function flagsOf(bodies: Bodies, outputs: readonly OutputString[], isMarked: boolean): Uint8Array {
  const flags = new Uint8Array(bodies.spans.count);
  flags[0] = PINNED;
  for (const { unit } of outputs) flags[unit]! |= PINNED;
  if (isMarked) bodies.markForeign(flags);
  return flags;
}

/** Tokens of each unit. */
function costsOf(bodies: Bodies, strings: JsonStrings, density: number, count: number): Float32Array {
  const costs = new Float32Array(count);
  for (let unit = 0; unit < count; unit += 1)
    costs[unit] = density * bodies.size(unit) * shareOf(bodies, strings, unit);
  return costs;
}

/** The share of a unit that is neither an output nor cut out of a string. */
function shareOf(bodies: Bodies, strings: JsonStrings, unit: number): number {
  const hidden = strings.hidden(unit);
  if (hidden === 0) return 1;
  const size = bodies.size(unit);
  return Math.fround(Math.max(0, size - hidden) / Math.max(1, size));
}

function prefixText(tape: Tape, units: JsonUnits, unit: number): string {
  const { from, to } = prefixOf(tape, units.nodes[unit]!);
  return from === to ? '' : Buffer.from(tape.bytes.subarray(from, to)).toString('utf8');
}
