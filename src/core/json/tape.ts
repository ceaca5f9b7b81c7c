/**
 * The values of JSON text as a tape: every value with the bytes it has, in order of their starts, parents before their
 * children. Nothing is decoded, so numbers, escapes and duplicate keys stay what they are. Nesting is no recursion: a
 * value 100,000 levels deep is one like the others.
 */

import { latin1 } from '../chars.ts';
import { kernel, memory, memoryWords, place, scoped } from '../kernel.ts';
import { TEXT } from './kinds.ts';

export { ARRAY, NUMBER, OBJECT, STRING, TEXT } from './kinds.ts';

/** The values of structured text, whatever its syntax. Columns hold until something is allocated in the kernel: ask anew. */
export interface Tape {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly kind: Uint8Array;
  /** The bytes of each value: `[start, end)`. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Where the key of a member starts, at its quote; 0 for elements and the root. */
  readonly key: Uint32Array;
  readonly keyHash: Uint32Array;
  readonly parent: Int32Array;
  /** The first value behind all that is inside of a value. */
  readonly next: Uint32Array;
  /** How many members or elements a value has. */
  readonly size: Uint32Array;
  /** The text ended before the value did. */
  readonly isTorn: boolean;
  /** Does something stand before a record on its line, be it blanks? */
  readonly isIndented: boolean;
  /** How many values are in one another at most. */
  readonly depth: number;
  /** Bytes of the quote on each side of a string. */
  readonly quote: number;
  /** What belongs to a value beside its parent: with its key; in text by lines, whole lines. `[fromOf, toOf)` */
  readonly fromOf: (node: number) => number;
  readonly toOf: (node: number) => number;
  /** The key of a member as it is written, without quotes; empty for an element. */
  readonly keyOf: (node: number) => string;
}

export interface TapeOptions {
  /** Values one after the other, as in NDJSON: the root is an array of them that is not in the text. */
  readonly many?: boolean;
  /** With `many`: what stands before the first bracket of a line is no JSON (`pod-1 | {…}`). */
  readonly prefixed?: boolean;
  /** With `many`: a line that is no JSON is a value of its own. */
  readonly mixed?: boolean;
  /** Text that ends in the middle of a value counts, too. */
  readonly mayBeTorn?: boolean;
  /**
   * With `many`: commas are between the values, which end with the text. With `mayBeTorn` those end where the last one
   * starts that neither comma nor bracket follows, or at the bracket that ends their list.
   */
  readonly elements?: boolean;
}

/** The tape of `[from, to)`, which must be JSON from end to end; undefined where it is not. */
export function readTape(
  bytes: Uint8Array,
  from: number,
  to: number,
  { many, prefixed, mixed, mayBeTorn, elements }: TapeOptions = {},
): Tape | undefined {
  const options = [many, prefixed, mixed, mayBeTorn, elements].reduce(
    (bits, is, n) => bits | (is === true ? 1 << n : 0),
    0,
  );
  const at = kernel().readTape(place(bytes), from, to, options);
  return at === 0 ? undefined : new JsonTape(bytes, at);
}

type Columns = Pick<Tape, (typeof COLUMNS)[number]>;

/** A tape in the kernel's memory (src/kernel/tape.ts). It holds until the next input begins. */
class JsonTape implements Tape {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly isTorn: boolean;
  readonly isIndented: boolean;
  readonly depth: number;
  readonly quote = 1;
  readonly at: number;
  private columns: Columns;

  constructor(bytes: Uint8Array, at: number) {
    const members = memoryWords().subarray(at >> 2, (at >> 2) + 12);
    this.bytes = bytes;
    this.at = at;
    this.count = members[8]!;
    this.depth = members[DEPTH]!;
    this.isTorn = members[10] === 1;
    this.isIndented = members[11] === 1;
    this.columns = this.read();
  }

  private read(): Columns {
    const { count } = this;
    const { buffer } = memory();
    const members = new Uint32Array(buffer, this.at, 8);
    const column = (n: number): Uint32Array => new Uint32Array(buffer, members[n]!, count);
    return {
      kind: new Uint8Array(buffer, members[0]!, count),
      start: column(1),
      end: column(2),
      key: column(3),
      keyHash: column(4),
      parent: new Int32Array(buffer, members[5]!, count),
      next: column(6),
      size: column(7),
    };
  }

  /** Columns are empty once the kernel's memory has grown. */
  private get live(): Columns {
    if (this.columns.kind.length === 0) this.columns = this.read();
    return this.columns;
  }

  get kind(): Uint8Array {
    return this.live.kind;
  }

  get start(): Uint32Array {
    return this.live.start;
  }

  get end(): Uint32Array {
    return this.live.end;
  }

  get key(): Uint32Array {
    return this.live.key;
  }

  get keyHash(): Uint32Array {
    return this.live.keyHash;
  }

  get parent(): Int32Array {
    return this.live.parent;
  }

  get next(): Uint32Array {
    return this.live.next;
  }

  get size(): Uint32Array {
    return this.live.size;
  }

  readonly fromOf = (node: number): number => {
    const { key, start } = this.live;
    return key[node]! || start[node]!;
  };

  readonly toOf = (node: number): number => this.end[node]!;

  readonly keyOf = (node: number): string => {
    const at = this.key[node]!;
    return at === 0 ? '' : latin1(this.bytes, at + 1, closingQuote(this.bytes, at + 1));
  };
}

/** Where the kernel has a tape; it gets one that was made elsewhere. */
export function tapeAt(tape: Tape): number {
  if (tape instanceof JsonTape) return tape.at;
  const copy = filledTape(tape.bytes, tape, (into, column) => into.set(tape[column]));
  return (copy as JsonTape).at;
}

/** A tape of so many values, of which `fill` fills each column. */
export function filledTape(
  bytes: Uint8Array,
  { count, depth }: Pick<Tape, 'count' | 'depth'>,
  fill: (into: Columns[keyof Columns], column: keyof Columns) => void,
): Tape {
  const at = kernel().newTape(count);
  memoryWords()[(at >> 2) + DEPTH] = depth;
  const tape = new JsonTape(bytes, at);
  for (const column of COLUMNS) fill(tape[column], column);
  return tape;
}

const DEPTH = 9;

const COLUMNS = ['kind', 'start', 'end', 'key', 'keyHash', 'parent', 'next', 'size'] as const;

/** How many values of the root are lines that are no JSON. */
export function textLines({ count, kind, next }: Tape): number {
  let lines = 0;
  for (let n = 1; n < count; n = next[n]!) if (kind[n] === TEXT) lines += 1;
  return lines;
}

/** The strings of at least `least` bytes. */
export function longStrings(tape: Tape, least: number): Uint32Array {
  return scoped(() => {
    const at = tapeAt(tape);
    const out = kernel().alloc(4 * Math.ceil(tape.bytes.length / least));
    const count = kernel().longStrings(at, least, out);
    return memoryWords().slice(out >> 2, (out >> 2) + count);
  });
}

/** The quote that closes the string whose first byte is at `from`. */
export function closingQuote(b: Uint8Array, from: number): number {
  let at = from;
  while (at < b.length && b[at] !== 34) at += b[at] === 92 ? 2 : 1;
  return at;
}
