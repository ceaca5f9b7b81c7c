/** When an original was last read: the time of an empty file under its hash, so that readers never write into LMDB. */
import { closeSync, constants, futimesSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, unlinkIfThere } from './files.ts';
import { type Folder, withSub } from './folder.ts';
import type { Sha } from './port.ts';

/** Notes a use. Never throws: a store that can't be written is still read. */
export function markUse(folder: Folder, sha: Sha, nowMs: number): void {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0 } = constants;
  try {
    const path = `${folder.used}/${sha}`;
    const fd = withSub(folder.used, () => openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
    try {
      futimesSync(fd, nowMs / 1000, nowMs / 1000);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Then it counts as unused.
  }
}

/** The last use of `sha`, 0 if none was noted. */
export function lastUseMs(folder: Folder, sha: Sha): number {
  return lstatSync(join(folder.used, sha), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Forgets the uses of originals that are gone. */
export function pruneUses(folder: Folder, isThere: (sha: Sha) => boolean): void {
  for (const sha of namesIn(folder.used)) if (!isThere(sha)) unlinkIfThere(join(folder.used, sha));
}
