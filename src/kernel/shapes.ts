// The shapes of the lines of an input, with their templates and the fields of their numbers: all that the lines of a shape
// share is found once. What needs a regular expression (class, severity) is left to JavaScript, which gets a list of the
// shapes that are new.
import { alloc, enlarged, reserve } from './memory';
import { isQuiet } from './failures';
import { addNumber, clearFields, Field, fieldCount, listedField } from './fields';
import { Line, MEASURES, SLOTS, VALUES, WORDS } from './line';
import { assign, newTemplates, Templates } from './templates';
import { countWords, weigh, weightsStart } from './weights';

const COARSE: f64 = 0.55;
const MIDDLE: f64 = 0.75;
/** From this many shapes on, new ones are told apart by their first words only: such a text has no templates. */
export const MOST_SHAPES: u32 = 60000;
const MOST_FIELDS: u32 = 20000;
const MOST_CATEGORIES: u32 = 40;

/** Read by src/core/shapes.ts: the order of the members counts. */
@unmanaged
export class Shape {
  count: u32;
  coarse: u32;
  middle: u32;
  words: usize;
  wordCount: u32;
  fields: usize;
  fieldCount: u32;
  /** Where the line stands that showed it, from the start of its chunk; read before the next chunk. */
  start: u32;
  end: u32;
  body: u32;
  /** It may report a failure. */
  isLoud: u32;
}
const SHAPE_BYTES: u32 = 44;

let shapes: usize = 0;
let room: u32 = 0;
let table: usize = 0;
let mask: u32 = 0;
let coarse: Templates = changetype<Templates>(0);
let middle: Templates = changetype<Templates>(0);
let places: usize = 0;
let placeMask: u32 = 0;
let placeCount: u32 = 0;

export let shapeCount: u32 = 0;

/** Forgets all shapes. */
export function shapesStart(): void {
  shapeCount = 0;
  room = 64;
  shapes = reserve(room * SHAPE_BYTES);
  mask = 255;
  table = alloc((mask + 1) << 4);
  weightsStart();
  coarse = newTemplates(COARSE);
  middle = newTemplates(MIDDLE);
  placeMask = 255;
  placeCount = 0;
  places = alloc((placeMask + 1) << 4);
  clearFields();
}

export function shapesAt(): usize {
  return shapes;
}

/** Of both template levels, how many there are. */
export function coarseCount(): u32 {
  return coarse.count;
}

/** The id of the shape with this hash, one line more; -1 where it is not known. */
export function findShape(hash: u64): i32 {
  for (let slot = <u32>(hash >> 40) & mask; ; slot = (slot + 1) & mask) {
    const at = table + (slot << 4);
    const entry = load<u32>(at, 8);
    if (entry === 0) return -1;
    if (load<u64>(at) !== hash) continue;
    const shape = changetype<Shape>(shapes + (entry - 1) * SHAPE_BYTES);
    shape.count += 1;
    return <i32>entry - 1;
  }
}

/** A new shape, described by the line that showed it; `base` is the start of its chunk. */
export function addShape(hash: u64, line: Line, base: usize, hasFields: bool): u32 {
  if (shapeCount === room) {
    shapes = enlarged(shapes, room * SHAPE_BYTES, room * 2 * SHAPE_BYTES);
    room *= 2;
  }
  const id = shapeCount;
  shapeCount = id + 1;
  if (shapeCount * 2 > mask) grow();
  place(hash, id + 1);
  const shape = changetype<Shape>(shapes + id * SHAPE_BYTES);
  shape.count = 1;
  shape.words = reserve(line.words << 2);
  shape.wordCount = line.words;
  memory.copy(shape.words, WORDS, line.words << 2);
  const known = coarse.count;
  const weight = weigh(line.words, known);
  shape.coarse = assign(coarse, WORDS, line.words, weight);
  shape.middle = assign(middle, WORDS, line.words, weight);
  if (coarse.count > known) countWords(line.words, coarse.count);
  shape.start = <u32>(line.start - base);
  shape.end = <u32>(line.end - base);
  shape.body = <u32>(line.body - base);
  shape.isLoud = isQuiet(line.start, line.body, line.end) ? 0 : 1;
  shape.fieldCount = 0;
  if (hasFields && line.body <= line.end) addFields(shape, line);
  return id;
}

/** Gives the numbers of a line to the fields of its shape. */
export function takeNumbers(id: u32, line: Line, index: u32): void {
  const shape = changetype<Shape>(shapes + id * SHAPE_BYTES);
  const count = min(line.numbers, shape.fieldCount);
  for (let i: u32 = 0; i < count; i += 1) {
    const at = load<usize>(shape.fields + (i << 2));
    if (at === 0) continue;
    const field = changetype<Field>(at);
    if (load<u8>(MEASURES + i)) field.measure = 1;
    addNumber(field, load<f64>(VALUES + (i << 3)), index);
  }
}

function place(hash: u64, entry: u32): void {
  let slot = <u32>(hash >> 40) & mask;
  while (load<u32>(table + (slot << 4), 8) !== 0) slot = (slot + 1) & mask;
  store<u64>(table + (slot << 4), hash);
  store<u32>(table + (slot << 4), entry, 8);
}

function grow(): void {
  const old = table;
  const size = (mask + 1) << 4;
  mask = mask * 2 + 1;
  table = alloc(size * 2);
  for (let at = old; at < old + size; at += 16) {
    const entry = load<u32>(at, 8);
    if (entry !== 0) place(load<u64>(at), entry);
  }
}

/** Fields belong to a coarse template and a place in the line. */
function addFields(shape: Shape, line: Line): void {
  shape.fields = reserve(line.numbers << 2);
  shape.fieldCount = line.numbers;
  for (let i: u32 = 0; i < line.numbers; i += 1) {
    const key = ((<u64>shape.coarse) << 16) | <u64>load<u16>(SLOTS + (i << 1));
    store<usize>(shape.fields + (i << 2), fieldOf(key));
  }
}

function fieldOf(key: u64): usize {
  const slot = placeSlot(key);
  const known = load<usize>(slot, 8);
  if (known !== 0) return known;
  if (fieldCount >= MOST_FIELDS) return 0;
  const field = changetype<usize>(listedField(MOST_CATEGORIES));
  store<u64>(slot, key);
  store<usize>(slot, field, 8);
  placeCount += 1;
  if (placeCount * 2 > placeMask) growPlaces();
  return field;
}

function placeSlot(key: u64): usize {
  let slot = <u32>((key * 0x9e3779b97f4a7c15) >> 40) & placeMask;
  let at = places + (slot << 4);
  while (load<usize>(at, 8) !== 0 && load<u64>(at) !== key) {
    slot = (slot + 1) & placeMask;
    at = places + (slot << 4);
  }
  return at;
}

function growPlaces(): void {
  const old = places;
  const size = (placeMask + 1) << 4;
  placeMask = placeMask * 2 + 1;
  places = alloc(size * 2);
  for (let at = old; at < old + size; at += 16) {
    if (load<usize>(at, 8) !== 0) memory.copy(placeSlot(load<u64>(at)), at, 16);
  }
}
