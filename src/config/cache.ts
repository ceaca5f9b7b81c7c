import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { LEVELS, SHAPES } from '../core/model.ts';
import type { Finding, Findings, FoundFile, World } from './find.ts';
import type { Judged } from './judge.ts';
import type { Merged } from './settings.ts';

/**
 * What the files of one place give, merged, as JSON, so that the pipe loads no YAML parser: one small file per slot in
 * `config/` of the state folder. It holds the key (format, version, and of each file path, size, times, inode) and then
 * the configuration twice, on a line each: comparing two strings is native, a checksum in cold JavaScript is not.
 * Anything that does not fit byte for byte, or is not a private file of the user, is as good as absent. There are 4,096
 * slots, so nothing has to be swept; two places of one slot only take turns.
 */

/** Raise it when the meaning of cached data changes within one version, other than by LEVELS and SHAPES. */
const FORMAT = 1;
const SLOTS = 4096;
const MAX_CACHED_BYTES = 1 << 20;
/** A file changed this short a time ago could change again without any trace in its size and times. */
const RACY_MS = 100;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Everything that the merged configuration of some files depends on. */
export interface CacheKey {
  readonly text: string;
  readonly slot: number;
}

/** The key of what both files give; that also depends on whether a flag or variable names another store. */
export function cacheKey(
  { project, user }: Findings<Finding | Judged>,
  isStoreElsewhere: boolean,
  world: World,
): CacheKey {
  const parts: unknown[] = [FORMAT, world.version, LEVELS, SHAPES, world.home, isStoreElsewhere];
  let slot = Number(isStoreElsewhere);
  for (const finding of [project, user]) {
    if (finding.kind === 'plain') {
      const { size, mtimeMs, ctimeMs, ino } = finding.file.stats;
      parts.push(finding.file.place.file, size, mtimeMs, ctimeMs, ino);
      slot = (slot * 7 + ino) % SLOTS;
    } else parts.push(finding.kind === 'refused' ? finding.problem : finding.kind);
  }
  return { text: JSON.stringify(parts), slot };
}

/** What was merged before from exactly these files, or undefined. Costs one open, one stat, one read. */
export function readCached(state: string, key: CacheKey, { uid }: World): Merged | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(slotPath(state, key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(handle);
    const isOurs = uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0);
    if (!stats.isFile() || !isOurs || stats.size > MAX_CACHED_BYTES) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size);
    const text = bytes.toString('utf8', 0, readSync(handle, bytes, 0, stats.size, 0));
    const bodyStart = key.text.length + 1;
    const body = text.slice(bodyStart, (text.length + bodyStart - 1) / 2);
    return text === packed(key, body) ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function slotPath(state: string, { slot }: CacheKey): string {
  return `${state}/config/${slot}.json`;
}

function packed(key: CacheKey, body: string): string {
  return `${key.text}\n${body}\n${body}`;
}

/** Remembers what these files give. Failing to do so costs the next run time and nothing else. */
export function writeCached(state: string, key: CacheKey, merged: Merged, world: World): void {
  const text = packed(key, JSON.stringify(merged));
  if (text.length > MAX_CACHED_BYTES / 4) return;
  const path = slotPath(state, key);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    if (!makeFolders(state, world)) return;
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(handle, text);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, path);
  } catch {
    // A leftover of a killed process with our id goes away here, too.
    removeQuietly(temporary);
  }
}

/** Whether what was read from a file will be true as long as its size, times and inode are the same. */
export function isSettled({ stats }: FoundFile, { nowMs }: World): boolean {
  return Math.abs(nowMs - stats.mtimeMs) >= RACY_MS;
}

/** Makes the folder of the cache. False unless it and the state folder are real directories of the user. */
function makeFolders(state: string, world: World): boolean {
  world.prepareState(state);
  if (!isOwnFolder(state, world)) return false;
  const folder = `${state}/config`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return isOwnFolder(folder, world);
}

function isOwnFolder(folder: string, { uid }: World): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && (uid === undefined || stats.uid === uid);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Nothing was there.
  }
}
