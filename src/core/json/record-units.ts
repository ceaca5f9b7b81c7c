import { Bodies } from './body.ts';
import { tellMessagesApart } from './messages.ts';
import { JsonPlaces } from './place.ts';
import { type PoolFacts, PoolGrid, PoolResults } from './pool-grid.ts';
import { judgePrefixes } from './prefix.ts';
import { type OpenWindow, type RecordForm, RecordWindows, type Window } from './record-windows.ts';
import { JsonStrings, type OutputString } from './strings.ts';
import type { Frame } from '../frame.ts';
import type { LineIndex } from '../line-index.ts';
import type { Source } from '../model.ts';
import { mayHoldMarkers } from '../signs.ts';

/** Bytes that are read at once where a few are asked for. */
const BLOCK = 1 << 14;

interface Around {
  readonly frame: Frame | undefined;
  readonly hasPaths: boolean;
}

/** A pool while its rows are read. */
interface OpenPool {
  readonly grid: PoolGrid;
  readonly units: Uint32Array;
  filled: number;
}

/** The units of records in windows, numbered over all of them: read a second time, now with all that is said of them. */
export class RecordUnits {
  readonly count: number;
  readonly parents: Int32Array;
  readonly bodies: Bodies;
  readonly facts: PoolFacts;
  readonly outputs: OutputString[] = [];
  /** Bytes of the units with long strings that are not their own. */
  readonly hidden = new Map<number, number>();
  /** Units `[from, to)` some of which may hold markers. */
  readonly marked: Array<readonly [from: number, to: number]> = [];
  /**
   * How many units are inside of each, and how many are between it and the one before it. Nothing is written where that is
   * nothing: pages of an array that were never written to take no memory.
   */
  private readonly inside: Uint32Array;
  private readonly between: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly severity: Uint8Array;
  private readonly failureKeys: Uint32Array;
  private readonly windows: readonly Window[];
  private readonly messages = new Map<number, Set<number>>();

  /** `base` is where the records start in the source. */
  constructor(windows: RecordWindows, { source, parts }: LineIndex, base: number, around: Around) {
    const count = windows.units;
    this.count = count;
    this.windows = windows.windows;
    this.parents = new Int32Array(count);
    this.inside = new Uint32Array(count);
    this.between = new Uint32Array(count);
    this.starts = new Uint32Array(count);
    this.ends = new Uint32Array(count);
    this.severity = new Uint8Array(count);
    this.failureKeys = new Uint32Array(count);
    const pools = new Map<number, OpenPool>();
    for (const [path, { rows, fields }] of windows.pools) {
      const grid = new PoolGrid(fields.values(), rows, (name) => windows.names[name]!);
      pools.set(path, { grid, units: new Uint32Array(rows), filled: 0 });
    }
    windows.eachWindow((window, open) => {
      this.takeUnits(window, open, base);
      readPools(window, open, pools);
      this.takeFacts(window, open, windows.form);
      this.takeStrings(window, open, { ...around, count: windows.long, parts });
    });
    this.inside[0] = count - 1;
    this.starts[0] = windows.span[0] - base;
    this.ends[0] = windows.span[1] - base;
    const { starts, ends, afterOf, beforeOf } = this;
    this.bodies = new Bodies({ starts, ends, afterOf, beforeOf }, blockReader(source, base));
    const results = new PoolResults(count);
    for (const { grid, units } of pools.values()) results.take(units, grid);
    this.facts = { ...results.facts(), severity: this.severity, failureKeys: this.failureKeys };
  }

  readonly afterOf = (unit: number): number => unit + 1 + this.inside[unit]!;

  readonly beforeOf = (unit: number): number => unit - 1 - this.between[unit]!;

