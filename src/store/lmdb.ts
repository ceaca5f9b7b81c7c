/** Opens the LMDB environment of a store. The only file that imports lmdb; a bundle of its own, loaded when it is needed. */
import { type Database, openAsClass, type RootDatabase } from 'lmdb';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { findFolder, type Folder, makeFolder, makeSub, syncFolder } from './folder.ts';
import { type Condition, isLockTrouble, type LmdbEnv, lmdbTrouble, type Table } from './lmdb-env.ts';
import { healthOf, moveAside, refuseUnfit, reserve } from './lmdb-guard.ts';
import { type LmdbStore, storeOver } from './lmdb-store.ts';
import { pause } from './lock.ts';
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
    const root = openRoot(folder.lmdb, readOnly);
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

/** Pauses between tries, in ms; each is drawn from its half to the whole, so that processes that wait go apart. */
const PAUSES_MS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Opens the environment. The last process that closes one makes its locks useless (`mdb_env_close` of LMDB 0.9.90), and
 * one that waits to open it just then gets them so: each of its transactions fails, and those of all who come, until
 * nobody has it open. So who fails closes it, and tries again for half a second at most.
 */
function openRoot(path: string, readOnly: boolean): RootDatabase<Buffer, Buffer> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return openOnce(path, readOnly);
    } catch (error) {
      if (!isLockTrouble(error)) throw error;
      pause(pauseMs * (0.5 + Math.random() / 2));
    }
  }
  return openOnce(path, readOnly);
}

function openOnce(path: string, readOnly: boolean): RootDatabase<Buffer, Buffer> {
  const options = { ...BINARY, path, isRoot: true, readOnly, maxDbs: 3, overlappingSync: false };
  const Root = openAsClass<Buffer, Buffer>({ ...options }) as unknown as RootClass;
  try {
    return new Root(null, options);
  } catch (error) {
    // The environment is open, without a database that could close it.
    void Root.prototype.close.call({ isRoot: true });
    throw error;
  }
}

/** What lmdb makes of an environment before it opens a database in it. */
interface RootClass {
  new (name: null, options: object): RootDatabase<Buffer, Buffer>;
  readonly prototype: { close(this: { readonly isRoot: true }): Promise<void> };
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
function survey(env: LmdbEnv, beat = (): void => {}): void {
  for (const table of [env.entries, env.chunks, env.pending]) {
    for (const { value } of table.getRange({})) {
      if (value.length === 0) break;
      beat();
    }
  }
}

/** Opens an environment for reading and reads all of it; a damaged one throws `StoreUnavailable`, or crashes the process. */
export async function surveyLmdb(root: string, beat: () => void): Promise<void> {
  const folder = findFolder(root);
  if (!folder || healthOf(folder).kind === 'new') return;
  const env = attempt(folder, () => openEnv(folder, true));
  if (!env) return;
  try {
    attempt(folder, () => survey(env, beat));
  } finally {
    await env.close();
  }
}

function attempt<T>(folder: Folder, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw lmdbTrouble(error, folder.lmdb);
  }
}
