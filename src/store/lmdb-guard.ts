/**
 * Looks at an LMDB environment before it is opened. A truncated, zeroed or foreign `data.mdb`, a new one on a full disk
 * and one on a network file system crash the process or lose data; none of that can be caught afterwards. The layout
 * belongs to lmdb 3.5.x.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  renameSync,
  rmSync,
  type StatsFs,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { namesIn, openToRead, readFully, readSmall, replaceFile } from './files.ts';
import type { Folder } from './folder.ts';
import { knownWithPrefix } from './known.ts';
import { type Sha, StoreUnavailable } from './port.ts';

/**
 * What a data file is. `new`: missing or empty. `short`: it ends before the last page that was ever in use. Either it was
 * cut, or those pages were free before they were written; `reserve` keeps the second from happening.
 */
export interface Health {
  readonly kind: 'new' | 'sound' | 'short' | 'damaged';
  readonly reason: string;
}

const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const META_BYTES = 160;
const SLACK_BYTES = 1 << 20;
/** Room that LMDB leaves on a disk: for its lock file, and for what the pipe commits. */
const FREE_BYTES = 8 << 20;
const CORRUPT_KEPT_MS = 30 * 24 * 3_600_000;

/** File systems that other machines may write too, or that don't map files as LMDB needs it, by `statfs` type. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
]);

type DiskStats = Pick<StatsFs, 'type' | 'bavail' | 'bsize'>;

/** Checks the meta pages and that the file is as long as they say. Takes 0.1-0.6 ms. */
export function healthOf(folder: Folder): Health {
  const fd = openToRead(join(folder.lmdb, 'data.mdb'));
  if (fd === undefined) return { kind: 'new', reason: '' };
  try {
    const fileBytes = fstatSync(fd).size;
    if (fileBytes === 0) return { kind: 'new', reason: '' };
    const neededBytes = pagesEnd(fd);
    if (neededBytes === undefined) return { kind: 'damaged', reason: 'its first page is not one of LMDB' };
    return fileBytes >= neededBytes
      ? { kind: 'sound', reason: '' }
      : { kind: 'short', reason: 'it is shorter than it was' };
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes a data file long enough for a transaction of `bytes`. LMDB does not write pages that come free again within the
 * transaction that took them, so a sound file can be shorter than its meta page says, just as a cut one. Zeros at its end
 * keep the two apart. Appending never overwrites what another process writes at the same time. `fd` is open for appending.
 * Throws `StoreUnavailable` before the disk is full: the last of it is for the pipe.
 */
export function reserve(folder: Folder, fd: number, bytes: number): void {
  const missing = (pagesEnd(fd) ?? 0) + bytes + SLACK_BYTES - fstatSync(fd).size;
  if (missing <= 0) return;
  refuseUnfit(folder, missing);
  for (let left = missing; left > 0; left -= SLACK_BYTES) {
    writeSync(fd, Buffer.alloc(Math.min(left, SLACK_BYTES)));
  }
}

/** Throws `StoreUnavailable` where LMDB must not be used: a network file system, or too little room to write `bytes`. */
export function refuseUnfit(folder: Folder, bytes?: number, disk: DiskStats = statfsSync(folder.root)): void {
  const { type, bavail, bsize } = disk;
  const remote = process.platform === 'linux' ? REMOTE.get(type >>> 0) : undefined;
  if (remote !== undefined) {
    const message = `${folder.root} is on ${remote}, where LMDB is not safe; the spool alone serves. Name a local store folder`;
    throw new StoreUnavailable('network', message);
  }
  if (bytes === undefined || bavail * bsize >= bytes + FREE_BYTES) return;
  throw new StoreUnavailable(
    'space',
    `the disk of ${folder.root} is nearly full; make room, or lower max_store_bytes`,
  );
}

/** Moves the environment out of the way, with the list of what was in it; returns where it is now. */
export function moveAside(folder: Folder, nowMs: number): string {
  const aside = `${folder.lmdb}.corrupt-${nowMs}`;
  renameSync(folder.lmdb, aside);
  const known = readSmall(folder.known);
  if (known) replaceFile(folder, join(aside, 'known'), known, 'sync');
  return aside;
}

/** An original that was in an environment that was moved aside; undefined if there was none with that prefix. */
export function findAside(
  folder: Folder,
  prefix: string,
): { readonly sha: Sha; readonly aside: string } | undefined {
  for (const aside of listAside(folder)) {
    const [sha] = knownWithPrefix({ known: join(aside, 'known') }, prefix);
    if (sha !== undefined) return { sha, aside };
  }
  return undefined;
}

/** Paths of environments that were moved aside, oldest first. */
export function listAside(folder: Folder): string[] {
  return namesIn(folder.root)
    .filter((name) => name.startsWith('lmdb.corrupt-'))
    .sort()
    .map((name) => join(folder.root, name));
}

/** Deletes environments that were moved aside over 30 days ago. */
export function dropOldAside(folder: Folder, nowMs: number): void {
  for (const path of listAside(folder)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const movedMs = Number(path.slice(path.lastIndexOf('-') + 1));
    if (stats && nowMs - movedMs > CORRUPT_KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Where the last page that was ever in use ends, by the newer meta page; undefined if the first is no meta page. */
function pagesEnd(fd: number): number | undefined {
  const first = readMeta(fd, 0);
  const pageBytes = first?.readUInt32LE(48) ?? 0;
  if (!first || !isPageSize(pageBytes)) return undefined;
  const second = readMeta(fd, pageBytes);
  const newer = second && second.readBigUInt64LE(152) > first.readBigUInt64LE(152) ? second : first;
  return Number((newer.readBigUInt64LE(144) + 1n) * BigInt(pageBytes));
}

function readMeta(fd: number, position: number): Buffer | undefined {
  const page = Buffer.alloc(META_BYTES);
  const isMeta =
    readFully(fd, page, position) === META_BYTES &&
    page.readUInt32LE(24) === MAGIC &&
    (page.readUInt32LE(28) & 0xffff) === FORMAT;
  return isMeta ? page : undefined;
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
}
