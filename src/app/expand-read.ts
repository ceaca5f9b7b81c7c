import { isAscii, isUtf8 } from 'node:buffer';
import { DamagedError, type Reader } from '../store/port.ts';

const BLOCK = 1 << 20;
const NEWLINE = 10;
/** How far a line is looked for by reading; a reader may have to read everything once to answer. */
const NEAR_BLOCKS = 4;

/** An original, read in aligned blocks of which the last two are kept: never whole in memory. */
export interface Original {
  readonly size: number;
  readonly blockSize: number;
  /** The bytes `[start, end)` in one piece; ask only for what may be in memory. */
  read(start: number, end: number): Uint8Array;
  /** The bytes `[start, end)` in pieces, in order. */
  pieces(start: number, end: number): Generator<Uint8Array>;
  /** The nearest place before the start of a line that is known without reading, else undefined. */
  lineStart(line: number): { readonly line: number; readonly byte: number } | undefined;
}

/** A run of bytes `[start, end)`. `line` is the number, in the original, of the line that `start` is in, where known. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly line: number | undefined;
}

export function openOriginal(reader: Reader, blockSize = BLOCK): Original {
  let recent: Array<{ index: number; bytes: Uint8Array }> = [];
  const block = (index: number): Uint8Array => {
    const known = recent.find((entry) => entry.index === index);
    if (known) return known.bytes;
    const start = index * blockSize;
    const bytes = reader.read(start, Math.min(reader.size, start + blockSize));
    recent = [{ index, bytes }, ...recent.slice(0, 1)];
    return bytes;
  };
  function* pieces(start: number, end: number): Generator<Uint8Array> {
    for (let at = start; at < end;) {
      const index = Math.floor(at / blockSize);
      const base = index * blockSize;
      const piece = block(index).subarray(at - base, end - base);
      if (piece.length === 0) throw new DamagedError('it ends before its size');
      yield piece;
      at += piece.length;
    }
  }
  return {
    size: reader.size,
    blockSize,
    read: (start, end) => joined([...pieces(start, end)]),
    pieces,
    lineStart: (line) => reader.lineStart?.(line),
  };
}

/** A place in a range: where a line starts, and how many line ends come before it. */
export interface LineStart {
  readonly byte: number;
  readonly skipped: number;
}

/** Where the line starts that comes `count` line ends after the start of the range; the last start where it has fewer. */
export function skipLines(original: Original, range: Range, count: number): LineStart {
  const near = Math.min(range.end, range.start + NEAR_BLOCKS * original.blockSize);
  const found = scanLines(original, { byte: range.start, skipped: 0 }, near, count);
  if (found.skipped === count || near === range.end) return found;
  return scanLines(original, knownStart(original, range, count) ?? found, range.end, count);
}

/** The same by reading on from a line start. */
function scanLines(original: Original, from: LineStart, end: number, count: number): LineStart {
  let { byte, skipped } = from;
  if (skipped === count) return from;
  let base = from.byte;
  for (const piece of original.pieces(base, end)) {
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) {
      byte = base + at + 1;
      skipped += 1;
      if (skipped === count) return { byte, skipped };
    }
    base += piece.length;
  }
  return { byte, skipped };
}

/** The nearest start at or before that line that the reader knows. */
function knownStart(original: Original, range: Range, count: number): LineStart | undefined {
  if (range.line === undefined) return undefined;
  const target = Math.min(range.line + count, original.size + 1);
  const known = original.lineStart(target);
  if (!known || known.line > target || known.byte <= range.start || known.byte > range.end) return undefined;
  return { byte: known.byte, skipped: known.line - range.line };
}

/** How many lines the range holds; a last one without a line end counts. */
export function countLines(original: Original, range: Range): number {
  const { byte, skipped } = skipLines(original, range, Number.MAX_SAFE_INTEGER);
  return skipped + (byte < range.end ? 1 : 0);
}

/** Where the last `count` lines of the range start. */
export function lastLines(original: Original, range: Range, count: number): number {
  if (count === 0) return range.end;
  let left = count;
  for (let end = range.end - 1; end > range.start;) {
    const start = Math.max(range.start, end - original.blockSize);
    const bytes = original.read(start, end);
    for (
      let at = bytes.lastIndexOf(NEWLINE);
      at >= 0;
      at = at > 0 ? bytes.lastIndexOf(NEWLINE, at - 1) : -1
    ) {
      left -= 1;
      if (left === 0) return start + at + 1;
    }
    end = start;
  }
  return range.start;
}

/** A line of the original with its line end. */
export interface Line {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The lines of a range, in order; where the range cuts a line, the part inside. */
export function* eachLine(original: Original, range: Range): Generator<Line> {
  let number = range.line ?? 1;
  let start = range.start;
  let at = range.start;
  for (const piece of original.pieces(range.start, range.end)) {
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, end + 1)) {
      yield { number, start, end: at + end + 1 };
      number += 1;
      start = at + end + 1;
    }
    at += piece.length;
  }
  if (start < range.end) yield { number, start, end: range.end };
}

/** Is the whole original valid UTF-8? Reads it until the answer is known. */
export function isText(original: Original): boolean {
  let rest: Uint8Array = new Uint8Array(0);
  for (const piece of original.pieces(0, original.size)) {
    const bytes = joined([rest, piece]);
    const cut = lastLead(bytes);
    if (!isUtf8(bytes.subarray(0, cut))) return false;
    rest = bytes.subarray(cut);
  }
  return isUtf8(rest);
}

/**
 * Where character `count` (from 0) of the range starts, as far as the range goes. A character is a code point where
 * `text` says so, else a byte.
 */
export function skipCharacters(
  original: Original,
  range: Range,
  count: number,
  text: boolean,
): { byte: number; skipped: number } {
  if (!text) {
    const skipped = Math.min(count, range.end - range.start);
    return { byte: range.start + skipped, skipped };
  }
  let skipped = -1;
  let at = range.start;
  for (const piece of original.pieces(range.start, range.end)) {
    for (let i = 0; i < piece.length; i += 1) {
      if ((piece[i]! & 0xc0) === 0x80) continue;
      skipped += 1;
      if (skipped === count) return { byte: at + i, skipped };
    }
    at += piece.length;
  }
  return { byte: range.end, skipped: skipped + 1 };
}

/** Holds the range nothing but ASCII, so that characters are bytes whatever the rest is? */
export function isPlain(original: Original, range: Range): boolean {
  for (const piece of original.pieces(range.start, range.end)) if (!isAscii(piece)) return false;
  return true;
}

/** The start of the last character, which the next piece may go on with; 0 in nonsense. */
function lastLead(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at -= 1) {
    if ((bytes[at]! & 0xc0) !== 0x80) return at;
  }
  return bytes.length;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
