/**
 * The values of JSON text as a tape: every value with the bytes it has, in order of their starts, parents before their
 * children. Nothing is decoded, so numbers, escapes and duplicate keys stay what they are. Nesting is no recursion: a
 * value 100,000 levels deep is one like the others.
 */

import { latin1 } from '../chars.ts';

export const OBJECT = 1;
export const ARRAY = 2;
export const STRING = 3;
export const NUMBER = 4;
/** `true`, `false`, `null`. */
export const WORD = 5;
/** A line between records that is no JSON. */
export const TEXT = 6;

/** The values of structured text, whatever its syntax. */
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
}

/** What comes next. */
const VALUE = 0;
const FIRST_VALUE = 1;
const KEY = 2;
const FIRST_KEY = 3;
const AFTER = 4;

/** The tape of `[from, to)`, which must be JSON from end to end; undefined where it is not. */
export function readTape(
  bytes: Uint8Array,
  from: number,
  to: number,
  options: TapeOptions = {},
): Tape | undefined {
  return new TapeReader(bytes, from, to, options).read();
}

class TapeReader {
  private readonly b: Uint8Array;
  private readonly from: number;
  private readonly to: number;
  private readonly options: TapeOptions;
  private count = 0;
  private room = 1024;
  private kind = new Uint8Array(this.room);
  private start = new Uint32Array(this.room);
  private end = new Uint32Array(this.room);
  private key = new Uint32Array(this.room);
  private keyHash = new Uint32Array(this.room);
  private parent = new Int32Array(this.room);
  private next = new Uint32Array(this.room);
  private size = new Uint32Array(this.room);
  private hash = 0;
  private depth = 0;
  private deepest = 0;
  /** Where the record that is being read starts. */
  private record = 0;

  constructor(bytes: Uint8Array, from: number, to: number, options: TapeOptions) {
    this.b = bytes;
    this.from = from;
    this.to = to;
    this.options = options;
  }

  read(): Tape | undefined {
    const { options, from, to } = this;
    if (options.many !== true) {
      const done = this.scan(from, -1);
      return done === to ? this.tape(false) : done === TORN ? this.torn() : undefined;
    }
    const top = this.add(ARRAY, from, 0, -1);
    for (let at = from; at < to;) {
      const done = this.scan(at, top);
      if (done === to) break;
      if (options.mixed !== true) return undefined;
      at = this.textLine(top);
    }
    this.close(top, to);
    return this.tape(false);
  }

  /** Takes back what was read of the line, and makes a text of it; returns where the next one starts. */
  private textLine(top: number): number {
    const { b, to, from } = this;
    const { record } = this;
    const start = record === from ? from : b.lastIndexOf(10, record - 1) + 1;
    const feed = b.indexOf(10, record);
    const next = feed < 0 || feed >= to ? to : feed + 1;
    while (this.count > 1 && this.start[this.count - 1]! >= start) {
      this.count -= 1;
      if (this.parent[this.count] === top) this.size[top]! -= 1;
      this.next[this.count] = 0;
      this.size[this.count] = 0;
    }
    let end = next;
    while (end > start && (b[end - 1] === 10 || b[end - 1] === 13)) end -= 1;
    this.scalar(TEXT, Math.max(start, from), end, 0, top);
    return next;
  }

