import { latin1 } from '../chars.ts';
import { kernel, makeRoom, memoryWords, scoped, within } from '../kernel.ts';
import { GLANCE, type LineIndex } from '../line-index.ts';
import type { PoolField } from './pool-grid.ts';
import { Pools } from './pools.ts';
import { outputBytes, longUnits } from './strings.ts';
import { DEEPEST } from './kinds.ts';
import { readTape, type Tape, textLines } from './tape.ts';
import { JSON_UNITS, type JsonUnits, unitsOf } from './units.ts';

/** Bytes of a window; it may have some times as many for a record that is longer. A line that is longer still is one. */
const WINDOW = 2 << 20;
const LONGER = 4;
/** Records of so many shapes that this is not enough are none that compare. */
const MOST_PATHS = 1 << 14;
const MOST_POOLS = 512;
const BRACKET = 93;
/** Bytes behind a list. */
const MOST_BLANKS = 1 << 16;
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

/** How records are told apart: by lines, by lines that say something before them, or by the commas of a list. */
export type RecordForm = 'lines' | 'prefixed' | 'list';

/** Records one after the other, in windows: read once to know what fields there are. */
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
  readonly form: RecordForm;
  /** Where all of them are, a list with its brackets. */
  readonly span: readonly [start: number, end: number];
  private readonly index: LineIndex;
  private readonly most: number;
  private readonly longest: number;
  private readonly paths: number;
  /** Bytes that the kernel needs for a window; where they are reserved. */
  private need = 0;
  private room = 0;

  /** The records are in the lines `[from, to)`; or in the bytes, where they are a list. */
  constructor(
    index: LineIndex,
    [from, to]: readonly [number, number],
    form: RecordForm,
    most: number = WINDOW,
  ) {
    this.index = index;
    this.form = form;
    this.most = most;
    this.longest = LONGER * most;
    makeRoom(most);
    this.paths = kernel().newPaths(MOST_PATHS);
    this.span = form === 'list' ? this.readList(from, to) : this.readLines(from, to);
  }

  private readLines(from: number, to: number): readonly [number, number] {
    const { starts } = this.index;
    for (let line = from; line < to && !this.isUnfit;) {
      const end = this.windowEnd(line, to);
      this.count(starts[line]!, starts[end]! - starts[line]!);
      line = end;
    }
    return [starts[from]!, starts[to]!];
  }

  /** The list starts with the bracket at `from`, and nothing but blanks may be between it and `to`. */
  private readList(from: number, to: number): readonly [number, number] {
    const { source } = this.index;
    for (let at = from + 1; !this.isUnfit;) {
      let size = 0;
      for (let most = this.most; size === 0 && !this.isUnfit; most *= LONGER) {
        size = this.count(at, Math.min(most, to - at));
        this.isUnfit ||= size === 0 && most >= Math.min(this.longest, to - at);
      }
      at += size;
      if (this.isUnfit || source.read(at, at + 1)[0] !== BRACKET) continue;
      const rest = to - at - 1;
      this.isUnfit = rest > MOST_BLANKS || !/^\s*$/.test(latin1(source.read(at + 1, to)));
      return [from, at + 1];
    }
    return [from, to];
  }

  /** Calls `read` for each window. */
  eachWindow(read: (window: Window, open: OpenWindow) => void): void {
    this.need += SLACK;
    this.room = kernel().reserve(this.need);
    for (const window of this.windows)
      read(
        window,
        within(this.room, this.need, () => this.unitsOf(this.tapeOf(window)!)),
      );
  }

  /** The path of the units of a pool. */
  static pathOf({ units }: OpenWindow, members: Uint32Array): number {
    return units.pathOf(units.nodes[members[0]!]!);
  }

  /** The line at which a window ends that starts with `line`: one that begins with a record, if any does. */
  private windowEnd(line: number, to: number): number {
    for (let most = this.most; ; most *= LONGER) {
      const { starts } = this.index;
      if (starts[to]! - starts[line]! <= most) return to;
      const end = this.lineWithin(line, to, starts[line]! + most);
      for (let at = end; at > line; at -= 1) if (this.begins(at)) return at;
      if (most >= this.longest) return end;
    }
  }

  /** The last line that starts at `stop` or before it; the one behind `line`, where that is too long. */
  private lineWithin(line: number, to: number, stop: number): number {
    const { starts } = this.index;
    let end = to;
    while (end > line + 1 && starts[end]! > stop) end = (end + line) >> 1;
    while (end + 1 < to && starts[end + 1]! <= stop) end += 1;
    return end;
  }

  /** Does a line begin with a record? */
  private begins(line: number): boolean {
    const glance = this.index.glances[line]!;
    return this.form === 'prefixed' || (glance & (GLANCE.opens | GLANCE.indented)) === GLANCE.opens;
  }

  /** `mayBeTorn`: there may be less than all of an element at the end of a list. */
  private tapeOf({ base, size }: Pick<Window, 'base' | 'size'>, mayBeTorn = false): Tape | undefined {
    const bytes = this.index.source.read(base, base + size);
    if (this.form === 'list') return readTape(bytes, 0, size, { many: true, elements: true, mayBeTorn });
    return readTape(bytes, 0, size, { many: true, prefixed: this.form === 'prefixed', mixed: true });
  }

  private unitsOf(tape: Tape): OpenWindow {
    const units = unitsOf(tape, JSON_UNITS, this.paths);
    return { tape, units, pools: new Pools(tape, units) };
  }

  /** Counts the records in `most` bytes at the most; returns how many bytes they have. */
  private count(base: number, most: number): number {
    makeRoom(most);
    return scoped(() => {
      const mark = kernel().topNow();
      const tape = this.tapeOf({ base, size: most }, true);
      this.isUnfit = tape === undefined || tape.depth > DEEPEST;
      if (tape === undefined || this.isUnfit) return 0;
      const size = this.form === 'list' ? tape.end[0]! : most;
      if (size === 0) return 0;
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
      return size;
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
