import { inputPlace } from '../frame.ts';
import { scoped } from '../kernel.ts';
import { lineAt, type LineIndex } from '../line-index.ts';
import type { Places } from '../long-lines.ts';
import type { Shape } from '../model.ts';
import { type GapCounts, type Hole, type Outline, PINNED } from '../outline.ts';
import { NUMBERS } from '../policy.ts';
import type { SectionView } from '../strategy.ts';
import { densityOf } from '../tokens.ts';
import { countsOf } from './counts.ts';
import { treeFacts } from './facts.ts';
import { keepSmall } from './few.ts';
import { WRAPPING } from './outline.ts';
import { JsonPlaces } from './place.ts';
import { wholeLines } from './record-lines.ts';
import { RecordUnits } from './record-units.ts';
import type { RecordWindows } from './record-windows.ts';
import { framesOf, JsonStrings } from './strings.ts';
import { readTape } from './tape.ts';
import { JSON_UNITS, unitsOf } from './units.ts';

/** The outlines of records that are too large for one tape: first their own, then those of the outputs in their strings. */
export function recordOutlines(
  view: SectionView,
  {
    shape,
    reason,
    windows,
  }: { readonly shape: Shape; readonly reason: string; readonly windows: RecordWindows },
): Outline[] {
  const { index, section, frame } = view;
  const base = index.starts[section.from]!;
  const hasPaths = section.from === 0 && section.to === index.count;
  const units = new RecordUnits(windows, index, base, { frame, hasPaths });
  const { bodies, facts, hidden, outputs } = units;
  const flags = flagsOf(units);
  const density = densityOf(index.source, base + bodies.startOf(0), base + bodies.endOf(0));
  const costs = costsOf(units, density);
  if (shape === 'envelope') keepSmall(windows.records, costs, flags, density * bodies.endOf(0));
  const records = new Records(index, base, units, { windows, view, hasPaths });
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

/** What is asked of single records, which are read again for it. */
class Records {
  private readonly index: LineIndex;
  private readonly base: number;
  private readonly units: RecordUnits;
  private readonly around: {
    readonly windows: RecordWindows;
    readonly view: SectionView;
    readonly hasPaths: boolean;
  };

  constructor(index: LineIndex, base: number, units: RecordUnits, around: Records['around']) {
    this.index = index;
    this.base = base;
    this.units = units;
    this.around = around;
  }

  hole(run: { first: number; last: number; end: number }, gaps: GapCounts): Hole {
    const { units, index, base } = this;
    const counts = countsOf(units, units.facts, run);
    if (units.parents[run.first] !== 0)
      return this.opened(run.first, ({ places, first }) =>
        places.hole({ first: run.first - first, last: run.last - first }, gaps, counts),
      );
    const isList = this.around.windows.form === 'list';
    const lines = isList ? undefined : wholeLines(index, base, units.bodies.spans, run);
    const between = lines ?? this.between(run);
    return this.opens(run.first)
      ? { ...counts, ...between, unit: 'records', before: '{"_ctxzip":"', after: between.after }
      : { ...counts, ...between, unit: 'values', before: '"', after: '"' };
  }

  /** Is the record an object or a list? All are that but elements of lists. */
  private opens(unit: number): boolean {
    if (this.around.windows.form !== 'list') return true;
    const at = this.base + this.units.bodies.startOf(unit);
    const first = this.index.source.read(at, at + 1)[0];
    return first === 123 || first === 91;
  }

  /** The hole of records that share their lines with others. */
  private between({ first, last }: { readonly first: number; readonly last: number }) {
    const { units, base, around } = this;
    const [from, to] = [units.recordOf(first).record, units.recordOf(last).record];
    return {
      start: base + units.bodies.startOf(first),
      end: base + units.bodies.endOf(last),
      ...(around.hasPaths && {
        address:
          from === to
            ? { kind: 'path' as const, segments: [String(from)] }
            : { kind: 'path' as const, segments: [], range: { from, to } },
      }),
      after: '"}',
    };
  }

  parts(unit: number, found: Places): readonly Hole[] {
    return this.opened(unit, ({ strings, first }) => {
      strings.outputs(this.around.windows.long);
      return strings.parts(unit - first, found);
    });
  }

  /** What stands before a record on its line. */
  prefix(unit: number): string {
    const { units, index, base } = this;
    if (units.parents[unit] !== 0) return '';
    const start = base + units.bodies.startOf(unit);
    const text = index.source.read(index.starts[lineAt(index, start)]!, start);
    return text.includes(125) ? '' : Buffer.from(text).toString('utf8');
  }

  /** Reads the record that a unit is in; `first` is what its units are less than those of all. */
  private opened<T>(
    unit: number,
    work: (record: { places: JsonPlaces; strings: JsonStrings; first: number }) => T,
  ): T {
    const { units, index, around } = this;
    const { record, top } = units.recordOf(unit);
    const base = this.base + units.bodies.startOf(top);
    const bytes = index.source.read(base, this.base + units.bodies.endOf(top));
    return scoped(() => {
      const elements = around.windows.form === 'list';
      const tape = readTape(bytes, 0, bytes.length, { many: true, mixed: !elements, elements })!;
      const own = unitsOf(tape, JSON_UNITS);
      const { frame } = around.view;
      const places = new JsonPlaces(tape, own, base, {
        hasPaths: around.hasPaths,
        firstIndex: record,
        wholeLines: () => undefined,
      });
      const strings = new JsonStrings(tape, own, { base, places, frame });
      return work({ places, strings, first: top - 1 });
    });
  }
}
