/** Finds where a line starts in an original that is read in pieces. */

/** Newlines (`\n`) before each piece of `pieceBytes` bytes, and in all at the end. */
export interface LineIndex {
  readonly pieceBytes: number;
  readonly before: Uint32Array;
}

/** Random access to bytes; `read` may return what is valid only until the next call. */
export interface Bytes {
  readonly size: number;
  read(start: number, end: number): Uint8Array;
}

const NEWLINE = 10;
const PIECE_BYTES = 64 * 1024;

/** How many newlines there are in `bytes`. */
export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Reads everything once to make the index. */
export function indexLines(bytes: Bytes): LineIndex {
  const before = new Uint32Array(Math.ceil(bytes.size / PIECE_BYTES) + 1);
  for (let piece = 0; piece + 1 < before.length; piece += 1) {
    const found = countNewlines(bytes.read(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES));
    before[piece + 1] = (before[piece] ?? 0) + found;
  }
  return { pieceBytes: PIECE_BYTES, before };
}

/** Where `line` (from 1) starts, or the last line if there are fewer. Reads one piece, and the last byte. */
export function lineStartIn(bytes: Bytes, index: LineIndex, line: number): { line: number; byte: number } {
  const newlines = index.before.at(-1) ?? 0;
  const open = bytes.size > 0 && bytes.read(bytes.size - 1, bytes.size)[0] !== NEWLINE;
  const last = Math.max(1, newlines + (open ? 1 : 0));
  const wanted = Math.min(Math.max(1, Math.floor(line)), last);
  if (wanted === 1) return { line: 1, byte: 0 };
  const piece = pieceOf(index.before, wanted - 1);
  const start = piece * index.pieceBytes;
  const found = bytes.read(start, start + index.pieceBytes);
  let at = -1;
  for (let seen = index.before[piece] ?? 0; seen < wanted - 1; seen += 1) at = found.indexOf(NEWLINE, at + 1);
  return { line: wanted, byte: start + at + 1 };
}

/** The piece that holds newline number `nth` (from 1): the last one with fewer newlines before it. */
function pieceOf(before: Uint32Array, nth: number): number {
  let low = 0;
  let high = before.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((before[middle] ?? 0) < nth) low = middle;
    else high = middle;
  }
  return low;
}
