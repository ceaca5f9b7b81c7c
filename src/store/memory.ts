/** A store in memory, for tests and for programs that embed ctxzip. */
import { YOUNG_MS } from './full.ts';
import { sha256 } from './hash.ts';
import { isPrefix, outlived, single } from './lookup.ts';
import {
  DamagedError,
  type Entry,
  type Lookup,
  type PutRequest,
  type Sha,
  type Store,
  type SweepReport,
  type Tombstone,
} from './port.ts';
import { bytesReader } from './readers.ts';
import { keptStones, tombstoneOf } from './tombstones.ts';
import type { ViewOrigin } from './views.ts';

interface Held {
  readonly entry: Entry;
  readonly bytes: Uint8Array;
}

/** An empty store that lives as long as the process. */
export function memoryStore(): Store {
  const store = new Memory();
  return {
    put: async (request) => store.put(request),
    open: async (prefix, nowMs) => store.open(prefix, nowMs),
    view: async (viewSha) => store.views.get(viewSha),
    list: async () => [...store.held.values()].map(({ entry }) => entry),
    forget: async (shas) => store.forget(shas),
    sweep: async (limits) => store.sweep(limits),
    stats: async () => ({
      originals: store.held.size,
      originalBytes: store.bytes(),
      storedBytes: store.bytes(),
      tombstones: store.stones.size,
    }),
    close: async () => {},
  };
}

class Memory {
  readonly held = new Map<Sha, Held>();
  readonly views = new Map<Sha, ViewOrigin>();
  stones = new Map<Sha, Tombstone>();

  put(request: PutRequest): void {
    const { sha, facts, nowMs, ttlMs, view } = request;
    const bytes = Buffer.concat([...request.chunks].map((chunk) => Buffer.from(chunk)));
    if (sha256().update(bytes).digest('hex') !== sha)
      throw new DamagedError('the bytes are not those of the hash');
    const old = this.held.get(sha)?.entry;
    const expiresMs = Math.max(old?.expiresMs ?? 0, nowMs + ttlMs);
    const entry: Entry = { sha, size: bytes.length, expiresMs, usedMs: nowMs, facts, where: 'memory' };
    this.held.set(sha, { entry, bytes });
    if (view) this.views.set(view.viewSha, { sha, policy: view.policy });
  }

  open(prefix: string, nowMs: number): Lookup {
    if (!isPrefix(prefix)) return { kind: 'unknown' };
    const found = single([...this.held.keys()].filter((sha) => sha.startsWith(prefix)));
    const held = this.held.get(found.sha ?? '');
    if (held && held.entry.expiresMs <= nowMs) return outlived(held.entry);
    if (held) return { kind: 'found', entry: held.entry, reader: bytesReader(held.bytes) };
    const buried = single([...this.stones.keys()].filter((sha) => sha.startsWith(prefix)));
    const tombstone = this.stones.get(buried.sha ?? '');
    return (
      found.lookup ?? buried.lookup ?? (tombstone ? { kind: 'expired', tombstone } : { kind: 'unknown' })
    );
  }

  forget(shas: readonly Sha[]): number {
    const there = shas.filter((sha) => this.held.has(sha));
    for (const sha of shas) {
      this.held.delete(sha);
      this.stones.delete(sha);
    }
    this.dropViews();
    return there.length;
  }

  sweep(limits: { readonly nowMs: number; readonly maxBytes: number }): SweepReport {
    const before = this.bytes();
    const over = [...this.held.values()].filter(({ entry }) => entry.expiresMs <= limits.nowMs);
    for (const { entry } of over) this.bury(entry, 'expired', limits.nowMs);
    const byUse = [...this.held.values()].sort((a, b) => a.entry.usedMs - b.entry.usedMs);
    const old = byUse.filter(({ entry }) => limits.nowMs - entry.usedMs >= YOUNG_MS);
    let evicted = 0;
    for (const { entry } of old) {
      if (this.bytes() <= limits.maxBytes) break;
      this.bury(entry, 'evicted', limits.nowMs);
      evicted += 1;
    }
    this.dropViews();
    const kept = keptStones([...this.stones.values()], limits.nowMs);
    this.stones = new Map(kept.map((stone) => [stone.sha, stone]));
    return { expired: over.length, evicted, freedBytes: before - this.bytes() };
  }

  bytes(): number {
    return [...this.held.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  private bury(entry: Entry, why: Tombstone['why'], nowMs: number): void {
    this.held.delete(entry.sha);
    this.stones.set(entry.sha, tombstoneOf(entry, why, nowMs));
  }

  private dropViews(): void {
    for (const [viewSha, { sha }] of this.views) if (!this.held.has(sha)) this.views.delete(viewSha);
  }
}
