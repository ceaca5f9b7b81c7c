/** Readers over bytes in memory and over a spool file. Both have looked at the hash before they return anything. */
import { closeSync, fstatSync } from 'node:fs';
import { readFully } from './files.ts';
import { sha256 } from './hash.ts';
import { indexLines, type LineIndex, lineStartIn } from './line-start.ts';
import { DamagedError, type Reader, type Sha } from './port.ts';

/** Originals up to this size are held in memory while they are read. */
const HELD_BYTES = 4 << 20;
const STEP_BYTES = 1 << 20;

/** A reader over bytes that have been checked. */
export function bytesReader(bytes: Uint8Array): Reader {
  return readerOver(bytes.length, (start, end) => bytes.subarray(start, end));
}

/**
 * A reader over the first `size` bytes behind `fd`, which it closes when it is closed. Hashes them first, in bounded
 * memory (1.8 GB/s), and throws `DamagedError` (and closes `fd`) if they are not those of `sha`.
 */
export function fileReader(fd: number, size: number, sha: Sha): Reader {
  try {
    if (size > HELD_BYTES) return largeFileReader(fd, size, sha);
    const bytes = Buffer.allocUnsafe(size);
    const count = readFully(fd, bytes, 0);
    if (count !== size || sha256(size).update(bytes).digest('hex') !== sha) throw mismatch();
    closeSync(fd);
    return bytesReader(bytes);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The first `size` bytes behind `fd` in pieces, each valid until the next; throws `DamagedError` at the end if they are not those of `sha`. */
export function* checkedPieces(fd: number, size: number, sha: Sha): Generator<Uint8Array> {
  const hash = sha256();
  const buffer = Buffer.allocUnsafe(Math.min(size, STEP_BYTES));
  for (let start = 0; start < size; start += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, size - start));
    if (readFully(fd, piece, start) !== piece.length) throw mismatch();
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha) throw mismatch();
}

function largeFileReader(fd: number, size: number, sha: Sha): Reader {
  for (const piece of checkedPieces(fd, size, sha)) if (piece.length === 0) break;
  const { mtimeMs } = fstatSync(fd);
  const read = (start: number, end: number): Uint8Array => {
    const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
    if (readFully(fd, bytes, start) !== bytes.length || fstatSync(fd).mtimeMs !== mtimeMs) throw mismatch();
    return bytes;
  };
  let closed = false;
  return readerOver(size, read, () => {
    if (!closed) closeSync(fd);
    closed = true;
  });
}

function readerOver(
  size: number,
  readClipped: (start: number, end: number) => Uint8Array,
  close = (): void => {},
): Reader {
  let index: LineIndex | undefined;
  const read = (start: number, end: number): Uint8Array => {
    const from = Math.min(Math.max(0, start), size);
    return readClipped(from, Math.min(Math.max(from, end), size));
  };
  return {
    size,
    read,
    lineStart(line) {
      index ??= indexLines({ size, read });
      return lineStartIn({ size, read }, index, line);
    },
    close,
  };
}

function mismatch(): DamagedError {
  return new DamagedError('its bytes do not match its hash');
}
