// Looks for places in a line that may report a failure; src/core/failures.ts judges them.
import { classAt, highHalves, isDigitAt, LETTER, sixteen } from './chars';

const MOST_FORMS: u32 = 255;
const MOST_TEXT: u32 = 8192;
/** Of each form: where its text is, how long it is, the next form of its bucket (from 1); in lower case. */
const FORMS: usize = memory.data(256 * 12, 4);
const TEXTS: usize = memory.data(8192);
/** A form (from 1) whose first three bytes have this hash. */
const BUCKETS: usize = memory.data(4096);
/** What bytes the forms begin with: by the low and by the high half of the first three, with a bit for the first one. */
const STARTS: usize = memory.data(6 * 16, 16);
let count: u32 = 0;
/** The one form of two letters (from 1): it is in no bucket. */
let pair: u32 = 0;
let pairBytes: u32 = 0;

/** What `suspect` found: a form, the letter of a level, three digits like an HTTP status, a failed status of systemd. */
const FORM: u32 = 1;
const LEVEL: u32 = 2;
const STATUS: u32 = 3;
const FAILED: u32 = 4;

/** Bytes that what a test runner says of a test may start with. */
const VERDICTS: usize = memory.data(256);

/** Adds one. */
export function useVerdict(start: u32): void {
  store<u8>(VERDICTS + start, 1);
}

/** Has the line `[start, end)`, whose time stamp ends at `body`, nothing that is worth a look? */
export function isQuiet(start: usize, body: usize, end: usize): bool {
  let at = body;
  while (at < end && (load<u8>(at) === 32 || load<u8>(at) === 9)) at += 1;
  if (at < end && load<u8>(VERDICTS + load<u8>(at))) return false;
  return suspect(start, start, end) >= end;
}

/** What the last place looks like. */
export let suspicion: u32 = 0;
/** Which form it is, from 0, in the order in which they were added. */
export let formAt: u32 = 0;

/** Takes over all forms: lower case, parted by line feeds. */
export function useForms(from: usize, size: usize): void {
  if (size > MOST_TEXT) unreachable();
  memory.copy(TEXTS, from, size);
  let text = TEXTS;
  for (let at = TEXTS; at <= TEXTS + size; at += 1) {
    if (at < TEXTS + size && load<u8>(at) !== 10) continue;
    addForm(text, <u32>(at - text));
    text = at + 1;
  }
}

function addForm(text: usize, size: u32): void {
  if (count >= MOST_FORMS) unreachable();
  const form = FORMS + count * 12;
  store<usize>(form, text);
  store<u32>(form, size, 4);
  count += 1;
  for (let i: u32 = 0; i < 3; i += 1) addStart(i, size === i ? -1 : load<u8>(text + i) | 32, load<u8>(text));
  if (size === 2) {
    pair = count;
    pairBytes = ((<u32>load<u8>(text)) << 8) | load<u8>(text, 1);
    return;
  }
  const bucket = BUCKETS + slot(load<u8>(text), load<u8>(text, 1), load<u8>(text, 2));
  store<u32>(form, load<u8>(bucket), 8);
  store<u8>(bucket, count);
}

/** The byte `c`, or any that is negative, may be the `i`-th of a form that begins with `first`. */
function addStart(i: u32, c: i32, first: u32): void {
  const bit = 1 << (first & 7);
  const low = STARTS + (i << 5);
  for (let half: i32 = 0; half < 16; half += 1) {
    if (c < 0 || (c & 15) === half) store<u8>(low + half, load<u8>(low + half) | bit);
    if (c < 0 || c >> 4 === half) store<u8>(low + half, load<u8>(low + half, 16) | bit, 16);
  }
}

/** The bits of the forms whose `i`-th bytes the 16 bytes at `p` may be. */
function startsAt(i: usize, p: usize): v128 {
  const v = v128.or(v128.load(p + i), sixteen(32));
  const table = STARTS + (i << 5);
  return v128.and(
    i8x16.swizzle(v128.load(table), v128.and(v, sixteen(15))),
    i8x16.swizzle(v128.load(table, 16), highHalves(v)),
  );
}

function slot(a: u32, b: u32, c: u32): u32 {
  return ((a & 31) << 7) ^ ((b & 63) << 3) ^ (c & 127);
}

