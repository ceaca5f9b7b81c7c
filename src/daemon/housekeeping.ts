/**
 * Brings originals from the spool into LMDB, and removes what has expired or is over the cap, for every store that was
 * used. A `ctxzip gc` in a process of its own does it, at low priority: it can block, crash and be given up there, and no
 * request waits for it.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { folderAt } from '../store/folder.ts';
import { spoolLoad } from '../store/spool.ts';
import type { Hands } from './hands.ts';
import type { Done } from './work.ts';

/** As much waits in the spool at most: see `care` of the pipe. */
export const SPOOL_FILES = 64;
export const SPOOL_BYTES = 64 << 20;
const TICK_MS = 1000;
/** Nothing was stored for so long: what waits is brought in. */
const QUIET_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A store that was not used for so long is no longer cared for. */
const FORGOTTEN_MS = 24 * HOUR_MS;
const LONGEST_MS = 10 * 60_000;
/** After a run that failed, or that another process kept from running. */
const PAUSE_MS = 30_000;

interface Keeping {
  readonly now: () => number;
  readonly self: readonly [string, string];
  readonly hands: Hands;
  readonly tell: (text: string) => void;
}

/** What is known of a store. */
interface Kept {
  /** A folder in which the configuration names it. */
  readonly cwd: string;
  files: number;
  bytes: number;
  usedMs: number;
  dueMs: number;
  /** Not before this, whatever waits. */
  pauseMs: number;
  /** Bytes in LMDB after the last run; absent: not known. */
  storedBytes?: number;
}

export class Housekeeping {
  private readonly keeping: Keeping;
  private readonly stores = new Map<string, Kept>();
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private isStopped = false;

  constructor(keeping: Keeping) {
    this.keeping = keeping;
  }

  /** Begins with a store that may have waited for long. */
  start(folder: string | undefined): void {
    if (folder !== undefined) this.keptOf(folder, '').dueMs = this.keeping.now();
    this.timer = setInterval(() => void this.tick(), TICK_MS);
    this.timer.unref();
  }

  /** A gc that is at work ends by itself. */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  noteStored(stored: Done['stored']): void {
    for (const { folder, cwd, bytes } of stored) {
      const kept = this.keptOf(folder, cwd);
      kept.files += 1;
      kept.bytes += bytes;
      kept.usedMs = this.keeping.now();
    }
  }

  /** Bytes that LMDB took after the last run. */
  storedBytes(folder: string): number | undefined {
    return this.stores.get(folder)?.storedBytes;
  }

  private keptOf(folder: string, cwd: string): Kept {
    const nowMs = this.keeping.now();
    const kept = this.stores.get(folder) ?? {
      cwd,
      files: 0,
      bytes: 0,
      usedMs: nowMs,
      dueMs: nowMs + HOUR_MS,
      pauseMs: 0,
    };
    this.stores.set(folder, kept);
    return kept;
  }

  private async tick(): Promise<void> {
    if (this.isRunning) return;
    const nowMs = this.keeping.now();
    for (const [folder, kept] of this.stores) {
      if (kept.cwd !== '' && nowMs - kept.usedMs > FORGOTTEN_MS) this.stores.delete(folder);
      else if (isDue(kept, nowMs)) {
        this.isRunning = true;
        await this.care(folder, kept);
        this.isRunning = false;
        return;
      }
    }
  }

  private async care(folder: string, kept: Kept): Promise<void> {
    const { now, tell } = this.keeping;
    const { files, bytes } = kept;
    const report = await this.gc(kept.cwd);
    if (this.isStopped) return;
    const kind = report?.['kind'];
    kept.dueMs = now() + HOUR_MS;
    if (kind === 'done' || kind === 'none') {
      // What has come meanwhile still counts.
      kept.files -= files;
      kept.bytes -= bytes;
      kept.storedBytes = Math.max(0, Number(report?.['storedBytes'] ?? 0) - spoolLoad(folder).bytes);
    }
    const trouble = troubleOf(report);
    if (trouble !== undefined) tell(`gc: ${trouble}`);
    const movedTo = report?.['movedTo'];
    if (movedTo !== undefined) tell(`gc: the LMDB file was damaged and is now in ${String(movedTo)}`);
    if (kind === 'busy' || trouble !== undefined) kept.pauseMs = now() + PAUSE_MS;
    await cleanOwnTemp(folder, now());
  }

  private async gc(cwd: string): Promise<Record<string, unknown> | undefined> {
    const { self, hands } = this.keeping;
    const words = [...self, 'gc', '--json'] as const;
    const { stdout } = await hands.run({ words, cwd: cwd || '/', timeoutMs: LONGEST_MS, isPatient: true });
    return parsed(stdout);
  }
}

function troubleOf(report: Record<string, unknown> | undefined): string | undefined {
  if (report === undefined) return 'it did not end as it should';
  return (report['trouble'] as { readonly message: string } | undefined)?.message;
}

function isDue({ files, bytes, usedMs, dueMs, pauseMs }: Kept, nowMs: number): boolean {
  if (nowMs < pauseMs) return false;
  if (files > SPOOL_FILES || bytes > SPOOL_BYTES || nowMs >= dueMs) return true;
  return files > 0 && nowMs - usedMs > QUIET_MS;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Nothing of ours is written for longer: requests have a time limit. */
const OLD_MS = 10 * 60_000;

/** Removes what workers left half-written that were given up: gc leaves files of living processes alone. */
async function cleanOwnTemp(folder: string, nowMs: number): Promise<void> {
  const { temp } = folderAt(folder);
  const names = await readdir(temp).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(`${process.pid}-`))) {
    const path = join(temp, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && nowMs - stats.mtimeMs > OLD_MS) await unlink(path).catch(() => undefined);
  }
}
