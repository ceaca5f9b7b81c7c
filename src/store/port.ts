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
  read(start: number, end: number): Uint8Array;
  /** The byte where line `line` (from 1) starts; undefined when the driver has no index and the caller must scan. */
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
  /** Bytes on disk. */
  readonly storedBytes: number;
  readonly tombstones: number;
}

export interface Store {
  /** Stores an original; a known one gets expiry max(old, now + ttl) and the further view. */
  put(request: PutRequest): Promise<void>;
  /** By hash, or by a prefix of 6 digits or more. */
  open(prefix: string, nowMs: number): Promise<Lookup>;
  /** The original that a view was made of. */
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
