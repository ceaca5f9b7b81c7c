// Reads cells as numbers.
import { classAt, digitsEnd, isDigitAt, LETTER } from './chars';
import { decimals, scale, unitEnd, wholeValue } from './units';

/** What a cell is as a number. */
export const NONE: u32 = 0;
export const COUNT: u32 = 1;
/** A decimal, a size, a percentage, an amount of money. */
export const MEASURE: u32 = 2;
/** A duration: `2d21h`, `4m40s`, `183,19:35:02`, `0:38`. */
export const DURATION: u32 = 3;
/** `n/m`. */
export const RATIO: u32 = 4;

/** What the last call found; of a ratio: -1 where n < m, 0 where they are equal, 1 where n > m. */
export let cellValue: f64 = 0;
export let cellOrder: i32 = 0;

function byteAt(p: usize, to: usize): u32 {
  return p < to ? load<u8>(p) : 0;
}

/** The kind of the cell `[from, to)`. */
// oxlint-disable-next-line complexity -- a scanner: a branch a byte class
export function readCell(from: usize, to: usize): u32 {
  let at = from;
  let sign: f64 = 1;
  if (load<u8>(at) === 45 && at + 1 < to) {
    sign = -1;
    at += 1;
  } else if (load<u8>(at) === 43) at += 1;
  if (load<u8>(at) === 36) at += 1;
  if (at >= to || !isDigitAt(at)) return NONE;
  let isDecimal = false;
  let isGrouped = false;
  const first = at;
  at = digitsEnd(at, to);
  let value = wholeValue(first, at);
  if (load<u8>(at) === 44) {
    if (at - first <= 3 && isClockAfterDays(at + 1, to)) return clock(at + 1, to, value * 86400);
    while (load<u8>(at) === 44 && digits(at + 1, to) === 3) {
      value = value * 1000 + digit(at + 1) * 100 + digit(at + 2) * 10 + digit(at + 3);
      at += 4;
      isGrouped = true;
    }
  }
  if (load<u8>(at) === 58 && at < to) return clock(first, to, 0);
  if (load<u8>(at) === 46 && digits(at + 1, to) > 0) {
    const start = at + 1;
    at = digitsEnd(start, to);
    value += decimals(start, at);
    isDecimal = true;
    if (load<u8>(at) === 46 || load<u8>(at) === 58) return NONE;
  }
  if (load<u8>(at) === 47 && at < to) return isDecimal ? NONE : ratio(at + 1, to, value);
  return rest(at, to, sign * value, isDecimal || isGrouped || (first > from && load<u8>(first - 1) === 36));
}

/** Behind the digits: nothing, a unit, more durations, or a remark in parentheses (`5 (3h ago)`). */
function rest(from: usize, to: usize, value: f64, isMeasure: bool): u32 {
  cellValue = value;
  if (from >= to) return isMeasure ? MEASURE : COUNT;
  if (load<u8>(from) === 32) {
    if (load<u8>(from + 1) === 40) return isMeasure ? MEASURE : COUNT;
    const end = unitEnd(from + 1, to);
    if (end !== to || end === from + 1) return NONE;
    cellValue = value * scale;
    return MEASURE;
  }
  const end = unitEnd(from, to);
  if (end === to && end > from) {
    cellValue = value * scale;
    return durationScale(from, to) > 0 ? DURATION : MEASURE;
  }
  return duration(from, to, value);
}

/** `2d21h`, `4m40s`, `4min 14.371s`, `1y20d`: the digits before `from` are `value`. */
function duration(from: usize, to: usize, value: f64): u32 {
  let total: f64 = 0;
  let amount = value;
  let at = from;
  for (;;) {
    const seconds = durationScale(at, to);
    if (seconds === 0) return NONE;
    total += amount * seconds;
    while (at < to && classAt(at) === LETTER) at += 1;
    if (load<u8>(at) === 32) at += 1;
    if (at >= to) break;
    if (!isDigitAt(at)) return NONE;
    const first = at;
    at = digitsEnd(at, to);
    amount = wholeValue(first, at);
    if (load<u8>(at) !== 46) continue;
    const start = at + 1;
    at = digitsEnd(start, to);
    amount += decimals(start, at);
  }
  cellValue = total;
  return DURATION;
}

/** `19:35:02`, `33:32`, with `more` seconds of days before it. */
function clock(from: usize, to: usize, more: f64): u32 {
  let total: f64 = 0;
  let parts = 0;
  let at = from;
  while (at < to) {
    const n = digits(at, to);
    if (n === 0 || n > 4) return NONE;
    total = total * 60 + wholeValue(at, at + n);
    parts += 1;
    at += n;
    if (at < to && load<u8>(at) !== 58) return NONE;
    at += 1;
  }
  if (parts < 2 || parts > 3) return NONE;
  cellValue = total + more;
  return DURATION;
}

function ratio(from: usize, to: usize, value: f64): u32 {
  const n = digits(from, to);
  if (n === 0 || from + n !== to) return NONE;
  const whole = wholeValue(from, to);
  cellOrder = value < whole ? -1 : value > whole ? 1 : 0;
  cellValue = whole === 0 ? 0 : value / whole;
  return RATIO;
}

function digit(at: usize): f64 {
  return <f64>(<i32>load<u8>(at) - 48);
}

function digits(at: usize, to: usize): usize {
  let n: usize = 0;
  while (at + n < to && isDigitAt(at + n)) n += 1;
  return n;
}

function isClockAfterDays(at: usize, to: usize): bool {
  const n = digits(at, to);
  return n > 0 && n <= 2 && load<u8>(at + n) === 58;
}

/** Seconds of the unit whose letters start at `from`; 0 where they are no unit of time. */
function durationScale(from: usize, to: usize): f64 {
  let key: u32 = 0;
  let size = 0;
  for (let p = from; p < to && classAt(p) === LETTER; p += 1) {
    key = (key << 8) | byteAt(p, to);
    size += 1;
    if (size > 3) return 0;
  }
  switch (key) {
    case 0x6e73:
      return 1e-9; // ns
    case 0x7573:
      return 1e-6; // us
    case 0x6d73:
      return 1e-3; // ms
    case 0x73:
      return 1; // s
    case 0x736563:
      return 1; // sec
    case 0x6d:
      return 60; // m
    case 0x6d696e:
      return 60; // min
    case 0x68:
      return 3600; // h
    case 0x64:
      return 86400; // d
    case 0x77:
      return 604800; // w
    case 0x79:
      return 31536000; // y
    default:
      return 0;
  }
}
