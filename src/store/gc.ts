/**
 * Maintenance: moves originals from the spool into LMDB, removes what has expired or is over the cap, and tidies the
 * records beside them. One at a time in a store. Every step can be cut off at any point and is done again by the next run.
 */
import { findFolder, type Folder, unavailable } from './folder.ts';
import { noteFull, YOUNG_MS } from './full.ts';
import { importAll } from './gc-import.ts';
import { knownWithPrefix, writeKnown } from './known.ts';
import { dropOldAside } from './lmdb-guard.ts';
import type { WritableLmdb } from './lmdb.ts';
import { loadLmdb } from './load-lmdb.ts';
import { takeLock } from './lock.ts';
import { type Entry, type Sha, type StoreUnavailable, type SweepReport, type Trouble } from './port.ts';
import { cleanCode, cleanTemp, listSpool, putBackAll } from './spool-care.ts';
import { spoolStore } from './spool-store.ts';
import { forgetFiles, forgetRecords, sweepSpool, tidyRecords } from './spool-sweep.ts';

export interface GcJob {
  readonly root: string;
  readonly nowMs: number;
  /** The cap over spool and LMDB together; absent: nothing is evicted. */
  readonly maxBytes?: number;
  /** Originals to erase. */
  readonly forget?: readonly Sha[];
  /** `afresh` moves the LMDB environment aside first; `never` leaves it alone, and the spool is swept by itself. */
  readonly lmdb?: 'use' | 'afresh' | 'never';
}

export interface GcDone extends SweepReport {
  readonly kind: 'done';
  readonly imported: number;
  /** Originals erased on demand. */
  readonly forgotten: number;
  /** Spool files that don't match their hash; they stay until they expire. */
  readonly damaged: number;
  /** What is stored now, in spool and LMDB. */
  readonly storedBytes: number;
  /** Why LMDB was not used, or not to the end. */
  readonly trouble?: { readonly trouble: Trouble; readonly message: string };
  /** Where a damaged LMDB environment was moved. */
  readonly movedTo?: string;
}

export type Beat = (at?: 'in' | 'out') => void;

/** `busy`: another process does it just now. `none`: there is no store. */
export type GcReport =
  | GcDone
  | { readonly kind: 'busy'; readonly pid: number; readonly sinceMs: number }
  | { readonly kind: 'none' };

/**
 * Does a job in this process. It can block for ever behind a stopped process, and a damaged LMDB file can crash it:
 * `watchGc` runs it in a child. `beat` is called whenever a step is done, and with where LMDB is entered and left. Throws `StoreUnavailable` if the folder is unfit.
 */
export async function runGc(job: GcJob, beat: Beat = () => {}): Promise<GcReport> {
  const folder = findFolder(job.root);
  if (!folder) return { kind: 'none' };
  const lock = takeLock(folder, job.nowMs);
  if (lock.kind === 'busy') return lock;
  try {
    cleanTemp(folder, job.nowMs);
    cleanCode(folder, job.nowMs);
    dropOldAside(folder, job.nowMs);
    putBackAll(folder);
    if (job.lmdb === 'never') return spoolOnly(folder, job);
    return await withLmdb(folder, job, beat);
  } catch (error) {
    throw unavailable(error, job.root);
  } finally {
    lock.release();
  }
}

/** Where LMDB can't be used: the spool is all there is to care for. */
async function spoolOnly(folder: Folder, job: GcJob, error?: StoreUnavailable): Promise<GcDone> {
  const forgotten = forgetFiles(folder, job.forget ?? []);
  forgetRecords(folder, job.forget ?? [], job.nowMs);
  const swept = sweepSpool(folder, limitsOf(job));
  const entries = await spoolStore(folder.root).list();
  const left = new Set(listSpool(folder).map((file) => file.sha));
  tidyRecords(folder, job.nowMs, (sha) => left.has(sha) || knownWithPrefix(folder, sha).length > 0);
  const storedBytes = noteRoom(folder, job, entries, spoolBytes(folder));
  const trouble = error && { trouble: { trouble: error.trouble, message: error.message } };
  return {
    kind: 'done',
    imported: 0,
    forgotten: forgotten.size,
    damaged: countDamaged(folder),
    ...swept,
    storedBytes,
    ...trouble,
  };
}

