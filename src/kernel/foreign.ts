// Finds letters that a reader takes for others, or does not see.
import { isDigitAt } from './chars';

/** Bytes of a cell that are looked at. */
const LONGEST: usize = 200;

/**
 * Has the cell `[from, to)` a letter beyond ASCII in a word that reads like a name: alone in its cell, or with digits, a
 * slash or an equals sign? Dashes, quotes and signs are none; what can't be seen is one anywhere.
 */
export function hasForeignName(from: usize, to: usize): bool {
  const end = min(to, from + LONGEST);
  for (let p = from; p < end; p += 1) {
    const lead: u32 = load<u8>(p);
    if (lead < 0xc2) continue;
    if (lead === 0xe2) {
      if (isInvisible(p)) return true;
      p += 2;
    } else if (isName(from, end, p)) return true;
  }
  return false;
}

/** Blanks of no width, marks that turn the direction. */
function isInvisible(p: usize): bool {
  const last: u32 = load<u8>(p + 2);
  return load<u8>(p + 1) === 0x80 && (last - 0x8b < 5 || last - 0xaa < 5);
}

function isName(from: usize, to: usize, at: usize): bool {
  let start = at;
  let end = at;
  while (start > from && load<u8>(start - 1) > 32) start -= 1;
  while (end < to && load<u8>(end) > 32) end += 1;
  if (start === from && end === to) return true;
  for (let p = start; p < end; p += 1) {
    const c: u32 = load<u8>(p);
    if (isDigitAt(p) || c === 47 || c === 61) return true;
  }
  return false;
}
