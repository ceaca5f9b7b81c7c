/* oxlint-disable complexity -- scanners over bytes: a branch a byte class reads better than a table of functions */
import { BLANK, CLASS, DIGIT, LETTER } from './chars.ts';

/**
 * Finds the time stamp that starts a line: ISO and its relatives, syslog, Apache, klog, logfmt `ts=`, dmesg, epochs,
 * plain clock times. Lines of one log share a layout, so the layout found last is tried first.
 */
export class StampFinder {
  /** Per byte of the last stamp: 0 a digit, 1 a letter, else the byte itself. */
  private layout = new Uint8Array(0);

  /** Where the stamp of the line `[from, end)` ends; `from` where there is none. */
  find(b: Uint8Array, from: number, end: number): number {
    const layout = this.layout;
    const size = layout.length;
    if (size > 0 && from + size <= end && matches(b, from, layout)) {
      const next = from + size < end ? CLASS[b[from + size]!]! : BLANK;
      if (next !== DIGIT && next !== LETTER) return from + size;
    }
    const at = stampEnd(b, from, end);
    if (at > from) this.learn(b, from, at);
    return at;
  }

  private learn(b: Uint8Array, from: number, to: number): void {
    const layout = new Uint8Array(to - from);
    for (let i = from; i < to; i += 1) {
      const kind = CLASS[b[i]!]!;
      layout[i - from] = kind === DIGIT ? 0 : kind === LETTER ? 1 : b[i]!;
    }
    this.layout = layout;
  }
}

function matches(b: Uint8Array, from: number, layout: Uint8Array): boolean {
  for (let i = 0; i < layout.length; i += 1) {
    const want = layout[i]!;
    const c = b[from + i]!;
    if (want === 0 ? c < 48 || c > 57 : want === 1 ? CLASS[c] !== LETTER : c !== want) return false;
  }
  return true;
}

function stampEnd(b: Uint8Array, from: number, end: number): number {
  let at = skipOpening(b, from, end);
  const body = at;
  at = date(b, at, end);
  if (at > body) {
    const clockAt = skipJoint(b, at, end);
    const after = clock(b, clockAt, end);
    if (after > clockAt) return closing(b, zone(b, after, end), from, end);
    return at - body >= 8 ? closing(b, at, from, end) : from;
  }
  const after = clock(b, at, end);
  if (after > at) return closing(b, zone(b, after, end), from, end);
  const tick = epoch(b, at, end);
  return tick > at ? closing(b, tick, from, end) : from;
}

/** `[`, `(`, `"`, a syslog priority `<13>`, logfmt `ts=`, `time="`, a klog severity letter. */
function skipOpening(b: Uint8Array, from: number, end: number): number {
  let at = from;
  const c = b[at];
  if (c === 60) {
    let p = at + 1;
    while (p < end && CLASS[b[p]!] === DIGIT) p += 1;
    if (p > at + 1 && b[p] === 62) at = p + 1;
  } else if (c === 116 || c === 84 || c === 64) {
    const eq = b.subarray(at, Math.min(end, at + 11)).indexOf(61);
    if (
      eq > 0 &&
      /^(?:ts|time|timestamp|@timestamp|t)$/i.test(String.fromCharCode(...b.subarray(at, at + eq)))
    )
      at += eq + 1;
  } else if (
    (c === 73 || c === 87 || c === 69 || c === 70) &&
    digits(b, at + 1, end) === 4 &&
    b[at + 5] === 32
  ) {
    return at + 1;
  }
  while (at < end && (b[at] === 91 || b[at] === 34 || b[at] === 40)) at += 1;
  if (at > from && b[at - 1] === 91) while (at < end && b[at] === 32) at += 1;
  return at;
}

function closing(b: Uint8Array, at: number, from: number, end: number): number {
  const opened = b[from] === 91 ? 93 : b[from] === 40 ? 41 : 0;
  if (opened && b[at] === opened) return at + 1;
  return at < end && b[at] === 34 ? at + 1 : at;
}

function skipJoint(b: Uint8Array, at: number, end: number): number {
  const c = b[at];
  if (c === 84 || c === 95 || c === 58 || c === 45 || c === 116) return at + 1;
  let p = at;
  if (b[p] === 44) p += 1;
  while (p < end && b[p] === 32) p += 1;
  return p;
}

/** How many digits stand at `at`, at most 20. */
function digits(b: Uint8Array, at: number, end: number): number {
  let n = 0;
  while (n < 20 && at + n < end && b[at + n]! >= 48 && b[at + n]! <= 57) n += 1;
  return n;
}

/** `2024-05-01`, `24/05/01`, `05-01`, `20240501`, `0501` (klog), `May  1`, `Wed May  1`, `01/May/2024`. */
function date(b: Uint8Array, from: number, end: number): number {
  const n = digits(b, from, end);
  if (n === 0) return monthFirst(b, from, end);
  const joint = b[from + n];
  if (joint === 45 || joint === 47 || joint === 46) return numericDate(b, from, n, end);
  if ((n === 8 && validYear(b, from)) || n === 6 || n === 4) {
    return joint === 32 || joint === 45 || joint === 84 || joint === 95 ? from + n : from;
  }
  return from;
}

