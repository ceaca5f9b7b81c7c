// Units of measure behind numbers, and the values of numbers.
import { classAt, DIGIT, isDigitAt, LETTER } from './chars';

/** The factor to seconds or bytes of the unit that `unitEnd` found last. */
export let scale: f64 = 1;

/** Where the unit at `at`, directly behind a number, ends; `at` where there is none. */
export function unitEnd(at: usize, limit: usize): usize {
  scale = 1;
  if (at >= limit) return at;
  if (load<u8>(at) === 37) return at + 1;
  let end = at;
  while (end < limit && end - at < 5 && classAt(end) === LETTER) end += 1;
  if (end === at || end - at === 5) return at;
  if (end < limit && (isDigitAt(end) || load<u8>(end) === 95)) return at;
  const factor = scaleOf(at, end);
  if (factor === 0) return at;
  scale = factor;
  return end;
}

/** By the letters, the first in the highest byte; 0 where they are no unit. */
// oxlint-disable-next-line max-lines-per-function -- a table
function scaleOf(at: usize, end: usize): f64 {
  let key: u32 = 0;
  for (let p = at; p < end; p += 1) key = (key << 8) | load<u8>(p);
  switch (key) {
    case 0x6d73:
      return 1e-3; // ms
    case 0x73:
      return 1; // s
    case 0x6e73:
      return 1e-9; // ns
    case 0x7573:
      return 1e-6; // us
    case 0xc2b573:
      return 1e-6; // µs
    case 0xcebc73:
      return 1e-6; // μs
    case 0x736563:
      return 1; // sec
    case 0x73656373:
      return 1; // secs
    case 0x6d:
      return 60; // m
    case 0x6d696e:
      return 60; // min
    case 0x68:
      return 3600; // h
    case 0x64:
      return 86400; // d
    case 0x42:
      return 1; // B
    case 0x62:
      return 1; // b
    case 0x4b:
      return 1024; // K
    case 0x6b:
      return 1024; // k
    case 0x6b42:
      return 1000; // kB
    case 0x4b42:
      return 1024; // KB
    case 0x4b69:
      return 1024; // Ki
    case 0x4b6942:
      return 1024; // KiB
    case 0x4d:
      return 1048576; // M
    case 0x4d42:
      return 1048576; // MB
    case 0x4d69:
      return 1048576; // Mi
    case 0x4d6942:
      return 1048576; // MiB
    case 0x47:
      return 1073741824; // G
    case 0x4742:
      return 1073741824; // GB
    case 0x4769:
      return 1073741824; // Gi
    case 0x476942:
      return 1073741824; // GiB
    case 0x54:
      return 1099511627776; // T
    case 0x5442:
      return 1099511627776; // TB
    case 0x5469:
      return 1099511627776; // Ti
    case 0x546942:
      return 1099511627776; // TiB
    default:
      return 0;
  }
}

const WORDS =
  'ns us ms s sec secs second seconds millisecond milliseconds min mins minute minutes hour hours day days ' +
  'B byte bytes kB KB KiB MB MiB GB GiB TB TiB percent ';
const SLOTS: u32 = 128;
const TABLE: usize = memory.data(SLOTS * 4, 4);

/** Fills the table of unit words with their hashes. */
export function initUnits(): void {
  let hash: u32 = 0;
  for (let i = 0; i < WORDS.length; i += 1) {
    const c: u32 = WORDS.charCodeAt(i);
    if (c !== 32) hash = hash * 31 + c;
    else {
      let slot = hash & (SLOTS - 1);
      while (load<u32>(TABLE + (slot << 2)) !== 0) slot = (slot + 1) & (SLOTS - 1);
      store<u32>(TABLE + (slot << 2), hash);
      hash = 0;
    }
  }
}

/** Does a word that names a unit follow behind the blank at `at`: `2882 bytes`, `8.12 seconds`? */
export function unitWordAt(at: usize, limit: usize): bool {
  let hash: u32 = 0;
  let end = at + 1;
  while (end < limit && end - at < 14 && classAt(end) === LETTER) {
    hash = hash * 31 + load<u8>(end);
    end += 1;
  }
  if (end === at + 1) return false;
  let slot = hash & (SLOTS - 1);
  while (load<u32>(TABLE + (slot << 2)) !== 0) {
    if (load<u32>(TABLE + (slot << 2)) === hash) return true;
    slot = (slot + 1) & (SLOTS - 1);
  }
  return false;
}

