import { inputPlace } from '../frame.ts';
import { Bodies, spansOf } from '../json/body.ts';
import { treeFacts } from '../json/facts.ts';
import { keepFew } from '../json/few.ts';
import { poolsOf } from '../json/pools.ts';
import { type JsonUnits, unitsOf, type UnitOptions } from '../json/units.ts';
import type { Shape } from '../model.ts';
import { type Outline, PINNED } from '../outline.ts';
import { NUMBERS } from '../policy.ts';
import { mayHoldMarkers } from '../signs.ts';
import type { SectionView } from '../strategy.ts';
import { densityOf } from '../tokens.ts';
import { LongLines } from './long.ts';
import type { TextTape } from './nodes.ts';
import { textHole } from './place.ts';

export interface TextSection {
  readonly shape: Shape;
  readonly reason: string;
  readonly tape: TextTape;
  readonly telling: UnitOptions['telling'];
  readonly comment: string;
}

/** The outline of text that is nested by indentation. */
export function indentOutline(view: SectionView, section: TextSection): Outline {
  const { index, frame } = view;
  const { from, to } = view.section;
  const { tape } = section;
  const base = index.starts[from]!;
  const units = unitsOf(tape, { telling: section.telling, glued: tape.glued });
  const bodies = new Bodies(spansOf(tape, units), (start, end) => tape.bytes.subarray(start, end));
  const facts = poolsOf(tape, units);
  const flags = flagsOf(tape, units);
  if (mayHoldMarkers(index.parts, base, index.starts[to]!)) bodies.markForeign(flags);
  const long = new LongLines(index, [from, to], { tape, units, base, isYaml: section.shape === 'yaml' });
  const density = densityOf(index.source, base, index.starts[to]!);
  const shownShare = (unit: number): number => {
    const size = Math.max(1, bodies.size(unit));
    return Math.max(0, size - long.hidden(unit)) / size;
  };
  const costs = Float32Array.from(
    { length: units.count },
    (_, unit) => density * bodies.size(unit) * shownShare(unit),
  );
  keepFew(tape, units, costs, flags);
  const places = { tape, units, index, facts, base, comment: section.comment };
  return {
    shape: section.shape,
    lines: [from + 1, to],
    ...treeFacts(units, facts, bodies),
    placeOf: (unit) => inputPlace(frame, base + bodies.startOf(unit)),
    flags,
    costs,
    hole: (run) => textHole(run, places),
    measure: (unit) => bodies.tokens(unit) * shownShare(unit),
    parts: (unit, found) => long.parts(unit, found),
    wrapping: section.comment.length,
    purse: NUMBERS.recordPurse,
    failures: { first: 10, last: 0, allUpTo: 24 },
    hasContext: false,
    reason: section.reason,
    ...(frame !== undefined && { frame }),
  };
}

function flagsOf(tape: TextTape, units: JsonUnits): Uint8Array {
  const flags = new Uint8Array(units.count);
  flags[0] = PINNED;
  for (const node of tape.pinned) flags[units.ownerOf(node)]! |= PINNED;
  return flags;
}
