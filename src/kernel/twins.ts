// Finds ids that come twice in a column where no other does. Read by src/core/twins.ts.
import { classAt, DIGIT, isDigitAt, LETTER } from './chars';
import { alloc, reserve } from './memory';

/** Repeats that are remembered; in a column of more, coming again says nothing. */
const MOST_REPEATS: u32 = 4;
/** Values that are told apart. */
const MOST_VALUES: u32 = 1 << 16;
const FIRST_SLOTS: u32 = 32;
/** Values that wait: each has a place of its own far away in memory, and these are fetched at the same time. */
const MOST_WAITING: u32 = 32;
/** A slot has the number of its value, from 1, in these bits, and those of the hash in all others. */
const NUMBER: u64 = 0x1ffff;
const SHORTEST: u32 = 6;
const LONGEST: u32 = 64;

/** The order of the members counts. */
@unmanaged
export class Twins {
  /** Values that look like ids. */
  count: u32;
  repeats: u32;
  /** Of each repeat the row of the value that it repeats, and its own. */
  rows: usize;
  slots: usize;
  mask: u32;
  /** The row of each value, by its number. */
  places: usize;
  /** Hashes and rows that are not in the table yet. */
  waiting: usize;
  waitingCount: u32;
}
const TWINS_BYTES: usize = offsetof<Twins>();

export function newTwins(): Twins {
  const at = alloc(TWINS_BYTES + 8 * MOST_REPEATS);
  const twins = changetype<Twins>(at);
  twins.rows = at + TWINS_BYTES;
  return twins;
}

/** Are more values looked at? */
export function takesTwins(twins: Twins): bool {
  return twins.repeats <= MOST_REPEATS && twins.count < MOST_VALUES;
}

/** Takes the value with this hash, which may be an id, of a row into account. */
export function addTwin(twins: Twins, row: u32, hash: u64): void {
  if (twins.waiting === 0) {
    twins.waiting = reserve(MOST_WAITING << 4);
    makeSlots(twins, FIRST_SLOTS);
  }
  const at = twins.waiting + ((<usize>twins.waitingCount) << 4);
  store<u64>(at, hash);
  store<u32>(at, row, 8);
  twins.waitingCount += 1;
  if (twins.waitingCount === MOST_WAITING) flushTwins(twins);
}

/** Puts the values that wait into the table. */
export function flushTwins(twins: Twins): void {
  const end = twins.waiting + ((<usize>twins.waitingCount) << 4);
  for (let at = twins.waiting; at < end && takesTwins(twins); at += 16)
    insert(twins, load<u32>(at, 8), load<u64>(at));
  twins.waitingCount = 0;
}

function insert(twins: Twins, row: u32, hash: u64): void {
  const at = slotOf(twins, hash);
  const known = load<u64>(at);
  if (known === 0) {
    twins.count += 1;
    store<u64>(at, (hash & ~NUMBER) | twins.count);
    store<u32>(twins.places + ((<usize>twins.count) << 2), row);
    if (twins.count * 2 > twins.mask && twins.count < MOST_VALUES) grow(twins);
    return;
  }
  if (twins.repeats < MOST_REPEATS) {
    const pair = twins.rows + 8 * twins.repeats;
    store<u32>(pair, load<u32>(twins.places + ((<usize>(known & NUMBER)) << 2)));
    store<u32>(pair, row, 4);
  }
  twins.repeats += 1;
}

function makeSlots(twins: Twins, count: u32): void {
  twins.mask = count - 1;
  twins.slots = alloc((<usize>count) << 3);
  twins.places = reserve((<usize>count + 4) << 1);
}

function slotOf(twins: Twins, hash: u64): usize {
  const mask = twins.mask;
  // The upper bits: all bytes of a text are in them.
  let slot = <u32>(hash >> 47) & mask;
  let at = twins.slots + ((<usize>slot) << 3);
  while (load<u64>(at) !== 0 && ((load<u64>(at) ^ hash) & ~NUMBER) !== 0) {
    slot = (slot + 1) & mask;
    at = twins.slots + ((<usize>slot) << 3);
  }
  return at;
}

function grow(twins: Twins): void {
  const slots = twins.slots;
  const places = twins.places;
  const end = slots + ((<usize>twins.mask + 1) << 3);
  makeSlots(twins, (twins.mask + 1) << 2);
  memory.copy(twins.places, places, (twins.count + 1) << 2);
  for (let at = slots; at < end; at += 8)
    if (load<u64>(at) !== 0) store<u64>(slotOf(twins, load<u64>(at)), load<u64>(at));
}

/** One word with a digit in it that is no date: with letters, of digits alone, or an address. */
export function isId(from: usize, to: usize): bool {
  const size = <u32>(to - from);
  if (size < SHORTEST || size > LONGEST) return false;
  if (load<u8>(from + 4) === 45 && isDigitAt(from + 3) && isDigitAt(from) && isDigitAt(from + 5))
    return false;
  let digits: u32 = 0;
  let letters: u32 = 0;
  let dots: u32 = 0;
  for (let p = from; p < to; p += 1) {
    const c: u32 = load<u8>(p);
    if (c <= 32) return false;
    const kind = classAt(p);
    if (kind === DIGIT) digits += 1;
    else if (kind === LETTER) letters += 1;
    else if (c === 46) dots += 1;
  }
  return digits > 0 && (letters > 0 || digits === size || dots === 3);
}
