// Reads JSON into a tape; see src/core/json/tape.ts.
import {
  blanksEnd,
  isBlank,
  keyEnd,
  keyHash,
  NO_VALUE,
  numberEnd,
  READ,
  stringEnd,
  TORN,
  wordEnd,
} from './json-scan';
import { popTo, reserve, topNow } from './memory';

/** Kinds of values, as in src/core/json/tape.ts. */
export const OBJECT: u32 = 1;
export const ARRAY: u32 = 2;
export const STRING: u32 = 3;
export const NUMBER: u32 = 4;
/** `true`, `false`, `null`. */
export const WORD: u32 = 5;
/** A line between records that is no JSON. */
export const TEXT: u32 = 6;

/** Options, as bits; told in src/core/json/tape.ts. */
const MANY: u32 = 1;
const PREFIXED: u32 = 2;
const MIXED: u32 = 4;
const MAY_BE_TORN: u32 = 8;
const ELEMENTS: u32 = 16;

/** What comes next. */
const VALUE: u32 = 0;
const FIRST_VALUE: u32 = 1;
const KEY: u32 = 2;
const FIRST_KEY: u32 = 3;
const AFTER: u32 = 4;

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
}
const TAPE_BYTES: usize = offsetof<Tape>();

/** The columns of the tape that is being read. */
let kinds: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
let keys: usize = 0;
let hashes: usize = 0;
let parents: usize = 0;
let nexts: usize = 0;
let sizes: usize = 0;
let count: u32 = 0;
let deepest: u32 = 0;

let base: usize = 0;
let first: u32 = 0;
let limit: u32 = 0;
let options: u32 = 0;
let depth: u32 = 0;
/** Where the record that is being read starts. */
let record: u32 = 0;
/** Of elements: where the one starts that is being read, or the bracket that ends their list. */
let element: u32 = 0;

/** An empty tape with room for `count` values. */
export function newTape(most: u32): Tape {
  const tape = changetype<Tape>(reserve(TAPE_BYTES));
  tape.kinds = reserve(most);
  tape.starts = reserve(most << 2);
  tape.ends = reserve(most << 2);
  tape.keys = reserve(most << 2);
  tape.hashes = reserve(most << 2);
  tape.parents = reserve(most << 2);
  tape.nexts = reserve(most << 2);
  tape.sizes = reserve(most << 2);
  tape.count = most;
  tape.depth = 0;
  tape.isTorn = 0;
  return tape;
}

/** The tape of the text `[from, to)` of what lies at `placed`; 0 where it is no JSON. */
export function readTape(placed: usize, from: u32, to: u32, bits: u32): usize {
  const mark = topNow();
  const tape = newTape(mostValues(placed + from, placed + to));
  base = placed;
  first = from;
  limit = to;
  options = bits;
  depth = 0;
  deepest = 0;
  record = 0;
  count = 0;
  kinds = tape.kinds;
  starts = tape.starts;
  ends = tape.ends;
  keys = tape.keys;
  hashes = tape.hashes;
  parents = tape.parents;
  nexts = tape.nexts;
  sizes = tape.sizes;
  const done = bits & MANY ? readMany() : readOne(bits);
  if (done === NO_VALUE) {
    popTo(mark);
    return 0;
  }
  tape.count = count;
  tape.depth = deepest;
  tape.isTorn = done === TORN ? 1 : 0;
  return changetype<usize>(tape);
}

/** A value stands behind a bracket or a comma; or it is a record, which a bracket ends; or a line. */
function mostValues(from: usize, to: usize): u32 {
  let most: u32 = 64;
  for (let p = from; p < to; p += 16) {
    const v = v128.load(p);
    const folded = v128.or(v, i8x16.splat(0x20));
    const isMark = v128.or(
      v128.or(i8x16.eq(v, i8x16.splat(44)), i8x16.eq(v, i8x16.splat(10))),
      v128.or(i8x16.eq(folded, i8x16.splat(0x7b)), i8x16.eq(folded, i8x16.splat(0x7d))),
    );
    most += popcnt(i8x16.bitmask(isMark));
  }
  return most;
}

