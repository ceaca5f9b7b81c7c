// Gathers the cells of rows column by column; see src/core/grid.ts.
import { cellOrder, cellValue, COUNT, DURATION, MEASURE, NONE, RATIO, readCell } from './cells';
import { addNumber, Field, newField } from './fields';
import { hasForeignName } from './foreign';
import { hashMasked64, hash64, isForeign } from './hash';
import { addLabels, holdsEquals } from './labels';
import { alloc } from './memory';
import { isPlaceholder } from './placeholder';
import { cells, CELL_BYTES } from './rows';
import { addTwin, isId, newTwins, takesTwins, Twins } from './twins';
import { addValue, byteAt, Bytes, BYTES_BYTES, newValues, NO_VALUE, setByte, Values } from './values';

/** Most distinct values; src/core/fields.ts has the same number. */
const MOST: u32 = 40;

/** Rows of exceptions that are remembered. */
const MOST_PLACES: u32 = 32;
/** A count and rows: what breaks what the other rows of a column keep to. */
const EXCEPTIONS_BYTES: usize = 4 + 4 * 32;

/** The order of the members counts. */
@unmanaged
export class Column {
  values: Values;
  /** Long text and names with their ids masked; told of nothing as long as there are few values. */
  templates: Values;
  numbers: Field;
  /** Of `n/m`: 0 where n < m, 1 where they are equal, 2 where n > m. */
  orders: Bytes;
  /** Pairs of a hash and values, for each key of labels. */
  labels: usize;
  labelCount: u32;
  blanks: usize;
  words: usize;
  unequal: usize;
  filled: u32;
  numeric: u32;
  ratios: u32;
  durations: u32;
  /** Cells that are dates, if any; and the row of the first of them. */
  dates: Field;
  dateRow: u32;
  twins: Twins;
  /** Names with letters beyond ASCII. */
  foreign: usize;
  /** The row, from 1, that the cell read last is in; its kind and value. */
  row: u32;
  kind: u32;
  value: f64;
  /** What is known of the values, by their ids. */
  seen: usize;
  id: u32;
  isTemplated: u32;
}
const COLUMN_BYTES: usize = offsetof<Column>();

/** What is known of a value. */
@unmanaged
export class Seen {
  value: f64;
  masked: u64;
  isRead: u32;
  kind: u32;
  order: i32;
  isPlaceholder: u32;
  isForeign: u32;
  /** Does it look like an id? */
  id: u32;
  /** The verdict with one added, and how far from its key a value of which kind got it; see pools.ts. */
  verdict: u32;
  gap: u32;
}
const SEEN_BYTES: usize = offsetof<Seen>();

const UNKNOWN: u32 = 0;
const NO_ID: u32 = 1;
const IS_ID: u32 = 2;

@unmanaged
export class Grid {
  columns: usize;
  width: u32;
  rows: u32;
}
const GRID_BYTES: usize = offsetof<Grid>();

let emptyHash: u64 = 0;
/** What is known of a cell that is one of too many values. */
const LONE: usize = memory.data(56, 8);

export function newGrid(width: u32): Grid {
  const at = alloc(GRID_BYTES + width * COLUMN_BYTES);
  const grid = changetype<Grid>(at);
  grid.columns = at + GRID_BYTES;
  grid.width = width;
  emptyHash = hash64(0, 0);
  for (let c: u32 = 0; c < width; c += 1) {
    const column = columnAt(grid, c);
    column.values = newValues(true);
    column.templates = newValues(false);
    column.numbers = newField(MOST);
    column.orders = changetype<Bytes>(alloc(BYTES_BYTES));
    column.blanks = alloc(4 * EXCEPTIONS_BYTES);
    column.words = column.blanks + EXCEPTIONS_BYTES;
    column.unequal = column.words + EXCEPTIONS_BYTES;
    column.foreign = column.unequal + EXCEPTIONS_BYTES;
    column.seen = alloc(<usize>MOST * SEEN_BYTES);
    column.twins = newTwins();
  }
  return grid;
}

export function columnAt(grid: Grid, c: u32): Column {
  return changetype<Column>(grid.columns + c * COLUMN_BYTES);
}

/** Adds the row whose cells were cut last; their offsets are from `base`. */
export function gridRow(grid: Grid, base: usize): void {
  for (let c: u32 = 0; c < grid.width; c += 1) {
    const cell = cells + c * CELL_BYTES;
    const start = load<i32>(cell);
    if (start < 0) continue;
    const from = base + start;
    const to = base + load<i32>(cell, 4);
    addCell(columnAt(grid, c), grid.rows, from, to);
  }
  endRow(grid);
}

