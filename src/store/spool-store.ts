/** The spool as a whole store: it serves where LMDB can't, and readers look here first. */
import { closeSync } from 'node:fs';
import { makeTemp, namesIn, unlinkIfThere, writeFully } from './files.ts';
import { findFolder, type Folder, makeFolder, unavailable } from './folder.ts';
import { isSha, sha256 } from './hash.ts';
import { isPrefix, missing, outlived, single } from './lookup.ts';
import {
  DamagedError,
  type Entry,
  isDamaged,
  type Lookup,
  type PutRequest,
  type Sha,
  type Store,
  type StoreStats,
  type SweepReport,
} from './port.ts';
import { fileReader } from './readers.ts';
import { publish } from './spool.ts';
import { listSpool, openSpoolFile } from './spool-care.ts';
import { readTail } from './spool-file.ts';
import { forgetFiles, forgetRecords, sweepSpool, tidyRecords } from './spool-sweep.ts';
import { countTombstones } from './tombstones.ts';
import { lastUseMs } from './uses.ts';
import { findView } from './views.ts';

/**
 * The spool of the store at `root` as a driver. Reading makes no folder; a missing one is empty. `sweep` and `forget` are
 * for the holder of the maintenance lock. Throws `StoreUnavailable` when the folder can't be trusted or used.
 */
export function spoolStore(root: string): Store {
  const reading = <T>(work: (folder: Folder) => T, none: T): T =>
    guarded(root, () => {
      const folder = findFolder(root);
      return folder ? work(folder) : none;
    });
  return {
    put: async (request) => guarded(root, () => putFile(makeFolder(root), request)),
    open: async (prefix, nowMs) => reading((folder) => lookUp(folder, prefix, nowMs), { kind: 'unknown' }),
    view: async (viewSha) => reading((folder) => findView(folder, viewSha), undefined),
    list: async () => reading(listEntries, []),
    forget: async (shas, nowMs) => reading((folder) => forget(folder, shas, nowMs), 0),
    sweep: async (limits) =>
      reading((folder) => sweep(folder, limits), { expired: 0, evicted: 0, freedBytes: 0 }),
    stats: async () => reading(countSpool, { originals: 0, originalBytes: 0, storedBytes: 0, tombstones: 0 }),
    close: async () => {},
  };
}

/** The originals of the spool whose hash starts with `prefix`. */
export function spoolWithPrefix(folder: Folder, prefix: string): Sha[] {
  const names = [...namesIn(folder.spool), ...namesIn(folder.taken)];
  return names.filter((name) => name.startsWith(prefix) && isSha(name));
}

/** The original `sha` of the spool, hashed before it is served; undefined if it is not there. */
export function lookInSpool(folder: Folder, sha: Sha, nowMs: number): Lookup | undefined {
  const fd = openSpoolFile(folder, sha);
  if (fd === undefined) return undefined;
  let owned = false;
  try {
    const { size, trailer } = readTail(fd, sha);
    const { expiresMs, facts, committedMs } = trailer;
    if (expiresMs <= nowMs) return outlived({ sha, size, facts, expiresMs });
    owned = true;
    const reader = fileReader(fd, size, sha);
    const usedMs = Math.max(committedMs, lastUseMs(folder, sha));
    return { kind: 'found', entry: { sha, size, expiresMs, usedMs, facts, where: 'spool' }, reader };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { kind: 'damaged', sha, reason: error.message };
  } finally {
    if (!owned) closeSync(fd);
  }
}

function listEntries(folder: Folder): Entry[] {
  return listSpool(folder).flatMap(({ sha, size, trailer }) => {
    if (!trailer) return [];
    const { expiresMs, facts, committedMs } = trailer;
    return [
      { sha, size, expiresMs, usedMs: Math.max(committedMs, lastUseMs(folder, sha)), facts, where: 'spool' },
    ];
  });
}

function lookUp(folder: Folder, prefix: string, nowMs: number): Lookup {
  if (!isPrefix(prefix)) return { kind: 'unknown' };
  const { sha, lookup } = single(spoolWithPrefix(folder, prefix));
  if (lookup) return lookup;
  return (sha === undefined ? undefined : lookInSpool(folder, sha, nowMs)) ?? missing(folder, prefix, nowMs);
}

function putFile(folder: Folder, request: PutRequest): void {
  const temp = makeTemp(folder);
  try {
    const hash = sha256();
    let size = 0;
    for (const chunk of request.chunks) {
      writeFully(temp.fd, chunk, size);
      hash.update(chunk);
      size += chunk.length;
    }
    if (hash.digest('hex') !== request.sha) throw new DamagedError('the bytes are not those of the hash');
    publish(folder, temp, { ...request, size });
  } finally {
    closeSync(temp.fd);
    unlinkIfThere(temp.path);
  }
}

function forget(folder: Folder, shas: readonly Sha[], nowMs: number): number {
  const forgotten = forgetFiles(folder, shas);
  forgetRecords(folder, shas, nowMs);
  return forgotten.size;
}

function sweep(folder: Folder, limits: { readonly nowMs: number; readonly maxBytes: number }): SweepReport {
  const report = sweepSpool(folder, limits);
  const left = new Set(listSpool(folder).map((file) => file.sha));
  tidyRecords(folder, limits.nowMs, (sha) => left.has(sha));
  return report;
}

function countSpool(folder: Folder): StoreStats {
  const files = listSpool(folder);
  return {
    originals: files.length,
    originalBytes: files.reduce((sum, file) => sum + file.size, 0),
    storedBytes: files.reduce((sum, file) => sum + file.fileBytes, 0),
    tombstones: countTombstones(folder),
  };
}

function guarded<T>(root: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isDamaged(error) ? error : unavailable(error, root);
  }
}
