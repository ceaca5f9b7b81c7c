import { lookupMessage } from '../../app/expand-words.ts';
import { parseHandle } from '../../core/marker.ts';
import type { HomeStore } from '../../store/home.ts';
import type { Wire } from '../../wire.ts';
import { say } from '../io.ts';
import { NO_STORE, openStore } from './store.ts';

/** `ctxzip forget HASH…|--all --force`: erases originals, with their views and tombstones. */
export async function forgetCommand(
  wire: Wire,
  hashes: readonly string[],
  options: { readonly all?: boolean; readonly force?: boolean },
): Promise<number> {
  if (options.all === true ? hashes.length > 0 : hashes.length === 0) {
    say('give the hashes to forget, or --all');
    return 2;
  }
  const opened = await openStore(wire);
  if (opened === undefined) {
    say(NO_STORE);
    return 1;
  }
  const { store } = opened;
  try {
    const found =
      options.all === true
        ? { shas: (await store.list()).map((e) => e.sha), exit: 0 }
        : await findAll(store, hashes, wire.now());
    if (options.all === true && options.force !== true) {
      say(`this would erase ${found.shas.length} originals for good; add --force to do it`);
      return 2;
    }
    const forgotten = found.shas.length === 0 ? 0 : await store.forget(found.shas, wire.now());
    say(`${forgotten} ${forgotten === 1 ? 'original' : 'originals'} erased`);
    return found.exit;
  } finally {
    await store.close();
  }
}

async function findAll(
  store: HomeStore,
  hashes: readonly string[],
  nowMs: number,
): Promise<{ shas: string[]; exit: number }> {
  const shas: string[] = [];
  let exit = 0;
  for (const word of hashes) {
    const handle = parseHandle([word]);
    if (handle.kind !== 'handle') {
      say(handle.message);
      exit = 2;
      continue;
    }
    const lookup = await store.open(handle.hash, nowMs);
    if (lookup.kind === 'found') {
      lookup.reader.close();
      shas.push(lookup.entry.sha);
    } else if (lookup.kind === 'damaged') shas.push(lookup.sha);
    else if (lookup.kind === 'expired') shas.push(lookup.tombstone.sha);
    else {
      const message = lookupMessage(lookup, handle.hash);
      message.notes.forEach(say);
      exit = Math.max(exit, message.exit);
    }
  }
  return { shas, exit };
}