function readOne(bits: u32): u32 {
  const done = scan(first, NONE);
  if (done !== TORN) return done;
  if ((bits & MAY_BE_TORN) === 0 || count === 0) return NO_VALUE;
  // What is open ends with the text.
  for (let node = count; node-- > 0;) {
    if (load<u32>(nexts + (node << 2)) !== 0) continue;
    store<u32>(ends + (node << 2), limit);
    store<u32>(nexts + (node << 2), count);
  }
  return TORN;
}

function readMany(): u32 {
  const top = open(ARRAY, first, 0, NONE);
  if (options & ELEMENTS) return readElements(top);
  for (let at = first; at < limit;) {
    if (scan(at, top) === READ) break;
    if ((options & MIXED) === 0) return NO_VALUE;
    at = textLine(top);
  }
  close(top, limit);
  return READ;
}

/** Elements with commas between them. Where they may be torn, those are left out that neither comma nor bracket follows. */
function readElements(top: u32): u32 {
  element = first;
  const done = scan(first, top);
  if (done === NO_VALUE) return NO_VALUE;
  if (options & MAY_BE_TORN) takeBack(top, element);
  else if (done === TORN) return NO_VALUE;
  close(top, options & MAY_BE_TORN ? element : limit);
  return READ;
}

/** Takes back what starts at `start` or behind it. */
function takeBack(top: u32, start: u32): void {
  while (count > 1 && load<u32>(starts + ((count - 1) << 2)) >= start) {
    count -= 1;
    if (load<u32>(parents + (count << 2)) !== top) continue;
    const size = sizes + (top << 2);
    store<u32>(size, load<u32>(size) - 1);
  }
}

/** Takes back what was read of the line, and makes a text of it; returns where the next one starts. */
function textLine(top: u32): u32 {
  let start = record;
  if (record === first) start = first;
  else while (start > 0 && load<u8>(base + start - 1) !== 10) start -= 1;
  let next = record;
  while (next < limit && load<u8>(base + next) !== 10) next += 1;
  if (next < limit) next += 1;
  takeBack(top, start);
  let end = next;
  while (end > start && (load<u8>(base + end - 1) === 10 || load<u8>(base + end - 1) === 13)) end -= 1;
  scalar(TEXT, max(start, first), end, 0, top);
  return next;
}

/** Reads from `from` to the end of the text. */
function scan(from: u32, top: u32): u32 {
  const text = base;
  const to = limit;
  let inside = top;
  let isObject = false;
  let state = VALUE;
  let key: u32 = 0;
  let p = from;
  while (p < to) {
    const c: u32 = load<u8>(text + p);
    if (c <= 32 && isBlank(c)) {
      p += 1;
      if (isBlank(load<u8>(text + p))) p = blanksEnd(text + p, text + to) - <u32>text;
      continue;
    }
    if (state === AFTER) {
      if (inside === top) {
        if (top === NONE) return NO_VALUE;
        state = VALUE;
        if ((options & ELEMENTS) === 0) continue;
        element = c === 44 ? p + 1 : p;
        if (c !== 44) return c === 93 ? READ : NO_VALUE;
        p += 1;
        continue;
      }
      p += 1;
      if (c === 44) {
        state = isObject ? KEY : VALUE;
        continue;
      }
      if (c !== (isObject ? 125 : 93)) return NO_VALUE;
      inside = close(inside, p);
      isObject = inside !== NONE && load<u8>(kinds + inside) === OBJECT;
      continue;
    }
    if (state === KEY || state === FIRST_KEY) {
      if (c === 34) {
        key = p;
        const end = keyEnd(text + p + 1, text + to);
        if (end <= TORN) return end;
        p = end - <u32>text;
        while (p < to && isBlank(load<u8>(text + p))) p += 1;
        if (p >= to) return TORN;
        if (load<u8>(text + p) !== 58) return NO_VALUE;
        p += 1;
        state = VALUE;
        continue;
      }
      if (c !== 125 || state === KEY) return NO_VALUE;
      p += 1;
      inside = close(inside, p);
      isObject = inside !== NONE && load<u8>(kinds + inside) === OBJECT;
      state = AFTER;
      continue;
    }
    if (inside === top && top !== NONE && (options & ELEMENTS) === 0) {
      record = p;
      if (c !== 123 && (c !== 91 || (options & PREFIXED && isLabel(p)))) {
        if ((options & PREFIXED) === 0) return NO_VALUE;
        const bracket = bracketOnLine(p + 1);
        if (bracket === limit) return NO_VALUE;
        p = bracket;
        continue;
      }
    }
    if (c === 34) {
      const end = stringEnd(text + p + 1, text + to);
      if (end <= TORN) {
        if (end === TORN && options & MAY_BE_TORN) scalar(STRING, p, to, key, inside);
        return end;
      }
      scalar(STRING, p, end - <u32>text, key, inside);
      p = end - <u32>text;
    } else if (c === 123 || c === 91) {
      isObject = c === 123;
      inside = open(isObject ? OBJECT : ARRAY, p, key, inside);
      key = 0;
      state = isObject ? FIRST_KEY : FIRST_VALUE;
      p += 1;
      continue;
    } else if (c === 93 && state === FIRST_VALUE) {
      p += 1;
      inside = close(inside, p);
      isObject = inside !== NONE && load<u8>(kinds + inside) === OBJECT;
      state = AFTER;
      continue;
    } else {
      const isNumber = c === 45 || c - 48 < 10;
      const end = isNumber ? numberEnd(text + p, text + to) : wordEnd(text + p, text + to);
      if (end <= TORN) return end;
      scalar(isNumber ? NUMBER : WORD, p, end - <u32>text, key, inside);
      p = end - <u32>text;
    }
    key = 0;
    state = AFTER;
  }
  return inside !== top || (top === NONE && count === 0) ? TORN : READ;
}

