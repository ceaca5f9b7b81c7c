/**
 * The pipe's way to commit: plain files, written in one go and never locked.
 *
 * An original is streamed into a temp file while it is hashed; `commit` adds the trailer, makes it durable and renames it
 * to its hash. A second commit of an original replaces the file, so that good bytes heal a damaged copy. LMDB is never
 * opened here: a stopped writer would block it for ever, and a damaged file would kill the process.
 */
import { closeSync, fsyncSync, lstatSync, renameSync } from 'node:fs';
import {
  makeTemp,
  namesIn,
  openToRead,
  readFully,
  type TempFile,
  unlinkIfThere,
  writeFully,
} from './files.ts';
import { type Folder, folderAt, makeFolder, syncFolder, unavailable } from './folder.ts';
import { fullReason } from './full.ts';
import { sha256, type Sha256 } from './hash.ts';
import { knownWithPrefix } from './known.ts';
import type { Facts, Sha, ViewRecord } from './port.ts';
import { encodeTail, readTail, type Trailer } from './spool-file.ts';
import { readView, recordView, type ViewOrigin } from './views.ts';

/** How many hex digits of the hash a marker carries. */
const MARKER_DIGITS = 12;
const VIEWS_KEPT = 16;
const LOOKED_AT = 1000;
/** A look at each file costs more than all else of a small commit: few files are weighed for an original of this size only. */
const HEAVY_BYTES = 1 << 20;
const FEW_FILES = 64;
/** The spool may be over the cap by as much, and by what is not weighed, until the next gc. */
const OVERSHOOT_BYTES = 64 << 20;

export interface CommitRequest {
  readonly facts: Facts;
  readonly ttlMs: number;
  readonly nowMs: number;
  /** The cap of the whole store; 0 or absent is none. */
  readonly maxBytes?: number;
  readonly view?: ViewRecord;
}

/** `collision`: another original has the same first 12 digits. `full`: the cap can't be met. Both mean: pass through. */
export type CommitResult =
  | { readonly kind: 'stored'; readonly sha: Sha; readonly expiresMs: number }
  | { readonly kind: 'collision'; readonly other: Sha }
  | { readonly kind: 'full'; readonly reason: string };

/** An original on its way into the spool. `close` it in every case; what was not committed is then gone. */
export interface SpoolWriter {
  /** Bytes written so far; a `write` that threw does not count. */
  readonly size: number;
  /** Adds bytes. Throws `StoreUnavailable`; what came before can still be read. */
  write(chunk: Uint8Array): void;
  /** Bytes `start` to `end` of what was written, also after a failure, until `close`. */
  read(start: number, end: number): Uint8Array;
  /** The hash of all bytes; nothing can be written after it. */
  seal(): Sha;
  /** Makes the original, its facts and its view durable. Throws `StoreUnavailable`. */
  commit(request: CommitRequest): CommitResult;
  close(): void;
}

/** How much waits in the spool for gc. After a commit of less than 1 MiB behind at most 64 files, `bytes` is its own only. */
export interface SpoolLoad {
  readonly files: number;
  readonly bytes: number;
}

export interface Spool {
  readonly folder: Folder;
  /** What the last commit found and left there; undefined before the first. */
  readonly load: SpoolLoad | undefined;
  /** `size` is how many bytes will come at most, if that is known. */
  begin(size?: number): SpoolWriter;
  /** The record of a view, by its file: one open, for the pipe's look at its own input. */
  view(viewSha: Sha): ViewOrigin | undefined;
}

/** The spool of the store at `root`, made if it is missing. Throws `StoreUnavailable` when the folder can't be trusted or used. */
export function openSpool(root: string): Spool {
  const folder = makeFolder(root);
  let load: SpoolLoad | undefined;
  return {
    folder,
    get load() {
      return load;
    },
    begin: (size) => beginWriter(folder, size, (left) => (load = left)),
    view: (viewSha) => guarded(folder, () => readView(folder, viewSha)),
  };
}

/** How much waits in the spool of a store. */
export function spoolLoad(root: string): SpoolLoad {
  const folder = folderAt(root);
  return loadOf(folder, namesIn(folder.spool));
}

/** Costs one look per file, for the first thousand; more are estimated. */
function loadOf({ spool }: Folder, names: readonly string[]): SpoolLoad {
  // Named after hashes, any of them are a fair sample.
  const looked = names.slice(0, LOOKED_AT);
  let bytes = 0;
  for (const name of looked) bytes += lstatSync(`${spool}/${name}`, { throwIfNoEntry: false })?.size ?? 0;
  return { files: names.length, bytes: Math.round((bytes / Math.max(1, looked.length)) * names.length) };
}