  /** Reads from `at` to the end; a negative number where there is no JSON, `TORN` where it ended too early. */
  // oxlint-disable-next-line max-lines-per-function complexity -- a scanner: a state and a branch a byte
  private scan(at: number, top: number): number {
    const { b, to, options } = this;
    let open = top;
    let state = VALUE;
    let key = 0;
    let p = at;
    while (p < to) {
      const c = b[p]!;
      if (c === 32 || c === 10 || c === 13 || c === 9) {
        p += 1;
        continue;
      }
      if (open === top && top >= 0 && state !== AFTER) {
        this.record = p;
        if (c !== 123 && c !== 91) {
          p = options.prefixed === true ? bracketOnLine(b, p, to) : NO_VALUE;
          if (p < 0) return NO_VALUE;
          continue;
        }
      }
      if (state === AFTER) {
        if (open === top) {
          if (top < 0) return NO_VALUE;
          state = VALUE;
          continue;
        }
        if (c === 44) {
          state = this.kind[open] === OBJECT ? KEY : VALUE;
          p += 1;
          continue;
        }
        if (c !== (this.kind[open] === OBJECT ? 125 : 93)) return NO_VALUE;
        p += 1;
        open = this.close(open, p);
        continue;
      }
      if (state === KEY || state === FIRST_KEY) {
        if (c === 125 && state === FIRST_KEY) {
          p += 1;
          open = this.close(open, p);
          state = AFTER;
          continue;
        }
        if (c !== 34) return NO_VALUE;
        key = p;
        p = this.keyEnd(p + 1);
        if (p < 0) return p;
        while (p < to && (b[p] === 32 || b[p] === 9 || b[p] === 10 || b[p] === 13)) p += 1;
        if (p >= to) return TORN;
        if (b[p] !== 58) return NO_VALUE;
        p += 1;
        state = VALUE;
        continue;
      }
      if (c === 93 && state === FIRST_VALUE) {
        p += 1;
        open = this.close(open, p);
        state = AFTER;
        continue;
      }
      if (c === 123 || c === 91) {
        open = this.add(c === 123 ? OBJECT : ARRAY, p, key, open);
        key = 0;
        state = c === 123 ? FIRST_KEY : FIRST_VALUE;
        p += 1;
        continue;
      }
      const kind = c === 34 ? STRING : c === 45 || (c >= 48 && c <= 57) ? NUMBER : WORD;
      const end =
        kind === STRING ? stringEnd(b, p + 1, to) : kind === NUMBER ? numberEnd(b, p, to) : wordEnd(b, p, to);
      if (end < 0) {
        if (end === TORN && kind === STRING && options.mayBeTorn === true)
          this.scalar(kind, p, to, key, open);
        return end;
      }
      this.scalar(kind, p, end, key, open);
      key = 0;
      p = end;
      state = AFTER;
    }
    return open !== top || (top < 0 && this.count === 0) ? TORN : to;
  }

  private scalar(kind: number, start: number, end: number, key: number, open: number): void {
    const node = this.add(kind, start, key, open);
    this.end[node] = end;
    this.next[node] = node + 1;
  }

  private add(kind: number, start: number, key: number, parent: number): number {
    const node = this.count;
    if (kind <= ARRAY) {
      this.depth += 1;
      if (this.depth > this.deepest) this.deepest = this.depth;
    }
    if (node === this.room) this.grow();
    this.kind[node] = kind;
    this.start[node] = start;
    this.key[node] = key;
    this.keyHash[node] = key === 0 ? 0 : this.hash;
    this.parent[node] = parent;
    if (parent >= 0) this.size[parent]! += 1;
    this.count += 1;
    return node;
  }

  private close(node: number, end: number): number {
    this.end[node] = end;
    this.next[node] = this.count;
    this.depth -= 1;
    return this.parent[node]!;
  }

  /** Behind the closing quote of a key; its hash is in `hash`. */
  private keyEnd(at: number): number {
    const { b, to } = this;
    let hash = 0x811c9dc5 | 0;
    let p = at;
    while (p < to) {
      const c = b[p]!;
      if (c === 34) {
        this.hash = hash >>> 0;
        return p + 1;
      }
      if (c < 32) return NO_VALUE;
      hash = Math.imul(hash ^ c, 0x01000193);
      if (c === 92) {
        hash = Math.imul(hash ^ b[p + 1]!, 0x01000193);
        p += 1;
      }
      p += 1;
    }
    return TORN;
  }

  /** The tape of text that ends too early: what is open ends with it. */
  private torn(): Tape | undefined {
    if (this.options.mayBeTorn !== true || this.count === 0) return undefined;
    for (let node = this.count - 1; node >= 0; node -= 1) {
      if (this.next[node] !== 0) continue;
      this.end[node] = this.to;
      this.next[node] = this.count;
    }
    return this.tape(true);
  }

