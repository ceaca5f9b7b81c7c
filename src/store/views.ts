/**
 * View records: which original a view was made of. One small file under the hash of the view, outside LMDB, because the
 * pipe looks up its input (law 7) and never opens LMDB. The file is a fast way in: the record is also in the trailer of
 * the spool file, committed with it, until gc has made the view file durable. If one view was made of two originals (two
 * that differ in their escape sequences only) or under two policies, the last commit wins: compressing afresh under the
 * other policy gives the same view.
 */
import { closeSync, constants, existsSync, fsyncSync, lstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { latin1 } from '../core/native.ts';
import { namesIn, openToRead, readSmall, replaceFile, unlinkIfThere } from './files.ts';
import { type Folder, withSub } from './folder.ts';
import { isSha } from './hash.ts';
import type { Sha, ViewRecord } from './port.ts';
import { readTail } from './spool-file.ts';

/** The original of a view, and the digest of what made it. */
export interface ViewOrigin {
  readonly sha: Sha;
  readonly policy: string;
}

/** Writes a view record. `lazy` leaves it to the system when it reaches the disk. */
export function recordView(folder: Folder, sha: Sha, view: ViewRecord, durable: 'sync' | 'lazy'): void {
  const path = `${folder.views}/${view.viewSha}`;
  const text = encode({ sha, policy: view.policy });
  if (
    durable === 'lazy' &&
    (existsSync(path) ? latin1(readSmall(path) ?? NONE) === text : create(folder, path, text))
  )
    return;
  withSub(folder.views, () => replaceFile(folder, path, Buffer.from(text), durable));
}

const NONE = new Uint8Array(0);

/** Makes the record in its place: nobody asks for one that is being written, as its view is not printed yet. True if all of it is written. */
function create(folder: Folder, path: string, text: string): boolean {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const fd = withSub(folder.views, () => openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  try {
    return writeSync(fd, text) === text.length;
  } finally {
    closeSync(fd);
  }
}

/** Looks a view up in its file: one open, for the pipe. */
export function readView(folder: Folder, viewSha: Sha): ViewOrigin | undefined {
  return isSha(viewSha) ? decode(readSmall(`${folder.views}/${viewSha}`)?.toString() ?? '') : undefined;
}

/** Looks a view up; a miss also reads the trailers of the spool, as a power cut can lose a view file. */
export function findView(folder: Folder, viewSha: Sha): ViewOrigin | undefined {
  return readView(folder, viewSha) ?? findInTrailers(folder, viewSha);
}

/** Makes sure that the view file of a record is there and on the disk; one that names another original stays. */
export function settleView(folder: Folder, sha: Sha, view: ViewRecord): void {
  const path = `${folder.views}/${view.viewSha}`;
  if (!readView(folder, view.viewSha)) return recordView(folder, sha, view, 'sync');
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Erases the view files that `goes` says so of, by original and time of writing; returns how many. */
export function eraseViews(folder: Folder, goes: (sha: Sha, writtenMs: number) => boolean): number {
  let erased = 0;
  for (const name of namesIn(folder.views)) {
    const origin = readView(folder, name);
    const stats = lstatSync(join(folder.views, name), { throwIfNoEntry: false });
    if (stats && goes(origin?.sha ?? '', stats.mtimeMs) && unlinkIfThere(join(folder.views, name)))
      erased += 1;
  }
  return erased;
}

function encode(origin: ViewOrigin): string {
  return `${origin.sha} ${origin.policy}\n`;
}

function decode(text: string): ViewOrigin | undefined {
  const match = /^([0-9a-f]{64}) ([^\n]*)\n$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { sha: match[1], policy: match[2] } : undefined;
}

function findInTrailers(folder: Folder, viewSha: Sha): ViewOrigin | undefined {
  for (const place of [folder.spool, folder.taken]) {
    for (const sha of namesIn(place).filter(isSha)) {
      const view = viewsInTrailer(join(place, sha), sha).find((each) => each.viewSha === viewSha);
      if (view) return { sha, policy: view.policy };
    }
  }
  return undefined;
}

function viewsInTrailer(path: string, sha: Sha): readonly ViewRecord[] {
  const fd = openToRead(path);
  if (fd === undefined) return [];
  try {
    return readTail(fd, sha).trailer.views;
  } catch {
    return [];
  } finally {
    closeSync(fd);
  }
}
