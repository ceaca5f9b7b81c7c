/** The LMDB environment as a store. Views, tombstones and uses are plain files beside it. */
import { isPrefix, missing, single } from './lookup.ts';
import type { Folder } from './folder.ts';
import { type LmdbEnv, lmdbTrouble, rowsWithPrefix } from './lmdb-env.ts';
import { putOriginal } from './lmdb-put.ts';
import { listLmdb, lmdbWithPrefix, lookInLmdb } from './lmdb-read.ts';
import { forgetInLmdb, sweepLmdb } from './lmdb-sweep.ts';
import { isDamaged, type Lookup, type Sha, type Store, type StoreStats, type SweepReport } from './port.ts';
import { forgetRecords, tidyRecords } from './spool-sweep.ts';
import { countTombstones } from './tombstones.ts';
import { findView, recordView } from './views.ts';

/** The driver, and what gc and the combined store need of it: originals alone, without the records beside them. */
export interface LmdbStore extends Store {
  shasWithPrefix(prefix: string): Sha[];
  /** The original `sha`; undefined if it is not in LMDB. */
  look(sha: Sha, nowMs: number): Lookup | undefined;
  /** Erases originals; returns which of them were there. */
  erase(shas: readonly Sha[], nowMs: number): Promise<ReadonlySet<Sha>>;
  /** `sweep` of the originals. */
  evict(limits: { readonly nowMs: number; readonly maxBytes: number }): Promise<SweepReport>;
}

/** The driver over an open environment; `sweep` and `forget` are for the holder of the maintenance lock. */
export function storeOver(folder: Folder, env: LmdbEnv): LmdbStore {
  const originals = originalsOver(folder, env);
  return {
    ...originals,
    async put(request) {
      await originals.put(request);
      if (request.view) recordView(folder, request.sha, request.view, 'sync');
    },
    open: async (prefix, nowMs) => {
      if (!isPrefix(prefix)) return { kind: 'unknown' };
      const { sha, lookup } = single(originals.shasWithPrefix(prefix));
      if (lookup) return lookup;
      return (sha === undefined ? undefined : originals.look(sha, nowMs)) ?? missing(folder, prefix, nowMs);
    },
    view: async (viewSha) => findView(folder, viewSha),
    async forget(shas, nowMs) {
      const forgotten = await originals.erase(shas, nowMs);
      forgetRecords(folder, shas, nowMs);
      return forgotten.size;
    },
    async sweep(limits) {
      const report = await originals.evict(limits);
      const left = new Set(originals.shasWithPrefix(''));
      tidyRecords(folder, limits.nowMs, (sha) => left.has(sha));
      return report;
    },
    close: () => env.close(),
  };
}

type Originals = Pick<LmdbStore, 'shasWithPrefix' | 'look' | 'erase' | 'evict' | 'list' | 'put' | 'stats'>;

function originalsOver(folder: Folder, env: LmdbEnv): Originals {
  const reading = <T>(work: () => T): T => {
    try {
      env.refresh();
      return work();
    } catch (error) {
      throw asTrouble(folder, error);
    }
  };
  const writing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asTrouble(folder, error);
    }
  };
  return {
    put: (request) => writing(() => putOriginal(env, request)),
    shasWithPrefix: (prefix) => reading(() => lmdbWithPrefix(env, prefix)),
    look: (sha, nowMs) => reading(() => lookInLmdb(env, sha, nowMs)),
    erase: (shas, nowMs) => writing(() => forgetInLmdb(env, shas, nowMs)),
    evict: (limits) => writing(() => sweepLmdb(env, folder, limits)),
    list: async () => reading(() => listLmdb(env)),
    stats: async () => reading(() => countLmdb(folder, env)),
  };
}

function asTrouble(folder: Folder, error: unknown): Error {
  return isDamaged(error) ? error : lmdbTrouble(error, folder.lmdb);
}

function countLmdb(folder: Folder, env: LmdbEnv): StoreStats {
  const totals = { originals: 0, originalBytes: 0, storedBytes: 0 };
  for (const { record } of rowsWithPrefix(env)) {
    totals.originals += 1;
    totals.originalBytes += record?.size ?? 0;
    totals.storedBytes += record?.storedBytes ?? 0;
  }
  return { ...totals, tombstones: countTombstones(folder) };
}
