/** Puts originals into LMDB in bounded memory. */
import { CHUNK_BYTES, packChunk, rechunk, unpackChunk } from './chunk.ts';
import { check16, sha256 } from './hash.ts';
import { countNewlines } from './line-start.ts';
import {
  CHANGE_BYTES,
  CHANGES_MOST,
  chunkKey,
  encodeEntry,
  type EntryRecord,
  type EntryRow,
  LINES_INDEX,
  type LmdbEnv,
  readRow,
  shaKey,
} from './lmdb-env.ts';
import { DamagedError, isDamaged, type PutRequest } from './port.ts';

/** Chunks that are not yet written, when they come to as much, go in a transaction of their own. */
const BATCH_BYTES = 8 << 20;

/** Chunks of one original on their way: the last of them, and the others under `set`, in `pending` if there are any. */
interface Staged {
  readonly set: string;
  readonly size: number;
  readonly storedBytes: number;
  readonly rest: ReadonlyArray<readonly [Buffer, Buffer]>;
  readonly restBytes: number;
  readonly isPending: boolean;
}

/**
 * Puts an original; a known one gets expiry max(old, now + ttl), and new chunks if its own are damaged. It becomes visible
 * in one transaction: the only one if its chunks come to less than 8 MiB, else the last of several. Throws `DamagedError`
 * if the bytes are not those of the hash.
 */
export async function putOriginal(env: LmdbEnv, request: PutRequest): Promise<void> {
  const { sha } = request;
  let staged: Staged | undefined;
  for (;;) {
    env.refresh();
    const row = readRow(env, sha);
    if (row && isIntact(env, row)) {
      if (await prolong(env, row, request)) break;
    } else {
      staged ??= await stage(env, request);
      if (await insert(env, row, staged, request)) return;
    }
  }
  if (staged?.isPending) await dropChunks(env, [staged.set]);
}

/** Removes the chunks of sets that no entry has any more, and their rows in `pending`. */
export async function dropChunks(env: LmdbEnv, sets: readonly string[]): Promise<void> {
  let changes: Array<() => unknown> = [];
  const carryOut = async (): Promise<void> => {
    const now = changes;
    changes = [];
    await env.write(undefined, now.length * CHANGE_BYTES, () => now.forEach((change) => change()));
  };
  for (const set of sets) {
    const end = Buffer.concat([chunkKey(set, 0xffffffff), Buffer.alloc(1)]);
    // All keys first, as a transaction in between would move the cursor to another snapshot.
    const keys = [...env.chunks.getKeys({ start: chunkKey(set, 0), end })];
    for (const key of keys) {
      changes.push(() => env.chunks.remove(key));
      if (changes.length >= CHANGES_MOST) await carryOut();
    }
    changes.push(() => env.pending.remove(Buffer.from(set, 'hex')));
  }
  if (changes.length > 0) await carryOut();
}

/** Says since when a set of chunks belongs to no entry; for use in a transaction. */
export function markPending(env: LmdbEnv, set: string, nowMs: number): void {
  const value = Buffer.alloc(8);
  value.writeDoubleBE(nowMs);
  env.pending.put(Buffer.from(set, 'hex'), value);
}

/** Whether an entry and every chunk of it are what was put. Reads all of it. */
function isIntact(env: LmdbEnv, row: EntryRow): boolean {
  if (!row.record) return false;
  const { chunks, size } = row.record;
  try {
    for (let index = 0; index * CHUNK_BYTES < size; index += 1) {
      unpackChunk(row.sha, index, env.chunks.getBinary(chunkKey(chunks, index)));
    }
    return true;
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
}

async function prolong(env: LmdbEnv, row: EntryRow, request: PutRequest): Promise<boolean> {
  const { sha, version, record } = row;
  if (!record) return false;
  const { facts, nowMs, ttlMs } = request;
  const expiresMs = Math.max(record.expiresMs, nowMs + ttlMs);
  // gc may import an older commit after a newer one.
  const latest = nowMs >= record.committedMs ? { facts, committedMs: nowMs } : {};
  const next: EntryRecord = { ...record, ...latest, expiresMs };
  return env.write({ key: shaKey(sha), version }, CHANGE_BYTES, () => {
    env.entries.put(shaKey(sha), encodeEntry(sha, next), version + 1);
  });
}

async function insert(
  env: LmdbEnv,
  old: EntryRow | undefined,
  staged: Staged,
  request: PutRequest,
): Promise<boolean> {
  const { sha, facts, nowMs, ttlMs } = request;
  const expiresMs = Math.max(old?.record?.expiresMs ?? 0, nowMs + ttlMs);
  const { set, size, storedBytes } = staged;
  const record: EntryRecord = { chunks: set, size, storedBytes, expiresMs, committedMs: nowMs, facts };
  const condition = { key: shaKey(sha), version: old?.version ?? ('absent' as const) };
  return env.write(condition, staged.restBytes, () => {
    for (const [key, value] of staged.rest) env.chunks.put(key, value);
    if (staged.isPending) env.pending.remove(Buffer.from(set, 'hex'));
    if (old?.record) markPending(env, old.record.chunks, nowMs);
    env.entries.put(shaKey(sha), encodeEntry(sha, record), (old?.version ?? 0) + 1);
  });
}

/** Packs the chunks, and writes all but the last 8 MiB of them. */
async function stage(env: LmdbEnv, request: PutRequest): Promise<Staged> {
  const { sha, nowMs } = request;
  const set = process.getBuiltinModule('node:crypto').randomBytes(8).toString('hex');
  const hash = sha256();
  const before = [0];
  let size = 0;
  let storedBytes = 0;
  let isPending = false;
  let rest: Array<readonly [Buffer, Buffer]> = [];
  let restBytes = 0;
  const add = (index: number, value: Buffer): void => {
    rest.push([chunkKey(set, index), value]);
    restBytes += value.length + CHANGE_BYTES;
    storedBytes += value.length;
  };
  for (const chunk of rechunk(request.chunks)) {
    const index = before.length - 1;
    hash.update(chunk);
    size += chunk.length;
    before.push((before[index] ?? 0) + countNewlines(chunk));
    add(index, packChunk(sha, index, chunk));
    if (restBytes < BATCH_BYTES) continue;
    await env.write(undefined, restBytes, () => {
      if (!isPending) markPending(env, set, nowMs);
      for (const [key, value] of rest) env.chunks.put(key, value);
    });
    isPending = true;
    rest = [];
    restBytes = 0;
  }
  if (hash.digest('hex') !== sha) {
    if (isPending) await dropChunks(env, [set]);
    throw new DamagedError('the bytes are not those of the hash');
  }
  const lines = Buffer.from(Uint32Array.from(before).buffer);
  add(LINES_INDEX, Buffer.concat([check16(sha, 'lines', lines), lines]));
  return { set, size, storedBytes, isPending, rest, restBytes };
}
