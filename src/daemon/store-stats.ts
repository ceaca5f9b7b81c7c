/** What the store of calls without a folder holds, without opening it. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { folderAt } from '../store/folder.ts';
import { spoolLoad } from '../store/spool.ts';
import { SPOOL_BYTES, SPOOL_FILES } from './housekeeping.ts';
import type { DaemonStats } from './protocol.ts';

export interface Home {
  readonly folder: string;
  readonly capBytes: number;
}

/** The spool is looked at once in this time. */
const LOOK_MS = 1000;
const SHA_BYTES = 32;

export class StoreStats {
  private readonly now: () => number;
  private seen = { folder: '', atMs: 0, files: 0, bytes: 0 };

  constructor(now: () => number) {
    this.now = now;
  }

  /** `storedBytes` is what gc has found last. */
  async of(
    home: Home | undefined,
    storedBytes: (folder: string) => number | undefined,
  ): Promise<Pick<DaemonStats, 'store' | 'spool'>> {
    const { folder: path = '', capBytes = 0 } = home ?? {};
    const spool = this.spool(path);
    const parts = path === '' ? undefined : folderAt(path);
    const known = parts === undefined ? 0 : await sizeOf(parts.known);
    const bytes = storedBytes(path) ?? (parts === undefined ? 0 : await sizeOf(join(parts.lmdb, 'data.mdb')));
    return {
      store: {
        path,
        originals: Math.floor(known / SHA_BYTES) + spool.files,
        bytes: bytes + spool.bytes,
        capBytes,
      },
      spool: { ...spool, mostFiles: SPOOL_FILES, mostBytes: SPOOL_BYTES },
    };
  }

  private spool(folder: string): { readonly files: number; readonly bytes: number } {
    const nowMs = this.now();
    if (folder !== this.seen.folder || nowMs - this.seen.atMs > LOOK_MS)
      this.seen = { folder, atMs: nowMs, ...lookAt(folder) };
    const { files, bytes } = this.seen;
    return { files, bytes };
  }
}

function lookAt(folder: string): { readonly files: number; readonly bytes: number } {
  try {
    if (folder !== '') return spoolLoad(folder);
  } catch {
    // Then nothing is known of it.
  }
  return { files: 0, bytes: 0 };
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
