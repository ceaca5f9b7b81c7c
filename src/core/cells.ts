/* oxlint-disable complexity -- scanners over bytes: a branch a byte class reads better than a table of functions */
import { CLASS, DIGIT, latin1, LETTER } from './chars.ts';
import { unitAt } from './units.ts';

/** What a cell is as a number. */
export const NONE = 0;
export const COUNT = 1;
/** A decimal, a size, a percentage, an amount of money. */
export const MEASURE = 2;
/** A duration: `2d21h`, `4m40s`, `183,19:35:02`, `0:38`. */
export const DURATION = 3;
/** `n/m`. */
export const RATIO = 4;

/** Reads cells as numbers. The fields hold what the last call found. */
export class CellReader {
  value = 0;
  /** Of a ratio: -1 where n < m, 0 where they are equal, 1 where n > m. */
  order = 0;

  /** The kind of the cell `[from, to)`; the number is in `value`. */
  read(b: Uint8Array, from: number, to: number): number {
    let at = from;
    let sign = 1;
    if (b[at] === 45 && at + 1 < to) {
      sign = -1;
      at += 1;
    } else if (b[at] === 43) at += 1;
    if (b[at] === 36) at += 1;
    if (at >= to || CLASS[b[at]!] !== DIGIT) return NONE;
    let value = 0;
    let decimals = false;
    let grouped = false;
    const first = at;
    while (at < to && CLASS[b[at]!] === DIGIT) value = value * 10 + (b[at++]! - 48);
    if (b[at] === 44) {
      if (at - first <= 3 && isClockAfterDays(b, at + 1, to))
        return this.clock(b, at + 1, to, value * 86_400);
      while (b[at] === 44 && digitsAt(b, at + 1, to) === 3) {
        value = value * 1000 + (b[at + 1]! - 48) * 100 + (b[at + 2]! - 48) * 10 + (b[at + 3]! - 48);
        at += 4;
        grouped = true;
      }
    }
    if (b[at] === 58 && at < to) return this.clock(b, first, to, 0);
    if (b[at] === 46 && digitsAt(b, at + 1, to) > 0) {
      let scale = 0.1;
      at += 1;
      while (at < to && CLASS[b[at]!] === DIGIT) {
        value += (b[at++]! - 48) * scale;
        scale /= 10;
      }
      decimals = true;
      if (b[at] === 46 || b[at] === 58) return NONE;
    }
    if (b[at] === 47 && at < to) return decimals ? NONE : this.ratio(b, at + 1, to, value);
    return this.rest(b, at, to, sign * value, decimals || grouped || b[first - 1] === 36);
  }

  /** Behind the digits: nothing, a unit, more durations, or a remark in parentheses (`5 (3h ago)`). */
  private rest(b: Uint8Array, from: number, to: number, value: number, measure: boolean): number {
    this.value = value;
    if (from >= to) return measure ? MEASURE : COUNT;
    const c = b[from]!;
    if (c === 32) {
      if (b[from + 1] === 40) return measure ? MEASURE : COUNT;
      const unit = unitAt(b, from + 1, to);
      if (unit.end !== to || unit.end === from + 1) return NONE;
      this.value = value * unit.scale;
      return MEASURE;
    }
    const { end, scale } = unitAt(b, from, to);
    if (end === to && end > from) {
      this.value = value * scale;
      return isDurationUnit(b, from, to) ? DURATION : MEASURE;
    }
    return this.duration(b, from, to, value);
  }

  /** `2d21h`, `4m40s`, `4min 14.371s`, `1y20d`: the digits before `from` are `value`. */
  private duration(b: Uint8Array, from: number, to: number, value: number): number {
    let total = 0;
    let amount = value;
    let at = from;
    for (;;) {
      const scale = durationScale(b, at, to);
      if (scale === 0) return NONE;
      total += amount * scale;
      while (at < to && CLASS[b[at]!] === LETTER) at += 1;
      if (b[at] === 32) at += 1;
      if (at >= to) break;
      if (CLASS[b[at]!] !== DIGIT) return NONE;
      amount = 0;
      while (at < to && CLASS[b[at]!] === DIGIT) amount = amount * 10 + (b[at++]! - 48);
      if (b[at] === 46) {
        let fraction = 0.1;
        at += 1;
        while (at < to && CLASS[b[at]!] === DIGIT) {
          amount += (b[at++]! - 48) * fraction;
          fraction /= 10;
        }
      }
    }
    this.value = total;
    return DURATION;
  }

  /** `19:35:02`, `33:32`, with `more` seconds of days before it. */
  private clock(b: Uint8Array, from: number, to: number, more: number): number {
    let total = 0;
    let parts = 0;
    for (let at = from; at < to;) {
      const n = digitsAt(b, at, to);
      if (n === 0 || n > 4) return NONE;
      let part = 0;
      for (let i = 0; i < n; i += 1) part = part * 10 + (b[at + i]! - 48);
      total = total * 60 + part;
      parts += 1;
      at += n;
      if (at < to && b[at] !== 58) return NONE;
      at += 1;
    }
    if (parts < 2 || parts > 3) return NONE;
    this.value = total + more;
    return DURATION;
  }

  private ratio(b: Uint8Array, from: number, to: number, value: number): number {
    const n = digitsAt(b, from, to);
    if (n === 0 || from + n !== to) return NONE;
    let whole = 0;
    for (let at = from; at < to; at += 1) whole = whole * 10 + (b[at]! - 48);
    this.order = Math.sign(value - whole);
    this.value = whole === 0 ? 0 : value / whole;
    return RATIO;
  }
}

function digitsAt(b: Uint8Array, at: number, to: number): number {
  let n = 0;
  while (at + n < to && CLASS[b[at + n]!] === DIGIT) n += 1;
  return n;
}

function isClockAfterDays(b: Uint8Array, at: number, to: number): boolean {
  const n = digitsAt(b, at, to);
  return n > 0 && n <= 2 && b[at + n] === 58;
}

function isDurationUnit(b: Uint8Array, from: number, to: number): boolean {
  return durationScale(b, from, to) > 0;
}

/** Seconds of the unit whose letters start at `from`; 0 where they are no unit of time. */
function durationScale(b: Uint8Array, from: number, to: number): number {
  let end = from;
  while (end < to && CLASS[b[end]!] === LETTER) end += 1;
  return end - from <= 3 ? (SECONDS.get(latin1(b, from, end)) ?? 0) : 0;
}

const SECONDS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-9],
  ['us', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['sec', 1],
  ['m', 60],
  ['min', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
  ['y', 31_536_000],
]);
