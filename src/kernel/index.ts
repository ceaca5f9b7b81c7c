// Cuts a chunk into lines and glances at each; what the bits mean is told in src/core/line-index.ts.
import { sixteen, BLANK, classAt, lineEnd } from './chars';
import { findStamp, Layout, newLayout } from './stamp';

const STAMPED: u32 = 1;
const EMPTY: u32 = 2;
const INDENTED: u32 = 4;
const RULE: u32 = 8;
const BARS: u32 = 16;
const OPENS: u32 = 32;
const GAP: u32 = 64;
const GAPS: u32 = 128;

let layout: Layout = changetype<Layout>(0);
let text: usize = 0;
let textEnd: usize = 0;
let textAt: usize = 0;
let raw: usize = 0;
let rawEnd: usize = 0;
let rawAt: usize = 0;
let base: u32 = 0;

/** Starts an input. */
export function indexStart(): void {
  layout = newLayout();
}

/**
 * Starts a chunk of whole lines: `size` bytes at `from` without control sequences, and as they stand in the input `rawSize`
 * at `rawFrom`, 0 where that is the same. `offset` is the place of the chunk in the input, `skip` what its first line lacks.
 */
export function indexChunk(
  from: usize,
  size: usize,
  rawFrom: usize,
  rawSize: usize,
  offset: u32,
  skip: usize,
): void {
  text = from;
  textEnd = from + size;
  textAt = from + skip;
  raw = rawFrom === 0 ? from : rawFrom;
  rawEnd = rawFrom === 0 ? textEnd : raw + rawSize;
  rawAt = raw;
  base = offset;
}

/** Writes start and glance of the next lines, `room` at most; returns how many. */
export function indexLines(starts: usize, glances: usize, room: u32): u32 {
  let count: u32 = 0;
  while (rawAt < rawEnd && count < room) {
    const end = lineEnd(min(textAt, textEnd), textEnd);
    store<u32>(starts + (count << 2), base + <u32>(rawAt - raw));
    store<u8>(glances + count, glance(min(textAt, textEnd), end));
    count += 1;
    textAt = end + 1;
    rawAt = raw === text ? textAt : lineEnd(rawAt, rawEnd) + 1;
  }
  return count;
}

// oxlint-disable-next-line complexity, max-lines-per-function -- a scanner: one branch a byte class
function glance(from: usize, to: usize): u32 {
  let end = to;
  while (end > from && (classAt(end - 1) === BLANK || load<u8>(end - 1) === 13)) end -= 1;
  if (end === from) return EMPTY;
  let at = from;
  while (classAt(at) === BLANK) at += 1;
  // No stamp begins with a blank.
  if (at === from && findStamp(layout, text, from, end) > from) return STAMPED;
  let bits: u32 = at > from ? INDENTED : 0;
  const first: u32 = load<u8>(at);
  if (first === 123 || first === 91) bits |= OPENS;
  if (first === 124 || load<u8>(end - 1) === 124 || boxAt(at) || (end >= from + 3 && boxAt(end - 3)))
    bits |= BARS;
  let gaps = 0;
  let ruled = 0;
  let words = 0;
  for (let p = at; p < end; p += 1) {
    const c: u32 = load<u8>(p);
    if (c === 32 || c === 9) {
      const next: u32 = load<u8>(p + 1);
      if (c === 9 || next === 32 || next === 9) {
        gaps += 1;
        while (p + 1 < end && classAt(p + 1) === BLANK) p += 1;
        if (gaps > 1 && words > 0) break;
      } else if (next === 124 && load<u8>(p + 2) === 32) bits |= BARS;
    } else if (words > 0) p = nextBlanks(p + 1, end) - 1;
    else if (isRule(c)) ruled += 1;
    else if (c === 0xe2 && load<u8>(p + 1) >= 0x94 && load<u8>(p + 1) <= 0x96) {
      ruled += 1;
      p += 2;
    } else words += 1;
  }
  if (words === 0 && ruled >= 3) return (bits & INDENTED) | RULE;
  if (gaps > 0) bits |= GAP;
  if (gaps > 1) bits |= GAPS;
  return bits;
}

/** The next tab, two blanks, or blank before a bar; `end` where there is none. */
function nextBlanks(from: usize, end: usize): usize {
  for (let p = from; p < end; p += 16) {
    const v = v128.load(p);
    const after = v128.load(p, 1);
    const isTab = i8x16.eq(v, sixteen(9));
    const isBlank = i8x16.eq(v, sixteen(32));
    const isNext = v128.or(
      v128.or(i8x16.eq(after, sixteen(32)), i8x16.eq(after, sixteen(9))),
      i8x16.eq(after, sixteen(124)),
    );
    const hits = i8x16.bitmask(v128.or(isTab, v128.and(isBlank, isNext)));
    if (hits !== 0) return min(p + ctz(hits), end);
  }
  return end;
}

function isRule(c: u32): bool {
  return c === 45 || c === 61 || c === 43 || c === 124 || c === 95 || c === 42 || c === 126 || c === 58;
}

/** A vertical box-drawing character of UTF-8 at `at`. */
function boxAt(at: usize): bool {
  if (load<u8>(at) !== 0xe2) return false;
  const second: u32 = load<u8>(at + 1);
  const third: u32 = load<u8>(at + 2);
  return (second === 0x94 && (third === 0x82 || third === 0x83)) || (second === 0x95 && third === 0x91);
}
