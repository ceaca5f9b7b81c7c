// Cuts the lines of a table into cells and says what each cell is.
import { sixteen } from './chars';
import { alloc, enlarged, reserve } from './memory';
import { readCell } from './cells';
import { characterWidth } from './width';

/** Widest line that is looked at for columns. */
const WIDEST: u32 = 2000;

/** The words of a line: first and last byte, first and last display column, `[start, end)`; 16 bytes each. */
let words: usize = 0;
let wordRoom: u32 = 0;
let wordCount: u32 = 0;
/** Columns of the layout: start and end each. */
let columns: usize = 0;
export let width: u32 = 0;
let byWords = false;
/** The cells: start, end and kind. Read by src/core/rows.ts. */
export let cells: usize = 0;
export const CELL_BYTES: u32 = 12;
/** In how many rows a column has ink; how many rows end in it. */
let ink: usize = 0;
let reach: usize = 0;

@unmanaged
class Cell {
  start: i32;
  end: i32;
  kind: u32;
}

/** Starts a table of `count` columns; with `isByWords` the n-th word is the n-th cell. Returns where the columns go. */
export function rowsStart(count: u32, isByWords: bool): usize {
  width = count;
  byWords = isByWords;
  columns = alloc(count << 3);
  cells = alloc(count * CELL_BYTES);
  wordRoom = 64;
  words = reserve(wordRoom << 4);
  return columns;
}

/** Cuts a line into cells; returns how many are filled. Offsets are from `base`. */
export function cutRow(base: usize, from: usize, to: usize): u32 {
  readWords(from, to);
  return byWords ? cellsByWords(base) : cellsByColumns(base);
}

/** Says what the cells are that were cut, here or elsewhere. */
export function readCells(base: usize): void {
  for (let c: u32 = 0; c < width; c += 1) {
    const cell = changetype<Cell>(cells + c * CELL_BYTES);
    cell.kind = cell.start < 0 ? 0 : readCell(base + cell.start, base + cell.end);
  }
}

/** The n-th word is the n-th cell, the last takes the rest. */
function cellsByWords(base: usize): u32 {
  for (let c: u32 = 0; c < width; c += 1) {
    const cell = changetype<Cell>(cells + c * CELL_BYTES);
    cell.start = -1;
    cell.end = -1;
    if (c >= wordCount) continue;
    cell.start = <i32>(load<usize>(words + (c << 4)) - base);
    cell.end = <i32>(load<usize>(words + ((c === width - 1 ? wordCount - 1 : c) << 4), 4) - base);
  }
  return min(wordCount, width);
}

/** Words go to the column that they overlap most, else to the one on their left. */
function cellsByColumns(base: usize): u32 {
  for (let c: u32 = 0; c < width; c += 1) store<i64>(cells + c * CELL_BYTES, -1);
  let filled: u32 = 0;
  let column: u32 = 0;
  for (let w: u32 = 0; w < wordCount; w += 1) {
    const word = words + (w << 4);
    const from = load<i32>(word, 8);
    const to = load<i32>(word, 12);
    while (column + 1 < width && startOf(column + 1) <= from) column += 1;
    let best = column;
    let overlap = min(to, endOf(column)) - max(from, startOf(column));
    for (let c = column + 1; c < width && startOf(c) < to; c += 1) {
      const size = min(to, endOf(c)) - max(from, startOf(c));
      if (size > overlap) {
        overlap = size;
        best = c;
      }
    }
    column = best;
    const cell = changetype<Cell>(cells + best * CELL_BYTES);
    if (cell.start === -1) {
      cell.start = <i32>(load<usize>(word) - base);
      filled += 1;
    }
    cell.end = <i32>(load<usize>(word, 4) - base);
  }
  return filled;
}

function startOf(column: u32): i32 {
  return load<i32>(columns + (column << 3));
}

function endOf(column: u32): i32 {
  return load<i32>(columns + (column << 3), 4);
}

/** Reads the words of the line `[from, to)`; a tab goes to the next multiple of 8. */
function readWords(from: usize, to: usize): void {
  wordCount = 0;
  let column: u32 = 0;
  let at = from;
  while (at < to) {
    const c: u32 = load<u8>(at);
    if (c === 32) {
      const next = blanksEnd(at, to);
      column += <u32>(next - at);
      at = next;
    } else if (c === 9) {
      column = (column | 7) + 1;
      at += 1;
    } else if (c === 13) {
      at += 1;
    } else {
      const start = at;
      const first = column;
      for (;;) {
        const next = plainEnd(at, to);
        column += <u32>(next - at);
        at = next;
        if (at >= to || load<u8>(at) < 128) break;
        const lead: u32 = load<u8>(at);
        const size: usize = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        const after = min(to, at + size);
        column += characterWidth(codePoint(at, after));
        at = after;
      }
      addWord(start, at, first, column);
    }
  }
}

/** Where a run of blanks ends. */
function blanksEnd(from: usize, to: usize): usize {
  const blank = sixteen(32);
  for (let p = from; p < to; p += 16) {
    const others = ~i8x16.bitmask(i8x16.eq(v128.load(p), blank)) & 0xffff;
    if (others !== 0) return min(p + ctz(others), to);
  }
  return to;
}

/** Where a run of ASCII without blanks, tabs and carriage returns ends. */
function plainEnd(from: usize, to: usize): usize {
  for (let p = from; p < to; p += 16) {
    const v = v128.load(p);
    const stops = v128.or(
      v128.or(i8x16.eq(v, sixteen(32)), i8x16.eq(v, sixteen(9))),
      v128.or(i8x16.eq(v, sixteen(13)), i8x16.lt_s(v, sixteen(0))),
    );
    const hits = i8x16.bitmask(stops);
    if (hits !== 0) return min(p + ctz(hits), to);
  }
  return to;
}

function addWord(start: usize, end: usize, first: u32, last: u32): void {
  if (wordCount === wordRoom) {
    words = enlarged(words, wordRoom << 4, wordRoom << 5);
    wordRoom *= 2;
  }
  const word = words + (wordCount << 4);
  store<usize>(word, start);
  store<usize>(word, end, 4);
  store<u32>(word, first, 8);
  store<u32>(word, last, 12);
  wordCount += 1;
}

function codePoint(from: usize, to: usize): u32 {
  const size = to - from;
  let code: u32 = load<u8>(from) & (size === 4 ? 7 : size === 3 ? 15 : 31);
  for (let p = from + 1; p < to; p += 1) code = (code << 6) | (load<u8>(p) & 63);
  return code;
}

/** Starts to look for columns; returns where ink and reach are counted, 2,001 columns each. */
export function inkStart(): usize {
  ink = alloc((WIDEST + 1) << 3);
  reach = ink + ((WIDEST + 1) << 2);
  wordRoom = 64;
  words = reserve(wordRoom << 4);
  return ink;
}

/** Adds a row. */
export function inkRow(from: usize, to: usize): void {
  readWords(from, to);
  for (let w: u32 = 0; w < wordCount; w += 1) {
    const end = min(WIDEST, load<u32>(words + (w << 4), 12));
    for (let c = min(WIDEST, load<u32>(words + (w << 4), 8)); c < end; c += 1) {
      const at = ink + (c << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
  if (wordCount === 0) return;
  const at = reach + (min(WIDEST, load<u32>(words + ((wordCount - 1) << 4), 12)) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Reads the words of a rule; returns how many, `wordsAt` says where. */
export function ruleWords(from: usize, to: usize): u32 {
  readWords(from, to);
  return wordCount;
}

export function wordsAt(): usize {
  return words;
}
