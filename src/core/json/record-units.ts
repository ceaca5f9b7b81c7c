import { Bodies } from './body.ts';
import { tellMessagesApart } from './messages.ts';
import { JsonPlaces } from './place.ts';
import { type PoolFacts, PoolGrid, PoolResults } from './pool-grid.ts';
import { judgePrefixes } from './prefix.ts';
import { RecordRows } from './record-rows.ts';
import { RecordSpans } from './record-spans.ts';
import type { OpenWindow, RecordWindows, Window } from './record-windows.ts';
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
  readonly rows: ReturnType<RecordRows['pool']>;
}

/** The units of records in windows, numbered over all of them: read a second time, now with all that is said of them. */
export class RecordUnits {
  readonly count: number;
  readonly bodies: Bodies;
  readonly facts: PoolFacts;
  readonly outputs: OutputString[] = [];
  /** Bytes of the units with long strings that are not their own. */
  readonly hidden = new Map<number, number>();
  /** Units `[from, to)` some of which may hold markers. */
  readonly marked: Array<readonly [from: number, to: number]> = [];
  private readonly spans: RecordSpans;
  private readonly severity: Uint8Array;
  private readonly failureKeys: Uint32Array;
  private readonly windows: RecordWindows;
  private readonly messages = new Map<number, Set<number>>();

  /** `base` is where the records start in the source. */
  constructor(windows: RecordWindows, { source, parts }: LineIndex, base: number, around: Around) {
    const count = windows.units;
    this.count = count;
    this.windows = windows;
    this.spans = new RecordSpans(count, windows.around.head - 1);
    this.severity = new Uint8Array(count);
    this.failureKeys = new Uint32Array(count);
    const pools = new Map<number, OpenPool>();
    const all = new RecordRows(count);
    for (const [path, { rows, fields }] of windows.fields.byPath) {
      const grid = new PoolGrid(fields.values(), rows, (name) => windows.fields.names[name]!);
      pools.set(path, { grid, rows: all.pool(rows) });
    }
    windows.eachWindow((window, open) => {
      this.takeUnits(window, open, base);
      readPools(windows, window, open, pools);
      this.takeFacts(window, open);
      this.takeStrings(window, open, { ...around, parts });
    });
    this.spans.addInside(windows.around.head - 1, count - windows.windows[0]!.count);
    this.spans.setPlace(0, windows.span[0] - base, windows.span[1] - base);
    this.bodies = new Bodies(this.spans, blockReader(source, base));
    const results = new PoolResults(count);
    for (const { grid, rows } of pools.values()) results.take(rows, grid);
    this.facts = { ...results.facts(), severity: this.severity, failureKeys: this.failureKeys };
  }

  get parentOf(): (unit: number) => number {
    return this.spans.parentOf;
  }

  get afterOf(): (unit: number) => number {
    return this.spans.afterOf;
  }

  get beforeOf(): (unit: number) => number {
    return this.spans.beforeOf;
  }

  /** The record that a unit is in: its number, and the unit that it is. */
  recordOf(unit: number): { readonly record: number; readonly top: number } {
    const { windows, around } = this.windows;
    let at = windows.length - 1;
    while (at > 0 && windows[at]!.shift + around.head > unit) at -= 1;
    let record = windows[at]!.records;
    let top = windows[at]!.shift + around.head;
    for (let next = this.afterOf(top); next <= unit; next = this.afterOf(top), record += 1) top = next;
    return { record, top };
  }

  private takeUnits(window: Window, { tape, units }: OpenWindow, base: number): void {
    const { windows } = this;
    const placeOf = windows.placesIn(window);
    const numberOf = (unit: number): number => (unit < 0 ? unit : windows.numberOf(window, unit));
    const { head } = windows.around;
    const first = window.shift === 0 ? 0 : head;
    for (let unit = first; unit < units.count && windows.takes(window, unit); unit += 1) {
      const node = units.nodes[unit]!;
      const at = numberOf(unit);
      const inside = units.afterOf(unit) - unit - 1;
      this.spans.setPlace(at, placeOf(tape.fromOf(node)) - base, placeOf(tape.toOf(node)) - base);
      this.spans.setTree(at, numberOf(units.parents[unit]!), inside, units.beforeOf(unit) < 0);
    }
    if (window.shift > 0) this.spans.join(window.shift + head);
  }

  private takeFacts(window: Window, { tape, units, pools }: OpenWindow): void {
    const { windows } = this;
    const facts = { severity: pools.severity(), failureKeys: pools.failureKeys() };
    tellMessagesApart(tape, units, facts, this.messages);
    if (windows.form !== 'list') judgePrefixes(tape, units, facts);
    facts.severity.forEach((severity, unit) => {
      if (severity === 0 || !windows.takes(window, unit)) return;
      const at = windows.numberOf(window, unit);
      this.severity[at] = severity;
      this.failureKeys[at] = facts.failureKeys[unit]!;
    });
  }

  private takeStrings(
    window: Window,
    { tape, units }: OpenWindow,
    { frame, hasPaths, parts }: Around & { readonly parts: LineIndex['parts'] },
  ): void {
    const { windows } = this;
    const placeOf = windows.placesIn(window);
    const places = new JsonPlaces(tape, units, {
      hasPaths,
      placeOf,
      firstIndex: window.records,
      list: windows.shell?.list ?? 0,
      wholeLines: () => undefined,
    });
    const strings = new JsonStrings(tape, units, { placeOf, places, frame });
    const takes = (unit: number): boolean => windows.takes(window, unit);
    for (const output of strings.outputs(windows.long))
      if (takes(output.unit)) this.outputs.push({ ...output, unit: windows.numberOf(window, output.unit) });
    for (const [unit, bytes] of strings.allHidden())
      if (takes(unit)) this.hidden.set(windows.numberOf(window, unit), bytes);
    this.markUnits(window, parts);
  }

  /** Says which units may hold markers, as the bytes of the window or those around all of them may. */
  private markUnits(window: Window, parts: LineIndex['parts']): void {
    const { base, size, shift, count, isLast } = window;
    const { around, span } = this.windows;
    const start = shift === 0 ? span[0] : base;
    const end = isLast ? span[1] : base + size;
    if (!mayHoldMarkers(parts, start, end)) return;
    const last = isLast ? count : count - around.tail;
    this.marked.push([shift === 0 ? 0 : shift + around.head, this.windows.numberOf(window, last - 1) + 1]);
    if (isLast) this.marked.push([0, around.head]);
  }
}

/** Reads the rows of a window into the grids of its pools. */
function readPools(
  windows: RecordWindows,
  window: Window,
  open: OpenWindow,
  byPath: ReadonlyMap<number, OpenPool>,
): void {
  const { pools } = open;
  for (let pool = 0; pool < pools.count; pool += 1) {
    const members = pools.unitsOf(pool);
    if (!windows.takes(window, members[0]!)) continue;
    const into = byPath.get(open.units.pathOf(open.units.nodes[members[0]!]!))!;
    pools.fieldsOf(pool);
    pools.read(into.grid);
    for (const unit of members) into.rows.add(windows.numberOf(window, unit));
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
