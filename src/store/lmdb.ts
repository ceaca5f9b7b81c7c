/** Opens the LMDB environment of a store. The only file that imports lmdb; a bundle of its own, loaded when it is needed. */
import { type Database, open, type RootDatabase } from 'lmdb';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { findFolder, type Folder, makeFolder, makeSub, syncFolder } from './folder.ts';
import { type Condition, type LmdbEnv, lmdbTrouble, type Table } from './lmdb-env.ts';
import { healthOf, moveAside, refuseUnfit, reserve } from './lmdb-guard.ts';
import { type LmdbStore, storeOver } from './lmdb-store.ts';
import { StoreUnavailable } from './port.ts';

/** An LMDB store that can be written. */
export interface WritableLmdb extends LmdbStore {
  /** Where a damaged environment was moved when this one was opened. */
  readonly movedTo?: string;
}

export interface OpenOptions {
  readonly nowMs: number;
  /** Moves the environment aside even if it looks sound: it has just crashed a process. */
  readonly afresh?: boolean;
  /** Called after each transaction, so that somebody can see that it goes on. */
  readonly beat?: () => void;
}

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

/**
 * Opens for reading: never blocks, changes no data, and serves from a read-only disk. undefined when there is no
 * environment yet. Throws `StoreUnavailable` when it is damaged, or where LMDB is not safe.
 */
export function openToReadLmdb(root: string): LmdbStore | undefined {
  const folder = findFolder(root);
  if (!folder) return undefined;
  const health = healthOf(folder);
  if (health.kind === 'new') return undefined;
  refuseUnfit(folder);
  if (health.kind !== 'sound') {
    const what = `the LMDB file in ${folder.lmdb} is damaged (${health.reason})`;
    throw new StoreUnavailable('damaged', `${what}; \`ctxzip gc\` moves it aside and starts a new one`);
  }
  return attempt(folder, () => {
    const env = openEnv(folder, true);
    return env && storeOver(folder, env);
  });
}

/**
 * Opens for writing, made if it is missing; a damaged environment is moved aside first. Can block for ever behind a
 * stopped process, so this belongs into a process that somebody watches; and that process must not have it open for
 * reading at the same time. Throws `StoreUnavailable`.
 */
export function openLmdb(root: string, how: OpenOptions): WritableLmdb {
  const folder = makeFolder(root);
  const { kind } = healthOf(folder);
  refuseUnfit(folder, 0);
  return attempt(folder, () => {
    const goes = kind === 'damaged' || (how.afresh === true && kind !== 'new');
    const movedTo = goes ? moveAside(folder, how.nowMs) : undefined;
    makeSub(folder.lmdb);
    const env = openEnv(folder, false, how.beat);
    if (!env) throw new StoreUnavailable('failed', `the tables in ${folder.lmdb} can't be made`);
    if (kind === 'short' && !goes) survey(env);
    // LMDB makes its data durable, not the name of its file.
    if (kind === 'new' || goes) for (const path of [folder.lmdb, folder.root]) syncFolder(path);
    return { ...storeOver(folder, env), ...(movedTo === undefined ? {} : { movedTo }) };
  });
}

function openEnv(folder: Folder, readOnly: boolean, beat = (): void => {}): LmdbEnv | undefined {
  const umask = process.umask(0o077);
  try {
    const root = open<Buffer, Buffer>(folder.lmdb, {
      ...BINARY,
      readOnly,
      maxDbs: 3,
      overlappingSync: false,
    });
    const entries = root.openDB<Buffer, Buffer>({ ...BINARY, name: 'entries', useVersions: true });
    const chunks = root.openDB<Buffer, Buffer>({ ...BINARY, name: 'chunks' });
    const pending = root.openDB<Buffer, Buffer>({ ...BINARY, name: 'pending' });
    // A reader of an environment that was killed while it was made finds no tables.
    if (![entries, chunks, pending].every(Boolean)) {
      void root.close();
      return undefined;
    }
    return envOver(folder, { root, entries, chunks, pending }, readOnly ? undefined : beat);
  } finally {
    process.umask(umask);
  }
}

interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly entries: Database<Buffer, Buffer>;
  readonly chunks: Table;
  readonly pending: Table;
}

function envOver(folder: Folder, { root, entries, chunks, pending }: Tables, beat?: () => void): LmdbEnv {
  const fd = beat && openSync(join(folder.lmdb, 'data.mdb'), 'a+');
  if (fd !== undefined) process.on('unhandledRejection', ignoreFailedCommit);
  const run = (condition: Condition, writes: () => void): Promise<boolean> => {
    if (!condition) return entries.batch(writes);
    const { key, version } = condition;
    return version === 'absent' ? entries.ifNoExists(key, writes) : entries.ifVersion(key, version, writes);
  };
  return {
    entries,
    chunks,
    pending,
    refresh: () => entries.resetReadTxn(),
    async write(condition, bytes, writes) {
      if (fd === undefined) throw new StoreUnavailable('access', 'this store is open for reading only');
      try {
        reserve(folder, fd, bytes);
        const done = await run(condition, writes);
        beat?.();
        return done;
      } catch (error) {
        throw lmdbTrouble(await causeOf(error), folder.lmdb);
      }
    },
    async close() {
      await root.close();
      if (fd === undefined) return;
      closeSync(fd);
      process.off('unhandledRejection', ignoreFailedCommit);
    },
  };
}

/** lmdb rejects a promise of its own beside ours when a commit fails; without this the process would end. */
function ignoreFailedCommit(error: unknown): void {
  if (!(error instanceof Error && 'commitError' in error)) throw error;
}

async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}

/** Reads every page that is in use. If the file was cut, this ends the process here and not in a reader. */
function survey(env: LmdbEnv): void {
  for (const table of [env.entries, env.chunks, env.pending]) {
    for (const { value } of table.getRange({})) if (value.length === 0) break;
  }
}

function attempt<T>(folder: Folder, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw lmdbTrouble(error, folder.lmdb);
  }
}
