// Which of a few texts are anywhere in another?
import { highHalves, sixteen } from './chars';

const MOST: u32 = 16;
/** What bytes the texts begin with: by the low and by the high half of the first three, a bit for two texts. */
const STARTS: usize = memory.data(6 * 16, 16);

let count: u32 = 0;

/**
 * A bit for each text that is there, the first one lowest. `needles` has up to 16 texts of 3 bytes and more, parted by NULs.
 * Reads up to 17 bytes behind `end`.
 */
export function needlesIn(from: usize, end: usize, needles: usize, size: usize): u32 {
  useNeedles(needles, needles + size);
  let found: u32 = 0;
  let open = openBits(found);
  for (let p = from; p < end; p += 16) {
    const bits = v128.and(v128.and(startsAt(0, p), startsAt(1, p)), v128.and(startsAt(2, p), open));
    let places = i8x16.bitmask(i8x16.eq(bits, sixteen(0))) ^ 0xffff;
    if (places === 0) continue;
    const before = found;
    for (; places !== 0; places &= places - 1)
      found |= needlesAt(p + ctz(places), end, needles, needles + size);
    if (found !== before) open = openBits(found);
  }
  return found;
}

/** The bits of the texts that were not found. */
function openBits(found: u32): v128 {
  const missing = ~found & ((1 << count) - 1);
  return i8x16.splat(<i8>((missing | (missing >> 8)) & 255));
}

/** The bits of the texts whose `i`-th bytes the 16 bytes at `p` may be. */
function startsAt(i: usize, p: usize): v128 {
  const v = v128.load(p + i);
  const table = STARTS + (i << 5);
  return v128.and(
    i8x16.swizzle(v128.load(table), v128.and(v, sixteen(15))),
    i8x16.swizzle(v128.load(table, 16), highHalves(v)),
  );
}

function useNeedles(needles: usize, needlesEnd: usize): void {
  memory.fill(STARTS, 0, 96);
  count = 0;
  let start = needles;
  for (let at = needles; at <= needlesEnd; at += 1) {
    if (at < needlesEnd && load<u8>(at) !== 0) continue;
    if (at - start < 3 || count >= MOST) unreachable();
    const bit: u32 = 1 << (count & 7);
    for (let i: usize = 0; i < 3; i += 1) {
      const c: u32 = load<u8>(start + i);
      const table = STARTS + (i << 5);
      store<u8>(table + (c & 15), load<u8>(table + (c & 15)) | bit);
      store<u8>(table + 16 + (c >> 4), load<u8>(table + 16 + (c >> 4)) | bit);
    }
    count += 1;
    start = at + 1;
  }
}

/** A bit for each text that stands at `at`. */
function needlesAt(at: usize, end: usize, needles: usize, needlesEnd: usize): u32 {
  let found: u32 = 0;
  let bit: u32 = 1;
  let needle = needles;
  while (needle < needlesEnd) {
    let p = at;
    while (needle < needlesEnd && load<u8>(needle) !== 0 && p < end && load<u8>(p) === load<u8>(needle)) {
      p += 1;
      needle += 1;
    }
    if (needle >= needlesEnd || load<u8>(needle) === 0) found |= bit;
    while (needle < needlesEnd && load<u8>(needle) !== 0) needle += 1;
    needle += 1;
    bit <<= 1;
  }
  return found;
}
