// The values of JSON in columns, and how they are written; see src/core/json/tape.ts.
import { reserve } from './memory';

/** Kinds of values, as in src/core/json/tape.ts. */
export const OBJECT: u32 = 1;
export const ARRAY: u32 = 2;
export const STRING: u32 = 3;
export const NUMBER: u32 = 4;
/** `true`, `false`, `null`. */
export const WORD: u32 = 5;
/** A line between records that is no JSON. */
export const TEXT: u32 = 6;

/** No parent. */
export const NONE: u32 = 0xffffffff;

/** Read by src/core/json/tape.ts: the order of the members counts. Columns have 4 bytes a value, the kinds one. */
@unmanaged
export class Tape {
  kinds: usize;
  starts: usize;
  ends: usize;
  keys: usize;
  hashes: usize;
  parents: usize;
  nexts: usize;
  sizes: usize;
  count: u32;
  depth: u32;
  isTorn: u32;
  /** Does something stand before a record on its line, be it blanks? */
  isIndented: u32;
}
const TAPE_BYTES: usize = offsetof<Tape>();

/** An empty tape with room for `most` values. */
export function newTape(most: u32): Tape {
  const tape = changetype<Tape>(reserve(TAPE_BYTES));
  const size = (((<usize>most) << 2) + 15) & ~15;
  tape.starts = reserve(7 * size);
  tape.ends = tape.starts + size;
  tape.keys = tape.ends + size;
  tape.hashes = tape.keys + size;
  tape.parents = tape.hashes + size;
  tape.nexts = tape.parents + size;
  tape.sizes = tape.nexts + size;
  tape.kinds = reserve(most);
  tape.count = most;
  tape.depth = 0;
  tape.isTorn = 0;
  tape.isIndented = 0;
  return tape;
}

/** The columns of the tape that is being written: its kinds, then those of words, each a `stride` behind the one before. */
let kinds: usize = 0;
let starts: usize = 0;
let stride: usize = 0;
let count: u32 = 0;
let depth: u32 = 0;
let deepest: u32 = 0;

/** Begins an empty tape with room for `most` values. */
export function beginTape(most: u32): Tape {
  const tape = newTape(most);
  kinds = tape.kinds;
  starts = tape.starts;
  stride = tape.ends - starts;
  count = 0;
  depth = 0;
  deepest = 0;
  return tape;
}

export function endTape(tape: Tape): void {
  tape.count = count;
  tape.depth = deepest;
}

function placeOf(node: u32): usize {
  return starts + ((<usize>node) << 2);
}

function add(kind: u32, start: u32, key: u32, hash: u32, parent: u32): usize {
  const node = count;
  const step = stride;
  const at = placeOf(node);
  store<u8>(kinds + node, kind);
  store<u32>(at, start);
  store<u32>(at + 2 * step, key);
  store<u32>(at + 3 * step, hash);
  store<u32>(at + 4 * step, parent);
  store<u32>(at + 6 * step, 0);
  if (parent !== NONE) {
    const size = placeOf(parent) + 6 * step;
    store<u32>(size, load<u32>(size) + 1);
  }
  count = node + 1;
  return at;
}

/** Adds a value with nothing inside. */
export function scalar(kind: u32, start: u32, end: u32, key: u32, hash: u32, parent: u32): void {
  const at = add(kind, start, key, hash, parent);
  store<u32>(at + stride, end);
  store<u32>(at + 5 * stride, count);
}

/** Adds a value that ends later; returns it. */
export function open(kind: u32, start: u32, key: u32, hash: u32, parent: u32): u32 {
  depth += 1;
  if (depth > deepest) deepest = depth;
  const at = add(kind, start, key, hash, parent);
  store<u32>(at + 5 * stride, 0);
  return count - 1;
}

/** Returns what is around the value. */
export function close(node: u32, end: u32): u32 {
  const at = placeOf(node);
  store<u32>(at + stride, end);
  store<u32>(at + 5 * stride, count);
  depth -= 1;
  return load<u32>(at + 4 * stride);
}

/** What is open ends with the text; false where there is nothing. */
export function closeAll(end: u32): bool {
  for (let node = count; node-- > 0;) {
    const at = placeOf(node);
    if (load<u32>(at + 5 * stride) !== 0) continue;
    store<u32>(at + stride, end);
    store<u32>(at + 5 * stride, count);
  }
  return count > 0;
}

/** Takes back what starts at `start` or behind it, and is inside of `top`. */
export function takeBack(top: u32, start: u32): void {
  while (count > 1 && load<u32>(placeOf(count - 1)) >= start) {
    count -= 1;
    if (load<u32>(placeOf(count) + 4 * stride) !== top) continue;
    const size = placeOf(top) + 6 * stride;
    store<u32>(size, load<u32>(size) - 1);
  }
}

export function isObject(node: u32): bool {
  return node !== NONE && load<u8>(kinds + node) === OBJECT;
}

/** Has nothing been written? */
export function isEmpty(): bool {
  return count === 0;
}

/** Writes the strings of at least `least` bytes to `out`; returns how many. */
export function longStrings(tape: Tape, least: u32, out: usize): u32 {
  const first = tape.starts;
  const size = tape.ends - first;
  const end = first + ((<usize>tape.count) << 2);
  const shortest = i32x4.splat(least);
  let found: u32 = 0;
  for (let at = first; at < end; at += 16) {
    const sizes = i32x4.sub(v128.load(at + size), v128.load(at));
    for (let long = i32x4.bitmask(i32x4.ge_u(sizes, shortest)); long !== 0; long &= long - 1) {
      const n = ((at - first) >> 2) + ctz(long);
      if (n >= tape.count || load<u8>(tape.kinds + n) !== STRING) continue;
      store<u32>(out + (found << 2), <u32>n);
      found += 1;
    }
  }
  return found;
}
