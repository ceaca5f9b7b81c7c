/** The folder of a store: what is where in it, and whether it may be used at all. */
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isUnavailable, StoreUnavailable, type Trouble } from './port.ts';

/** Paths inside a store folder. */
export interface Folder {
  readonly root: string;
  /** Its presence says that ctxzip made the folder. */
  readonly signature: string;
  /** Originals as the pipe committed them, one file under its hash each. */
  readonly spool: string;
  /** Files that are being written. */
  readonly temp: string;
  /** Spool files that the one gc has taken out of the way to look at them again before it unlinks them. */
  readonly taken: string;
  /** View records, one file under the hash of the view each. */
  readonly views: string;
  /** Empty files whose modification time is the last use of the original they are named after. */
  readonly used: string;
  readonly lmdb: string;
  readonly tombstones: string;
  /** Sorted hashes of the originals in LMDB. */
  readonly known: string;
  /** What V8 compiled of the program, for its next start. */
  readonly code: string;
  /** What the last gc could not make room for. */
  readonly full: string;
  readonly locks: string;
  /** What runs and expansions have left for statistics and suggestions: a file a day of each. */
  readonly records: string;
}

/** Names the parts of the store at `root`; touches nothing. */
export function folderAt(root: string): Folder {
  return {
    root,
    signature: `${root}/ctxzip-store`,
    spool: `${root}/spool`,
    temp: `${root}/temp`,
    taken: `${root}/taken`,
    views: `${root}/views`,
    used: `${root}/used`,
    lmdb: `${root}/lmdb`,
    tombstones: `${root}/tombstones`,
    known: `${root}/known`,
    code: `${root}/code`,
    full: `${root}/full`,
    locks: `${root}/locks`,
    records: `${root}/records`,
  };
}

const SIGNATURE = "A store of ctxzip, format 1. `ctxzip list` shows what is in it; don't edit it by hand.\n";
const OTHERS = 0o077;

/**
 * The store at `root`, made if it is missing: a real folder, owned by the user, mode 0700 under any umask, with our
 * signature. Throws `StoreUnavailable` that says what is wrong and what to do.
 */
export function makeFolder(root: string): Folder {
  const folder = folderAt(root);
  try {
    let state = look(folder);
    if (state.kind === 'missing') {
      makeWithParents(root);
      state = look(folder);
    }
    if (state.kind === 'missing') throw new StoreUnavailable('folder', `${root} can't be made`);
    if (process.geteuid && (state.mode & OTHERS) !== 0) chmodSync(root, 0o700);
    if (state.kind === 'unsigned') sign(folder);
    if (makeSub(folder.spool)) syncFolder(root);
    return folder;
  } catch (error) {
    throw unavailable(error, root);
  }
}

/** The store at `root` for reading; undefined when there is none. Throws `StoreUnavailable` as `makeFolder` does. */
export function findFolder(root: string): Folder | undefined {
  const folder = folderAt(root);
  try {
    return look(folder).kind === 'missing' ? undefined : folder;
  } catch (error) {
    throw unavailable(error, root);
  }
}

/** Makes a folder inside the store, mode 0700; one that is there must be real. True if it was missing. */
export function makeSub(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) makeUnlessThere(path);
  refuseUnlessReal(path, stats ?? lstatSync(path));
  return !stats;
}

/** Runs `work`; if the folder it needs is missing, makes that and runs it once more. */
export function withSub<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    makeSub(path);
    return work();
  }
}

/** `mkdir -p`. Node's own hides why it failed: on a read-only disk it says that there is no such file. */
function makeWithParents(path: string): void {
  try {
    makeUnlessThere(path);
  } catch (error) {
    if (errno(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeWithParents(dirname(path));
    makeUnlessThere(path);
  }
}

function makeUnlessThere(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
}

type State = { readonly kind: 'missing' } | { readonly kind: 'signed' | 'unsigned'; readonly mode: number };

/** Throws unless the folder is missing, ours, or empty and so about to be ours. */
function look(folder: Folder): State {
  const stats = lstatSync(folder.root, { throwIfNoEntry: false });
  if (!stats) return { kind: 'missing' };
  refuseUnlessReal(folder.root, stats);
  const { mode } = stats;
  if (lstatSync(folder.signature, { throwIfNoEntry: false })) return { kind: 'signed', mode };
  // Another process may be signing it now, so the names are read after the signature was missed.
  const names = readdirSync(folder.root);
  if (names.length === 0 || names.includes('ctxzip-store')) return { kind: 'unsigned', mode };
  throw new StoreUnavailable(
    'folder',
    `${folder.root} holds other files and was not made by ctxzip; name an empty or a new folder`,
  );
}

function refuseUnlessReal(path: string, stats: Stats): void {
  if (!stats.isDirectory()) {
    const what = stats.isSymbolicLink() ? 'a symbolic link' : 'not a folder';
    throw new StoreUnavailable('folder', `${path} is ${what}; move it away, or name another store folder`);
  }
  const user = process.geteuid?.();
  if (user !== undefined && stats.uid !== user) {
    throw new StoreUnavailable(
      'owner',
      `${path} belongs to user ${stats.uid}, not to user ${user} who runs this; name a store folder of your own`,
    );
  }
}

function sign(folder: Folder): void {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(folder.signature, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeSync(fd, SIGNATURE, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  syncFolder(folder.root);
  syncFolder(dirname(folder.root));
}

/** Makes the names in a folder durable, where the platform can. */
export function syncFolder(path: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY);
    fsyncSync(fd);
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(errno(error))) throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The errno name of a system error, or ''. */
export function errno(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

const TROUBLE_OF: Readonly<Record<string, readonly [Trouble, string]>> = {
  ENOSPC: ['space', 'the disk is full'],
  EDQUOT: ['space', 'the disk quota is used up'],
  EACCES: ['access', 'it is not writable'],
  EPERM: ['access', 'it is not writable'],
  EROFS: ['access', 'it is on a read-only file system'],
  ENOTDIR: ['folder', 'a part of the path is not a folder'],
  EEXIST: ['folder', 'something else is in its place'],
  ELOOP: ['folder', 'a part of it is a symbolic link'],
};

/** A system error on the store at `path` as a `StoreUnavailable`; one that is it already stays. */
export function unavailable(error: unknown, path: string): StoreUnavailable {
  if (isUnavailable(error)) return error;
  const [trouble, what] = TROUBLE_OF[errno(error)] ?? [
    'failed',
    error instanceof Error ? error.message : String(error),
  ];
  return new StoreUnavailable(trouble, `can't use the store ${path}: ${what}`, error);
}
