/**
 * The LMDB environment: its tables and what a row of each is. Nothing here loads LMDB.
 *
 * - `entries`: hash → check (16) and an `EntryRecord` in JSON; the LMDB version of a row goes up with every change
 * - `chunks`: chunk set (8) and index (4) → a chunk (`chunk.ts`); the index 0xffffffff holds the line index
 * - `pending`: chunk set (8) → since when it belongs to no entry, in milliseconds (a double)
 *
 * There is no index by expiry: a sweep adds up the bytes of all entries for the cap, so it sees every expiry anyway.
 * A chunk set is the chunks of one `put` under a random number, so that removing an old one never touches a new one.
 */
import { check16 } from './hash.ts';
import { unavailable } from './folder.ts';
import { DamagedError, type Facts, type Sha, StoreUnavailable } from './port.ts';

/** A transaction of this many changes at most, at about a page each. */
export const CHANGES_MOST = 500;
export const CHANGE_BYTES = 4096;

/** The part of an lmdb table that is used. Writes count only inside `LmdbEnv.write`. */
export interface Table {
  getBinary(key: Buffer): Buffer | undefined;
  getEntry(key: Buffer): { readonly value: Buffer; readonly version?: number } | undefined;
  getRange(
    range: Range,
  ): Iterable<{ readonly key: Buffer; readonly value: Buffer; readonly version?: number }>;
  getKeys(range: Range): Iterable<Buffer>;
  put(key: Buffer, value: Buffer, version?: number): unknown;
  remove(key: Buffer): unknown;
}

/** A transaction is carried out only if the row of `key` in `entries` still has that version, or is still absent. */
export type Condition = { readonly key: Buffer; readonly version: number | 'absent' } | undefined;

interface Range {
  readonly start?: Buffer;
  readonly end?: Buffer;
  readonly limit?: number;
  readonly versions?: boolean;
}

export interface LmdbEnv {
  readonly entries: Table;
  readonly chunks: Table;
  readonly pending: Table;
  /** Lets the next read see what other processes have committed. */
  refresh(): void;
  /**
   * Carries out the writes that `writes` asks for in one transaction, on a thread of its own, so that no JavaScript runs
   * while the lock is held. Resolves once it is durable, with false if the condition did not hold. `bytes` is about what
   * it writes. Throws `StoreUnavailable`, on a full disk before anything has changed.
   */
  write(condition: Condition, bytes: number, writes: () => void): Promise<boolean>;
  close(): Promise<void>;
}

/** What is known of an original in LMDB. */
export interface EntryRecord {
  /** The chunk set, 16 hex digits. */
  readonly chunks: string;
  readonly size: number;
  /** Bytes of its chunks as they are stored. */
  readonly storedBytes: number;
  readonly expiresMs: number;
  readonly committedMs: number;
  readonly facts: Facts;
}

/** A row of `entries`; without a record it is damaged. */
export interface EntryRow {
  readonly sha: Sha;
  readonly version: number;
  readonly record: EntryRecord | undefined;
}

export const LINES_INDEX = 0xffffffff;

export function shaKey(sha: Sha): Buffer {
  return Buffer.from(sha, 'hex');
}

export function chunkKey(set: string, index: number): Buffer {
  const key = Buffer.alloc(12);
  key.write(set, 'hex');
  key.writeUInt32BE(index, 8);
  return key;
}

export function encodeEntry(sha: Sha, record: EntryRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  return Buffer.concat([check16(sha, json), json]);
}

/** The row of `sha`; undefined if there is none. */
export function readRow(env: LmdbEnv, sha: Sha): EntryRow | undefined {
  const entry = env.entries.getEntry(shaKey(sha));
  return entry && { sha, version: entry.version ?? 0, record: decodeEntry(sha, entry.value) };
}

/** All rows, or those whose hash starts with `prefix`, in the order of their hashes. */
export function* rowsWithPrefix(env: LmdbEnv, prefix = ''): Generator<EntryRow> {
  const start = Buffer.from(prefix.padEnd(64, '0'), 'hex');
  const end = Buffer.concat([Buffer.from(prefix.padEnd(64, 'f'), 'hex'), Buffer.alloc(1)]);
  for (const { key, value, version } of env.entries.getRange({ start, end, versions: true })) {
    const sha = Buffer.from(key).toString('hex');
    yield { sha, version: version ?? 0, record: decodeEntry(sha, value) };
  }
}

/** The bytes that follow a check over `sha`, `what` and themselves. Throws `DamagedError`. */
export function checked(sha: Sha, what: string | Buffer, stored: Buffer): Buffer {
  const bytes = stored.subarray(16);
  if (stored.subarray(0, 16).equals(check16(sha, what, bytes))) return bytes;
  throw new DamagedError('a part of it does not match its check sum');
}

function decodeEntry(sha: Sha, value: Buffer): EntryRecord | undefined {
  const json = value.subarray(16);
  return value.subarray(0, 16).equals(check16(sha, json))
    ? (JSON.parse(json.toString()) as EntryRecord)
    : undefined;
}

/** An error of LMDB, or of the system, on the environment at `path` as a `StoreUnavailable`. */
export function lmdbTrouble(error: unknown, path: string): StoreUnavailable {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (CORRUPT.has(code)) {
    return new StoreUnavailable('damaged', `the LMDB file in ${path} is damaged (${String(error)})`, error);
  }
  if (code === EINVAL)
    return new StoreUnavailable('busy', `other processes open and close ${path} just now; try again`, error);
  if (code === READERS_FULL)
    return new StoreUnavailable('busy', `too many processes read ${path} just now`, error);
  return unavailable(error, path);
}

/** Locks that another process was just making or removing; a damaged file may say the same, but goes on saying it. */
export function isLockTrouble(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LOCKS.has(error.code);
}

/** Page not found, corrupted, panic, version mismatch, invalid, problem. */
const CORRUPT: ReadonlySet<unknown> = new Set([-30797, -30796, -30795, -30794, -30793, -30779]);
const READERS_FULL = -30790;
const EINVAL = 22;
/** The mutexes are gone; what the lock file says while it is made: invalid, version mismatch; all its places taken. */
const LOCKS: ReadonlySet<unknown> = new Set([EINVAL, -30793, -30794, READERS_FULL]);
