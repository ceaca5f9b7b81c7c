import { latin1 } from '../chars.ts';
import { kernel, makeRoom, memoryWords, scoped, within } from '../kernel.ts';
import type { LineIndex } from '../line-index.ts';
import { Pools } from './pools.ts';
import { LONGER, windowEnd } from './record-cuts.ts';
import { RecordFields } from './record-fields.ts';
import type { Shell } from './shell.ts';
import { outputBytes, longUnits } from './strings.ts';
import { DEEPEST } from './kinds.ts';
import { readTape, type Tape, textLines } from './tape.ts';
import { JSON_UNITS, type JsonUnits, unitsOf } from './units.ts';

/** Bytes of a window; it may have some times as many for a record that is longer. A line that is longer still is one. */
const WINDOW = 2 << 20;
/** Records of so many shapes that this is not enough are none that compare. */
const MOST_PATHS = 1 << 14;
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
  /** How many units of records are in the windows before it. */
  readonly shift: number;
  /** Its units, with those around the records, which all windows have. */
  readonly count: number;
  /** Records in the windows before it. */
  readonly records: number;
  readonly isLast: boolean;
}

/** A window while it is read. */
export interface OpenWindow {
  readonly tape: Tape;
  readonly units: JsonUnits;
  readonly pools: Pools;
}

/** The units around the records: so many before them, of which the last is their list, and behind them. */
interface Around {
  readonly head: number;
  readonly tail: number;
  /** The path of the list. */
  readonly path: number;
}

/** How records are told apart: by lines, by lines that say something before them, or by the commas of a list. */
export type RecordForm = 'lines' | 'prefixed' | 'list';

/** Records one after the other, in windows: read once to know what fields there are. */
export class RecordWindows {
  readonly windows: Window[] = [];
  readonly fields = new RecordFields();
  around: Around = { head: 1, tail: 0, path: 0 };
  records = 0;
  /** Lines that are no JSON; bytes of strings that hold outputs; units with long strings. */
  texts = 0;
  outputs = 0;
  long = 0;
  /** They are too deep, or of too many shapes: what is known of them is not all. */
  isUnfit = false;
  readonly form: RecordForm;
  /** What is around the list, if it is not all there is. */
  readonly shell: Shell | undefined;
  /** Where all of them are, with what is around them. */
  readonly span: readonly [start: number, end: number];
  private readonly index: LineIndex;
  private readonly most: number;
  private readonly longest: number;
  private readonly paths: number;
  /** Units of records. */
  private inside = 0;
  /** Bytes that the kernel needs for a window; where they are reserved. */
  private need = 0;
  private room = 0;

  /** The records are in the lines `[from, to)`; or in the bytes, where they are a list, which may have a shell. */
  constructor(
    index: LineIndex,
    [from, to]: readonly [number, number],
    form: RecordForm,
    { most = WINDOW, shell }: { readonly most?: number; readonly shell?: Shell | undefined } = {},
  ) {
    this.index = index;
    this.form = form;
    this.shell = shell;
    this.most = most;
    this.longest = LONGER * most;
    makeRoom(most);
    this.paths = kernel().newPaths(MOST_PATHS);
    const records = form === 'list' ? this.readList(from, to) : this.readLines(from, to);
    this.span = shell?.span ?? records;
  }

  /** How many units there are, with those around the records. */
  get units(): number {
    return this.around.head + this.inside + this.around.tail;
  }

  /** Is a unit of a window before the records, one of them, or behind them? */
  partOf({ count }: Pick<Window, 'count'>, unit: number): 0 | 1 | 2 {
    const { head, tail } = this.around;
    return unit < head ? 0 : unit < count - tail ? 1 : 2;
  }

  /** The number of a unit of a window among all units. */
  numberOf(window: Window, unit: number): number {
    const part = this.partOf(window, unit);
    return part === 0 ? unit : part === 1 ? window.shift + unit : this.units - window.count + unit;
  }

  /** Is the unit one of the window's records, or around all of them and taken with this window? */
  takes(window: Window, unit: number): boolean {
    const part = this.partOf(window, unit);
    return part === 1 || (part === 0 ? window.shift === 0 : window.isLast);
  }

