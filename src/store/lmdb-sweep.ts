/** What goes from LMDB. Puts of other processes may come in between, so each removal holds only for the row it looked at. */
import type { Folder } from './folder.ts';
import { YOUNG_MS } from './full.ts';
import {
  CHANGE_BYTES,
  CHANGES_MOST,
  type EntryRow,
  type LmdbEnv,
  readRow,
  rowsWithPrefix,
  shaKey,
} from './lmdb-env.ts';
import { dropChunks, markPending } from './lmdb-put.ts';
import type { Sha, SweepReport, Tombstone } from './port.ts';
import { bury, tombstoneOf } from './tombstones.ts';
import { lastUseMs } from './uses.ts';

/** Each removal changes two rows. */
const ROWS_MOST = Math.floor(CHANGES_MOST / 2);

interface Limits {
  readonly nowMs: number;
  readonly maxBytes: number;
}

/** Removes what has expired, then the least recently used until `maxBytes` holds, then chunks that nothing owns. */
export async function sweepLmdb(env: LmdbEnv, folder: Folder, limits: Limits): Promise<SweepReport> {
  env.refresh();
  const rows = [...rowsWithPrefix(env)];
  const isOver = ({ record }: EntryRow): boolean => (record?.expiresMs ?? 0) <= limits.nowMs;
  const over = await removeRows(env, folder, {
    rows: rows.filter(isOver),
    why: 'expired',
    nowMs: limits.nowMs,
  });
  const excess = evictable(
    folder,
    rows.filter((row) => !isOver(row)),
    limits,
  );
  const gone = await removeRows(env, folder, { rows: excess, why: 'evicted', nowMs: limits.nowMs });
  await dropOrphans(env, limits.nowMs);
  return { expired: over.count, evicted: gone.count, freedBytes: over.bytes + gone.bytes };
}

/** Erases originals. Returns which of them were there. */
export async function forgetInLmdb(env: LmdbEnv, shas: Iterable<Sha>, nowMs: number): Promise<Set<Sha>> {
  const forgotten = new Set<Sha>();
  for (const sha of shas) {
    for (;;) {
      env.refresh();
      const row = readRow(env, sha);
      if (!row) break;
      forgotten.add(sha);
      if (await removeRow(env, row, nowMs)) break;
    }
  }
  return forgotten;
}

/** Those that are over the cap, oldest use first; none that was committed or used within the hour. */
function evictable(folder: Folder, rows: readonly EntryRow[], limits: Limits): EntryRow[] {
  let excess = rows.reduce((sum, { record }) => sum + (record?.storedBytes ?? 0), 0) - limits.maxBytes;
  if (excess <= 0) return [];
  const byUse = rows
    .map((row) => ({ row, usedMs: Math.max(row.record?.committedMs ?? 0, lastUseMs(folder, row.sha)) }))
    .filter(({ usedMs }) => limits.nowMs - usedMs >= YOUNG_MS)
    .sort((a, b) => a.usedMs - b.usedMs);
  return byUse.flatMap(({ row }) => {
    if (excess <= 0) return [];
    excess -= row.record?.storedBytes ?? 0;
    return [row];
  });
}

async function removeRows(
  env: LmdbEnv,
  folder: Folder,
  work: { readonly rows: readonly EntryRow[]; readonly why: Tombstone['why']; readonly nowMs: number },
): Promise<{ count: number; bytes: number }> {
  let count = 0;
  let bytes = 0;
  for (let at = 0; at < work.rows.length; at += ROWS_MOST) {
    const rows = work.rows.slice(at, at + ROWS_MOST);
    const intact = rows.flatMap(({ sha, record }) =>
      record ? [{ sha, size: record.size, facts: record.facts }] : [],
    );
    bury(
      folder,
      intact.map((entry) => tombstoneOf(entry, work.why, work.nowMs)),
    );
    // Asked for in one turn, they go in one transaction.
    const removed = await Promise.all(rows.map((row) => removeRow(env, row, work.nowMs)));
    const gone = rows.filter((_, index) => removed[index]);
    await dropChunks(
      env,
      gone.flatMap(({ record }) => record?.chunks ?? []),
    );
    count += gone.length;
    bytes += gone.reduce((sum, { record }) => sum + (record?.storedBytes ?? 0), 0);
  }
  return { count, bytes };
}

/** Removes a row if it has not changed since; its chunks become pending. */
function removeRow(env: LmdbEnv, { sha, version, record }: EntryRow, nowMs: number): Promise<boolean> {
  return env.write({ key: shaKey(sha), version }, 3 * CHANGE_BYTES, () => {
    env.entries.remove(shaKey(sha));
    if (record) markPending(env, record.chunks, nowMs);
  });
}

/** Chunks that have belonged to nothing for an hour: of a put that was killed, or of a damaged copy that was replaced. */
async function dropOrphans(env: LmdbEnv, nowMs: number): Promise<void> {
  env.refresh();
  const sets = [...env.pending.getRange({ start: Buffer.alloc(1) })].flatMap(({ key, value }) =>
    nowMs - Buffer.from(value).readDoubleBE() > YOUNG_MS ? [Buffer.from(key).toString('hex')] : [],
  );
  await dropChunks(env, sets);
}
