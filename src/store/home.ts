/**
 * The store that readers see: the spool first, then LMDB, read-only. It never imports and never waits for a lock. Where
 * LMDB can't be loaded or opened the spool alone serves, and `trouble` says why.
 */
import { findFolder, type Folder } from './folder.ts';
import type { GcDone, GcJob, GcReport } from './gc.ts';
import { knownWithPrefix } from './known.ts';
import { findAside, healthOf } from './lmdb-guard.ts';
import type { LmdbStore } from './lmdb-store.ts';
import { loadLmdb } from './load-lmdb.ts';
import { isPrefix, missing, single } from './lookup.ts';
import {
  type Entry,
  isUnavailable,
  type Lookup,
  type Sha,
  type Store,
  type StoreStats,
  StoreUnavailable,
} from './port.ts';
import { lookInSpool, spoolStore, spoolWithPrefix } from './spool-store.ts';
import { markUse } from './uses.ts';

export interface HomeStore extends Store {
  /** Why LMDB is not used; undefined when it is, or when there is none yet. Opens it to see. */
  trouble(): Promise<StoreUnavailable | undefined>;
}

/** What carries out maintenance, such as `watchGc` with its command. */
export type Maintain = (job: GcJob) => Promise<GcReport>;

/**
 * The store at `root`. Nothing is made or opened before it is asked for. `put` goes into the spool; `forget` and `sweep`
 * go through `maintain`. Throws `StoreUnavailable` when the folder can't be trusted.
 */
export function openHome(root: string, maintain: Maintain): HomeStore {
  const home = new Home(root);
  const spool = spoolStore(root);
  return {
    put: (request) => spool.put(request),
    open: (prefix, nowMs) => home.open(prefix, nowMs),
    view: (viewSha) => spool.view(viewSha),
    list: () => home.list(),
    forget: async (shas, nowMs) => {
      // A process can't have the environment open for reading and for writing.
      await home.close();
      const done = doneOrThrow(await maintain({ root, nowMs, forget: shas }));
      if (done?.trouble && home.isKnown(shas))
        throw new StoreUnavailable(done.trouble.trouble, done.trouble.message);
      return done?.forgotten ?? 0;
    },
    sweep: async ({ nowMs, maxBytes }) => {
      await home.close();
      return (
        doneOrThrow(await maintain({ root, nowMs, maxBytes })) ?? { expired: 0, evicted: 0, freedBytes: 0 }
      );
    },
    stats: () => home.stats(),
    trouble: () => home.trouble(),
    close: () => home.close(),
  };
}

class Home {
  private readonly root: string;
  private opening: Promise<LmdbStore | StoreUnavailable | undefined> | undefined;

  constructor(root: string) {
    this.root = root;
  }

  async open(prefix: string, nowMs: number): Promise<Lookup> {
    const folder = findFolder(this.root);
    if (!folder || !isPrefix(prefix)) return { kind: 'unknown' };
    const lookup = await this.find(folder, prefix, nowMs);
    if (lookup.kind === 'found') markUse(folder, lookup.entry.sha, nowMs);
    return lookup;
  }

  async list(): Promise<Entry[]> {
    const entries = new Map<Sha, Entry>();
    for (const entry of (await (await this.lmdb())?.list()) ?? []) entries.set(entry.sha, entry);
    for (const entry of await spoolStore(this.root).list()) {
      const expiresMs = Math.max(entry.expiresMs, entries.get(entry.sha)?.expiresMs ?? 0);
      entries.set(entry.sha, { ...entry, expiresMs });
    }
    return [...entries.values()];
  }

  async stats(): Promise<StoreStats> {
    const entries = await this.list();
    const lmdb = await (await this.lmdb())?.stats();
    const spool = await spoolStore(this.root).stats();
    return {
      originals: entries.length,
      originalBytes: entries.reduce((sum, { size }) => sum + size, 0),
      storedBytes: spool.storedBytes + (lmdb?.storedBytes ?? 0),
      tombstones: spool.tombstones,
    };
  }

  async trouble(): Promise<StoreUnavailable | undefined> {
    this.opening ??= openOrSay(this.root);
    const opened = await this.opening;
    return isUnavailable(opened) ? opened : undefined;
  }

  async close(): Promise<void> {
    const opened = await this.opening;
    this.opening = undefined;
    if (opened && !isUnavailable(opened)) await opened.close();
  }

  /** Whether LMDB has one of these, as far as the last gc knew. */
  isKnown(shas: readonly Sha[]): boolean {
    const folder = findFolder(this.root);
    return folder !== undefined && shas.some((sha) => knownWithPrefix(folder, sha).length > 0);
  }

  private async lmdb(): Promise<LmdbStore | undefined> {
    this.opening ??= openOrSay(this.root);
    const opened = await this.opening;
    return isUnavailable(opened) ? undefined : opened;
  }

  private async find(folder: Folder, prefix: string, nowMs: number): Promise<Lookup> {
    const known = knownWithPrefix(folder, prefix);
    const early = single([...spoolWithPrefix(folder, prefix), ...known]);
    const inSpool = early.sha === undefined ? undefined : lookInSpool(folder, early.sha, nowMs);
    if (inSpool?.kind === 'found') return inSpool;
    const lmdb = await this.lmdb();
    const { sha, lookup } = single([
      ...spoolWithPrefix(folder, prefix),
      ...(lmdb ? lmdb.shasWithPrefix(prefix) : known),
    ]);
    if (lookup) return lookup;
    if (sha === undefined) return gone(folder, prefix, nowMs);
    const inLmdb = lmdb ? lmdb.look(sha, nowMs) : await this.outOfReach(sha, known);
    return better(lookInSpool(folder, sha, nowMs), inLmdb) ?? gone(folder, prefix, nowMs);
  }

  private async outOfReach(sha: Sha, known: readonly Sha[]): Promise<Lookup | undefined> {
    const trouble = await this.trouble();
    if (!trouble || !known.includes(sha)) return undefined;
    if (trouble.trouble !== 'damaged') throw trouble;
    return { kind: 'damaged', sha, reason: trouble.message };
  }
}

/** The answer for what neither has: a tombstone, or that it was lost with a damaged environment. */
function gone(folder: Folder, prefix: string, nowMs: number): Lookup {
  const lookup = missing(folder, prefix, nowMs);
  const lost = lookup.kind === 'unknown' ? findAside(folder, prefix) : undefined;
  if (!lost) return lookup;
  const reason = `it was in an LMDB file that was damaged; what is left of that is in ${lost.aside}`;
  return { kind: 'damaged', sha: lost.sha, reason };
}

/** What can be served, else what is wrong, else what is over. */
function better(first: Lookup | undefined, second: Lookup | undefined): Lookup | undefined {
  const answers = [first, second];
  const found = answers.find((answer) => answer?.kind === 'found');
  return found ?? answers.find((answer) => answer?.kind === 'damaged') ?? first ?? second;
}

async function openOrSay(root: string): Promise<LmdbStore | StoreUnavailable | undefined> {
  try {
    const folder = findFolder(root);
    if (!folder || healthOf(folder).kind === 'new') return undefined;
    return (await loadLmdb()).openToReadLmdb(root);
  } catch (error) {
    if (isUnavailable(error)) return error;
    throw error;
  }
}

function doneOrThrow(report: GcReport): GcDone | undefined {
  if (report.kind === 'busy') {
    throw new StoreUnavailable(
      'busy',
      `process ${report.pid} is at work on the store; try again when it is done`,
    );
  }
  return report.kind === 'done' ? report : undefined;
}
