// Is one of a few texts anywhere in another?

const MOST: u32 = 8;
/** What bytes the texts begin with: by the low and by the high half of the first three, a bit a text. */
const STARTS: usize = memory.data(6 * 16, 16);

/** `needles` has up to 8 texts of 3 bytes and more, parted by NULs. Reads up to 17 bytes behind `end`. */
export function holdsNeedle(from: usize, end: usize, needles: usize, size: usize): bool {
  useNeedles(needles, needles + size);
  for (let p = from; p < end; p += 16) {
    const found = v128.and(v128.and(startsAt(0, p), startsAt(1, p)), startsAt(2, p));
    let places = i8x16.bitmask(i8x16.ne(found, i8x16.splat(0)));
    while (places !== 0) {
      if (isNeedle(p + ctz(places), end, needles, needles + size)) return true;
      places &= places - 1;
    }
  }
  return false;
}

/** The bits of the texts whose `i`-th bytes the 16 bytes at `p` may be. */
function startsAt(i: usize, p: usize): v128 {
  const v = v128.load(p + i);
  const table = STARTS + (i << 5);
  return v128.and(
    i8x16.swizzle(v128.load(table), v128.and(v, i8x16.splat(15))),
    i8x16.swizzle(v128.load(table, 16), i8x16.shr_u(v, 4)),
  );
}

function useNeedles(needles: usize, needlesEnd: usize): void {
  memory.fill(STARTS, 0, 96);
  let bit: u32 = 1;
  let start = needles;
  for (let at = needles; at <= needlesEnd; at += 1) {
    if (at < needlesEnd && load<u8>(at) !== 0) continue;
    if (at - start < 3 || bit >= 1 << MOST) unreachable();
    for (let i: usize = 0; i < 3; i += 1) {
      const c: u32 = load<u8>(start + i);
      const table = STARTS + (i << 5);
      store<u8>(table + (c & 15), load<u8>(table + (c & 15)) | bit);
      store<u8>(table + 16 + (c >> 4), load<u8>(table + 16 + (c >> 4)) | bit);
    }
    bit <<= 1;
    start = at + 1;
  }
}

/** Does a text stand at `at`? */
function isNeedle(at: usize, end: usize, needles: usize, needlesEnd: usize): bool {
  let p = at;
  for (let needle = needles; needle < needlesEnd; needle += 1) {
    if (load<u8>(needle) === 0) {
      p = at;
      continue;
    }
    if (p < end && load<u8>(p) === load<u8>(needle)) {
      p += 1;
      if (needle + 1 === needlesEnd || load<u8>(needle + 1) === 0) return true;
      continue;
    }
    while (needle + 1 < needlesEnd && load<u8>(needle + 1) !== 0) needle += 1;
  }
  return false;
}