  private readLines(from: number, to: number): readonly [number, number] {
    const { starts } = this.index;
    const sizes = { most: this.most, longest: this.longest, prefixed: this.form === 'prefixed' };
    for (let line = from; line < to && !this.isUnfit;) {
      const end = windowEnd(this.index, [line, to], sizes);
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
    for (const window of this.windows) {
      const open = within(this.room, this.need, () => this.unitsOf(this.tapeOf(window)!.tape));
      if (open.units.count !== window.count) throw new RangeError('a window is not what it was');
      read(window, open);
    }
  }

  /** The place in the source of an offset in the tape of a window. */
  placesIn({ base, size }: Pick<Window, 'base' | 'size'>): (offset: number) => number {
    const { shell } = this;
    return shell === undefined ? (offset) => base + offset : (offset) => shell.placeOf(offset, base, size);
  }

  /** The tape of a window and its bytes; `mayBeTorn`: there may be less than all of an element at the end of a list. */
  tapeOf(
    { base, size }: Pick<Window, 'base' | 'size'>,
    mayBeTorn = false,
  ): { readonly tape: Tape; readonly size: number } | undefined {
    const { form, shell } = this;
    const bytes = this.index.source.read(base, base + size);
    if (shell !== undefined) return shell.tapeOf(bytes, mayBeTorn);
    const options =
      form === 'list' ? { elements: true, mayBeTorn } : { prefixed: form === 'prefixed', mixed: true };
    const tape = readTape(bytes, 0, size, { many: true, ...options });
    return tape && { tape, size: tape.end[0]! };
  }

  private unitsOf(tape: Tape): OpenWindow {
    const units = unitsOf(tape, JSON_UNITS, this.paths);
    return { tape, units, pools: new Pools(tape, units) };
  }

  /** Counts the records in `most` bytes at the most; returns how many bytes they have. */
  private count(base: number, most: number): number {
    makeRoom(most + (this.shell?.size ?? 0));
    return scoped(() => {
      const mark = kernel().topNow();
      const read = this.tapeOf({ base, size: most }, true);
      this.isUnfit = read === undefined || read.tape.depth > DEEPEST;
      if (read === undefined || this.isUnfit) return 0;
      const { tape, size } = read;
      if (size === 0) return 0;
      const open = this.unitsOf(tape);
      this.need = Math.max(this.need, kernel().topNow() - mark);
      const isLast = base + size + 1 === this.shell?.elements[1];
      const window = {
        base,
        size,
        shift: this.inside,
        count: open.units.count,
        records: this.records,
        isLast,
      };
      this.isUnfit =
        !this.isAlike(open) ||
        memoryWords()[this.paths >> 2]! >= MOST_PATHS ||
        !this.fields.add(
          open.pools,
          (unit) => open.units.pathOf(open.units.nodes[unit]!),
          (unit) => this.partOf(window, unit),
          (unit) => this.takes(window, unit),
        );
      this.windows.push(window);
      this.add(window, open);
      return size;
    });
  }

  /** Are the units around the records those of the first window? */
  private isAlike({ units }: OpenWindow): boolean {
    const list = this.shell?.list ?? 0;
    const unit = units.ownerOf(list);
    const { head, tail, path } = this.around;
    const around = { head: unit + 1, tail: units.count - units.afterOf(unit), path: units.pathOf(list) };
    if (this.windows.length === 0) this.around = around;
    else if (around.head !== head || around.tail !== tail || around.path !== path) return false;
    return units.nodes[unit] === list;
  }

  private add(window: Window, { tape, units }: OpenWindow): void {
    const { head, tail } = this.around;
    const list = this.shell?.list ?? 0;
    this.inside += units.count - head - tail;
    this.records += tape.size[list]!;
    this.texts += textLines(tape);
    const [from, to] = [window.shift === 0 ? 0 : list, window.isLast ? tape.count : tape.next[list]!];
    this.outputs += outputBytes(tape, from, to);
    for (const unit of longUnits(tape, units).keys()) if (this.takes(window, unit)) this.long += 1;
  }
}
