// Finds ids that come twice in a column where no other does. Read by src/core/twins.ts.
import { classAt, DIGIT, isDigitAt, LETTER } from './chars';
import { alloc } from './memory';

/** Repeats that are remembered; in a column of more, coming again says nothing. */
const MOST_REPEATS: u32 = 4;
/** Values that are told apart. */
const MOST_VALUES: u32 = 1 << 16;
const FIRST_SLOTS: u32 = 64;
/** A hash and a row with one added. */
const SLOT_BYTES: usize = 16;
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
}
const TWINS_BYTES: usize = offsetof<Twins>();

export function newTwins(): Twins {
  const at = alloc(TWINS_BYTES + 8 * MOST_REPEATS + FIRST_SLOTS * SLOT_BYTES);
  const twins = changetype<Twins>(at);
  twins.rows = at + TWINS_BYTES;
  twins.slots = twins.rows + 8 * MOST_REPEATS;
  twins.mask = FIRST_SLOTS - 1;
  return twins;
}

/** Are more values looked at? */
export function takesTwins(twins: Twins): bool {
  return twins.repeats <= MOST_REPEATS && twins.count < MOST_VALUES;
}

/** Takes the value `[from, to)` of a row into account, which may be an id. */
export function addTwin(twins: Twins, row: u32, hash: u64): void {
  const at = slotOf(twins, hash);
  if (load<u32>(at, 8) === 0) {
    store<u64>(at, hash);
    store<u32>(at, row + 1, 8);
    twins.count += 1;
    if (twins.count * 2 > twins.mask && twins.count < MOST_VALUES) grow(twins);
    return;
  }
  if (twins.repeats < MOST_REPEATS) {
    const pair = twins.rows + 8 * twins.repeats;
    store<u32>(pair, load<u32>(at, 8) - 1);
    store<u32>(pair, row, 4);
  }
  twins.repeats += 1;
}

function slotOf(twins: Twins, hash: u64): usize {
  let slot = <u32>(hash >> 32) & twins.mask;
  let at = twins.slots + slot * SLOT_BYTES;
  while (load<u32>(at, 8) !== 0 && load<u64>(at) !== hash) {
    slot = (slot + 1) & twins.mask;
    at = twins.slots + slot * SLOT_BYTES;
  }
  return at;
}

function grow(twins: Twins): void {
  const old = twins.slots;
  const end = old + (twins.mask + 1) * SLOT_BYTES;
  twins.mask = twins.mask * 2 + 1;
  twins.slots = alloc((twins.mask + 1) * SLOT_BYTES);
  for (let at = old; at < end; at += SLOT_BYTES) {
    if (load<u32>(at, 8) !== 0) memory.copy(slotOf(twins, load<u64>(at)), at, SLOT_BYTES);
  }
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
