// Where JSON values end: it looks at strings and brackets, 64 bytes at a time. See src/core/json-blocks.ts.
import { BLANK, classAt, highHalves, isDigitAt, lineEnd, sixteen } from './chars';

const NO_JSON: i32 = -1;
const UNFINISHED: i32 = -2;

/** By the low and by the high half of a byte: a bit of both for what JSON has outside of strings. */
const LOW: usize = memory.data<u8>([
  0x06, 0x14, 0x46, 0x44, 0x44, 0x5c, 0x14, 0x04, 0x04, 0x05, 0x05, 0x62, 0x12, 0x63, 0x12, 0x00,
]);
const HIGH: usize = memory.data<u8>([1, 0, 2, 4, 8, 32, 16, 64, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Masks of the 64 bytes that were read last. */
let quotes: u64 = 0;
let slashes: u64 = 0;
let feeds: u64 = 0;
let opens: u64 = 0;
let closes: u64 = 0;
let strange: u64 = 0;

function read(p: usize): void {
  quotes = 0;
  slashes = 0;
  feeds = 0;
  opens = 0;
  closes = 0;
  strange = 0;
  for (let i: u64 = 0; i < 64; i += 16) {
    const v = v128.load(p + <usize>i);
    const folded = v128.or(v, sixteen(0x20));
    const isPlain = v128.and(
      i8x16.swizzle(v128.load(LOW), v128.and(v, sixteen(15))),
      i8x16.swizzle(v128.load(HIGH), highHalves(v)),
    );
    quotes |= mask(i8x16.eq(v, sixteen(34))) << i;
    slashes |= mask(i8x16.eq(v, sixteen(92))) << i;
    feeds |= mask(i8x16.eq(v, sixteen(10))) << i;
    opens |= mask(i8x16.eq(folded, sixteen(0x7b))) << i;
    closes |= mask(i8x16.eq(folded, sixteen(0x7d))) << i;
    strange |= mask(i8x16.eq(isPlain, sixteen(0))) << i;
  }
}

function mask(v: v128): u64 {
  return <u64>(<u32>i8x16.bitmask(v));
}

let depth: i32 = 0;
/** Is the next byte escaped; is it in a string (all bits)? */
let escaped: u64 = 0;
let inString: u64 = 0;

/**
 * How many bytes the JSON value at `from` has, which starts with a bracket; `NO_JSON` where it is none, `UNFINISHED` where
 * the text ends before it. Reads up to 63 bytes behind `limit`.
 */
export function jsonEnd(from: usize, limit: usize): i32 {
  depth = 0;
  escaped = 0;
  inString = 0;
  return jsonEndOn(from, limit);
}

/** The same of a value that was `UNFINISHED` where `from` is now; what was looked at last were multiples of 64 bytes. */
export function jsonEndOn(from: usize, limit: usize): i32 {
  for (let p = from; p < limit; p += 64) {
    read(p);
    const marks = slashes === 0 && escaped === 0 ? quotes : quotes & ~escapes(escaped);
    escaped = carried;
    carried = 0;
    let inside = marks;
    inside ^= inside << 1;
    inside ^= inside << 2;
    inside ^= inside << 4;
    inside ^= inside << 8;
    inside ^= inside << 16;
    inside ^= inside << 32;
    inside ^= inString;
    inString = <u64>(<i64>inside >> 63);
    const size = limit - p;
    const all: u64 = size < 64 ? ((<u64>1) << (<u64>size)) - 1 : ~(<u64>0);
    const wrong = ((feeds & inside) | (strange & ~inside)) & all;
    const up = opens & ~inside & all;
    const down = closes & ~inside & all;
    if (wrong !== 0 || depth <= <i32>popcnt(down)) {
      const before = wrong === 0 ? all : (wrong & (0 - wrong)) - 1;
      for (let rest = (up | down) & before; rest !== 0; rest &= rest - 1) {
        depth += up & rest & (0 - rest) ? 1 : -1;
        if (depth === 0) return <i32>(p - from) + <i32>ctz(rest) + 1;
      }
      if (wrong !== 0) return NO_JSON;
    } else depth += <i32>popcnt(up) - <i32>popcnt(down);
  }
  return UNFINISHED;
}

/** Is the first byte behind the 64 escaped? */
let carried: u64 = 0;

/** The bytes that a backslash stands before; `first`: the first one is so. */
function escapes(first: u64): u64 {
  let found: u64 = first;
  let rest = slashes & ~first;
  while (rest !== 0) {
    const bit = rest & (0 - rest);
    const next = bit << 1;
    if (next === 0) carried = 1;
    found |= next;
    rest &= ~(bit | next);
  }
  return found;
}

/** The bytes of the values that `recordLines` went over. */
export let recordBytes: u32 = 0;

/** How many of the lines from `from` on are one JSON value each and nothing else; `end` is behind a line feed or the text. */
export function recordLines(from: usize, end: usize): u32 {
  let count: u32 = 0;
  recordBytes = 0;
  for (let at = from; at < end; count += 1) {
    const stop = lineEnd(at, end);
    if (!opensJson(at)) break;
    const size = jsonEnd(at, stop);
    if (size < 0) break;
    let rest = at + size;
    while (rest < stop && (classAt(rest) === BLANK || load<u8>(rest) === 13)) rest += 1;
    if (rest < stop) break;
    recordBytes += size;
    at = stop + 1;
  }
  return count;
}

/** A bracket, then a quote, a bracket or a number; others are rare, and not asked for here. */
function opensJson(at: usize): bool {
  const first: u32 = load<u8>(at);
  if (first !== 123 && first !== 91) return false;
  let p = at + 1;
  while (classAt(p) === BLANK) p += 1;
  const c: u32 = load<u8>(p);
  if (c === 45) return isDigitAt(p + 1);
  return c === 34 || c === 123 || c === 91 || c === 93 || c === 125 || isDigitAt(p);
}
