import { CLASS, DIGIT, LETTER } from './chars.ts';
import { unitAt } from './units.ts';

/** Marks that join digits to one thing: an address, a date, a clock time, a version, a ratio. */
const JOINS = new Uint8Array(256);
for (const c of '.:-/') JOINS[c.charCodeAt(0)] = 1;

/**
 * Are the digits `[from, to)` a part of something longer: joined to other digits by one of `.:-/`, or to a name by `_`?
 * With `from` equal to `to`, only what stands before counts.
 */
export function isJoined(b: Uint8Array, from: number, to: number, start: number, limit: number): boolean {
  const left = from > start ? b[from - 1]! : 32;
  if (left === 95) return true;
  if (JOINS[left] === 1 && from - 1 > start && CLASS[b[from - 2]!] === DIGIT) return true;
  if (to === from) return false;
  const right = to < limit ? b[to]! : 10;
  if (right === 95) return true;
  return JOINS[right] === 1 && to + 1 < limit && CLASS[b[to + 1]!] === DIGIT;
}

/** The number that the digits `[from, to)` are. */
export function wholeValue(b: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let p = from; p < to; p += 1) value = value * 10 + (b[p]! - 48);
  return value;
}

/** Where the decimals that start at `at` end, if the number ends there too; else 0 (`1.2.3`, `10.0.0.1`). */
export function decimalEnd(b: Uint8Array, at: number, limit: number): number {
  let p = at;
  while (p < limit && CLASS[b[p]!] === DIGIT) p += 1;
  if (p === at) return 0;
  if (p >= limit) return p;
  const c = b[p]!;
  if (c === 95 || (JOINS[c] === 1 && p + 1 < limit && CLASS[b[p + 1]!] === DIGIT)) return 0;
  return CLASS[c] === LETTER && unitAt(b, p, limit).end === p ? 0 : p;
}

/** The number with its point at `point` and decimals up to `to`. */
export function decimalValue(b: Uint8Array, from: number, point: number, to: number): number {
  let value = wholeValue(b, from, point);
  let scale = 0.1;
  for (let p = point + 1; p < to && p < point + 12; p += 1) {
    value += (b[p]! - 48) * scale;
    scale /= 10;
  }
  return value;
}
