import { makeRoom, scoped } from '../kernel.ts';
import type { Source } from '../model.ts';
import { markSize } from '../source.ts';
import { pathTo } from './resolve.ts';
import { type Shell, shellAround } from './shell.ts';
import { readTape, type Tape } from './tape.ts';

/** Bytes of a window, which may have more for a record that is longer. */
const WINDOW = 2 << 20;
const LONGEST = 256 << 20;
const LONGER = 4;
const [FEED, BRACKET, END, BRACE] = [10, 91, 93, 123];

interface Window {
  readonly base: number;
  readonly size: number;
  /** Records before it. */
  readonly first: number;
}

/** Some of the records with what is around all of them. It holds while `read` runs. */
export interface Part {
  readonly tape: Tape;
  /** The list that the records are in, and how many come before its first one. */
  readonly list: number;
  readonly first: number;
  readonly placeOf: (offset: number) => number;
}

/** JSON that is too large for one tape: records in a list, perhaps inside of an object, or on lines; read in windows. */
export class LargeJson {
  /** The path of the list. */
  readonly segments: readonly string[];
  readonly areLines: boolean;
  records = 0;
  private readonly source: Source;
  private readonly shell: Shell | undefined;
  private readonly windows: Window[] = [];
  private readonly most: number;
  private prefixed = false;

  private constructor(source: Source, most: number, areLines: boolean, shell?: Shell) {
    this.source = source;
    this.most = most;
    this.areLines = areLines;
    this.shell = shell;
    const path = shell === undefined ? [] : this.partOf(undefined, ({ tape, list }) => pathTo(tape, list));
    this.segments = path;
  }

  /** Undefined where the source is no such JSON. Windows have `most` bytes, what is around a list at most `around`. */
  static of(source: Source, most = WINDOW, around?: number): LargeJson | undefined {
    const start = markSize(source);
    const first = source.read(start, start + 1)[0];
    const shell = first === BRACE ? shellAround({ source }, [start, source.length], around) : undefined;
    if (first === BRACKET || shell !== undefined) {
      const list = new LargeJson(source, most, false, shell);
      if (list.readElements(shell?.elements[0] ?? start)) return list;
    }
    const lines = new LargeJson(source, most, true);
    return lines.readLines(start) ? lines : undefined;
  }

  /** The part with a record, or of none but what is around them. */
  partOf<T>(record: number | undefined, read: (part: Part) => T): T {
    const none = { base: this.shell?.elements[0] ?? 0, size: 0, first: 0 };
    const window = record === undefined ? none : this.windows.findLast(({ first }) => first <= record)!;
    return this.open(window, read);
  }

  /** The parts with the records `from` to `to`. */
  eachPart(from: number, to: number, read: (part: Part) => void): void {
    this.windows.forEach((window, i) => {
      const next = this.windows[i + 1]?.first ?? this.records;
      if (window.first <= to && next > from) this.open(window, read);
    });
  }

  private open<T>({ base, size, first }: Window, read: (part: Part) => T): T {
    const { shell, source } = this;
    makeRoom(size + (shell?.size ?? 0));
    return scoped(() => {
      const bytes = source.read(base, base + size);
      const placeOf = (offset: number): number =>
        shell === undefined ? base + offset : shell.placeOf(offset, base, size);
      const tape = shell === undefined ? this.tapeOf(bytes, false)! : shell.tapeOf(bytes)!.tape;
      return read({ tape, list: shell?.list ?? 0, first, placeOf });
    });
  }

  private tapeOf(bytes: Uint8Array, mayBeTorn: boolean): Tape | undefined {
    const options = this.areLines ? { mixed: true, prefixed: this.prefixed } : { elements: true, mayBeTorn };
    return readTape(bytes, 0, bytes.length, { many: true, ...options });
  }

  /** Adds the window of so many bytes; returns how many bytes its records have, 0 where there are none. */
  private count(base: number, most: number): number {
    makeRoom(most);
    const { size, records } = scoped(() => {
      const tape = this.tapeOf(this.source.read(base, base + most), true);
      return { size: tape?.end[0] ?? 0, records: tape?.size[0] ?? 0 };
    });
    if (size > 0) {
      this.windows.push({ base, size, first: this.records });
      this.records += records;
    }
    return size;
  }

  private readElements(start: number): boolean {
    const { source } = this;
    const end = this.shell?.elements[1] ?? source.length;
    for (let at = start + 1; at < end;) {
      let size = 0;
      for (let { most } = this; size === 0 && most <= LONGEST; most *= LONGER)
        size = this.count(at, Math.min(most, end - at));
      if (size === 0) return false;
      at += size;
      if (source.read(at, at + 1)[0] === END) return true;
    }
    return false;
  }

  private readLines(start: number): boolean {
    const { length } = this.source;
    this.prefixed = !this.beginsWithRecord(start);
    for (let at = start; at < length;) {
      const size = this.linesFrom(at);
      if (size === 0 || this.count(at, size) !== size) return false;
      at += size;
    }
    return this.records > 1;
  }

  private beginsWithRecord(at: number): boolean {
    const first = this.source.read(at, at + 1)[0];
    return first === BRACE || first === BRACKET;
  }

  /** Bytes of whole lines behind which a record begins; 0 where there are none. */
  private linesFrom(at: number): number {
    const { source } = this;
    for (let { most } = this; most <= LONGEST; most *= LONGER) {
      if (at + most >= source.length) return source.length - at;
      const bytes = Buffer.from(source.read(at, at + most));
      for (let end = bytes.lastIndexOf(FEED, -2); end > 0; end = bytes.lastIndexOf(FEED, end - 1))
        if (this.prefixed || bytes[end + 1] === BRACE || bytes[end + 1] === BRACKET) return end + 1;
    }
    return 0;
  }
}
