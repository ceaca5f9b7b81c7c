// Finds the lines that hold one of some literals, in any case. Literals are printable ASCII.
import { lineEnd } from './chars';

const MOST_TEXT: u32 = 16384;
const MOST: u32 = 1024;
/** The literals, in lower case; of each where it starts and how long it is; the next one of its first byte (from 1). */
const TEXTS: usize = memory.data(16384);
const LITERALS: usize = memory.data(1024 * 12, 4);
/** A literal (from 1) that starts with this byte, in either case. */
const FIRST: usize = memory.data(256 * 2, 2);

let count: u32 = 0;
let limit: usize = 0;
let at: usize = 0;
let line: u32 = 0;

/** Takes over the literals, parted by line feeds; false where they are too many. */
export function useLiterals(from: usize, size: usize): bool {
  if (size > MOST_TEXT) return false;
  memory.fill(FIRST, 0, 512);
  count = 0;
  line = 0;
  let start = TEXTS;
  for (let p: usize = 0; p <= size; p += 1) {
    const c: u32 = p < size ? load<u8>(from + p) : 10;
    store<u8>(TEXTS + p, lower(c));
    if (c !== 10) continue;
    if (count >= MOST) return false;
    add(start, <u32>(TEXTS + p - start));
    start = TEXTS + p + 1;
  }
  return true;
}

function add(text: usize, size: u32): void {
  const literal = LITERALS + count * 12;
  const first: u32 = load<u8>(text);
  const upper: u32 = first - 97 < 26 ? first - 32 : first;
  store<usize>(literal, text);
  store<u32>(literal, size, 4);
  store<u32>(literal, load<u16>(FIRST + (first << 1)), 8);
  count += 1;
  store<u16>(FIRST + (first << 1), count);
  store<u16>(FIRST + (upper << 1), count);
}

function lower(c: u32): u32 {
  return c - 65 < 26 ? c + 32 : c;
}

/** Starts a chunk of whole lines. */
export function literalChunk(from: usize, size: usize): void {
  at = from;
  limit = from + size;
}

/** Writes the numbers of the next lines that hold a literal, `room` at most; fewer where the chunk is at its end. */
export function literalLines(out: usize, room: u32): u32 {
  let found: u32 = 0;
  let hit = at;
  while (at < limit && found < room) {
    // A hit further on stands for all lines before it.
    if (hit <= at) hit = next(at);
    const end = lineEnd(at, limit);
    if (hit < end) {
      store<u32>(out + (found << 2), line);
      found += 1;
    }
    line += 1;
    at = end + 1;
  }
  return found;
}

/** Where the next literal stands; `limit` where none does. */
function next(from: usize): usize {
  for (let p = from; p < limit; p += 1) {
    let literal: u32 = load<u16>(FIRST + ((<usize>load<u8>(p)) << 1));
    while (literal !== 0) {
      const record = LITERALS + (literal - 1) * 12;
      if (isAt(p, load<usize>(record), load<u32>(record, 4))) return p;
      literal = load<u32>(record, 8);
    }
  }
  return limit;
}

function isAt(p: usize, text: usize, size: u32): bool {
  if (p + size > limit) return false;
  for (let i: usize = 0; i < size; i += 1) if (lower(load<u8>(p + i)) !== load<u8>(text + i)) return false;
  return true;
}
