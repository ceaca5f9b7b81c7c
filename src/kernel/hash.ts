// Hashes that tell which texts are equal.
import { sixteen } from './chars';
import { hexIdEnd, hexIdStart, idEnd } from './ids';

const FACTOR: u64 = 0x9e3779b97f4a7c15;
const LAST: u64 = 0xd6e8feb86659fd93;

/** Of the bytes `[from, to)`; reads up to 7 bytes behind them. */
export function hash64(from: usize, to: usize): u64 {
  let hash: u64 = (<u64>(to - from) + 1) * LAST;
  let at = from;
  for (; at + 8 <= to; at += 8) hash = mixed(hash ^ load<u64>(at));
  if (at < to) hash = mixed(hash ^ (load<u64>(at) & (((<u64>1) << ((<u64>(to - at)) << 3)) - 1)));
  return hash;
}

function mixed(h: u64): u64 {
  const x = h * FACTOR;
  return x ^ (x >> 32);
}

/** Had the text that was masked last a letter beyond ASCII? */
export let isForeign: bool = false;

/** Of 32 bytes a bit for each digit, for each letter or digit, and for each that is beyond ASCII. */
let digits: u32 = 0;
let words: u32 = 0;
let beyond: u32 = 0;

function classify(p: usize): void {
  const low = v128.load(p);
  const high = v128.load(p, 16);
  beyond = i8x16.bitmask(low) | (i8x16.bitmask(high) << 16);
  digits = digitsOf(low) | (digitsOf(high) << 16);
  words = digits | beyond | lettersOf(low) | (lettersOf(high) << 16);
}

function digitsOf(v: v128): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(v, sixteen(48)), sixteen(9)));
}

function lettersOf(v: v128): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.or(v, sixteen(32)), sixteen(97)), sixteen(25)));
}

/**
 * The same with digits masked, and with them short letter runs beside them: ids of one kind hash alike, those in groups of hex
 * digits with all of their groups. Reads up to 31 bytes behind them.
 */
export function hashMasked64(from: usize, to: usize): u64 {
  let hash: u64 = LAST;
  /** What comes next into the hash; where the run starts that goes on, and whether it is masked. */
  let rest = from;
  let run = from;
  let isMasked = false;
  let foreign: u32 = 0;
  for (let p = from; p < to; p += 32) {
    classify(p);
    const size = <u32>min<usize>(to - p, 32);
    const all: u32 = size < 32 ? (1 << size) - 1 : 0xffffffff;
    const breaks = ~(words & all);
    foreign |= beyond & all;
    let found = digits & all;
    if (isMasked) {
      if (breaks === 0) continue;
      rest = idOrRun(run, p + ctz(breaks), to);
      isMasked = false;
    }
    // An id may end behind this block.
    while (rest < p + 32) {
      if (rest > p) found &= 0xffffffff << (rest - p);
      if (found === 0) break;
      const digit = ctz(found);
      const before = breaks & ((1 << digit) - 1);
      const start = before === 0 ? run : p + 32 - clz(before);
      const id = hexIdStart(rest, start, to);
      hash = mixed(hash ^ hash64(rest, min(id, start)));
      if (id < start) {
        rest = idEnd;
        continue;
      }
      const behind = breaks & (0xffffffff << digit);
      if (behind === 0) {
        isMasked = true;
        run = start;
        break;
      }
      rest = idOrRun(start, p + ctz(behind), to);
    }
    if (breaks !== 0 && !isMasked) run = p + 32 - clz(breaks);
  }
  isForeign = foreign !== 0;
  return mixed(hash ^ hash64(isMasked ? to : rest, to));
}

/** Where the masked run `[from, end)` ends, or the id that it begins. */
function idOrRun(from: usize, end: usize, to: usize): usize {
  const id = hexIdEnd(from, end, to);
  return id === 0 ? end : id;
}

/** The same as numbers that JavaScript holds exactly. */
export function hashBytes(from: usize, to: usize): f64 {
  return <f64>(hash64(from, to) >> 11);
}

export function hashMasked(from: usize, to: usize): f64 {
  return <f64>(hashMasked64(from, to) >> 11);
}
