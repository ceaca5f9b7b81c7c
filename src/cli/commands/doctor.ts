import { type Check, examine } from '../../app/doctor.ts';
import { loadConfig } from '../../config/load.ts';
import type { Wire } from '../../wire.ts';
import { writeOut } from '../io.ts';
import { openStore, type OpenedStore } from './store.ts';

interface DoctorOptions {
  readonly fix?: boolean;
  readonly json?: boolean;
}

const SIGNS = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' } as const;

/** `ctxzip doctor`: what may be wrong with this installation, and what to do; exit 1 where something is. */
export async function doctorCommand(wire: Wire, options: DoctorOptions): Promise<number> {
  let checks = await examineOnce(wire);
  if (options.fix === true && (await fixed(checks))) checks = await examineOnce(wire);
  writeOut(options.json === true ? `${JSON.stringify(checks, null, 2)}\n` : checks.map(lineOf).join(''));
  return checks.some(({ state }) => state === 'wrong') ? 1 : 0;
}

async function fixed(checks: readonly Check[]): Promise<boolean> {
  const fixes = checks.flatMap(({ fix }) => fix ?? []);
  for (const fix of fixes) await fix();
  return fixes.length > 0;
}

async function examineOnce(wire: Wire): Promise<Check[]> {
  const opened = await openQuietly(wire);
  const { daemonCheck } = await import('./daemon.ts');
  try {
    const checks = await examine({
      world: wire.world,
      config: opened?.config ?? (await loadConfig(wire.world)),
      store: opened?.store,
      maintain: opened?.maintain,
      script: wire.self[1],
      nodeVersion: process.version,
      isDisabled: wire.isDisabled,
    });
    return [...checks, ...(await daemonCheck(wire))];
  } finally {
    await opened?.store.close();
  }
}

/** A store that can't be opened is one of the things that are looked for. */
async function openQuietly(wire: Wire): Promise<OpenedStore | undefined> {
  try {
    return await openStore(wire);
  } catch {
    return undefined;
  }
}

function lineOf({ name, state, text, remedy, fix }: Check): string {
  const hint =
    remedy === undefined ? '' : `\n        ${remedy}${fix === undefined ? '' : ' (or: ctxzip doctor --fix)'}`;
  return `${SIGNS[state]} ${name.padEnd(7)} ${text}${hint}\n`;
}
