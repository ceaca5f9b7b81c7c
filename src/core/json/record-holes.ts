import type { PathAddress } from '../address.ts';
import { scoped } from '../kernel.ts';
import { lineAt, type LineIndex } from '../line-index.ts';
import type { Places } from '../long-lines.ts';
import type { GapCounts, Hole } from '../outline.ts';
import type { SectionView } from '../strategy.ts';
import { countsOf } from './counts.ts';
import { keepFew, sumOf } from './few.ts';
import { JsonPlaces } from './place.ts';
import { wholeLines } from './record-lines.ts';
import type { RecordUnits } from './record-units.ts';
import type { RecordWindows } from './record-windows.ts';
import { JsonStrings } from './strings.ts';
import type { Tape } from './tape.ts';
import { JSON_UNITS, type JsonUnits, unitsOf } from './units.ts';

/** What is asked of single records, which are read again for it. */
export class Records {
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
    if (!this.isRecord(run.first))
      return this.opened(run.first, ({ places, local }) =>
        places.hole({ first: local(run.first), last: local(run.last) }, gaps, counts),
      );
    const isList = this.around.windows.form === 'list';
    const lines = isList ? undefined : wholeLines(index, base, units.bodies.spans, run);
    const between = lines ?? this.between(run);
    return this.opens(run.first)
      ? { ...counts, ...between, unit: 'records', before: '{"_ctxzip":"', after: between.after }
      : { ...counts, ...between, unit: 'values', before: '"', after: '"' };
  }

  /** Is the unit a record, and neither in one nor around them? */
  private isRecord(unit: number): boolean {
    return this.units.parentOf(unit) === this.around.windows.around.head - 1;
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
    const { units, base } = this;
    const [from, to] = [units.recordOf(first).record, units.recordOf(last).record];
    const list = this.listPath();
    return {
      start: base + units.bodies.startOf(first),
      end: base + units.bodies.endOf(last),
      ...(list !== undefined && {
        address:
          from === to
            ? { ...list, segments: [...list.segments, String(from)] }
            : { ...list, range: { from, to } },
      }),
      after: '"}',
    };
  }

  private path: { readonly of: PathAddress | undefined } | undefined;

  /** The path of the list; undefined where paths mean nothing. */
  private listPath(): PathAddress | undefined {
    const { shell } = this.around.windows;
    const read = (): PathAddress | undefined => {
      if (!this.around.hasPaths) return undefined;
      if (shell === undefined) return { kind: 'path', segments: [] };
      return this.opened(0, ({ places }) => places.pathOf(shell.list));
    };
    this.path ??= { of: read() };
    return this.path.of;
  }

  /** Records of small lists around the list; see `keepFew`. */
  keepFew(costs: Float32Array, flags: Uint8Array): void {
    const { units, around } = this;
    if (around.windows.shell === undefined) return;
    this.opened(0, ({ tape, own, local }) => {
      const { head, tail } = around.windows.around;
      const all = [...Array(head).keys(), ...Array.from({ length: tail }, (_, n) => units.count - tail + n)];
      const near = { costs: new Float32Array(own.count), flags: new Uint8Array(own.count) };
      for (const unit of all) near.costs[local(unit)] = costs[unit]!;
      keepFew(tape, own, near.costs, near.flags, sumOf(costs));
      for (const unit of all) flags[unit]! |= near.flags[local(unit)]!;
    });
  }

  parts(unit: number, found: Places): readonly Hole[] {
    return this.opened(unit, ({ strings, local }) => {
      strings.outputs(this.around.windows.long);
      return strings.parts(local(unit), found);
    });
  }

  /** What stands before a record on its line. */
  prefix(unit: number): string {
    const { units, index, base } = this;
    if (!this.isRecord(unit)) return '';
    const start = base + units.bodies.startOf(unit);
    const text = index.source.read(index.starts[lineAt(index, start)]!, start);
    return text.includes(125) ? '' : Buffer.from(text).toString('utf8');
  }

  /** Reads the record that a unit is in, with what is around all of them; `local` is the number of a unit among those read. */
  private opened<T>(unit: number, work: (record: Opened) => T): T {
    const { units, base: from, around } = this;
    const { windows, hasPaths, view } = around;
    const { head, tail } = windows.around;
    const isInside = unit >= head && unit < units.count - tail;
    const { record, top } = units.recordOf(isInside ? unit : head);
    const base = from + units.bodies.startOf(top);
    const size = from + units.bodies.endOf(top) - base;
    return scoped(() => {
      const { tape } = windows.tapeOf({ base, size })!;
      const own = unitsOf(tape, JSON_UNITS);
      const placeOf = windows.placesIn({ base, size });
      const places = new JsonPlaces(tape, own, {
        hasPaths,
        placeOf,
        firstIndex: record,
        list: windows.shell?.list ?? 0,
        wholeLines: () => undefined,
      });
      const strings = new JsonStrings(tape, own, { placeOf, places, frame: view.frame });
      const local = (u: number): number =>
        u < head ? u : u < units.count - tail ? u - top + head : u - units.count + own.count;
      return work({ tape, own, places, strings, local });
    });
  }
}

interface Opened {
  readonly tape: Tape;
  readonly own: JsonUnits;
  readonly places: JsonPlaces;
  readonly strings: JsonStrings;
  readonly local: (unit: number) => number;
}
