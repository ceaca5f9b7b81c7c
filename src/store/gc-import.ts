/** Moves originals from the spool into LMDB. */
import { closeSync } from 'node:fs';
import { openToRead } from './files.ts';
import { type Folder, syncFolder } from './folder.ts';
import { DamagedError, isDamaged, isUnavailable, type Store, type StoreUnavailable } from './port.ts';
import { checkedPieces } from './readers.ts';
import { listSpool, removeSeen, type SpoolFile } from './spool-care.ts';
import { settleView } from './views.ts';

export interface ImportReport {
  readonly imported: number;
  /** Spool files that don't match their hash, of originals that LMDB has no good copy of. */
  readonly damaged: number;
  /** Why it ended early. */
  readonly stopped?: StoreUnavailable;
}

/** Imports what is in the spool, oldest first; stops where LMDB can't be written any more. */
export async function importAll(folder: Folder, lmdb: Store, beat: () => void): Promise<ImportReport> {
  let imported = 0;
  let damaged = 0;
  for (const file of listSpool(folder).sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    try {
      if (await importFile(folder, lmdb, file)) imported += 1;
    } catch (error) {
      if (isUnavailable(error)) return { imported, damaged, stopped: error };
      if (!isDamaged(error)) throw error;
      damaged += 1;
    }
    beat();
  }
  return { imported, damaged };
}

/** Copies one original into LMDB, then unlinks it; one that was committed anew meanwhile stays for the next run. */
async function importFile(folder: Folder, lmdb: Store, file: SpoolFile): Promise<boolean> {
  const { sha, size, trailer } = file;
  if (!trailer) throw new DamagedError('its trailer does not match its check sum');
  const fd = openToRead(file.path);
  if (fd === undefined) return false;
  try {
    const { facts, committedMs, expiresMs } = trailer;
    const chunks = checkedPieces(fd, size, sha);
    await lmdb.put({ sha, size, chunks, facts, ttlMs: expiresMs - committedMs, nowMs: committedMs });
  } finally {
    closeSync(fd);
  }
  for (const view of trailer.views) settleView(folder, sha, view);
  if (trailer.views.length > 0) syncFolder(folder.views);
  return removeSeen(folder, file, () => false);
}
