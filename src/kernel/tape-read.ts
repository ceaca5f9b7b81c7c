// Reads JSON into a tape; see src/core/json/tape.ts.
import { keyedValue, keyHash } from './json-keys';
import {
  blanksEnd,
  bracketOnLine,
  isLabel,
  mostValues,
  NO_VALUE,
  numberEnd,
  READ,
  stringEnd,
  TORN,
  wordEnd,
} from './json-scan';
import { popTo, topNow } from './memory';
import {
  ARRAY,
  beginTape,
  close,
  closeAll,
  endTape,
  isEmpty,
  isObject,
  NONE,
  NUMBER,
  OBJECT,
  open,
  scalar,
  STRING,
  takeBack,
  TEXT,
  WORD,
} from './tape';

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

let base: usize = 0;
let first: u32 = 0;
let limit: u32 = 0;
let options: u32 = 0;
/** Where the record that is being read starts. */
let record: u32 = 0;
let isIndented: bool = false;
/** Of elements: where the one starts that is being read, or the bracket that ends their list. */
let element: u32 = 0;

/** The tape of the text `[from, to)` of what lies at `placed`; 0 where it is no JSON. */
export function readTape(placed: usize, from: u32, to: u32, bits: u32): usize {
  const mark = topNow();
  const tape = beginTape(mostValues(placed + from, placed + to));
  base = placed;
  first = from;
  limit = to;
  options = bits;
  record = 0;
  isIndented = false;
  const done = bits & MANY ? readMany() : readOne();
  if (done === NO_VALUE) {
    popTo(mark);
    return 0;
  }
  endTape(tape);
  tape.isTorn = done === TORN ? 1 : 0;
  tape.isIndented = isIndented ? 1 : 0;
  return changetype<usize>(tape);
}

function readOne(): u32 {
  const done = scan(first, NONE);
  if (done !== TORN) return done;
  return options & MAY_BE_TORN && closeAll(limit) ? TORN : NO_VALUE;
}

function readMany(): u32 {
  const top = open(ARRAY, first, 0, 0, NONE);
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
  scalar(TEXT, max(start, first), end, 0, 0, top);
  return next;
}

/** Reads from `from` to the end of the text. */
// oxlint-disable-next-line complexity, max-lines-per-function -- a scanner: a branch a token
function scan(from: u32, top: u32): u32 {
  const text = base;
  const to = limit;
  const isRecords = top !== NONE && (options & ELEMENTS) === 0;
  let inside = top;
  let inObject = false;
  let state = VALUE;
  let key: u32 = 0;
  let hash: u32 = 0;
  /** Blanks behind the comma that was read last. */
  let gap: u32 = 0;
  let p = from;
  // A turn is a value with its key and the comma before it, a bracket, or blanks.
  while (p < to) {
    let c: u32 = load<u8>(text + p);
    if (c <= 32) {
      const end = blanksEnd(text + p, text + to) - <u32>text;
      if (end > p) {
        p = end;
        continue;
      }
    }
    if (
      (c | 32) === 125 &&
      inside !== top &&
      (state === AFTER || state === FIRST_KEY || state === FIRST_VALUE)
    ) {
      if (c !== (inObject ? 125 : 93)) return NO_VALUE;
      p += 1;
      inside = close(inside, p);
      inObject = isObject(inside);
      state = AFTER;
      continue;
    }
    if (state === AFTER) {
      if (inside === top) {
        if (top === NONE) return NO_VALUE;
        state = VALUE;
        if (isRecords) continue;
        element = c === 44 ? p + 1 : p;
        if (c !== 44) return c === 93 ? READ : NO_VALUE;
        p += 1;
        continue;
      }
      if (c !== 44) return NO_VALUE;
      p += 1;
      state = inObject ? KEY : VALUE;
      c = load<u8>(text + p);
      if (c <= 32) {
        const blanks = blanksEnd(text + p, text + to) - <u32>text - p;
        // What is foreseen is not waited for.
        if (blanks === gap) p += gap;
        else {
          p += blanks;
          gap = blanks;
        }
        c = load<u8>(text + p);
      }
      if (p >= to) return TORN;
    }
    if (state & KEY) {
      if (c !== 34) return NO_VALUE;
      key = p;
      const value = keyedValue(text + p, text + to);
      if (value <= TORN) return value;
      hash = keyHash;
      p = value - <u32>text;
      c = load<u8>(text + p);
      if (c <= 32) {
        p = blanksEnd(text + p, text + to) - <u32>text;
        c = load<u8>(text + p);
      }
      if (p >= to) return TORN;
    } else if (isRecords && inside === top) {
      record = p;
      if (p > 0 && load<u8>(text + p - 1) !== 10) isIndented = true;
      if (c !== 123 && (c !== 91 || (options & PREFIXED && isLabel(text + p, text + to)))) {
        if ((options & PREFIXED) === 0) return NO_VALUE;
        p = bracketOnLine(text + p + 1, text + to) - <u32>text;
        if (p === to) return NO_VALUE;
        continue;
      }
    }
    let kind = STRING;
    let end: u32 = 0;
    if (c === 34) end = stringEnd(text + p + 1, text + to);
    else if (c === 123 || c === 91) {
      inObject = c === 123;
      inside = open(inObject ? OBJECT : ARRAY, p, key, hash, inside);
      key = 0;
      hash = 0;
      state = inObject ? FIRST_KEY : FIRST_VALUE;
      p += 1;
      continue;
    } else if (c === 45 || c - 48 < 10) {
      kind = NUMBER;
      end = numberEnd(text + p, text + to);
    } else {
      kind = WORD;
      end = wordEnd(text + p, text + to);
    }
    if (end <= TORN) {
      if (end === TORN && kind === STRING && options & MAY_BE_TORN) scalar(STRING, p, to, key, hash, inside);
      return end;
    }
    end -= <u32>text;
    scalar(kind, p, end, key, hash, inside);
    p = end;
    key = 0;
    hash = 0;
    state = AFTER;
  }
  return inside !== top || (top === NONE && isEmpty()) ? TORN : READ;
}
