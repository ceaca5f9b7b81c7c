/** What goes from the spool, and with it from the records beside it. All of it is for the holder of the maintenance lock. */
import { join } from 'node:path';
import { unlinkIfThere } from './files.ts';
import type { Folder } from './folder.ts';
import { YOUNG_MS } from './full.ts';
import type { Sha, SweepReport, Tombstone } from './port.ts';
import { listSpool, putBackAll, removeSeen, type SpoolFile } from './spool-care.ts';
import { bury, pruneTombstones, tombstoneOf } from './tombstones.ts';
import { lastUseMs, pruneUses } from './uses.ts';
import { eraseViews } from './views.ts';

/** A damaged file says no expiry; it goes a week after it was written. */
const DAMAGED_KEPT_MS = 7 * 24 * 3_600_000;

interface Limits {
  readonly nowMs: number;
  readonly maxBytes: number;
}

/** Removes what has expired from the spool, then the least recently used until `maxBytes` holds. */
export function sweepSpool(folder: Folder, limits: Limits): SweepReport {
  putBackAll(folder);
  const files = listSpool(folder);
  const isOver = (file: SpoolFile): boolean => expiryOf(file) <= limits.nowMs;
  const over = removeFiles(folder, files.filter(isOver), 'expired', { nowMs: limits.nowMs, still: isOver });
  const rest = files.filter((file) => !isOver(file));
  const gone = removeFiles(folder, evictable(folder, rest, limits), 'evicted', {
    nowMs: limits.nowMs,
    still: () => false,
  });
  return { expired: over.count, evicted: gone.count, freedBytes: over.bytes + gone.bytes };
}

/** Drops the views, uses and tombstones that stand for nothing any more. */
export function tidyRecords(folder: Folder, nowMs: number, isThere: (sha: Sha) => boolean): void {
  pruneTombstones(folder, nowMs);
  pruneUses(folder, isThere);
  // A young view may be of an original that was committed after `isThere` was made.
  eraseViews(folder, (sha, writtenMs) => !isThere(sha) && nowMs - writtenMs > YOUNG_MS);
}

/** Erases originals from the spool. Returns which of them were there. */
export function forgetFiles(folder: Folder, shas: Iterable<Sha>): Set<Sha> {
  const forgotten = new Set<Sha>();
  for (const sha of shas) {
    for (const place of [folder.spool, folder.taken]) if (unlinkIfThere(join(place, sha))) forgotten.add(sha);
  }
  return forgotten;
}

/** Erases what else is known of originals: their views, uses and tombstones. */
export function forgetRecords(folder: Folder, shas: Iterable<Sha>, nowMs: number): void {
  const erased = new Set(shas);
  pruneTombstones(folder, nowMs, erased);
  pruneUses(folder, (sha) => !erased.has(sha));
  eraseViews(folder, (sha) => erased.has(sha));
}

function expiryOf(file: SpoolFile): number {
  return file.trailer?.expiresMs ?? file.mtimeMs + DAMAGED_KEPT_MS;
}

/** Those that are over the cap, oldest use first; none that was committed or used within the hour. */
function evictable(folder: Folder, files: readonly SpoolFile[], limits: Limits): SpoolFile[] {
  let excess = files.reduce((sum, file) => sum + file.fileBytes, 0) - limits.maxBytes;
  const byUse = files
    .map((file) => ({
      file,
      usedMs: Math.max(file.trailer?.committedMs ?? file.mtimeMs, lastUseMs(folder, file.sha)),
    }))
    .filter(({ usedMs }) => limits.nowMs - usedMs >= YOUNG_MS)
    .sort((a, b) => a.usedMs - b.usedMs);
  return byUse.flatMap(({ file }) => {
    if (excess <= 0) return [];
    excess -= file.fileBytes;
    return [file];
  });
}

function removeFiles(
  folder: Folder,
  files: readonly SpoolFile[],
  why: Tombstone['why'],
  when: { readonly nowMs: number; readonly still: (file: SpoolFile) => boolean },
): { count: number; bytes: number } {
  const intact = files.flatMap(({ sha, size, trailer }) =>
    trailer ? [{ sha, size, facts: trailer.facts }] : [],
  );
  bury(
    folder,
    intact.map((entry) => tombstoneOf(entry, why, when.nowMs)),
  );
  const removed = files.filter((file) => removeSeen(folder, file, when.still));
  return { count: removed.length, bytes: removed.reduce((sum, file) => sum + file.fileBytes, 0) };
}