  /** The record that a unit is in: its number, and the unit that it is. */
  recordOf(unit: number): { readonly record: number; readonly top: number } {
    const { windows } = this;
    let at = windows.length - 1;
    while (at > 0 && windows[at]!.shift + 1 > unit) at -= 1;
    let record = windows[at]!.records;
    let top = windows[at]!.shift + 1;
    for (let next = this.afterOf(top); next <= unit; next = this.afterOf(top), record += 1) top = next;
    return { record, top };
  }

  private takeUnits({ shift, base: from }: Window, { tape, units }: OpenWindow, base: number): void {
    const offset = from - base;
    let top = shift;
    while (top > 0 && this.parents[top]! > 0) top = this.parents[top]!;
    for (let unit = shift === 0 ? 0 : 1; unit < units.count; unit += 1) {
      const node = units.nodes[unit]!;
      const at = shift + unit;
      const parent = units.parents[unit]!;
      const before = units.beforeOf(unit);
      this.starts[at] = offset + tape.fromOf(node);
      this.ends[at] = offset + tape.toOf(node);
      if (parent !== 0) this.parents[at] = parent < 0 ? parent : shift + parent;
      this.setInside(at, units.afterOf(unit) - unit - 1);
      this.setBetween(at, before < 0 ? at : unit - 1 - before);
    }
    if (shift > 0 && units.count > 1) this.setBetween(shift + 1, shift - top);
  }

  private setInside(unit: number, units: number): void {
    if (units !== this.inside[unit]) this.inside[unit] = units;
  }

  private setBetween(unit: number, units: number): void {
    if (units !== this.between[unit]) this.between[unit] = units;
  }

  private takeFacts({ shift }: Window, { tape, units, pools }: OpenWindow, form: RecordForm): void {
    const facts = { severity: pools.severity(), failureKeys: pools.failureKeys() };
    tellMessagesApart(tape, units, facts, this.messages);
    if (form !== 'list') judgePrefixes(tape, units, facts);
    facts.severity.forEach((severity, unit) => {
      if (severity === 0 || (unit === 0 && shift > 0)) return;
      this.severity[shift + unit] = severity;
      this.failureKeys[shift + unit] = facts.failureKeys[unit]!;
    });
  }

  private takeStrings(
    { base, size, shift, count, records }: Window,
    { tape, units }: OpenWindow,
    around: Around & { readonly count: number; readonly parts: LineIndex['parts'] },
  ): void {
    const { frame, hasPaths } = around;
    const places = new JsonPlaces(tape, units, base, {
      hasPaths,
      firstIndex: records,
      wholeLines: () => undefined,
    });
    const strings = new JsonStrings(tape, units, { base, places, frame });
    for (const output of strings.outputs(around.count))
      this.outputs.push({ ...output, unit: shift + output.unit });
    for (const [unit, bytes] of strings.allHidden()) this.hidden.set(shift + unit, bytes);
    if (mayHoldMarkers(around.parts, base, base + size))
      this.marked.push([shift === 0 ? 0 : shift + 1, shift + count]);
  }
}

/** Reads the rows of a window into the grids of its pools. */
function readPools({ shift }: Window, open: OpenWindow, byPath: ReadonlyMap<number, OpenPool>): void {
  const { pools } = open;
  for (let pool = 0; pool < pools.count; pool += 1) {
    const members = pools.unitsOf(pool);
    const path = RecordWindows.pathOf(open, members);
    if (path === 0 && shift > 0) continue;
    const into = byPath.get(path)!;
    pools.fieldsOf(pool);
    pools.read(into.grid);
    for (const unit of members) {
      into.units[into.filled] = shift + unit;
      into.filled += 1;
    }
  }
}

/** Reads bytes behind `base`; those near the ones that were read last come out of memory. */
function blockReader(source: Source, base: number): (start: number, end: number) => Uint8Array {
  let from = 0;
  let block: Uint8Array = new Uint8Array(0);
  return (start, end) => {
    if (start < from || end > from + block.length) {
      from = start;
      block = source.read(base + start, Math.min(source.length, base + Math.max(end, start + BLOCK)));
    }
    return block.subarray(start - from, end - from);
  };
}
