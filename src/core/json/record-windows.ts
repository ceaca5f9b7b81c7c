import { kernel, makeRoom, memoryWords, scoped, within } from '../kernel.ts';
import { GLANCE, type LineIndex } from '../line-index.ts';
import type { PoolField } from './pool-grid.ts';
import { Pools } from './pools.ts';
import { outputBytes, longUnits } from './strings.ts';
import { DEEPEST } from './kinds.ts';
import { readTape, type Tape, textLines } from './tape.ts';
import { JSON_UNITS, type JsonUnits, unitsOf } from './units.ts';

/** Most bytes of a window; a longer line is one. */
const WINDOW = 8 << 20;
/** Records of so many shapes that this is not enough are none that compare. */
const MOST_PATHS = 1 << 14;
const MOST_POOLS = 512;
/** What the kernel may need more for a window when all paths are known. */
const SLACK = 1 << 20;

/** Whole lines of records. */
export interface Window {
  /** Where they start in the input. */
  readonly base: number;
  readonly size: number;
  /** The unit before the first of its own, among those of all windows: its unit `u` is `shift + u` there. */
  readonly shift: number;
  readonly count: number;
  /** Records in the windows before it. */
  readonly records: number;
}

/** A window while it is read. */
export interface OpenWindow {
  readonly tape: Tape;
  readonly units: JsonUnits;
  readonly pools: Pools;
}

/** What is known of a pool before its rows are read. */
export interface PoolPlan {
  rows: number;
  /** The first node is the place of the name in `names`. */
  readonly fields: Map<number, PoolField>;
}

/** The lines `[from, to)`, records one after the other, in windows: read once to know what fields there are. */
export class RecordWindows {
  readonly windows: Window[] = [];
  /** By path, in the order of their first units. */
  readonly pools = new Map<number, PoolPlan>();
  readonly names: string[] = [];
  units = 1;
  records = 0;
  /** Lines that are no JSON; bytes of strings that hold outputs; units with long strings. */
  texts = 0;
  outputs = 0;
  long = 0;
  /** They are too deep, or of too many shapes: what is known of them is not all. */
  isUnfit = false;
  private readonly index: LineIndex;
  private readonly isPrefixed: boolean;
  private readonly most: number;
  private readonly paths: number;
  /** Bytes that the kernel needs for a window; where they are reserved. */
  private need = 0;
  private room = 0;

  constructor(
    index: LineIndex,
    [from, to]: readonly [number, number],
    isPrefixed: boolean,
    most: number = WINDOW,
  ) {
    this.index = index;
    this.isPrefixed = isPrefixed;
    this.most = most;
    makeRoom(most);
    this.paths = kernel().newPaths(MOST_PATHS);
    for (let line = from; line < to && !this.isUnfit;) {
      const end = this.windowEnd(line, to);
      this.count(index.starts[line]!, index.starts[end]!);
      line = end;
    }
  }

  /** Calls `read` for each window. */
  eachWindow(read: (window: Window, open: OpenWindow) => void): void {
    this.need += SLACK;
    this.room = kernel().reserve(this.need);
    for (const window of this.windows)
      read(
        window,
        within(this.room, this.need, () => this.unitsOf(this.tapeOf(window))),
      );
  }

  /** The path of the units of a pool. */
  static pathOf({ units }: OpenWindow, members: Uint32Array): number {
    return units.pathOf(units.nodes[members[0]!]!);
  }

  /** The line at which a window ends that starts with `line`: one that begins with a record, if any does. */
  private windowEnd(line: number, to: number): number {
    const { starts, glances } = this.index;
    const stop = starts[line]! + this.most;
    if (starts[to]! <= stop) return to;
    let end = to;
    while (end > line + 1 && starts[end]! > stop) end = (end + line) >> 1;
    while (end + 1 < to && starts[end + 1]! <= stop) end += 1;
    for (let at = end; at > line; at -= 1)
      if (this.isPrefixed || (glances[at]! & (GLANCE.opens | GLANCE.indented)) === GLANCE.opens) return at;
    return end;
  }

  private tapeOf({ base, size }: Pick<Window, 'base' | 'size'>): Tape {
    const bytes = this.index.source.read(base, base + size);
    return readTape(bytes, 0, size, { many: true, prefixed: this.isPrefixed, mixed: true })!;
  }

  private unitsOf(tape: Tape): OpenWindow {
    const units = unitsOf(tape, JSON_UNITS, this.paths);
    return { tape, units, pools: new Pools(tape, units) };
  }

  private count(base: number, end: number): void {
    const size = end - base;
    makeRoom(size);
    scoped(() => {
      const mark = kernel().topNow();
      const tape = this.tapeOf({ base, size });
      this.isUnfit = tape.depth > DEEPEST;
      if (this.isUnfit) return;
      const open = this.unitsOf(tape);
      this.need = Math.max(this.need, kernel().topNow() - mark);
      this.isUnfit =
        memoryWords()[this.paths >> 2]! >= MOST_PATHS || !this.plan(open, this.windows.length === 0);
      this.windows.push({
        base,
        size,
        shift: this.units - 1,
        count: open.units.count,
        records: this.records,
      });
      this.units += open.units.count - 1;
      this.records += tape.size[0]!;
      this.texts += textLines(tape);
      this.outputs += outputBytes(tape);
      this.long += longUnits(tape, open.units).size;
    });
  }

  /** Adds the fields of a window; false where there are too many pools. */
  private plan(open: OpenWindow, isFirst: boolean): boolean {
    const { pools } = open;
    for (let pool = 0; pool < pools.count; pool += 1) {
      const members = pools.unitsOf(pool);
      const path = RecordWindows.pathOf(open, members);
      if (path === 0 && !isFirst) continue;
      let plan = this.pools.get(path);
      if (plan === undefined) this.pools.set(path, (plan = { rows: 0, fields: new Map() }));
      plan.rows += members.length;
      for (const field of pools.fieldsOf(pool)) {
        const known = plan.fields.get(field.path);
        if (known !== undefined) {
          plan.fields.set(field.path, { ...known, times: known.times + field.times });
          continue;
        }
        plan.fields.set(field.path, { ...field, node: this.names.length });
        this.names.push(pools.nameOf(field.node));
      }
    }
    return this.pools.size <= MOST_POOLS;
  }
}