/** The next place from `from` on that may report a failure, in the line `[start, end)`; `end` where there is none. */
export function suspect(start: usize, from: usize, end: usize): usize {
  const last: u32 = from > start ? load<u8>(from - 1) : 0;
  let afterLetter = (last | 32) - 97 < 26 ? 1 : 0;
  let afterDigit = last - 48 < 10 ? 1 : 0;
  let afterEquals = last === 61 ? 1 : 0;
  for (let p = from; p < end; p += 16) {
    const v = v128.load(p);
    const letters = i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.or(v, sixteen(32)), sixteen(97)), sixteen(25)));
    const capitals = i8x16.bitmask(i8x16.le_u(i8x16.sub(v, sixteen(65)), sixteen(25)));
    const digits = i8x16.bitmask(i8x16.le_u(i8x16.sub(v, sixteen(48)), sixteen(9)));
    const heads = letters & ~((letters << 1) | afterLetter);
    const numbers = digits & ~((digits << 1) | afterDigit);
    const none = i8x16.bitmask(
      i8x16.eq(v128.and(v128.and(startsAt(0, p), startsAt(1, p)), startsAt(2, p)), sixteen(0)),
    );
    // Three digits, as far as that can be seen: a status is 400 to 599; and what follows a `=`.
    const fours = i8x16.bitmask(i8x16.eq(v128.or(v, sixteen(1)), sixteen(53)));
    const threes = ((digits >> 1) | 0x8000) & ((digits >> 2) | 0xc000) & ~(digits >> 3);
    const equals = i8x16.bitmask(i8x16.eq(v, sixteen(61)));
    let places =
      ((heads | capitals) & ~none) |
      (heads & capitals) |
      (numbers & ((fours & threes) | (equals << 1) | afterEquals));
    while (places !== 0) {
      const bit = ctz(places);
      const at = p + bit;
      if (at >= end) return end;
      if (
        (numbers >> bit) & 1
          ? isNumberSuspect(start, at, end)
          : isWordSuspect(at, end, <bool>((heads >> bit) & 1))
      )
        return at;
      places &= places - 1;
    }
    afterLetter = (letters >> 15) & 1;
    afterDigit = (digits >> 15) & 1;
    afterEquals = (equals >> 15) & 1;
  }
  return end;
}

function isWordSuspect(at: usize, end: usize, isHead: bool): bool {
  const c: u32 = load<u8>(at);
  if (mayMatch(c | 32, at) && matchBelow(at, end, 0xffff)) suspicion = FORM;
  else if (isHead && isLevelAt(at, c)) suspicion = LEVEL;
  else return false;
  return true;
}

function isNumberSuspect(start: usize, at: usize, end: usize): bool {
  if (isStatusAt(start, at)) suspicion = STATUS;
  else if (isFailedAt(start, at, end)) suspicion = FAILED;
  else return false;
  return true;
}

/** The next shorter form that stands at `at`; false where there is none. */
export function nextForm(at: usize, end: usize): bool {
  return matchBelow(at, end, load<u32>(FORMS + formAt * 12, 4));
}

/** Does any form begin with these three bytes? */
function mayMatch(first: u32, at: usize): bool {
  const second: u32 = <u32>load<u8>(at + 1) | 32;
  return (
    load<u8>(BUCKETS + slot(first, second, <u32>load<u8>(at + 2) | 32)) !== 0 ||
    ((first << 8) | second) === pairBytes
  );
}

/** The longest form of less than `below` bytes that stands at `at`. */
function matchBelow(at: usize, end: usize, below: u32): bool {
  const second: u32 = <u32>load<u8>(at + 1) | 32;
  let best: u32 = 0;
  let form: u32 = load<u8>(BUCKETS + slot(<u32>load<u8>(at) | 32, second, <u32>load<u8>(at + 2) | 32));
  if (form === 0 && pair === 0) return false;
  while (form !== 0) {
    const record = FORMS + (form - 1) * 12;
    const size = load<u32>(record, 4);
    if (size < below && size > best && at + size <= end && matches(at, load<usize>(record), size)) {
      best = size;
      formAt = form - 1;
    }
    form = load<u32>(record, 8);
  }
  if (
    best === 0 &&
    below > 2 &&
    pair !== 0 &&
    at + 2 <= end &&
    matches(at, load<usize>(FORMS + (pair - 1) * 12), 2)
  ) {
    best = 2;
    formAt = pair - 1;
  }
  return best !== 0;
}

function matches(at: usize, text: usize, size: u32): bool {
  for (let i: usize = 0; i < size; i += 1) {
    const c: u32 = load<u8>(at + i);
    const want: u32 = load<u8>(text + i);
    if ((c | 32) !== want && c !== want) return false;
  }
  return true;
}

/** A single letter that may be a level: E, W or F before a blank, a slash or a digit. */
function isLevelAt(at: usize, c: u32): bool {
  if (c !== 69 && c !== 87 && c !== 70) return false;
  const next: u32 = load<u8>(at + 1);
  return next === 32 || next === 47 || next - 48 < 10;
}

/** 400 to 599, alone, behind something that is no letter or digit. */
function isStatusAt(start: usize, at: usize): bool {
  const c: u32 = load<u8>(at);
  if ((c !== 52 && c !== 53) || !isDigitAt(at + 1) || !isDigitAt(at + 2) || isDigitAt(at + 3)) return false;
  const next: u32 = load<u8>(at + 3);
  if (next === 95 || next === 46 || next === 37 || next === 45 || (next < 128 && classAt(at + 3) === LETTER))
    return false;
  if (next === 58 && isDigitAt(at + 4)) return false;
  return at > start && (load<u8>(at - 1) >= 128 || classAt(at - 1) !== LETTER);
}

/** systemd's `status=1/FAILURE`. */
function isFailedAt(start: usize, at: usize, end: usize): bool {
  if (load<u8>(at) === 48 || at < start + 7) return false;
  let slash = at;
  while (slash < end && slash < at + 3 && isDigitAt(slash)) slash += 1;
  const next: u32 = load<u8>(slash + 1);
  if (load<u8>(slash) !== 47 || !(next - 65 < 26 || next === 110)) return false;
  return load<u32>(at - 7) === 0x74617473 && load<u32>(at - 4) === 0x3d737574;
}
