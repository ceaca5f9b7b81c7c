/** Reads and writes that don't stop half-way, and the way a small file is replaced. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { errno, type Folder, withSub } from './folder.ts';

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_NOFOLLOW = 0 } = constants;

/** Writes all of `bytes` from `position` on, or throws. */
export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}

/** Fills `target` from `position` on; returns how many bytes there were. */
export function readFully(fd: number, target: Uint8Array, position: number): number {
  let done = 0;
  while (done < target.length) {
    const count = readSync(fd, target, done, target.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Opens a file for reading, never through a symbolic link; undefined if there is none. */
export function openToRead(path: string): number | undefined {
  // The first exception of a process costs 0.4 ms, and on the way of the pipe most files are missing.
  if (!existsSync(path)) return undefined;
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW);
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** All bytes of a small file, or the last of them; undefined if there is none. */
export function readSmall(path: string, mostBytes = Infinity): Buffer | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.allocUnsafe(Math.min(size, mostBytes));
    const count = readFully(fd, bytes, size - bytes.length);
    return count === bytes.length ? bytes : bytes.subarray(0, count);
  } finally {
    closeSync(fd);
  }
}

/** A file that is being written; `<pid>-<random>`, so that gc can tell whose it is. */
export interface TempFile {
  readonly path: string;
  readonly fd: number;
}

/** Makes a new file, mode 0600, that no other process can have opened. */
export function makeTemp(folder: Folder): TempFile {
  const name = `${process.pid}-${Math.random().toString(36).slice(2, 12)}`;
  const path = `${folder.temp}/${name}`;
  const fd = withSub(folder.temp, () => openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  return { path, fd };
}

/** Replaces the file at `path` in one step; readers see the old or the new bytes, never a part. */
export function replaceFile(folder: Folder, path: string, bytes: Uint8Array, durable: 'sync' | 'lazy'): void {
  const temp = makeTemp(folder);
  try {
    writeFully(temp.fd, bytes, 0);
    if (durable === 'sync') fsyncSync(temp.fd);
    renameSync(temp.path, path);
  } catch (error) {
    unlinkIfThere(temp.path);
    throw error;
  } finally {
    closeSync(temp.fd);
  }
}

/** Unlinks a file; true if there was one. */
export function unlinkIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The file names in a folder; none if it is missing. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (errno(error) === 'ENOENT') return [];
    throw error;
  }
}