/** Marks that join digits to one thing: an address, a date, a clock time, a version, a ratio: `.:-/`. */
function joins(c: u32): bool {
  return c === 46 || c === 58 || c === 45 || c === 47;
}

/**
 * Are the digits `[from, to)` a part of something longer: joined to other digits, or to a name by `_`? With `from` equal to
 * `to`, only what stands before counts.
 */
export function isJoined(from: usize, to: usize, start: usize, limit: usize): bool {
  const left: u32 = from > start ? load<u8>(from - 1) : 32;
  if (left === 95) return true;
  if (joins(left) && from - 1 > start && isDigitAt(from - 2)) return true;
  if (to === from) return false;
  const right: u32 = to < limit ? load<u8>(to) : 10;
  if (right === 95) return true;
  return joins(right) && to + 1 < limit && isDigitAt(to + 1);
}

/** The number that the digits `[from, to)` are. */
export function wholeValue(from: usize, to: usize): f64 {
  if (to - from <= 15) return <f64>digitsValue(from, to);
  let value: f64 = 0;
  for (let p = from; p < to; p += 1) value = value * 10 + <f64>(<i32>load<u8>(p) - 48);
  return value;
}

/** The same of 15 digits at most. */
function digitsValue(from: usize, to: usize): i64 {
  let value: i64 = 0;
  let p = from;
  for (; p + 8 <= to; p += 8) value = value * 100000000 + eightDigits(load<u64>(p));
  for (; p < to; p += 1) value = value * 10 + <i64>(<i32>load<u8>(p) - 48);
  return value;
}

/** Neighbouring digits are joined to twos, those to fours, and so on. */
function eightDigits(text: u64): i64 {
  const ones = text & 0x0f0f0f0f0f0f0f0f;
  const twos = (ones * 10 + (ones >> 8)) & 0x00ff00ff00ff00ff;
  const fours = (twos * 100 + (twos >> 16)) & 0x0000ffff0000ffff;
  return <i64>((fours * 10000 + (fours >> 32)) & 0xffffffff);
}

/** Where the decimals that start at `at` end, if the number ends there too; else 0 (`1.2.3`, `10.0.0.1`). */
export function decimalEnd(at: usize, limit: usize): usize {
  let p = at;
  while (p < limit && isDigitAt(p)) p += 1;
  if (p === at) return 0;
  if (p >= limit) return p;
  const c: u32 = load<u8>(p);
  if (c === 95 || (joins(c) && p + 1 < limit && isDigitAt(p + 1))) return 0;
  return classAt(p) === LETTER && unitEnd(p, limit) === p ? 0 : p;
}

/** The number with its point at `point` and decimals up to `to`. */
export function decimalValue(from: usize, point: usize, to: usize): f64 {
  return wholeValue(from, point) + decimals(point + 1, to);
}

/** What the digits `[from, to)` behind a point are; 15 of them count. */
export function decimals(from: usize, to: usize): f64 {
  const end = min(to, from + 15);
  let scale: f64 = 1;
  for (let p = from; p < end; p += 1) scale *= 10;
  return <f64>digitsValue(from, end) / scale;
}

/** What the ratio that `ratioEnd` found last comes to. */
export let ratio: f64 = 0;

/** Where `n/m` ends whose digits before the mark are `[from, mark)`; 0 where they are a path, a date or anything longer. */
export function ratioEnd(from: usize, mark: usize, start: usize, limit: usize): usize {
  const left: u32 = from > start ? load<u8>(from - 1) : 32;
  if (left === 46 || left === 47 || left === 45 || isJoined(from, from, start, limit)) return 0;
  let end = mark + 1;
  while (end < limit && isDigitAt(end)) end += 1;
  if (end - mark > 9) return 0;
  const right: u32 = end < limit ? load<u8>(end) : 10;
  if (right === 47 || right === 95 || classAt(end) === LETTER) return 0;
  if (joins(right) && end + 1 < limit && isDigitAt(end + 1)) return 0;
  const whole = wholeValue(mark + 1, end);
  if (whole === 0) return 0;
  ratio = wholeValue(from, mark) / whole;
  return end;
}
