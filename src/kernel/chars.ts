// Byte classes, as in src/core/chars.ts.

export const PUNCT: u32 = 0;
export const LETTER: u32 = 1;
export const DIGIT: u32 = 2;
export const BLANK: u32 = 3;
export const NEWLINE: u32 = 4;
export const RETURN: u32 = 5;

const CLASS: usize = memory.data(256);

const SIXTEEN: usize = memory.data(256 * 16, 16);

/** Sixteen bytes `c`. They lie in memory: as a constant they take more of the module, and more instructions. */
export function sixteen(c: u32): v128 {
  return v128.load(SIXTEEN + ((<usize>c) << 4));
}

/** The upper four bits of each byte; a shift of bytes takes twice the instructions of one of words. */
export function highHalves(v: v128): v128 {
  return v128.and(i16x8.shr_u(v, 4), sixteen(15));
}

/** Fills the tables. */
export function initChars(): void {
  for (let c: u32 = 0; c < 256; c += 1) memory.fill(SIXTEEN + ((<usize>c) << 4), <u8>c, 16);
  for (let c: u32 = 0; c < 256; c += 1) {
    let kind = PUNCT;
    if (c - 65 < 26 || c - 97 < 26 || c >= 128) kind = LETTER;
    else if (c - 48 < 10) kind = DIGIT;
    store<u8>(CLASS + c, kind);
  }
  store<u8>(CLASS + 32, BLANK);
  store<u8>(CLASS + 9, BLANK);
  store<u8>(CLASS + 10, NEWLINE);
  store<u8>(CLASS + 13, RETURN);
}

/** The class of a byte. */
export function classOf(c: u32): u32 {
  return load<u8>(CLASS + c);
}

/** The class of the byte at `p`. */
export function classAt(p: usize): u32 {
  return load<u8>(CLASS + load<u8>(p));
}

/** A hex digit in either case. */
export function isHex(c: u32): bool {
  return c - 48 < 10 || (c | 32) - 97 < 6;
}

export function isDigitAt(p: usize): bool {
  return <u32>load<u8>(p) - 48 < 10;
}

/** Where the digits at `from` are over. Reads up to 15 bytes behind `to`. */
export function digitsEnd(from: usize, to: usize): usize {
  for (let p = from; p < to; p += 16) {
    const digits = i8x16.le_u(i8x16.sub(v128.load(p), sixteen(48)), sixteen(9));
    const others = i8x16.bitmask(digits) ^ 0xffff;
    if (others !== 0) return min(p + ctz(others), to);
  }
  return max(from, to);
}

/** Where the next line feed is; `end` where there is none. Reads up to 31 bytes behind `end`. */
export function lineEnd(from: usize, end: usize): usize {
  for (let p = from; p < end; p += 32) {
    const low = i8x16.bitmask(i8x16.eq(v128.load(p), sixteen(10)));
    const hits = low | (i8x16.bitmask(i8x16.eq(v128.load(p, 16), sixteen(10))) << 16);
    if (hits !== 0) return min(p + ctz(hits), end);
  }
  return end;
}
