/**
 * A chunk of an original in LMDB: one byte that says how it is packed, 16 bytes of check, and the bytes. The check is the
 * SHA-256 over hash of the original, index and plain bytes: a chunk that is damaged, or not the one asked for, is noticed.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { check16 } from './hash.ts';
import { DamagedError, type Sha } from './port.ts';

/** 16 pages of LMDB with room for their header and ours. */
export const CHUNK_BYTES = 65_472;

const PLAIN = 0;
const BROTLI = 1;
const PACK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Packs one chunk; what does not shrink stays plain. */
export function packChunk(sha: Sha, index: number, bytes: Uint8Array): Buffer {
  const packed = brotliCompressSync(bytes, {
    params: { ...PACK.params, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  const smaller = packed.length < bytes.length;
  return Buffer.concat([
    Buffer.from([smaller ? BROTLI : PLAIN]),
    check(sha, index, bytes),
    smaller ? packed : bytes,
  ]);
}

/** The bytes of a chunk. Throws `DamagedError` unless they are those of chunk `index` of the original `sha`. */
export function unpackChunk(sha: Sha, index: number, stored: Buffer | undefined): Buffer {
  if (!stored) throw new DamagedError(`chunk ${index} is missing`);
  const bytes = unpack(stored, index);
  if (stored.subarray(1, 17).equals(check(sha, index, bytes))) return bytes;
  throw new DamagedError(`chunk ${index} does not match its check sum`);
}

/** Cuts bytes that come in any pieces into chunks; each is valid until the next. */
export function* rechunk(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const count = Math.min(piece.length - at, CHUNK_BYTES - filled);
      chunk.set(piece.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

function unpack(stored: Buffer, index: number): Buffer {
  const packed = stored.subarray(17);
  if (stored[0] === PLAIN) return packed;
  try {
    return brotliDecompressSync(packed, { maxOutputLength: CHUNK_BYTES });
  } catch (error) {
    throw new DamagedError(`chunk ${index} can't be unpacked`, { cause: error });
  }
}

function check(sha: Sha, index: number, bytes: Uint8Array): Uint8Array {
  return check16(sha, `:${index}:`, bytes);
}
