/** What the drivers share when they look an original up. */
import { findTombstones, tombstoneOf } from './tombstones.ts';
import type { Folder } from './folder.ts';
import type { Entry, Lookup, Sha } from './port.ts';

/** Prefixes that can be looked up: 6 to 64 lower-case hex digits. */
export function isPrefix(text: string): boolean {
  return /^[0-9a-f]{6,64}$/.test(text);
}

/** The answer when no original has that prefix: a tombstone if there is one. */
export function missing(folder: Folder, prefix: string, nowMs: number): Lookup {
  const stones = findTombstones(folder, prefix, nowMs);
  const [tombstone] = stones;
  if (!tombstone) return { kind: 'unknown' };
  if (stones.length > 1) return { kind: 'ambiguous', shas: stones.map((stone) => stone.sha) };
  return { kind: 'expired', tombstone };
}

/** The answer for an original whose time is over but which no sweep has removed yet. */
export function outlived(entry: Pick<Entry, 'sha' | 'size' | 'facts' | 'expiresMs'>): Lookup {
  return { kind: 'expired', tombstone: tombstoneOf(entry, 'expired', entry.expiresMs) };
}

/** The one sha, or how the lookup ends. */
export function single(shas: Iterable<Sha>): { readonly sha?: Sha; readonly lookup?: Lookup } {
  const distinct = [...new Set(shas)].sort();
  if (distinct.length > 1) return { lookup: { kind: 'ambiguous', shas: distinct } };
  return distinct[0] === undefined ? {} : { sha: distinct[0] };
}
