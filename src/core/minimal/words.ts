/** How scalars are written: as in JSON, or without quotes where that can be told apart. */
import { latin1 } from '../chars.ts';

/** Where a string stands: in a row whose cells commas part, or blanks; inside of brackets; a key; in the head of a table. */
export const CELL = 1;
export const SPACED = 2;
export const INNER = 4;
export const KEY = 8;
export const HEAD = 16;

/** For each byte the places in which it ends a string without quotes, or can't be in one. */
export const STOPS = (() => {
  const table = new Uint8Array(256);
  table.fill(CELL | SPACED | INNER | KEY | HEAD, 0, 32);
  for (const c of '()[]{}') table[c.charCodeAt(0)] = INNER | KEY | HEAD;
  for (const c of ':=') table[c.charCodeAt(0)] = KEY | HEAD;
  table[44] = CELL | INNER | KEY | HEAD;
  table[32] = SPACED | HEAD;
  return table;
})();

/** Stands for a field that is not there in a row of blanks; `_` */
export const ABSENT = 95;

/** Can the bytes `[from, to)` between the quotes of a string stand without them? */
export function isBare(b: Uint8Array, from: number, to: number, place: number): boolean {
  if (!isBareKey(b, from, to, place)) return false;
  const isCell = place === CELL || place === SPACED;
  if (isCell && (STOPS[b[from]!]! & INNER) !== 0 && b[from] !== 44) return false;
  if (place === SPACED && to - from === 1 && b[from] === ABSENT) return false;
  return !isReserved(b, from, to);
}

/** The same of a key: no key is read as a number. */
export function isBareKey(b: Uint8Array, from: number, to: number, place: number): boolean {
  if (from === to) return false;
  const first = b[from]!;
  // " = blank
  if (first === 34 || first === 61 || first === 32 || b[to - 1] === 32) return false;
  for (let p = from; p < to; p += 1) if ((STOPS[b[p]!]! & place) !== 0) return false;
  return true;
}

/** Would it be read as something else than a string? */
function isReserved(b: Uint8Array, from: number, to: number): boolean {
  const first = b[from]!;
  if (first === 45 || (first >= 48 && first <= 57)) return isNumber(b, from, to) || isTableHead(b, from, to);
  return isWord(b, from, to);
}

/** `true`, `false`, `null`. */
export function isWord(b: Uint8Array, from: number, to: number): boolean {
  if (to - from !== 4 && to - from !== 5) return false;
  if (b[from] !== 116 && b[from] !== 102 && b[from] !== 110) return false;
  const text = latin1(b, from, to);
  return text === 'true' || text === 'false' || text === 'null';
}

/** A number as JSON writes them, from end to end. */
export function isNumber(b: Uint8Array, from: number, to: number): boolean {
  const first = b[from] === 45 ? from + 1 : from;
  let p = digits(b, first, to);
  if (p === first || (b[first] === 48 && p > first + 1)) return false;
  if (p < to && b[p] === 46) {
    const end = digits(b, p + 1, to);
    if (end === p + 1) return false;
    p = end;
  }
  return p === to || isExponent(b, p, to);
}

function isExponent(b: Uint8Array, at: number, to: number): boolean {
  if (b[at] !== 101 && b[at] !== 69) return false;
  const first = b[at + 1] === 43 || b[at + 1] === 45 ? at + 2 : at + 1;
  return first < to && digits(b, first, to) === to;
}

function digits(b: Uint8Array, at: number, to: number): number {
  let p = at;
  while (p < to && b[p]! >= 48 && b[p]! <= 57) p += 1;
  return p;
}

const ROWS = ' rows: ';

/** `150 rows: …`, the head of a table. */
export function isTableHead(b: Uint8Array, from: number, to: number): boolean {
  const end = digits(b, from, to);
  return end > from && end + ROWS.length <= to && latin1(b, end, end + ROWS.length) === ROWS;
}
