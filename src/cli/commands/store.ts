import { loadConfig } from '../../config/load.ts';
import { watchGc } from '../../store/gc-watch.ts';
import { type HomeStore, openHome, type Maintain } from '../../store/home.ts';
import type { Wire } from '../../wire.ts';
import type { Config } from '../../config/load.ts';

/** A store job that shows no progress for so long is given up. */
const SILENCE_MS = 60_000;

export interface OpenedStore {
  readonly store: HomeStore;
  readonly config: Config;
  readonly folder: string;
  readonly maintain: Maintain;
}

/** The store of this call, or why there is none. */
export async function openStore(wire: Wire): Promise<OpenedStore | undefined> {
  const config = await loadConfig(wire.world);
  const folder = config.storeFolder;
  if (folder === undefined) return undefined;
  const maintain: Maintain = (job) =>
    watchGc(job, { command: [...wire.self, 'gc', '--worker'], silenceMs: SILENCE_MS });
  return { store: openHome(folder, maintain), config, folder, maintain };
}

export const NO_STORE = 'there is no store: neither a home folder nor CTXZIP_HOME nor store_path is set';
