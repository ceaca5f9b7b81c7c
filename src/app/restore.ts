/** The verb `restore`: the original of a view, by the hash of the view; a minimal view has its original in it. */
import { findMarkers } from '../core/marker.ts';
import { beginsMinimal, DamagedView, type Decoded, readMinimal } from '../core/minimal/index.ts';
import { isUnavailable, type Lookup, type Reader, type Store } from '../store/port.ts';
import { sha256 } from '../store/hash.ts';

export type Restored =
  | { readonly kind: 'original'; readonly reader: Reader; readonly sha: string }
  /** Not a recorded view. `live`: it holds a marker whose original is in the store, so it is an edited view. */
  | { readonly kind: 'unknown'; readonly live: boolean }
  | { readonly kind: 'gone'; readonly sha: string; readonly lookup: Exclude<Lookup, { kind: 'found' }> };

/** Decodes a minimal view; why it can't be decoded; undefined where the text does not begin as one. */
export function decodeMinimal(
  view: readonly Uint8Array[],
): Decoded | { readonly damage: string } | undefined {
  if (view.length === 0 || !beginsMinimal(view[0]!)) return undefined;
  try {
    return readMinimal(view.length === 1 ? view[0]! : Buffer.concat(view));
  } catch (error) {
    if (error instanceof DamagedView) return { damage: error.message };
    throw error;
  }
}

/** Looks a view up. `view` is all of what came in. */
export async function restore(view: readonly Uint8Array[], store: Store, nowMs: number): Promise<Restored> {
  const hash = sha256();
  for (const piece of view) hash.update(piece);
  const origin = await store.view(hash.digest('hex'));
  if (origin === undefined) return { kind: 'unknown', live: await holdsLiveMarker(view, store, nowMs) };
  const lookup = await store.open(origin.sha, nowMs);
  if (lookup.kind === 'found') return { kind: 'original', reader: lookup.reader, sha: origin.sha };
  return { kind: 'gone', sha: origin.sha, lookup };
}

const MOST_LOOKUPS = 16;

async function holdsLiveMarker(view: readonly Uint8Array[], store: Store, nowMs: number): Promise<boolean> {
  const text = Buffer.concat(view.slice(0, 64)).toString('latin1');
  const hashes = new Set(findMarkers(text).flatMap((marker) => marker.hash ?? []));
  for (const hash of [...hashes].slice(0, MOST_LOOKUPS)) {
    try {
      const lookup = await store.open(hash, nowMs);
      if (lookup.kind === 'found') {
        lookup.reader.close();
        return true;
      }
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
  return false;
}

/** The bytes of an original in order, in pieces of 1 MiB. */
export function* piecesOf(reader: Reader): Generator<Uint8Array> {
  for (let at = 0; at < reader.size; at += 1 << 20)
    yield reader.read(at, Math.min(reader.size, at + (1 << 20)));
}
