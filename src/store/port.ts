/** What every store driver does. A driver holds originals under their SHA-256, and the views made of them. */

/** 64 lower-case hex digits. */
export type Sha = string;

/** What is remembered of an original beside its bytes. `command` is scrubbed of credentials before it comes here. */
export interface Facts {
  readonly createdMs: number;
  readonly command?: string;
  readonly tool?: string;
  readonly folder?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** Which output of the command it is, where they were apart. */
  readonly stream?: 'stdout' | 'stderr';
  readonly shape?: string;
}

/** A view that was printed: its own hash, and a digest of policy and version that made it. */
export interface ViewRecord {
  readonly viewSha: Sha;
  readonly policy: string;
}

export interface PutRequest {
  readonly sha: Sha;
  readonly size: number;
  /** The bytes of the original, in order. */
  readonly chunks: Iterable<Uint8Array>;
  readonly facts: Facts;
  readonly ttlMs: number;
  readonly nowMs: number;
  readonly view?: ViewRecord;
}

export interface Entry {
  readonly sha: Sha;
  readonly size: number;
  readonly expiresMs: number;
  readonly usedMs: number;
  readonly facts: Facts;
  readonly where: 'spool' | 'lmdb' | 'memory';
}

/** Random access to one original; every byte it returns has been checked against the hash, else it throws `DamagedError`. */
export interface Reader {
  readonly size: number;
  /** Bytes `start` to `end`, clipped to the original; may share memory with the store. Ask for a few MiB at a time. */
  read(start: number, end: number): Uint8Array;
  /**
   * Where line `line` (from 1, lines end at `\n`) starts, or where the last line does if there are fewer. Every driver
   * of this folder has it; undefined means that the caller must scan.
   */
  lineStart?(line: number): { readonly line: number; readonly byte: number };
  close(): void;
}

/** What is left of an original that expired or was evicted. */
export interface Tombstone {
  readonly sha: Sha;
  readonly size: number;
  readonly goneMs: number;
  readonly why: 'expired' | 'evicted' | 'forgotten';
  readonly command?: string;
}

export type Lookup =
  | { readonly kind: 'found'; readonly entry: Entry; readonly reader: Reader }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly shas: readonly Sha[] }
  | { readonly kind: 'expired'; readonly tombstone: Tombstone }
  | { readonly kind: 'damaged'; readonly sha: Sha; readonly reason: string };

export interface SweepReport {
  readonly expired: number;
  readonly evicted: number;
  readonly freedBytes: number;
}

export interface StoreStats {
  readonly originals: number;
  /** Bytes of the originals. */
  readonly originalBytes: number;
  /** Bytes they take where they are kept, compressed or not: what the cap counts. */
  readonly storedBytes: number;
  readonly tombstones: number;
}

export interface Store {
  /**
   * Stores an original; a known one gets expiry max(old, now + ttl) and the further view. Durable when it resolves.
   * Throws `DamagedError` if the bytes are not those of `sha`, and `StoreUnavailable`.
   */
  put(request: PutRequest): Promise<void>;
  /** By hash, or by a prefix of 6 digits or more. */
  open(prefix: string, nowMs: number): Promise<Lookup>;
  /** The original that a view was made of; the last one committed, if there were several. */
  view(viewSha: Sha): Promise<{ readonly sha: Sha; readonly policy: string } | undefined>;
  list(): Promise<readonly Entry[]>;
  /** Erases originals, their views and their tombstones; returns how many there were. */
  forget(shas: readonly Sha[], nowMs: number): Promise<number>;
  /** Removes what has expired, then the least recently used until `maxBytes` holds; nothing younger than an hour is evicted. */
  sweep(limits: { readonly nowMs: number; readonly maxBytes: number }): Promise<SweepReport>;
  stats(): Promise<StoreStats>;
  close(): Promise<void>;
}

/** Stored bytes that do not match their hash. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/**
 * Why a store can't be used: `folder` (not a real folder, or not made by ctxzip), `owner` (somebody else's), `access`
 * (not writable), `space` (disk full), `network` (LMDB must not live there), `addon` (no native addon for this
 * platform), `damaged` (the LMDB file), `busy` (another process holds it).
 */
export type Trouble =
  | 'folder'
  | 'owner'
  | 'access'
  | 'space'
  | 'network'
  | 'addon'
  | 'damaged'
  | 'busy'
  | 'failed';

/** A store that can't be used as things are. The message says what is wrong and what to do. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.trouble = trouble;
  }
}

/** True for a `StoreUnavailable`, also one that another bundle threw (each has its own copy of the class). */
export function isUnavailable(error: unknown): error is StoreUnavailable {
  return error instanceof Error && error.name === 'StoreUnavailable';
}

/** True for a `DamagedError`, also one that another bundle threw. */
export function isDamaged(error: unknown): error is DamagedError {
  return error instanceof Error && error.name === 'DamagedError';
}
