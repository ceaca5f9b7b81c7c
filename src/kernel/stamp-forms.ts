// The forms of time stamps. `b` is the first byte of the text: nothing before it is read.
import { classOf, DIGIT, isDigitAt, isHex, LETTER } from './chars';

/** Where the stamp that starts at `from` ends; `from` where none does. */
export function stampEnd(b: usize, from: usize, end: usize): usize {
  let at = skipOpening(from, end);
  const body = at;
  at = date(at, end);
  if (at > body) {
    const clockAt = skipJoint(at, end);
    const after = clock(b, clockAt, end);
    if (after > clockAt) return closing(zone(after, end), from, end);
    return at - body >= 8 ? closing(at, from, end) : from;
  }
  const after = clock(b, at, end);
  if (after > at) return closing(zone(after, end), from, end);
  const tick = epoch(at, end);
  return tick > at ? closing(tick, from, end) : from;
}

/** `[`, `(`, `"`, a syslog priority `<13>`, logfmt `ts=`, `time="`, a klog severity letter. */
function skipOpening(from: usize, end: usize): usize {
  let at = from;
  const c = byteAt(at);
  if (c === 60) {
    let p = at + 1;
    while (p < end && isDigitAt(p)) p += 1;
    if (p > at + 1 && byteAt(p) === 62) at = p + 1;
  } else if (c === 116 || c === 84 || c === 64) {
    const eq = equalsAt(at, min(end, at + 11));
    if (eq > at && isTimeKey(at, eq - at)) at = eq + 1;
  } else if (
    (c === 73 || c === 87 || c === 69 || c === 70) &&
    digits(at + 1, end) === 4 &&
    byteAt(at + 5) === 32
  ) {
    return at + 1;
  }
  while (at < end && (byteAt(at) === 91 || byteAt(at) === 34 || byteAt(at) === 40)) at += 1;
  if (at > from && byteAt(at - 1) === 91) while (at < end && byteAt(at) === 32) at += 1;
  return at;
}

function byteAt(p: usize): u32 {
  return load<u8>(p);
}

/** The first `=`; `from` where there is none. */
function equalsAt(from: usize, end: usize): usize {
  for (let p = from; p < end; p += 1) if (byteAt(p) === 61) return p;
  return from;
}

/** `ts`, `time`, `timestamp`, `@timestamp`, `t`, in any case. */
function isTimeKey(at: usize, size: usize): bool {
  if (byteAt(at) === 64) return size === 10 && isWord(at + 1, 'timestamp');
  if (size === 1) return isWord(at, 't');
  if (size === 2) return isWord(at, 'ts');
  if (size === 4) return isWord(at, 'time');
  return size === 9 && isWord(at, 'timestamp');
}

function isWord(at: usize, word: string): bool {
  for (let i = 0; i < word.length; i += 1) {
    const c = byteAt(at + i);
    if ((c | 32) !== <u32>word.charCodeAt(i) || c < 65) return false;
  }
  return true;
}

function closing(at: usize, from: usize, end: usize): usize {
  const opened: u32 = byteAt(from) === 91 ? 93 : byteAt(from) === 40 ? 41 : 0;
  if (opened && byteAt(at) === opened) return at + 1;
  return at < end && byteAt(at) === 34 ? at + 1 : at;
}

function skipJoint(at: usize, end: usize): usize {
  const c = byteAt(at);
  if (c === 84 || c === 95 || c === 58 || c === 45 || c === 116) return at + 1;
  let p = at;
  if (byteAt(p) === 44) p += 1;
  while (p < end && byteAt(p) === 32) p += 1;
  return p;
}

/** How many digits stand at `at`, at most 20. */
function digits(at: usize, end: usize): usize {
  let n: usize = 0;
  while (n < 20 && at + n < end && isDigitAt(at + n)) n += 1;
  return n;
}

/** `2024-05-01`, `24/05/01`, `05-01`, `20240501`, `0501` (klog), `May  1`, `Wed May  1`, `01/May/2024`. */
function date(from: usize, end: usize): usize {
  const n = digits(from, end);
  if (n === 0) return monthFirst(from, end);
  const joint = byteAt(from + n);
  if (joint === 45 || joint === 47 || joint === 46) return numericDate(from, n, end);
  if ((n === 8 && validYear(from)) || n === 6 || n === 4) {
    return joint === 32 || joint === 45 || joint === 84 || joint === 95 ? from + n : from;
  }
  return from;
}

function numericDate(from: usize, n: usize, end: usize): usize {
  const joint = byteAt(from + n);
  if (n !== 4 && n !== 2 && n !== 1) return from;
  const second = from + n + 1;
  if (classOf(byteAt(second)) === LETTER && joint === 47) {
    const third = second + 4;
    return isMonth(second) && byteAt(second + 3) === 47 && digits(third, end) === 4 ? third + 4 : from;
  }
  const m = digits(second, end);
  if (m === 0 || m > 2) return from;
  if (byteAt(second + m) !== joint)
    return joint !== 46 && n === 2 && byteAt(second + m) === 32 ? second + m : from;
  const third = second + m + 1;
  const day = digits(third, end);
  if (day !== 2 && day !== 4 && day !== 1) return from;
  // `12.11.31.77` is an address.
  if (byteAt(third + day) === joint && isDigitAt(third + day + 1)) return from;
  const one = small(from, n);
  const two = small(second, m);
  const isDate = n === 4 ? two <= 12 && small(third, day) <= 31 : min(one, two) <= 12 && max(one, two) <= 31;
  return isDate ? third + day : from;
}

