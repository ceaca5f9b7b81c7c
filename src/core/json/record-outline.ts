import { inputPlace } from '../frame.ts';
import type { Shape } from '../model.ts';
import { type Outline, PINNED } from '../outline.ts';
import { NUMBERS } from '../policy.ts';
import type { SectionView } from '../strategy.ts';
import { densityOf } from '../tokens.ts';
import { treeFacts } from './facts.ts';
import { keepSmall } from './few.ts';
import { WRAPPING } from './outline.ts';
import { Records } from './record-holes.ts';
import { RecordUnits } from './record-units.ts';
import type { RecordWindows } from './record-windows.ts';
import { framesOf } from './strings.ts';

interface WindowedSection {
  readonly shape: Shape;
  readonly reason: string;
  readonly windows: RecordWindows;
}

/** The outlines of records that are too large for one tape: first their own, then those of the outputs in their strings. */
export function recordOutlines(view: SectionView, { shape, reason, windows }: WindowedSection): Outline[] {
  const { index, section, frame } = view;
  const base = index.starts[section.from]!;
  const hasPaths = section.from === 0 && section.to === index.count;
  const units = new RecordUnits(windows, index, base, { frame, hasPaths });
  const { bodies, facts, hidden, outputs } = units;
  const flags = flagsOf(units);
  const density = densityOf(index.source, base + bodies.startOf(0), base + bodies.endOf(0));
  const costs = costsOf(units, density);
  const records = new Records(index, base, units, { windows, view, hasPaths });
  records.keepFew(costs, flags);
  if (shape === 'envelope')
    keepSmall(windows.shell === undefined ? windows.records : 0, costs, flags, density * bodies.endOf(0));
  const outline: Outline = {
    shape,
    lines: [section.from + 1, section.to],
    ...treeFacts(units, facts, bodies),
    placeOf: (unit) => inputPlace(frame, base + bodies.startOf(unit)),
    flags,
    costs,
    measure: (unit) => bodies.tokens(unit) * shareOf(units, unit),
    hole: (run, gaps) => records.hole(run, gaps),
    parts: (unit, places) => (hidden.has(unit) ? records.parts(unit, places) : []),
    wrapping: WRAPPING,
    purse: NUMBERS.recordPurse,
    outputs: framesOf(outputs),
    ...(windows.form !== 'list' && { text: (unit) => records.prefix(unit) + bodies.text(unit) }),
    failures: { first: 2, last: 0, allUpTo: 0 },
    hasContext: false,
    reason,
    ...(frame !== undefined && { frame }),
  };
  return [outline, ...outputs.flatMap(({ source, frame: inner }) => view.outlineInner(source, inner))];
}

/** Tokens of each unit. */
function costsOf(units: RecordUnits, density: number): Float32Array {
  const { bodies, count } = units;
  const costs = new Float32Array(count);
  for (let unit = 0; unit < count; unit += 1)
    costs[unit] = density * bodies.size(unit) * shareOf(units, unit);
  return costs;
}

/** The share of a unit that is neither an output nor cut out of a string. */
function shareOf({ bodies, hidden }: RecordUnits, unit: number): number {
  const size = bodies.size(unit);
  return Math.max(0, size - (hidden.get(unit) ?? 0)) / Math.max(1, size);
}

function flagsOf({ count, outputs, marked, bodies }: RecordUnits): Uint8Array {
  const flags = new Uint8Array(count);
  flags[0] = PINNED;
  for (const { unit } of outputs) flags[unit]! |= PINNED;
  for (const [from, to] of marked) bodies.markForeign(flags, from, to);
  return flags;
}
