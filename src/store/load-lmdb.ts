/** Loads the bundle that has LMDB in it, when it is first needed. */
import { StoreUnavailable } from './port.ts';

type Lmdb = typeof import('./lmdb.ts');

/** Throws `StoreUnavailable` where there is no native addon for this platform, or it can't be loaded. */
export async function loadLmdb(): Promise<Lmdb> {
  try {
    return await import('./lmdb.ts');
  } catch (error) {
    const what = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StoreUnavailable('addon', `LMDB can't be loaded (${what}); the spool alone serves`, error);
  }
}
