// Finds the tokens of JSON and their ends.
import { sixteen, digitsEnd } from './chars';

/** What a scan comes to: all was read, there is no JSON, it ended too early. Scanners of values return a place, or one of these. */
export const READ: u32 = 0;
export const NO_VALUE: u32 = 1;
export const TORN: u32 = 2;

/** Where blanks and line ends are over. */
export function blanksEnd(from: usize, to: usize): u32 {
  for (let p = from; p < to; p += 16) {
    const v = v128.load(p);
    const blank = v128.or(
      v128.or(i8x16.eq(v, sixteen(32)), i8x16.eq(v, sixteen(10))),
      v128.or(i8x16.eq(v, sixteen(13)), i8x16.eq(v, sixteen(9))),
    );
    const others = i8x16.bitmask(blank) ^ 0xffff;
    if (others !== 0) return <u32>min(p + ctz(others), to);
  }
  return <u32>to;
}

/** How many values a text has at the most: a value stands behind a bracket or a comma; or it is a record, which a bracket ends; or a line. */
export function mostValues(from: usize, to: usize): u32 {
  let most: u32 = 64;
  for (let p = from; p < to; p += 16) {
    const v = v128.load(p);
    const folded = v128.or(v, sixteen(0x20));
    const isMark = v128.or(
      v128.or(i8x16.eq(v, sixteen(44)), i8x16.eq(v, sixteen(10))),
      v128.or(i8x16.eq(folded, sixteen(0x7b)), i8x16.eq(folded, sixteen(0x7d))),
    );
    most += popcnt(i8x16.bitmask(isMark));
  }
  return most;
}

/** Quotes, backslashes and control characters. */
export function marksAt(p: usize): u32 {
  const v = v128.load(p);
  return i8x16.bitmask(
    v128.or(v128.or(i8x16.eq(v, sixteen(34)), i8x16.eq(v, sixteen(92))), i8x16.le_u(v, sixteen(31))),
  );
}

/** Control characters are no JSON; further on in a string only a line feed is taken to show that. */
const NEAR: usize = 48;

/** Behind the closing quote of the string whose first byte is at `from`. */
export function stringEnd(from: usize, to: usize): u32 {
  const near = from + NEAR;
  let p = from;
  while (p < to) {
    let hits = marksAt(p);
    let next = p + 16;
    while (hits !== 0) {
      const at = p + ctz(hits);
      if (at >= to) return TORN;
      const c: u32 = load<u8>(at);
      if (c === 34) return <u32>at + 1;
      if (c === 92) {
        if (at >= near && at + 1 < to && load<u8>(at + 1) === 10) return NO_VALUE;
        next = at + 2;
        break;
      }
      if (c === 10 || at < near) return NO_VALUE;
      hits &= hits - 1;
    }
    p = next;
  }
  return TORN;
}

/** Behind a number as JSON writes them. */
export function numberEnd(from: usize, to: usize): u32 {
  let p = load<u8>(from) === 45 ? from + 1 : from;
  const whole = p;
  p = digitsEnd(p, to);
  if (p === whole) return p >= to ? TORN : NO_VALUE;
  if (load<u8>(whole) === 48) p = whole + 1;
  if (p < to && load<u8>(p) === 46) {
    const start = p + 1;
    p = digitsEnd(start, to);
    if (p === start) return p >= to ? TORN : NO_VALUE;
  }
  if (p < to && (load<u8>(p) | 32) === 101) {
    let start = p + 1;
    if (start < to && (load<u8>(start) === 43 || load<u8>(start) === 45)) start += 1;
    p = digitsEnd(start, to);
    if (p === start) return p >= to ? TORN : NO_VALUE;
  }
  return <u32>p;
}

/** Behind `true`, `false` or `null`. */
export function wordEnd(from: usize, to: usize): u32 {
  const c: u32 = load<u8>(from);
  if (c === 116) return tailEnd(from, to, 0x65757274, 4);
  if (c === 110) return tailEnd(from, to, 0x6c6c756e, 4);
  if (c !== 102) return NO_VALUE;
  const end = tailEnd(from, to, 0x736c6166, 4);
  if (end <= TORN) return end;
  if (from + 4 >= to) return TORN;
  return load<u8>(from + 4) === 101 ? end + 1 : NO_VALUE;
}

function tailEnd(from: usize, to: usize, word: u32, size: u32): u32 {
  for (let i: u32 = 1; i < size; i += 1) {
    if (from + i >= to) return TORN;
    if (load<u8>(from + i) !== ((word >> (i << 3)) & 255)) return NO_VALUE;
  }
  return <u32>(from + size);
}

/** Is the bracket at `from` closed before a quote, as that of `[web] {…}`? */
export function isLabel(from: usize, to: usize): bool {
  for (let p = from; p < to; p += 1) {
    const c: u32 = load<u8>(p);
    if (c === 93) return true;
    if (c === 34 || c === 123 || c === 10) return false;
  }
  return false;
}

/** The first bracket on the line of `from` that opens JSON; `to` where it has none. */
export function bracketOnLine(from: usize, to: usize): u32 {
  for (let p = from; p < to; p += 1) {
    const c: u32 = load<u8>(p);
    if (c === 10) break;
    if (c === 123 || (c === 91 && load<u8>(p - 1) === 32)) return <u32>p;
  }
  return <u32>to;
}
