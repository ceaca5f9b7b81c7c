/** Reads originals from LMDB: chunk by chunk, and each chunk is checked before a byte of it is returned. */
import { CHUNK_BYTES, unpackChunk } from './chunk.ts';
import { indexLines, type LineIndex, lineStartIn } from './line-start.ts';
import {
  checked,
  chunkKey,
  type EntryRow,
  LINES_INDEX,
  type LmdbEnv,
  readRow,
  rowsWithPrefix,
  type EntryRecord,
} from './lmdb-env.ts';
import { outlived } from './lookup.ts';
import { DamagedError, type Entry, isDamaged, type Lookup, type Reader, type Sha } from './port.ts';

/** The originals in LMDB whose hash starts with `prefix`. */
export function lmdbWithPrefix(env: LmdbEnv, prefix: string): Sha[] {
  return [...rowsWithPrefix(env, prefix)].map((row) => row.sha);
}

/** The original `sha`; undefined if it is not in LMDB. Only its record is checked here, its bytes as they are read. */
export function lookInLmdb(env: LmdbEnv, sha: Sha, nowMs: number): Lookup | undefined {
  const row = readRow(env, sha);
  if (!row) return undefined;
  const { record } = row;
  if (!record) return { kind: 'damaged', sha, reason: 'its record does not match its check sum' };
  if (record.expiresMs <= nowMs) return outlived({ sha, ...record });
  return { kind: 'found', entry: entryOf(sha, record), reader: chunkReader(env, sha, record) };
}

function entryOf(sha: Sha, record: EntryRecord): Entry {
  const { size, expiresMs, committedMs, facts } = record;
  return { sha, size, expiresMs, usedMs: committedMs, facts, where: 'lmdb' };
}

/** The entries whose record is intact. */
export function listLmdb(env: LmdbEnv): Entry[] {
  const rows: EntryRow[] = [...rowsWithPrefix(env)];
  return rows.flatMap(({ sha, record }) => (record ? [entryOf(sha, record)] : []));
}

function chunkReader(env: LmdbEnv, sha: Sha, record: EntryRecord): Reader {
  const { size, chunks } = record;
  let last: { readonly index: number; readonly bytes: Uint8Array } | undefined;
  const chunk = (index: number): Uint8Array => {
    if (last?.index !== index) {
      last = { index, bytes: unpackChunk(sha, index, readChunk(env, chunks, index)) };
    }
    return last.bytes;
  };
  const read = (start: number, end: number): Uint8Array => {
    const from = Math.min(Math.max(0, start), size);
    const to = Math.min(Math.max(from, end), size);
    const bytes = Buffer.allocUnsafe(to - from);
    for (let at = from; at < to;) {
      const index = Math.floor(at / CHUNK_BYTES);
      const piece = chunk(index).subarray(at - index * CHUNK_BYTES, to - index * CHUNK_BYTES);
      bytes.set(piece, at - from);
      at += piece.length;
    }
    return bytes;
  };
  let index: LineIndex | undefined;
  return {
    size,
    read,
    lineStart(line) {
      index ??= storedLines(env, sha, chunks) ?? indexLines({ size, read });
      return lineStartIn({ size, read }, index, line);
    },
    close: () => {},
  };
}

function readChunk(env: LmdbEnv, set: string, index: number): Buffer | undefined {
  try {
    return env.chunks.getBinary(chunkKey(set, index));
  } catch (error) {
    throw new DamagedError(`chunk ${index} can't be read (${String(error)})`, { cause: error });
  }
}

/** The line index that was stored with the chunks; undefined if it is damaged. */
function storedLines(env: LmdbEnv, sha: Sha, chunks: string): LineIndex | undefined {
  try {
    const stored = readChunk(env, chunks, LINES_INDEX);
    if (!stored) return undefined;
    const bytes = checked(sha, 'lines', stored);
    const before = new Uint32Array(Math.floor(bytes.length / 4));
    new Uint8Array(before.buffer).set(bytes.subarray(0, before.byteLength));
    return { pieceBytes: CHUNK_BYTES, before };
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}
