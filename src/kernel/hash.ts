// Hashes that tell which texts are equal.
import { classAt, DIGIT, LETTER } from './chars';

const FACTOR: u64 = 0x9e3779b97f4a7c15;
const LAST: u64 = 0xd6e8feb86659fd93;

/** Of the bytes `[from, to)`; reads up to 7 bytes behind them. */
export function hash64(from: usize, to: usize): u64 {
  let hash: u64 = (<u64>(to - from) + 1) * LAST;
  let at = from;
  for (; at + 8 <= to; at += 8) hash = mixed(hash ^ load<u64>(at));
  if (at < to) hash = mixed(hash ^ (load<u64>(at) & (((<u64>1) << ((<u64>(to - at)) << 3)) - 1)));
  return hash;
}

function mixed(h: u64): u64 {
  const x = h * FACTOR;
  return x ^ (x >> 32);
}

/** Had the text that was masked last a letter beyond ASCII? */
export let isForeign: bool = false;

/** The same with digits masked, and with them short letter runs beside them: ids of one kind hash alike. */
export function hashMasked64(from: usize, to: usize): u64 {
  let hash: u64 = LAST;
  let before = hash;
  /** Is it in a run of letters and digits; has that digits? */
  let isRun = false;
  let hasDigits = false;
  let bits: u32 = 0;
  for (let at = from; at < to; at += 1) {
    const kind = classAt(at);
    const byte: u32 = load<u8>(at);
    bits |= byte;
    if (kind - LETTER < 2) {
      if (!isRun) {
        isRun = true;
        before = hash;
      }
      if (kind === DIGIT) hasDigits = true;
    } else if (isRun) {
      if (hasDigits) hash = (before ^ 0x101) * FACTOR;
      isRun = false;
      hasDigits = false;
    }
    hash = (hash ^ byte) * FACTOR;
  }
  if (hasDigits) hash = (before ^ 0x101) * FACTOR;
  isForeign = bits >= 128;
  return hash ^ (hash >> 32);
}

/** The same as numbers that JavaScript holds exactly. */
export function hashBytes(from: usize, to: usize): f64 {
  return <f64>(hash64(from, to) >> 11);
}

export function hashMasked(from: usize, to: usize): f64 {
  return <f64>(hashMasked64(from, to) >> 11);
}