function add(kind: u32, start: u32, key: u32, parent: u32): u32 {
  const node = count;
  const at = node << 2;
  store<u8>(kinds + node, kind);
  store<u32>(starts + at, start);
  store<u32>(keys + at, key);
  store<u32>(hashes + at, key === 0 ? 0 : keyHash);
  store<u32>(parents + at, parent);
  if (parent !== NONE) {
    const size = sizes + (parent << 2);
    store<u32>(size, load<u32>(size) + 1);
  }
  store<u32>(sizes + at, 0);
  count = node + 1;
  return node;
}

function scalar(kind: u32, start: u32, end: u32, key: u32, parent: u32): void {
  const node = add(kind, start, key, parent);
  store<u32>(ends + (node << 2), end);
  store<u32>(nexts + (node << 2), node + 1);
}

function open(kind: u32, start: u32, key: u32, parent: u32): u32 {
  depth += 1;
  if (depth > deepest) deepest = depth;
  const node = add(kind, start, key, parent);
  store<u32>(nexts + (node << 2), 0);
  return node;
}

/** Returns what is around the value. */
function close(node: u32, end: u32): u32 {
  const at = node << 2;
  store<u32>(ends + at, end);
  store<u32>(nexts + at, count);
  depth -= 1;
  return load<u32>(parents + at);
}

/** The first bracket on the line of `at` that opens JSON; the end of the text where it has none. */
/** Is the bracket at `at` closed before a quote, as that of `[web] {…}`? */
function isLabel(at: u32): bool {
  for (let p = at; p < limit; p += 1) {
    const c: u32 = load<u8>(base + p);
    if (c === 93) return true;
    if (c === 34 || c === 123 || c === 10) return false;
  }
  return false;
}

function bracketOnLine(at: u32): u32 {
  for (let p = at; p < limit; p += 1) {
    const c: u32 = load<u8>(base + p);
    if (c === 10) break;
    if (c === 123 || (c === 91 && load<u8>(base + p - 1) === 32)) return p;
  }
  return limit;
}

/** Writes the strings of at least `least` bytes to `out`; returns how many. */
export function longStrings(tape: Tape, least: u32, out: usize): u32 {
  let found: u32 = 0;
  for (let n: usize = 0; n < tape.count; n += 1) {
    if (load<u8>(tape.kinds + n) !== STRING) continue;
    if (load<u32>(tape.ends + (n << 2)) - load<u32>(tape.starts + (n << 2)) < least) continue;
    store<u32>(out + (found << 2), <u32>n);
    found += 1;
  }
  return found;
}
