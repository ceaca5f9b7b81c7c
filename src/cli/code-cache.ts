/**
 * Loads a chunk with V8's code cache: its functions need not be compiled again at every start.
 *
 * The cache is a file in a signed state folder (ours, private), written behind a run that taught it something: a shape of
 * input whose functions it lacks. V8 itself refuses a cache of another version or of other flags; against an older build of
 * the chunk, which it does not see, the file starts with the chunk's size and time, and against damage it holds everything
 * twice: comparing is native, a check sum is not, and node:crypto takes longer to load than the cache saves.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Script } from 'node:vm';
import { type Build, HEAD, type News } from './code-cache-file.ts';

/** Under another name the bundler leaves it alone. */
const requireHere = require;

const MOST_BYTES = 4 << 20;
/** A lesson of its own: the second run goes ways that the first, which found nothing in its place, did not. */
const AGAIN = 1 << 30;

export interface LoadedChunk<T> {
  readonly exports: T;
  /** What the cache should be, if it lacks any of `lessons` (bits): to be written when everything is printed. */
  news(lessons: number): News | undefined;
}

interface Cache {
  readonly data: Uint8Array;
  readonly lessons: number;
}

/** The modules of a chunk that others share, by their path in the sources. */
export type Parts = Readonly<Record<string, object>>;

interface Chunk {
  readonly name: string;
  readonly version: string;
  /** Where the cache lives; undefined: nowhere. */
  readonly folder: string | undefined;
  readonly parts: () => Parts;
}

/** Loads `dist/NAME.cjs`. Throws what loading the chunk throws. */
export function loadChunk<T>({ name, version, folder, parts }: Chunk): LoadedChunk<T> {
  const home = `${__dirname}/../dist`;
  const file = `${home}/${name}.cjs`;
  const { source, build } = readSource(file);
  const cacheFile = `${folder}/code/${name}-${version}-${process.version}-${process.arch}`;
  const cache = folder === undefined ? undefined : readCache(cacheFile, build);
  const script = new Script(
    source,
    cache === undefined ? { filename: file } : { filename: file, cachedData: cache.data },
  );
  const module = { exports: {} };
  // What a chunk loads lies beside it, or is shared with it.
  const load = (id: string): unknown => {
    if (id.startsWith('src/')) return parts()[id];
    return requireHere(id.startsWith('./') ? `${home}/${id}` : id);
  };
  script.runInThisContext()(module.exports, load, module, file, home);
  const known = cache === undefined || script.cachedDataRejected === true ? 0 : cache.lessons;
  return {
    exports: module.exports as T,
    news: (taught) => {
      const lessons = cache === undefined ? taught : taught | AGAIN;
      if (folder === undefined || (lessons & ~known) === 0) return undefined;
      const data = script.createCachedData();
      return { folder, file: cacheFile, build, data, lessons: lessons | known };
    },
  };
}

/** The chunk's text, a function; the build makes it so, and ASCII. */
function readSource(file: string): { source: string; build: Build } {
  const fd = openSync(file, 'r');
  try {
    const { size, mtimeMs } = fstatSync(fd);
    const bytes = Buffer.allocUnsafeSlow(size);
    if (readSync(fd, bytes, 0, size, 0) !== size) throw new Error(`${file} can't be read`);
    return { source: bytes.toString('latin1'), build: { size, mtimeMs } };
  } finally {
    closeSync(fd);
  }
}

function readCache(file: string, build: Build): Cache | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const { size, mode, uid } = fstatSync(fd);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (!isOurs || size <= 2 * HEAD || size > MOST_BYTES || size % 2 !== 0) return undefined;
    const bytes = Buffer.allocUnsafeSlow(size);
    return readSync(fd, bytes, 0, size, 0) === size ? opened(bytes, build) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** What a file holds, if it is whole and of this build. */
function opened(bytes: Buffer, build: Build): Cache | undefined {
  const half = bytes.length / 2;
  if (Buffer.compare(bytes.subarray(0, half), bytes.subarray(half)) !== 0) return undefined;
  // Its methods are there at once; each of those of a buffer has to be compiled.
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  if (head.getFloat64(0, true) !== build.size || head.getFloat64(8, true) !== build.mtimeMs) return undefined;
  return { data: bytes.subarray(HEAD, half), lessons: head.getUint32(16, true) };
}