  private tape(isTorn: boolean): Tape {
    const { b: bytes, count, kind, start, end, key, keyHash, parent, next, size } = this;
    const fromOf = (node: number): number => key[node]! || start[node]!;
    const toOf = (node: number): number => end[node]!;
    const keyOf = (node: number): string => {
      const at = key[node]!;
      return at === 0 ? '' : latin1(bytes, at + 1, stringEnd(bytes, at + 1, bytes.length) - 1);
    };
    return {
      bytes,
      count,
      kind,
      start,
      end,
      key,
      keyHash,
      parent,
      next,
      size,
      isTorn,
      depth: this.deepest,
      quote: 1,
      fromOf,
      toOf,
      keyOf,
    };
  }

  private grow(): void {
    this.room *= 2;
    const more = <A extends Uint8Array | Uint32Array | Int32Array>(old: A): A => {
      const larger = new (old.constructor as new (size: number) => A)(this.room);
      larger.set(old);
      return larger;
    };
    this.kind = more(this.kind);
    this.start = more(this.start);
    this.end = more(this.end);
    this.key = more(this.key);
    this.keyHash = more(this.keyHash);
    this.parent = more(this.parent);
    this.next = more(this.next);
    this.size = more(this.size);
  }
}

const NO_VALUE = -1;
const TORN = -2;

/** Behind the closing quote of the string whose first byte is at `at`. */
export function stringEnd(b: Uint8Array, at: number, to: number): number {
  let p = at;
  const near = Math.min(to, at + 48);
  while (p < near) {
    const c = b[p]!;
    if (c === 34) return p + 1;
    if (c < 32) return NO_VALUE;
    p += c === 92 ? 2 : 1;
  }
  for (;;) {
    if (p >= to) return TORN;
    const quote = b.indexOf(34, p);
    if (quote < 0 || quote >= to) return b.subarray(p, to).includes(10) ? NO_VALUE : TORN;
    let slashes = 0;
    while (quote - 1 - slashes >= p && b[quote - 1 - slashes] === 92) slashes += 1;
    if (b.subarray(p, quote).includes(10)) return NO_VALUE;
    p = quote + 1;
    if (slashes % 2 === 0) return p;
  }
}

/** Behind a number as JSON writes them. */
function numberEnd(b: Uint8Array, at: number, to: number): number {
  let p = b[at] === 45 ? at + 1 : at;
  const digits = (): boolean => {
    const from = p;
    while (p < to && b[p]! >= 48 && b[p]! <= 57) p += 1;
    return p > from;
  };
  if (b[p] === 48) p += 1;
  else if (!digits()) return p >= to ? TORN : NO_VALUE;
  if (p < to && b[p] === 46) {
    p += 1;
    if (!digits()) return p >= to ? TORN : NO_VALUE;
  }
  if (p < to && (b[p] === 101 || b[p] === 69)) {
    p += 1;
    if (p < to && (b[p] === 43 || b[p] === 45)) p += 1;
    if (!digits()) return p >= to ? TORN : NO_VALUE;
  }
  return p;
}

const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

function wordEnd(b: Uint8Array, at: number, to: number): number {
  const word = WORDS.find((w) => w[0] === b[at]);
  if (word === undefined) return NO_VALUE;
  for (let i = 1; i < word.length; i += 1) {
    if (at + i >= to) return TORN;
    if (b[at + i] !== word[i]) return NO_VALUE;
  }
  return at + word.length;
}

/** The first bracket on the line of `at` that opens JSON; negative where it has none. */
function bracketOnLine(b: Uint8Array, at: number, to: number): number {
  for (let p = at; p < to && b[p] !== 10; p += 1) {
    if (b[p] === 123 || (b[p] === 91 && b[p - 1] === 32)) return p;
  }
  return NO_VALUE;
}
