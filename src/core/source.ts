import { isUtf8 } from 'node:buffer';
import { asBuffer } from './chars.ts';
import type { Source } from './model.ts';

const CHUNK = 1 << 20;
/** A line longer than this makes an input unfit for the line shapes. */
export const LONGEST_LINE = 1 << 26;

export function memorySource(bytes: Uint8Array): Source {
  // Of a plain array, for parts of buffers take three times as long.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return { length: plain.length, read: (start, end) => plain.subarray(start, end) };
}

export interface Chunk {
  /** Offset of the first byte in the source. */
  readonly base: number;
  readonly bytes: Uint8Array;
}

/** A line longer than this may be cut, where that is asked for. */
const LONG = 1 << 23;
const COMMA = 44;

/**
 * The source in pieces of about 1 MiB that end at a line end (the last may not); a longer line is one piece. With `cuts` a
 * line over 8 MiB is several, each with a comma at its end, which is in no character and in nothing that is looked for in pieces.
 */
export function* lineChunks(source: Source, from = 0, to = source.length, cuts = false): Generator<Chunk> {
  let base = from;
  let size = CHUNK;
  while (base < to) {
    const bytes = source.read(base, Math.min(to, base + size));
    let whole = base + bytes.length >= to ? bytes.length : asBuffer(bytes).lastIndexOf(10) + 1;
    if (whole === 0 && cuts && size >= LONG) whole = asBuffer(bytes).lastIndexOf(COMMA) + 1;
    if (whole === 0) {
      size *= 2;
      if (size > 2 * LONGEST_LINE) throw new RangeError('a line is longer than 64 MiB');
      continue;
    }
    yield { base, bytes: bytes.subarray(0, whole) };
    base += whole;
    if (bytes[whole - 1] !== COMMA) size = CHUNK;
  }
}

const known = new WeakMap<Source, boolean>();

/** Is all of the source valid UTF-8? Then characters are code points, else bytes. Reads it once. */
export function isText(source: Source): boolean {
  let answer = known.get(source);
  if (answer === undefined) {
    answer = true;
    for (const { bytes } of lineChunks(source)) {
      if (isUtf8(bytes)) continue;
      answer = false;
      break;
    }
    known.set(source, answer);
  }
  return answer;
}

/** Bytes of a byte order mark. */
export function markSize(source: Source): number {
  const head = source.read(0, Math.min(3, source.length));
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
}
