// Cells of `key=value` pairs, parted by commas: labels, selectors, tags.
import { sixteen } from './chars';
import { Column } from './grid';
import { hash64 } from './hash';
import { reserve } from './memory';
import { addValue, newValues, Values } from './values';

/** Is there an equals sign? */
export function holdsEquals(from: usize, to: usize): bool {
  const equals = sixteen(61);
  for (let p = from; p < to; p += 16) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(p), equals));
    if (hits !== 0) return p + ctz(hits) < to;
  }
  return false;
}

/** Keys that are told apart in one column. */
const MOST_KEYS: u32 = 64;
const LABEL_BYTES: usize = 16;

/** Adds the value of each pair to those of its key. */
export function addLabels(column: Column, row: u32, from: usize, to: usize): void {
  let start = from;
  let equals: usize = 0;
  for (let at = from; at <= to; at += 1) {
    const c: u32 = at < to ? load<u8>(at) : 44;
    if (c === 61 && equals === 0) equals = at;
    if (c !== 44) continue;
    if (equals > start) addLabel(column, row, hash64(start, equals), equals + 1, at);
    start = at + 1;
    equals = 0;
  }
}

function addLabel(column: Column, row: u32, key: u64, from: usize, to: usize): void {
  if (column.labels === 0) column.labels = reserve(MOST_KEYS * LABEL_BYTES);
  let at = column.labels;
  const end = at + column.labelCount * LABEL_BYTES;
  while (at < end && load<u64>(at) !== key) at += LABEL_BYTES;
  if (at === end) {
    if (column.labelCount >= MOST_KEYS) return;
    store<u64>(at, key);
    store<usize>(at, changetype<usize>(newValues(false)), 8);
    column.labelCount += 1;
  }
  addValue(changetype<Values>(load<usize>(at, 8)), row, hash64(from, to), from, to);
}
