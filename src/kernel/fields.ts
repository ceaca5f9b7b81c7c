// What is known of the values of one field; see src/core/fields.ts. Everything is bounded.
import { alloc, enlarged, reserve } from './memory';

/** Units remembered for one value. */
const MOST_PLACES: u32 = 64;
/** Values kept for the median; every second one goes when it is full. */
const SAMPLE: u32 = 256;
const HIGHEST: u32 = 4;
const LOWEST: u32 = 2;

/** Read by src/core/fields.ts: the order of the members counts. */
@unmanaged
export class Category {
  value: f64;
  count: u32;
  placeCount: u32;
  places: usize;
  room: u32;
}
export const CATEGORY_BYTES: u32 = 24;

@unmanaged
export class Field {
  last: f64;
  count: u32;
  /** Some value had a decimal or a unit of measure. */
  measure: u32;
  /** There were too many values. */
  isWide: u32;
  categoryCount: u32;
  categories: usize;
  highCount: u32;
  lowCount: u32;
  sampleCount: u32;
  sample: usize;
  /** Values and units, largest first. */
  highest: usize;
  lowest: usize;
  most: u32;
  categoryRoom: u32;
  sampleRoom: u32;
  stride: u32;
  lastUnit: u32;
  open: usize;
  /** By a hash of a value, the number of the category that it had last; a byte each. */
  hints: usize;
}
const FIELD_BYTES: usize = offsetof<Field>();
const HINTS: usize = 64;

/** A field of at most `most` categories. */
export function newField(most: u32): Field {
  const at = alloc(FIELD_BYTES + 16 * (HIGHEST + LOWEST) + HINTS);
  const field = changetype<Field>(at);
  field.last = NaN;
  field.most = most;
  field.stride = 1;
  field.highest = at + FIELD_BYTES;
  field.lowest = field.highest + 16 * HIGHEST;
  field.hints = field.lowest + 16 * LOWEST;
  return field;
}

/** A number at `unit`; units come in ascending order. */
export function addNumber(field: Field, value: f64, unit: u32): void {
  category(field, value, unit);
  if ((field.count & (field.stride - 1)) === 0) remember(field, value);
  const highest = field.highest;
  const lowest = field.lowest;
  if (field.highCount < HIGHEST || value > load<f64>(highest + 16 * (HIGHEST - 1))) {
    field.highCount = insert(highest, field.highCount, HIGHEST, value, unit, 1);
  }
  if (field.lowCount < LOWEST || value < load<f64>(lowest + 16 * (LOWEST - 1))) {
    field.lowCount = insert(lowest, field.lowCount, LOWEST, value, unit, -1);
  }
  field.count += 1;
}

/** A word, by its id, at `unit`. */
export function addWord(field: Field, id: f64, unit: u32): void {
  category(field, id, unit);
  field.count += 1;
}

/** The same word at `size` units, from `first` to `last`. */
export function addRun(field: Field, id: f64, first: u32, last: u32, size: u32): void {
  category(field, id, first);
  field.count += size;
  if (field.open === 0) return;
  changetype<Category>(field.open).count += size - 1;
  field.lastUnit = last;
}

/** Closes the run that is open, so that the places are complete. */
export function finishField(field: Field): void {
  const open = field.open;
  if (open === 0) return;
  const last = changetype<Category>(open);
  const unit = field.lastUnit;
  if (last.placeCount === 0 || load<u32>(last.places + ((last.placeCount - 1) << 2)) !== unit)
    addPlace(last, unit);
  field.open = 0;
}

function category(field: Field, value: f64, unit: u32): void {
  if (field.isWide) return;
  if (value === field.last && field.open !== 0) {
    changetype<Category>(field.open).count += 1;
    field.lastUnit = unit;
    return;
  }
  finishField(field);
  let at = find(field, value);
  if (at === 0) {
    if (field.categoryCount >= field.most) {
      field.isWide = 1;
      return;
    }
    at = addCategory(field, value);
  }
  const found = changetype<Category>(at);
  found.count += 1;
  addPlace(found, unit);
  field.last = value;
  field.lastUnit = unit;
  field.open = at;
}

