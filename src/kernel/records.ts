// Cuts the records of delimited text (CSV and its like) into cells.
import { sixteen, BLANK, classAt } from './chars';
import { cells, width, CELL_BYTES } from './rows';

/** Of the record that was cut last: how many cells it has, how many are filled, and whether a blank follows a delimiter. */
export let recordCells: u32 = 0;
export let recordFilled: u32 = 0;
export let recordSpaced: bool = false;

let base: usize = 0;
let delimiter: u32 = 44;
let isQuoted = true;

/** Starts a text that lies at `from`; with `quoted` a quote at the start of a cell goes to the next one, two stand for one. */
export function recordsStart(from: usize, mark: u32, quoted: bool): void {
  base = from;
  delimiter = mark;
  isQuoted = quoted;
}

/** May more come behind the limit? Where it may not, or has been looked for in vain, a quote that nothing closes is a letter. */
const MAY_CLOSE: u32 = 0;
const ENDS: u32 = 2;

/**
 * Cuts the record at `from`; the first cells go to those of the row. Returns where it ends, with its line feed; 0 where it
 * does not end before `limit`. `rest` says what is behind that: 0 anything, 1 nothing that closes a quote, 2 nothing.
 */
export function cutRecord(from: usize, limit: usize, rest: u32): usize {
  let at = from;
  recordCells = 0;
  recordFilled = 0;
  recordSpaced = false;
  while (at <= limit) {
    let end: usize = 0;
    const quoted = isQuoted && at < limit && load<u8>(at) === 34;
    if (quoted) {
      end = closingQuote(at + 1, limit);
      if (end === limit && rest === MAY_CLOSE) return 0;
      end = end < limit && isCellEnd(end + 1, limit) ? end + 1 : 0;
    }
    const isOpen = end === 0;
    if (isOpen) end = plainEnd(at, limit);
    if (end === limit && rest !== ENDS) return 0;
    if (isOpen) setCell(at, end);
    else setCell(at + 1, end - 1);
    recordCells += 1;
    if (end < limit && load<u8>(end) === 13) end += 1;
    if (end >= limit) return limit;
    at = end + 1;
    if (load<u8>(end) === 10) return at;
    if (at < limit && load<u8>(at) === 32) recordSpaced = true;
  }
  return limit;
}

/** Notes the cell `[from, to)`, without blanks around it. */
function setCell(from: usize, to: usize): void {
  let start = from;
  let end = to;
  while (start < end && load<u8>(start) === 32) start += 1;
  while (end > start && (classAt(end - 1) === BLANK || load<u8>(end - 1) === 13)) end -= 1;
  const isFilled = start < end;
  if (isFilled) recordFilled += 1;
  if (recordCells >= width) return;
  const cell = cells + recordCells * CELL_BYTES;
  store<i32>(cell, isFilled ? <i32>(start - base) : -1);
  store<i32>(cell, isFilled ? <i32>(end - base) : -1, 4);
}

/** The quote that closes a cell; `limit` where none does. */
function closingQuote(from: usize, limit: usize): usize {
  const quote = sixteen(34);
  let at = from;
  for (let p = from; p < limit; p += 16) {
    let hits = i8x16.bitmask(i8x16.eq(v128.load(p), quote));
    while (hits !== 0) {
      const hit = p + ctz(hits);
      hits &= hits - 1;
      if (hit >= limit) return limit;
      if (hit < at) continue;
      if (hit + 1 >= limit || load<u8>(hit + 1) !== 34) return hit;
      at = hit + 2;
    }
  }
  return limit;
}

function isCellEnd(at: usize, limit: usize): bool {
  if (at >= limit) return true;
  const c: u32 = load<u8>(at);
  if (c === 13) return at + 1 >= limit || load<u8>(at + 1) === 10;
  return c === delimiter || c === 10;
}

/** Where a cell without quotes ends: the next delimiter or line feed. */
function plainEnd(from: usize, limit: usize): usize {
  const mark = i8x16.splat(<i8>delimiter);
  const feed = sixteen(10);
  for (let p = from; p < limit; p += 16) {
    const v = v128.load(p);
    const hits = i8x16.bitmask(v128.or(i8x16.eq(v, mark), i8x16.eq(v, feed)));
    if (hits !== 0) return min(p + ctz(hits), limit);
  }
  return limit;
}
