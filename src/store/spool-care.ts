/**
 * What gc does to spool files while pipes go on committing. Nothing here locks a pipe out, so a file may be replaced by a
 * newer commit of the same original at any time. Therefore a file is never unlinked where it is: it is renamed out of the
 * way first and looked at again.
 */
import { closeSync, fstatSync, linkSync, lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, openToRead, unlinkIfThere } from './files.ts';
import { errno, type Folder, withSub } from './folder.ts';
import { YOUNG_MS } from './full.ts';
import { isSha } from './hash.ts';
import { isAlive } from './lock.ts';
import { isDamaged, type Sha } from './port.ts';
import { readTail, type Trailer } from './spool-file.ts';

/** A spool file as it was when it was looked at; without a trailer it is damaged. */
export interface SpoolFile {
  readonly sha: Sha;
  readonly path: string;
  readonly fileBytes: number;
  /** Which file it was, to tell it from a newer commit of the same original. */
  readonly id: string;
  readonly size: number;
  readonly trailer: Trailer | undefined;
  readonly mtimeMs: number;
}

/** The originals of the spool, those that an earlier gc had taken out of the way too. */
export function listSpool(folder: Folder): SpoolFile[] {
  return [folder.taken, folder.spool].flatMap((place) =>
    namesIn(place)
      .filter(isSha)
      .flatMap((sha) => lookAt(join(place, sha), sha) ?? []),
  );
}

/** Opens the spool file of `sha` wherever gc may have it just now. */
export function openSpoolFile(folder: Folder, sha: Sha): number | undefined {
  const path = join(folder.spool, sha);
  return openToRead(path) ?? openToRead(join(folder.taken, sha)) ?? openToRead(path);
}

/** The file at `path`; undefined if there is none. */
function lookAt(path: string, sha: Sha): SpoolFile | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    const { size: fileBytes, mtimeMs, ino } = fstatSync(fd);
    const tail = tailOf(fd, sha);
    return {
      sha,
      path,
      fileBytes,
      id: `${ino}:${mtimeMs}`,
      size: tail?.size ?? fileBytes,
      trailer: tail?.trailer,
      mtimeMs,
    };
  } finally {
    closeSync(fd);
  }
}

/**
 * Unlinks the file that was seen. If a newer commit has replaced it, `still` decides about that one; when it says no,
 * the newer one is put back.
 */
export function removeSeen(folder: Folder, seen: SpoolFile, still: (now: SpoolFile) => boolean): boolean {
  const aside = join(folder.taken, seen.sha);
  if (seen.path !== aside && !moveAside(folder, seen.path, aside)) return false;
  const now = lookAt(aside, seen.sha);
  if (!now) return false;
  if (now.id === seen.id || still(now)) return unlinkIfThere(aside);
  putBack(folder, now);
  return false;
}

/** Puts files that an earlier gc left out of the way back into the spool. */
export function putBackAll(folder: Folder): void {
  for (const sha of namesIn(folder.taken).filter(isSha)) {
    const file = lookAt(join(folder.taken, sha), sha);
    if (file) putBack(folder, file);
  }
}

/** Removes what killed processes left half-written; returns how many files. */
export function cleanTemp(folder: Folder, nowMs: number): number {
  let removed = 0;
  for (const name of namesIn(folder.temp)) {
    const path = join(folder.temp, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const old = stats && nowMs - stats.mtimeMs > YOUNG_MS;
    if (old && !isAlive(Number.parseInt(name, 10)) && unlinkIfThere(path)) removed += 1;
  }
  return removed;
}

/** Removes compiled code that is older than a month: of a version that is gone; else the next start writes it again. */
export function cleanCode(folder: Folder, nowMs: number): void {
  for (const name of namesIn(folder.code)) {
    const path = join(folder.code, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && nowMs - stats.mtimeMs > OLD_CODE_MS) unlinkIfThere(path);
  }
}

const OLD_CODE_MS = 30 * 86_400_000;

function tailOf(fd: number, sha: Sha): { readonly size: number; readonly trailer: Trailer } | undefined {
  try {
    return readTail(fd, sha);
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

function moveAside(folder: Folder, path: string, aside: string): boolean {
  try {
    withSub(folder.taken, () => renameSync(path, aside));
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}

function putBack(folder: Folder, file: SpoolFile): void {
  const home = join(folder.spool, file.sha);
  try {
    linkSync(file.path, home);
    unlinkIfThere(file.path);
  } catch (error) {
    if (errno(error) === 'ENOENT') return;
    const newer = lookAt(home, file.sha);
    const longer = newer?.trailer && newer.trailer.expiresMs >= (file.trailer?.expiresMs ?? 0);
    if (longer) unlinkIfThere(file.path);
    else renameSync(file.path, home);
  }
}