function find(field: Field, value: f64): usize {
  const hint = field.hints + <usize>((reinterpret<u64>(value) * 0x9e3779b97f4a7c15) >> 58);
  const hinted = field.categories + load<u8>(hint) * CATEGORY_BYTES;
  if (field.categoryCount > 0 && load<f64>(hinted) === value) return hinted;
  for (let i: u32 = 0; i < field.categoryCount; i += 1) {
    const at = field.categories + i * CATEGORY_BYTES;
    const known = load<f64>(at);
    if (known !== value && (known === known || value === value)) continue;
    store<u8>(hint, i);
    return at;
  }
  return 0;
}

function addCategory(field: Field, value: f64): usize {
  const count = field.categoryCount;
  if (count === field.categoryRoom) {
    field.categoryRoom = max(4, count * 2);
    field.categories = enlarged(
      field.categories,
      count * CATEGORY_BYTES,
      field.categoryRoom * CATEGORY_BYTES,
    );
  }
  const at = field.categories + count * CATEGORY_BYTES;
  field.categoryCount = count + 1;
  memory.fill(at, 0, CATEGORY_BYTES);
  store<f64>(at, value);
  return at;
}

function addPlace(to: Category, unit: u32): void {
  const count = to.placeCount;
  if (count >= MOST_PLACES) return;
  if (count === to.room) {
    to.room = max(4, count * 2);
    to.places = enlarged(to.places, count << 2, to.room << 2);
  }
  store<u32>(to.places + (count << 2), unit);
  to.placeCount = count + 1;
}

function remember(field: Field, value: f64): void {
  if (field.sampleCount >= SAMPLE) {
    for (let i: u32 = 0; i < SAMPLE / 2; i += 1) {
      store<f64>(field.sample + (i << 3), load<f64>(field.sample + (i << 4)));
    }
    field.sampleCount = SAMPLE / 2;
    field.stride *= 2;
    if ((field.count & (field.stride - 1)) !== 0) return;
  }
  const count = field.sampleCount;
  if (count === field.sampleRoom) {
    field.sampleRoom = max(8, count * 2);
    field.sample = enlarged(field.sample, count << 3, field.sampleRoom << 3);
  }
  store<f64>(field.sample + (count << 3), value);
  field.sampleCount = count + 1;
}

/** Puts a value into a sorted list of at most `most`; returns how many it has then. */
function insert(list: usize, count: u32, most: u32, value: f64, unit: u32, sign: f64): u32 {
  let at = count;
  while (at > 0 && sign * (value - load<f64>(list + ((at - 1) << 4))) > 0) at -= 1;
  if (at >= most) return count;
  const kept = min(count, most - 1);
  memory.copy(list + ((at + 1) << 4), list + (at << 4), (kept - at) << 4);
  store<f64>(list + (at << 4), value);
  store<f64>(list + (at << 4), <f64>unit, 8);
  return kept + 1;
}

/** A list of fields by number, in the order they were made. */
export let fieldList: usize = 0;
export let fieldCount: u32 = 0;
let fieldRoom: u32 = 0;

export function clearFields(): void {
  fieldList = 0;
  fieldCount = 0;
  fieldRoom = 0;
}

/** Makes a field and lists it. */
export function listedField(most: u32): Field {
  const field = newField(most);
  if (fieldCount === fieldRoom) {
    fieldRoom = max(64, fieldCount * 2);
    const larger = reserve(fieldRoom << 2);
    memory.copy(larger, fieldList, fieldCount << 2);
    fieldList = larger;
  }
  store<usize>(fieldList + (fieldCount << 2), changetype<usize>(field));
  fieldCount += 1;
  return field;
}
