// Reads the keys of JSON. Most records have the keys of the one before them, in the same order: what comes next is foreseen.
import { blanksEnd, marksAt, NO_VALUE, TORN } from './json-scan';

/** A key with all that stands before its value, as it was read last. */
@unmanaged
class Known {
  hash: u32;
  /** Bytes of the text from the quote to the value; more than `LONGEST` are not kept. */
  size: u32;
  /** A bit for each of them. */
  mask: u32;
  /** The key that came behind it last; whether it had come before. */
  next: Known;
  isSure: u32;
}
const KNOWN_BYTES: usize = offsetof<Known>();
const LONGEST: u32 = 32;
const ENTRY: usize = 64;
const ENTRIES: usize = 256;
const TABLE: usize = memory.data(64 * 256, 16);

/** The key that was read last. */
let last: Known = changetype<Known>(TABLE);

/** The hash of the same; src/core/json/units.ts has the same. */
export let keyHash: u32 = 0;

/** Where the value of the key starts whose quote is at `from`; `NO_VALUE`, or `TORN` where the text ends before it. */
export function keyedValue(from: usize, to: usize): u32 {
  const known = last.next;
  if (last.isSure && stands(known, from) && from + known.size < to) {
    last = known;
    keyHash = known.hash;
    return <u32>from + known.size;
  }
  let end = keyEnd(from + 1, to);
  if (end <= TORN) return end;
  if (load<u8>(end) !== 58) end = blanksEnd(end, to);
  if (end >= <u32>to) return TORN;
  if (load<u8>(end) !== 58) return NO_VALUE;
  end += 1;
  if (load<u8>(end) <= 32) end = blanksEnd(end, to);
  if (end >= <u32>to) return TORN;
  remember(from, end - <u32>from);
  return end;
}

/** Does the key stand at `at`? Reads up to 31 bytes behind it. */
function stands(known: Known, at: usize): bool {
  const text = changetype<usize>(known) + KNOWN_BYTES;
  const low = i8x16.bitmask(i8x16.eq(v128.load(at), v128.load(text)));
  const high = i8x16.bitmask(i8x16.eq(v128.load(at, 16), v128.load(text, 16)));
  return (~(low | (high << 16)) & known.mask) === 0 && known.size <= LONGEST;
}

function remember(from: usize, size: u32): void {
  const at = TABLE + (<usize>keyHash % ENTRIES) * ENTRY;
  const known = changetype<Known>(at);
  if (known.hash !== keyHash || known.size !== size) {
    known.hash = keyHash;
    known.size = size;
    known.mask = size < LONGEST ? (1 << size) - 1 : 0xffffffff;
    known.isSure = 0;
    v128.store(at + KNOWN_BYTES, v128.load(from));
    v128.store(at + KNOWN_BYTES, v128.load(from, 16), 16);
  }
  last.isSure = last.next === known ? 1 : 0;
  last.next = known;
  last = known;
}

const PRIME: u32 = 0x01000193;

/** Behind the closing quote of the key whose first byte is at `from`. */
function keyEnd(from: usize, to: usize): u32 {
  let p = from;
  while (p < to) {
    const hits = marksAt(p);
    if (hits === 0) {
      p += 16;
      continue;
    }
    const at = p + ctz(hits);
    if (at >= to) return TORN;
    const c: u32 = load<u8>(at);
    if (c === 92) {
      p = at + 2;
      continue;
    }
    if (c !== 34) return NO_VALUE;
    let h: u32 = 0x811c9dc5;
    for (let q = from; q < at; q += 1) h = (h ^ load<u8>(q)) * PRIME;
    keyHash = h;
    return <u32>at + 1;
  }
  return TORN;
}
