// Distinct values with an id a row; given up where they are many. Read by src/core/values.ts.
import { addRun, Field, newField } from './fields';
import { alloc, enlarged, reserve } from './memory';

/** Most distinct values; src/core/fields.ts has the same number. */
const MOST: u32 = 40;
const SLOTS: u32 = 64;
/** The id of no value. */
export const NO_VALUE: u32 = 255;
/** Bytes of a value that are kept. */
const LONGEST: usize = 200;
/** A slot: a hash and the id with one added. */
const SLOT_BYTES: usize = 16;

/** Rows of a block. */
const BLOCK: u32 = 1 << 16;

/**
 * A byte a row; rows that nothing was set for hold `NO_VALUE`. Read by src/core/values.ts, as the values are. All blocks but
 * the first are of one size and stay where they are: what grows by copying leaves as much behind as it holds.
 */
@unmanaged
export class Bytes {
  /** Where each block is. */
  blocks: usize;
  rows: u32;
  /** Rows there is room for; the same of blocks. */
  room: u32;
  blockRoom: u32;
}
export const BYTES_BYTES: usize = offsetof<Bytes>();

/** The order of the members counts. */
@unmanaged
export class Values {
  /** Where the text of each value lies, and its size. */
  texts: usize;
  count: u32;
  isMany: u32;
  field: Field;
  /** The id of each row. */
  ids: Bytes;
  slots: usize;
  lastHash: u64;
  lastId: u32;
  /** The run of one value that has not come to the field yet. */
  runFirst: u32;
  runLast: u32;
  runSize: u32;
}
const VALUES_BYTES: usize = offsetof<Values>();

/** `keepsIds`: are the ids of rows asked for? */
export function newValues(keepsIds: bool): Values {
  const at = alloc(VALUES_BYTES + SLOTS * SLOT_BYTES + (MOST << 3) + BYTES_BYTES);
  const values = changetype<Values>(at);
  values.slots = at + VALUES_BYTES;
  values.texts = values.slots + SLOTS * SLOT_BYTES;
  if (keepsIds) values.ids = changetype<Bytes>(values.texts + (MOST << 3));
  values.field = newField(MOST);
  values.lastId = NO_VALUE;
  return values;
}

/** Adds the text `[from, to)` with its hash; returns its id, `NO_VALUE` where there are too many. */
export function addValue(values: Values, row: u32, hash: u64, from: usize, to: usize): u32 {
  if (values.isMany) return NO_VALUE;
  if (hash !== values.lastHash || values.lastId === NO_VALUE) {
    const id = idOf(values, hash, from, to);
    if (id === NO_VALUE) return NO_VALUE;
    flushValues(values);
    values.lastHash = hash;
    values.lastId = id;
    values.runFirst = row;
  }
  const id = values.lastId;
  if (changetype<usize>(values.ids) !== 0) setByte(values.ids, row, id);
  values.runLast = row;
  values.runSize += 1;
  return id;
}

/** Gives the field the run that is open. */
export function flushValues(values: Values): void {
  if (values.runSize > 0)
    addRun(values.field, <f64>values.lastId, values.runFirst, values.runLast, values.runSize);
  values.runSize = 0;
}

function idOf(values: Values, hash: u64, from: usize, to: usize): u32 {
  let slot = <u32>hash & (SLOTS - 1);
  for (;;) {
    const at = values.slots + slot * SLOT_BYTES;
    const id = load<u32>(at, 8);
    if (id === 0) break;
    if (load<u64>(at) === hash) return id - 1;
    slot = (slot + 1) & (SLOTS - 1);
  }
  const id = values.count;
  if (id >= MOST) {
    values.isMany = 1;
    return NO_VALUE;
  }
  store<u64>(values.slots + slot * SLOT_BYTES, hash);
  store<u32>(values.slots + slot * SLOT_BYTES, id + 1, 8);
  const size = min(to - from, LONGEST);
  const text = reserve(size);
  memory.copy(text, from, size);
  store<usize>(values.texts + (id << 3), text);
  store<u32>(values.texts + (id << 3), <u32>size, 4);
  values.count = id + 1;
  return id;
}

export function byteAt(bytes: Bytes, row: u32): usize {
  return load<usize>(bytes.blocks + ((<usize>(row / BLOCK)) << 2)) + (row % BLOCK);
}

export function setByte(bytes: Bytes, row: u32, value: u32): void {
  if (row > bytes.rows) bytesUntil(bytes, row);
  if (row >= bytes.room) enlarge(bytes);
  store<u8>(byteAt(bytes, row), value);
  bytes.rows = row + 1;
}

/** Makes the bytes up to `rows` rows. */
export function bytesUntil(bytes: Bytes, rows: u32): void {
  while (bytes.rows < rows) {
    if (bytes.rows === bytes.room) enlarge(bytes);
    const end = min(rows, bytes.room);
    memory.fill(byteAt(bytes, bytes.rows), <u8>NO_VALUE, end - bytes.rows);
    bytes.rows = end;
  }
}

/** The first block grows until it is as large as all others; all before the last are full. */
function enlarge(bytes: Bytes): void {
  const count = (bytes.room + BLOCK - 1) / BLOCK;
  if (bytes.room > 0 && bytes.room < BLOCK) {
    store<usize>(bytes.blocks, enlarged(load<usize>(bytes.blocks), bytes.rows, bytes.room << 1));
    bytes.room <<= 1;
    return;
  }
  if (count === bytes.blockRoom) {
    bytes.blockRoom = max(4, count << 1);
    bytes.blocks = enlarged(bytes.blocks, (<usize>count) << 2, (<usize>bytes.blockRoom) << 2);
  }
  const size = count === 0 ? FIRST_ROWS : BLOCK;
  store<usize>(bytes.blocks + ((<usize>count) << 2), reserve(size));
  bytes.room += size;
}

const FIRST_ROWS: u32 = 256;