function beginWriter(
  folder: Folder,
  size: number | undefined,
  leave: (load: SpoolLoad) => void,
): SpoolWriter {
  const temp = guarded(folder, () => makeTemp(folder));
  return new Writer(folder, temp, size, leave);
}

class Writer implements SpoolWriter {
  size = 0;
  private readonly folder: Folder;
  private readonly temp: TempFile;
  private readonly hash: Sha256;
  private readonly leave: (load: SpoolLoad) => void;
  private sha: Sha | undefined;
  private state: 'open' | 'committed' | 'closed' = 'open';

  constructor(folder: Folder, temp: TempFile, size: number | undefined, leave: (load: SpoolLoad) => void) {
    this.hash = sha256(size);
    this.leave = leave;
    this.folder = folder;
    this.temp = temp;
  }

  write(chunk: Uint8Array): void {
    guarded(this.folder, () => writeFully(this.temp.fd, chunk, this.size));
    this.hash.update(chunk);
    this.size += chunk.length;
  }

  read(start: number, end: number): Uint8Array {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(end, this.size) - start));
    return bytes.subarray(0, readFully(this.temp.fd, bytes, start));
  }

  seal(): Sha {
    return (this.sha ??= this.hash.digest('hex'));
  }

  commit(request: CommitRequest): CommitResult {
    const sha = this.seal();
    return guarded(this.folder, () => {
      const names = namesIn(this.folder.spool);
      const isWeighed = names.length > FEW_FILES || this.size >= HEAVY_BYTES;
      const { files, bytes } = isWeighed ? loadOf(this.folder, names) : { files: names.length, bytes: 0 };
      const reason = fullReason(this.folder, this.size, request) ?? backlogReason(bytes, request);
      if (reason) return { kind: 'full', reason };
      const other = otherWithSameDigits(this.folder, names, sha);
      if (other) return { kind: 'collision', other };
      this.leave({ files: files + 1, bytes: bytes + this.size });
      const expiresMs = publish(this.folder, this.temp, { ...request, sha, size: this.size });
      this.state = 'committed';
      return { kind: 'stored', sha, expiresMs };
    });
  }

  close(): void {
    if (this.state === 'closed') return;
    closeSync(this.temp.fd);
    if (this.state === 'open') unlinkIfThere(this.temp.path);
    this.state = 'closed';
  }
}

/** Ends the temp file with a trailer and puts it in its place; returns the expiry it has then. */
export function publish(
  folder: Folder,
  temp: TempFile,
  request: CommitRequest & { readonly sha: Sha; readonly size: number },
): number {
  const { sha, size, facts, nowMs, view } = request;
  const path = `${folder.spool}/${sha}`;
  const old = trailerAt(path, sha);
  const expiresMs = Math.max(old?.expiresMs ?? 0, nowMs + request.ttlMs);
  const views = withView(old?.views ?? [], view);
  writeFully(temp.fd, encodeTail(sha, size, { facts, expiresMs, committedMs: nowMs, views }), size);
  fsyncSync(temp.fd);
  renameSync(temp.path, path);
  syncFolder(folder.spool);
  if (view) recordLazily(folder, sha, view);
  return expiresMs;
}

function recordLazily(folder: Folder, sha: Sha, view: ViewRecord): void {
  try {
    recordView(folder, sha, view, 'lazy');
  } catch {
    // The record is in the trailer already; gc makes the file when there is room for it.
  }
}

function trailerAt(path: string, sha: Sha): Trailer | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    return readTail(fd, sha).trailer;
  } catch {
    // A damaged copy: the good one that is about to replace it starts afresh.
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function withView(views: readonly ViewRecord[], view: ViewRecord | undefined): readonly ViewRecord[] {
  if (!view) return views;
  return [...views.filter((each) => each.viewSha !== view.viewSha), view].slice(-VIEWS_KEPT);
}

/** Why the spool takes no more, when gc has not come to it for long. */
function backlogReason(bytes: number, { maxBytes = 0 }: CommitRequest): string | undefined {
  if (maxBytes <= 0 || bytes <= maxBytes + OVERSHOOT_BYTES) return undefined;
  return `${bytes} bytes wait in the spool, more than the whole store may hold; run ctxzip gc to see what keeps it`;
}

function otherWithSameDigits(folder: Folder, names: readonly string[], sha: Sha): Sha | undefined {
  const digits = sha.slice(0, MARKER_DIGITS);
  const alike = names.filter((name) => name.startsWith(digits));
  return [...alike, ...knownWithPrefix(folder, digits)].find((each) => each !== sha);
}

function guarded<T>(folder: Folder, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unavailable(error, folder.root);
  }
}
