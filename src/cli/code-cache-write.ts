/** Writes code caches (see code-cache.ts): most runs have no need of it. */
import { closeSync, lstatSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { folderAt } from '../store/folder.ts';
import { type Build, HEAD, type News } from './code-cache-file.ts';

/** Writes a cache in the place of the one before. Never throws: the next run tries again. */
export function keepCache({ folder, file, build, data, lessons }: News): void {
  if (isSigned(folder)) writeCache(file, twice(data, build, lessons));
}

/** Only a folder that the store made is written to. */
function isSigned(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory() && lstatSync(folderAt(folder).signature).isFile();
  } catch {
    return false;
  }
}

/** The file of a cache. */
function twice(data: Uint8Array, build: Build, lessons: number): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeDoubleLE(build.size, 0);
  head.writeDoubleLE(build.mtimeMs, 8);
  head.writeUInt32LE(lessons, 16);
  return Buffer.concat([head, data, head, data]);
}

function writeCache(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true, mode: 0o700 });
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch {
    // The next run tries again.
    removeQuietly(temporary);
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was not there.
  }
}