function numericDate(b: Uint8Array, from: number, n: number, end: number): number {
  const joint = b[from + n]!;
  if (n !== 4 && n !== 2 && n !== 1) return from;
  const second = from + n + 1;
  if (CLASS[b[second] ?? 0] === LETTER && joint === 47) {
    const third = second + 4;
    return isName(b, second, MONTHS) && b[second + 3] === 47 && digits(b, third, end) === 4
      ? third + 4
      : from;
  }
  const m = digits(b, second, end);
  if (m === 0 || m > 2) return from;
  if (b[second + m] !== joint) return joint !== 46 && n === 2 && b[second + m] === 32 ? second + m : from;
  const day = digits(b, second + m + 1, end);
  return day === 2 || day === 4 || day === 1 ? second + m + 1 + day : from;
}

function validYear(b: Uint8Array, at: number): boolean {
  return (b[at] === 49 && b[at + 1] === 57) || (b[at] === 50 && b[at + 1] === 48);
}

function monthFirst(b: Uint8Array, from: number, end: number): number {
  let at = from;
  if (isName(b, at, DAYS)) {
    at += 3;
    if (b[at] === 44) at += 1;
    if (b[at] !== 32) return from;
    at += 1;
  }
  if (!isName(b, at, MONTHS)) return from;
  at += 3;
  while (at < end && b[at] === 32) at += 1;
  const n = digits(b, at, end);
  if (n === 0 || n > 2) return from;
  at += n;
  if (b[at] === 44) at += 1;
  return b[at] === 32 && digits(b, at + 1, end) === 4 && b[at + 5] === 32 ? at + 5 : at;
}

/** `12:34`, `12:34:56`, `12:34:56.789`, `203518` after a six-digit date, and a year behind it (`12:34:56 2005`). */
function clock(b: Uint8Array, from: number, end: number): number {
  const n = digits(b, from, end);
  if (n === 6 && from >= 7 && digits(b, from - 7, end) === 6) return from + 6;
  if (n === 0 || n > 2) return from;
  const joint = b[from + n];
  if ((joint !== 58 && joint !== 46) || digits(b, from + n + 1, end) !== 2) return from;
  let at = from + n + 3;
  if (b[at] === joint && digits(b, at + 1, end) === 2) at += 3;
  else if (joint === 46 || CLASS[b[at] ?? 32] === LETTER) return from;
  const c = b[at];
  if (c === 46 || c === 44 || c === 58) {
    const fraction = digits(b, at + 1, end);
    if (fraction > 0) at += 1 + fraction;
  }
  return b[at] === 32 && digits(b, at + 1, end) === 4 && validYear(b, at + 1) && b[at + 5] !== 45
    ? at + 5
    : at;
}

/** `Z`, `+02:00`, ` -0700`, ` UTC`. */
function zone(b: Uint8Array, from: number, end: number): number {
  if (b[from] === 90) return from + 1;
  const at = b[from] === 32 ? from + 1 : from;
  if (b[at] === 43 || (b[at] === 45 && (at > from || b[at + 3] === 58 || digits(b, at + 1, end) === 4))) {
    const n = digits(b, at + 1, end);
    if (n === 4) return at + 5;
    if (n === 2 && b[at + 3] === 58 && digits(b, at + 4, end) === 2) return at + 6;
    return from;
  }
  return at > from && b[at] === 85 && b[at + 1] === 84 && b[at + 2] === 67 ? at + 3 : from;
}

/** Seconds since 1970 with 10 digits, milliseconds with 13; seconds since boot in brackets (`[   12.345678]`). */
function epoch(b: Uint8Array, from: number, end: number): number {
  const n = digits(b, from, end);
  let at = from + n;
  if (b[at] === 46) {
    const fraction = digits(b, at + 1, end);
    if (fraction === 0) return from;
    at += 1 + fraction;
    if (n < 10 && !(fraction === 6 && b[at] === 93)) return from;
  }
  if (n !== 10 && n !== 13 && !(n < 10 && at > from + n)) return from;
  const c = b[at];
  return at >= end || c === 32 || c === 93 || c === 34 || c === 58 || c === 44 ? at : from;
}

const MONTHS = names('JanFebMarAprMayJunJulAugSepOctNovDec');
const DAYS = names('MonTueWedThuFriSatSun');

function names(text: string): Set<number> {
  const keys = new Set<number>();
  for (let i = 0; i < text.length; i += 3) {
    keys.add((text.charCodeAt(i) << 16) | (text.charCodeAt(i + 1) << 8) | text.charCodeAt(i + 2));
  }
  return keys;
}

function isName(b: Uint8Array, at: number, set: Set<number>): boolean {
  return set.has((b[at]! << 16) | (b[at + 1]! << 8) | b[at + 2]!);
}
