/**
 * Loads a chunk with V8's code cache: its functions need not be compiled again at every start.
 *
 * The cache is a file in a signed state folder (ours, private), written behind a run that taught it something: a shape of
 * input whose functions it lacks. V8 itself refuses a cache of another version or of other flags; against an older build of
 * the chunk, which it does not see, the file starts with the chunk's size and time, and against damage it holds everything
 * twice: comparing is native, a check sum is not, and node:crypto takes longer to load than the cache saves. Memory that was
 * not used yet costs more than reading into it: all is read into the same room, one after the other.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Script } from 'node:vm';
import { latin1 } from '../core/native.ts';
import { type Build, HEAD, type News } from './code-cache-file.ts';

/** Under another name the bundler leaves it alone. */
const requireHere = require;

const MOST_BYTES = 4 << 20;
/** So much is compared at a time. */
const PIECE = 1 << 15;
/** Enough for the chunks of the pipe and their caches. */
const ROOM = 1 << 19;
/** A lesson of its own: the second run goes ways that the first, which found nothing in its place, did not. */
const AGAIN = 1 << 30;

export interface LoadedChunk<T> {
  readonly exports: T;
  /**
   * What the cache should be, if it lacks any of `lessons` (bits): to be written when everything is printed. `settle` is
   * called before it is made.
   */
  news(lessons: number, settle?: () => void): News | undefined;
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
    news: (taught, settle) => {
      const lessons = cache === undefined ? taught : taught | AGAIN;
      if (folder === undefined || (lessons & ~known) === 0) return undefined;
      settle?.();
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
    const bytes = roomOf(size);
    if (readSync(fd, bytes, 0, size, 0) !== size) throw new Error(`${file} can't be read`);
    return { source: latin1(bytes, 0, size), build: { size, mtimeMs } };
  } finally {
    closeSync(fd);
  }
}

let room = new Uint8Array(0);

/** At least `size` bytes, with anything in them; what was read there before is gone. */
function roomOf(size: number): Uint8Array {
  // Without the methods of a buffer: Node would have to compile those.
  if (size > room.length) room = new Uint8Array(Buffer.allocUnsafeSlow(Math.max(size, ROOM)).buffer);
  return room;
}

function readCache(file: string, build: Build): Cache | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const { size, mode, uid } = fstatSync(fd);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (!isOurs || size <= 2 * HEAD || size > MOST_BYTES || size % 2 !== 0) return undefined;
    const all = roomOf(size / 2 + PIECE);
    const bytes = all.subarray(0, size / 2);
    return isTwice(fd, bytes, all.subarray(size / 2)) ? opened(bytes, build) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Reads the first half of a file into `bytes`: is it the second, too? `piece` has room for one of that. */
function isTwice(fd: number, bytes: Uint8Array, piece: Uint8Array): boolean {
  if (readSync(fd, bytes, 0, bytes.length, 0) !== bytes.length) return false;
  for (let at = 0; at < bytes.length; at += PIECE) {
    const size = Math.min(PIECE, bytes.length - at);
    if (readSync(fd, piece, 0, size, bytes.length + at) !== size) return false;
    if (Buffer.compare(piece.subarray(0, size), bytes.subarray(at, at + size)) !== 0) return false;
  }
  return true;
}

/** What the first half of a file holds, if it is of this build. */
function opened(bytes: Uint8Array, build: Build): Cache | undefined {
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  if (head.getFloat64(0, true) !== build.size || head.getFloat64(8, true) !== build.mtimeMs) return undefined;
  return { data: bytes.subarray(HEAD), lessons: head.getUint32(16, true) };
}