async function withLmdb(folder: Folder, job: GcJob, beat: Beat): Promise<GcDone> {
  try {
    const { openLmdb } = await loadLmdb();
    beat('in');
    const lmdb = openLmdb(job.root, { nowMs: job.nowMs, afresh: job.lmdb === 'afresh', beat });
    try {
      return await careFor(folder, lmdb, { job, beat });
    } finally {
      await lmdb.close();
      beat('out');
    }
  } catch (error) {
    return spoolOnly(folder, job, unavailable(error, folder.lmdb));
  }
}

async function careFor(
  folder: Folder,
  lmdb: WritableLmdb,
  { job, beat }: { readonly job: GcJob; readonly beat: () => void },
): Promise<GcDone> {
  const { nowMs, maxBytes } = limitsOf(job);
  const forgotten = await forgetEverywhere(folder, lmdb, job);
  const early = sweepSpool(folder, { nowMs, maxBytes: Infinity });
  // Until the end it names what may come in now, so that it never names too little.
  writeKnown(folder, [...lmdb.shasWithPrefix(''), ...listSpool(folder).map((file) => file.sha)]);
  const { imported, damaged, stopped } = await importAll(folder, lmdb, beat);
  const swept = await lmdb.evict({ nowMs, maxBytes: Math.max(0, maxBytes - spoolBytes(folder)) });
  const late = sweepSpool(folder, { nowMs, maxBytes });
  const entries = await settle(folder, lmdb, nowMs);
  const { storedBytes } = await lmdb.stats();
  return {
    kind: 'done',
    imported,
    forgotten,
    damaged,
    ...total([early, swept, late]),
    storedBytes: noteRoom(folder, job, entries, storedBytes + spoolBytes(folder)),
    ...(stopped && { trouble: { trouble: stopped.trouble, message: stopped.message } }),
    ...(lmdb.movedTo !== undefined && { movedTo: lmdb.movedTo }),
  };
}

async function forgetEverywhere(folder: Folder, lmdb: WritableLmdb, job: GcJob): Promise<number> {
  if (!job.forget) return 0;
  const inSpool = forgetFiles(folder, job.forget);
  const inLmdb = await lmdb.erase(job.forget, job.nowMs);
  forgetRecords(folder, job.forget, job.nowMs);
  return new Set([...inSpool, ...inLmdb]).size;
}

/** Brings the records beside the originals up to date; returns all that is stored. */
async function settle(folder: Folder, lmdb: WritableLmdb, nowMs: number): Promise<Entry[]> {
  const inLmdb = await lmdb.list();
  writeKnown(folder, lmdb.shasWithPrefix(''));
  const entries = [...inLmdb, ...(await spoolStore(folder.root).list())];
  const there = new Set([...lmdb.shasWithPrefix(''), ...listSpool(folder).map((file) => file.sha)]);
  tidyRecords(folder, nowMs, (sha) => there.has(sha));
  return entries;
}

/** Leaves a note if the cap is not met, until when the first of what is left may go; returns `storedBytes`. */
function noteRoom(folder: Folder, job: GcJob, entries: readonly Entry[], storedBytes: number): number {
  const oldestMs = entries.reduce((oldest, { usedMs }) => Math.min(oldest, usedMs), job.nowMs);
  if (job.maxBytes !== undefined)
    noteFull(folder, storedBytes > job.maxBytes ? oldestMs + YOUNG_MS : undefined);
  return storedBytes;
}

function limitsOf(job: GcJob): { readonly nowMs: number; readonly maxBytes: number } {
  return { nowMs: job.nowMs, maxBytes: job.maxBytes ?? Infinity };
}

function total(reports: readonly SweepReport[]): SweepReport {
  const sum = { expired: 0, evicted: 0, freedBytes: 0 };
  for (const { expired, evicted, freedBytes } of reports) {
    sum.expired += expired;
    sum.evicted += evicted;
    sum.freedBytes += freedBytes;
  }
  return sum;
}

function spoolBytes(folder: Folder): number {
  return listSpool(folder).reduce((sum, file) => sum + file.fileBytes, 0);
}

function countDamaged(folder: Folder): number {
  return listSpool(folder).filter((file) => !file.trailer).length;
}
