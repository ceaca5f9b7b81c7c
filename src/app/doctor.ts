/** The checks of `ctxzip doctor`: each finds one thing that can be wrong, and knows what to do about it. */
import { accessSync, constants, lstatSync, realpathSync, readdirSync, statfsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { formatSize } from './expand-words.ts';
import { checkConfig } from '../config/check.ts';
import type { Config } from '../config/load.ts';
import type { World } from '../config/find.ts';
import { formatProblem } from '../config/problems.ts';
import { isSound } from '../config/report.ts';
import { findFolder, type Folder, makeFolder } from '../store/folder.ts';
import type { HomeStore, Maintain } from '../store/home.ts';
import { loadLmdb } from '../store/load-lmdb.ts';
import { isUnavailable } from '../store/port.ts';

export interface Check {
  readonly name: string;
  /** `note`: worth knowing, nothing is wrong. */
  readonly state: 'ok' | 'note' | 'wrong';
  readonly text: string;
  /** What to do; where `fix` is there, `--fix` does it. */
  readonly remedy?: string;
  readonly fix?: () => void | Promise<void>;
}

export interface Patient {
  readonly world: World;
  readonly config: Config;
  /** Absent where the folder can't be opened. */
  readonly store: HomeStore | undefined;
  readonly maintain: Maintain | undefined;
  /** The script that runs. */
  readonly script: string;
  readonly nodeVersion: string;
  readonly isDisabled: boolean;
}

const LEAST_FREE = 64 << 20;
const MOST_WAITING = 64;

/** Looks everything over; throws nothing. */
export async function examine(patient: Patient): Promise<Check[]> {
  const checks: Check[] = [];
  for (const look of [node, addon, folder, spool, lmdb, disk, config, path, killSwitch]) {
    try {
      const found = await look(patient);
      if (found !== undefined) checks.push(found);
    } catch (error) {
      checks.push({
        name: look.name,
        state: 'wrong',
        text: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return checks;
}

function node({ nodeVersion }: Patient): Check {
  const [major = 0, minor = 0] = nodeVersion.replace('v', '').split('.').map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  return {
    name: 'node',
    state: isOld ? 'wrong' : 'ok',
    text: nodeVersion,
    ...(isOld && { remedy: 'install Node 20.19 or newer' }),
  };
}

async function addon(): Promise<Check> {
  try {
    await loadLmdb();
    return { name: 'addon', state: 'ok', text: 'LMDB loads' };
  } catch (error) {
    return {
      name: 'addon',
      state: 'wrong',
      text: messageOf(error),
      remedy:
        'npm install -g ctxzip once more, without --omit=optional; until then originals stay in the spool',
    };
  }
}

function folder({ config: { storeFolder } }: Patient): Check {
  if (storeFolder === undefined)
    return {
      name: 'store',
      state: 'wrong',
      text: 'no folder',
      remedy: 'set HOME, CTXZIP_HOME or store_path',
    };
  try {
    const found = findFolder(storeFolder);
    if (found === undefined) return creatable(storeFolder);
    const open = openToOthers(found);
    if (open.length === 0) return { name: 'store', state: 'ok', text: storeFolder };
    return {
      name: 'store',
      state: 'wrong',
      text: `others may read ${open.join(', ')}`,
      remedy: `chmod 700 ${open.join(' ')}`,
      fix: () => void makeFolder(storeFolder),
    };
  } catch (error) {
    return {
      name: 'store',
      state: 'wrong',
      text: messageOf(error),
      remedy: 'move it away, or set CTXZIP_HOME to another',
    };
  }
}

function creatable(root: string): Check {
  let above = root;
  while (lstatSync(above, { throwIfNoEntry: false }) === undefined && dirname(above) !== above)
    above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
    return { name: 'store', state: 'ok', text: `${root} is made when it is first needed` };
  } catch {
    return {
      name: 'store',
      state: 'wrong',
      text: `${root} can't be made: ${above} is not writable`,
      remedy: 'set CTXZIP_HOME',
    };
  }
}

function openToOthers({ root }: Folder): string[] {
  if (process.geteuid === undefined) return [];
  return (lstatSync(root).mode & 0o077) === 0 ? [] : [root];
}

async function spool({ config: { storeFolder }, maintain, world }: Patient): Promise<Check | undefined> {
  const found = storeFolder === undefined ? undefined : findFolder(storeFolder);
  if (found === undefined || maintain === undefined) return undefined;
  const files = namesIn(found.spool);
  const isFull = files.length > MOST_WAITING;
  return {
    name: 'spool',
    state: isFull ? 'wrong' : 'ok',
    text: `${files.length} originals wait for LMDB`,
    ...(isFull && {
      remedy: 'ctxzip gc',
      fix: async () => void (await maintain({ root: found.root, nowMs: world.nowMs })),
    }),
  };
}

async function lmdb({ store }: Patient): Promise<Check | undefined> {
  if (store === undefined) return undefined;
  const trouble = await store.trouble();
  if (trouble !== undefined)
    return {
      name: 'lmdb',
      state: 'wrong',
      text: trouble.message,
      remedy: 'ctxzip gc moves a damaged environment aside; what is in the spool is served',
    };
  const { originals, originalBytes, storedBytes } = await store.stats();
  return {
    name: 'lmdb',
    state: 'ok',
    text: `${originals} originals of ${formatSize(originalBytes)} take ${formatSize(storedBytes)}`,
  };
}

function disk({ config: { storeFolder } }: Patient): Check | undefined {
  let at = storeFolder;
  while (at !== undefined && lstatSync(at, { throwIfNoEntry: false }) === undefined)
    at = dirname(at) === at ? undefined : dirname(at);
  if (at === undefined) return undefined;
  const { bavail, bsize } = statfsSync(at);
  const free = bavail * bsize;
  const isFull = free < LEAST_FREE;
  return {
    name: 'disk',
    state: isFull ? 'wrong' : 'ok',
    text: `${formatSize(free)} free`,
    ...(isFull && { remedy: 'make room, or ctxzip forget --all --force; without room inputs pass through' }),
  };
}

async function config({ world }: Patient): Promise<Check> {
  const { problems, files } = await checkConfig(world);
  const faults = problems.filter(({ severity }) => severity !== 'note');
  const where = [files.project, files.user].filter((file) => file !== undefined).join(', ');
  if (isSound(problems)) return { name: 'config', state: 'ok', text: where === '' ? 'defaults' : where };
  return {
    name: 'config',
    state: 'wrong',
    text: faults.map((fault) => formatProblem(fault)).join('; '),
    remedy: 'ctxzip config check says what is allowed',
  };
}

function path({ world, script }: Patient): Check {
  const own = realpathSync(script);
  const names = process.platform === 'win32' ? ['ctxzip.cmd', 'ctxzip'] : ['ctxzip'];
  const found = (world.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((each) => names.map((name) => join(each, name)))
    .find((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
  if (found === undefined)
    return {
      name: 'path',
      state: 'note',
      text: 'ctxzip is not on the PATH',
      remedy: 'npm install -g ctxzip',
    };
  const isOther = process.platform !== 'win32' && realpathSync(found) !== own;
  return isOther
    ? { name: 'path', state: 'note', text: `${found} is another ctxzip than this one (${own})` }
    : { name: 'path', state: 'ok', text: found };
}

function killSwitch({ isDisabled, config: { settings } }: Patient): Check | undefined {
  if (isDisabled)
    return {
      name: 'switch',
      state: 'note',
      text: 'CTXZIP_DISABLE is set: everything passes through',
      remedy: 'unset CTXZIP_DISABLE',
    };
  if (!settings.enabled || settings.level === 'none')
    return {
      name: 'switch',
      state: 'note',
      text: 'compression is off in the configuration',
      remedy: 'ctxzip config show says where',
    };
  return undefined;
}

function namesIn(at: string): string[] {
  try {
    return readdirSync(at);
  } catch {
    return [];
  }
}

function messageOf(error: unknown): string {
  return isUnavailable(error) || error instanceof Error ? error.message : String(error);
}
