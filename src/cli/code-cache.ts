/**
 * Loads a chunk with V8's code cache: its functions need not be compiled again at every start.
 *
 * The cache is a file in a signed state folder (ours, private), written after a run that had none. V8 itself refuses a
 * cache of another version or of other flags; against damage and an older build of the chunk, which it does not see, the
 * file starts with a SHA-256 of the cache and of the chunk's size and time.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { folderAt } from '../store/folder.ts';

const MOST_BYTES = 4 << 20;
const HASH_BYTES = 32;

export interface LoadedChunk<T> {
  readonly exports: T;
  /** Writes the cache, if there was none; call it when everything is printed. Never throws. */
  save(): void;
}

/** Loads `dist/NAME.cjs`. `folder` is where the cache lives; undefined: nowhere. Throws what loading the chunk throws. */
export function loadChunk<T>(name: string, version: string, folder: string | undefined): LoadedChunk<T> {
  const file = join(__dirname, `${name}.cjs`);
  const cacheFile =
    folder === undefined
      ? undefined
      : join(folder, 'code', `${name}-${version}-${process.version}-${process.arch}`);
  const { size, mtimeMs } = statSync(file);
  const build = `${size} ${mtimeMs}`;
  const cachedData = cacheFile === undefined ? undefined : readCache(cacheFile, build);
  const script = new Script(wrap(readFileSync(file, 'utf8')), {
    filename: file,
    ...(cachedData !== undefined && { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  const isStale = cachedData === undefined || script.cachedDataRejected === true;
  return {
    exports: module.exports as T,
    save: () => {
      if (isStale && cacheFile !== undefined && isSigned(folder!))
        writeCache(cacheFile, build, script.createCachedData());
    },
  };
}

/** Only a folder that the store made is written to. */
function isSigned(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory() && lstatSync(folderAt(folder).signature).isFile();
  } catch {
    return false;
  }
}

function digest(build: string, data: Uint8Array): Buffer {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(build).update(data).digest();
}

function readCache(file: string, build: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const { size, mode, uid } = fstatSync(fd);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (!isOurs || size <= HASH_BYTES || size > MOST_BYTES) return undefined;
    const bytes = Buffer.allocUnsafe(size);
    if (readSync(fd, bytes, 0, size, 0) !== size) return undefined;
    const data = bytes.subarray(HASH_BYTES);
    return digest(build, data).equals(bytes.subarray(0, HASH_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function writeCache(file: string, build: string, data: Buffer): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      for (const part of [digest(build, data), data]) writeSync(fd, part);
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