/** Adds the cell `[from, to)` to the row that is open. */
export function addCell(column: Column, row: u32, from: usize, to: usize): void {
  const id = column.values.isMany ? NO_VALUE : addValue(column.values, row, hash64(from, to), from, to);
  column.row = row + 1;
  column.id = id;
  column.filled += 1;
  let seen = changetype<Seen>(LONE);
  if (id === NO_VALUE) {
    templatesOf(column);
    read(seen, from, to);
  } else {
    seen = changetype<Seen>(column.seen + id * SEEN_BYTES);
    if (!seen.isRead) read(seen, from, to);
  }
  const kind = seen.kind;
  column.kind = kind;
  if (kind <= COUNT && takesTwins(column.twins) && mayBeId(seen, from, to))
    addTwin(column.twins, row, hash64(from, to));
  if (kind === NONE) return addWords(column, seen, row, from, to);
  column.numeric += 1;
  column.value = seen.value;
  if (kind === RATIO) {
    column.ratios += 1;
    setByte(column.orders, row, seen.order + 1);
  } else if (kind === DURATION) {
    column.durations += 1;
    column.numbers.measure = 1;
  } else if (kind === MEASURE) column.numbers.measure = 1;
  addNumber(column.numbers, seen.value, row);
}

function mayBeId(seen: Seen, from: usize, to: usize): bool {
  if (seen.id === UNKNOWN) seen.id = isId(from, to) ? IS_ID : NO_ID;
  return seen.id === IS_ID;
}

function read(seen: Seen, from: usize, to: usize): void {
  seen.isRead = 1;
  seen.id = UNKNOWN;
  seen.kind = readCell(from, to);
  seen.value = cellValue;
  seen.order = cellOrder;
  if (seen.kind !== NONE) return;
  seen.masked = hashMasked64(from, to);
  seen.isForeign = isForeign && hasForeignName(from, to) ? 1 : 0;
  seen.isPlaceholder = isPlaceholder(from, to) ? 1 : 0;
  seen.order = to - from > LEAST_LABELS && holdsEquals(from, to) ? 1 : 0;
}

/** Cells of more bytes may hold labels. */
const LEAST_LABELS: usize = 16;

/** The templates of a column, which are told now of the values that it had so far. Ids that nobody asks for become theirs. */
export function templatesOf(column: Column): Values {
  const values = column.values;
  const templates = column.templates;
  if (column.isTemplated) return templates;
  column.isTemplated = 1;
  const ids = values.ids;
  const rows = ids.rows;
  templates.ids = values.isMany ? ids : changetype<Bytes>(alloc(BYTES_BYTES));
  for (let row: u32 = 0; row < rows && !templates.isMany; row += 1) {
    const id: u32 = load<u8>(byteAt(ids, row));
    const seen = changetype<Seen>(column.seen + id * SEEN_BYTES);
    if (id === NO_VALUE || !seen.isRead || seen.kind !== NONE) {
      setByte(templates.ids, row, NO_VALUE);
      continue;
    }
    const text = values.texts + (id << 3);
    const from = load<usize>(text);
    addValue(templates, row, seen.masked, from, from + load<u32>(text, 4));
  }
  return templates;
}

function addWords(column: Column, seen: Seen, row: u32, from: usize, to: usize): void {
  if (column.isTemplated) addValue(column.templates, row, seen.masked, from, to);
  addException(column.words, row);
  if (seen.isForeign) addException(column.foreign, row);
  if (seen.isPlaceholder) addException(column.blanks, row);
  else if (seen.order === 1) addLabels(column, row, from, to);
}

/** Ends the row: its cells that nothing was added for are empty. */
export function endRow(grid: Grid): void {
  const row = grid.rows;
  let count: f64 = NaN;
  for (let c: u32 = 0; c < grid.width; c += 1) {
    const column = columnAt(grid, c);
    if (column.row !== row + 1) {
      addValue(column.values, row, emptyHash, 0, 0);
      addException(column.blanks, row);
      count = NaN;
      continue;
    }
    const value = column.kind === COUNT ? column.value : NaN;
    if (value === value && count === count && value !== count) addException(column.unequal, row);
    count = value;
  }
  grid.rows = row + 1;
}

function addException(list: usize, row: u32): void {
  const count = load<u32>(list);
  store<u32>(list, count + 1);
  if (count < MOST_PLACES) store<u32>(list + 4 + (count << 2), row);
}