/** The number of up to two digits; of more, that of the first two. */
function small(at: usize, size: usize): u32 {
  const first = byteAt(at) - 48;
  return size > 1 ? first * 10 + byteAt(at + 1) - 48 : first;
}

function validYear(at: usize): bool {
  return (byteAt(at) === 49 && byteAt(at + 1) === 57) || (byteAt(at) === 50 && byteAt(at + 1) === 48);
}

function monthFirst(from: usize, end: usize): usize {
  let at = from;
  if (isDay(at)) {
    at += 3;
    if (byteAt(at) === 44) at += 1;
    if (byteAt(at) !== 32) return from;
    at += 1;
  }
  if (!isMonth(at)) return from;
  at += 3;
  while (at < end && byteAt(at) === 32) at += 1;
  const n = digits(at, end);
  if (n === 0 || n > 2) return from;
  at += n;
  if (byteAt(at) === 44) at += 1;
  return byteAt(at) === 32 && digits(at + 1, end) === 4 && byteAt(at + 5) === 32 ? at + 5 : at;
}

/** `12:34`, `12:34:56`, `12:34:56.789`, `203518` after a six-digit date, and a year behind it (`12:34:56 2005`). */
function clock(b: usize, from: usize, end: usize): usize {
  const n = digits(from, end);
  if (n === 6 && from >= b + 7 && digits(from - 7, end) === 6) return from + 6;
  if (n === 0 || n > 2) return from;
  const joint = byteAt(from + n);
  if ((joint !== 58 && joint !== 46) || digits(from + n + 1, end) !== 2) return from;
  if (small(from, n) > 24 || small(from + n + 1, 2) > 59) return from;
  let at = from + n + 3;
  if (byteAt(at) === joint && digits(at + 1, end) === 2) at += 3;
  else if (joint === 46 || classOf(byteAt(at)) === LETTER) return from;
  const c = byteAt(at);
  // With points it has two digits each; four groups are an address.
  if (joint === 46 && (n === 1 || (c === 46 && isDigitAt(at + 1)))) return from;
  // `11:22:33:aa:bb:cc` is one, too.
  if (isPair(at) && isPair(at + 3)) return from;
  if (c === 46 || c === 44 || c === 58) {
    const fraction = digits(at + 1, end);
    if (fraction > 0) at += 1 + fraction;
  }
  return byteAt(at) === 32 && digits(at + 1, end) === 4 && validYear(at + 1) && byteAt(at + 5) !== 45
    ? at + 5
    : at;
}

/** Does a colon stand at `at`, and two hex digits behind it? */
function isPair(at: usize): bool {
  return (
    byteAt(at) === 58 &&
    isHex(byteAt(at + 1)) &&
    isHex(byteAt(at + 2)) &&
    classOf(byteAt(at + 3)) - LETTER > 1
  );
}

/** `Z`, `+02:00`, ` -0700`, ` UTC`. */
function zone(from: usize, end: usize): usize {
  if (byteAt(from) === 90) return from + 1;
  const at = byteAt(from) === 32 ? from + 1 : from;
  const c = byteAt(at);
  if (c === 43 || (c === 45 && (at > from || byteAt(at + 3) === 58 || digits(at + 1, end) === 4))) {
    const n = digits(at + 1, end);
    if (n === 4) return at + 5;
    if (n === 2 && byteAt(at + 3) === 58 && digits(at + 4, end) === 2) return at + 6;
    return from;
  }
  return at > from && c === 85 && byteAt(at + 1) === 84 && byteAt(at + 2) === 67 ? at + 3 : from;
}

/** Seconds since 1970 with 10 digits, milliseconds with 13; seconds since boot in brackets (`[   12.345678]`). */
function epoch(from: usize, end: usize): usize {
  const n = digits(from, end);
  let at = from + n;
  if (byteAt(at) === 46) {
    const fraction = digits(at + 1, end);
    if (fraction === 0) return from;
    at += 1 + fraction;
    if (n < 10 && !(fraction === 6 && byteAt(at) === 93)) return from;
  }
  if (n !== 10 && n !== 13 && !(n < 10 && at > from + n)) return from;
  const c = byteAt(at);
  return at >= end || c === 32 || c === 93 || c === 34 || c === 58 || c === 44 ? at : from;
}

const MONTHS = memory.data<u32>([
  0x4a616e, 0x466562, 0x4d6172, 0x417072, 0x4d6179, 0x4a756e, 0x4a756c, 0x417567, 0x536570, 0x4f6374,
  0x4e6f76, 0x446563,
]);
const DAYS = memory.data<u32>([0x4d6f6e, 0x547565, 0x576564, 0x546875, 0x467269, 0x536174, 0x53756e]);

function isMonth(at: usize): bool {
  return isName(at, MONTHS, 12);
}

function isDay(at: usize): bool {
  return isName(at, DAYS, 7);
}

function isName(at: usize, names: usize, count: usize): bool {
  const c = byteAt(at);
  if (c < 65 || c > 90) return false;
  const key = (c << 16) | (byteAt(at + 1) << 8) | byteAt(at + 2);
  for (let i: usize = 0; i < count; i += 1) if (load<u32>(names + (i << 2)) === key) return true;
  return false;
}
