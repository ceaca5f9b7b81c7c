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

/** The source in pieces of about 1 MiB that end at a line end (the last may not); a longer line is one piece. */
export function* lineChunks(source: Source, from = 0, to = source.length): Generator<Chunk> {
  let base = from;
  let size = CHUNK;
  while (base < to) {
    const bytes = source.read(base, Math.min(to, base + size));
    const whole = base + bytes.length >= to ? bytes.length : asBuffer(bytes).lastIndexOf(10) + 1;
    if (whole === 0) {
      size *= 2;
      if (size > 2 * LONGEST_LINE) throw new RangeError('a line is longer than 64 MiB');
      continue;
    }
    yield { base, bytes: bytes.subarray(0, whole) };
    base += whole;
    size = CHUNK;
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
