import { constants, existsSync, lstatSync, type Stats } from 'node:fs';
import { ownPath } from './paths.ts';
import { dirname, isAbsolute, join, sep } from 'node:path';
import type { Place } from './problems.ts';

/** What configuration depends on beside its files; only `wire.ts` reads it from the process. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** '' when the folder is gone. */
  readonly cwd: string;
  /** '' when unknown. */
  readonly home: string;
  /** The user's id; absent where files have no owner (Windows), and then owners are not checked. */
  readonly uid?: number;
  /** The product's version: another version never trusts what this one cached. */
  readonly version: string;
  readonly nowMs: number;
  /** Makes and signs the state folder, or throws; called before something is cached in it. */
  readonly prepareState: (folder: string) => void;
}

/** A file as it is on the disk. */
export interface FoundFile {
  readonly place: Place & { readonly file: string };
  /** The folder it was found in; for a project, what its relative paths start from. */
  readonly folder: string;
  readonly stats: Stats;
}

/** `plain` is a regular file of the user or root; anything else that has the name of ours is `odd` (see judge.ts). */
export type Finding =
  | { readonly kind: 'plain' | 'odd'; readonly file: FoundFile }
  | { readonly kind: 'none' };

/** Both files of one call. */
export interface Findings<T = Finding> {
  readonly project: T;
  readonly user: T;
}

const FILE = 'forge.yaml';
const NONE: Finding = { kind: 'none' };

/** Where the user's own file may be: `$XDG_CONFIG_HOME/ctxzip/forge.yaml`, by default below `~/.config`. */
export function userFilePath({ env, home }: World): string | undefined {
  const xdg = env['XDG_CONFIG_HOME'];
  if (xdg && isAbsolute(xdg)) return inside(xdg, `ctxzip${sep}${FILE}`);
  return home === '' ? undefined : inside(home, `.config${sep}ctxzip${sep}${FILE}`);
}

/** The folder of everything ctxzip keeps: `CTXZIP_HOME`, else `$XDG_STATE_HOME/ctxzip`, by default below `~/.local/state`. */
export function stateFolder({ env, home, cwd }: World): string | undefined {
  const own = env['CTXZIP_HOME'];
  // Docker, systemd and .env files don't expand a `~`.
  if (own) return ownPath(own, home) ?? join(cwd, own);
  const xdg = env['XDG_STATE_HOME'];
  if (xdg && isAbsolute(xdg)) return inside(xdg, 'ctxzip');
  return home === '' ? undefined : inside(home, `.local${sep}state${sep}ctxzip`);
}

/** The user's own file. */
export function findUserFile(world: World): Finding {
  const path = userFilePath(world);
  const stats = path === undefined ? undefined : lookAt(path);
  if (path === undefined || stats === undefined) return NONE;
  return {
    kind: kindOf(stats, world),
    file: { place: { source: 'user', file: path }, folder: dirname(path), stats },
  };
}

/**
 * The project's file: the nearest `forge.yaml` from cwd upwards, up to and with the repository root (a folder that has
 * `.git`) or the home folder. The first one found decides; a foreign one is not skipped in favour of one above it.
 */
export function findProjectFile(world: World): Finding {
  if (world.cwd === '') return NONE;
  const users = userFilePath(world);
  for (let folder = world.cwd; ; folder = dirname(folder)) {
    const file = inside(folder, FILE);
    const stats = lookAt(file);
    if (stats !== undefined && file !== users) {
      return { kind: kindOf(stats, world), file: { place: { source: 'project', file }, folder, stats } };
    }
    if (isTop(folder, world)) return NONE;
  }
}

/** Nothing above this folder is looked at. */
export function isTop(folder: string, { home }: World): boolean {
  const isHome = folder === home || folder + sep === home;
  return isHome || existsSync(inside(folder, '.git')) || folder === dirname(folder);
}

/** `path.join` in the cold costs more than all the rest of the search. */
export function inside(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

function kindOf({ mode, uid: owner }: Stats, { uid }: World): 'plain' | 'odd' {
  const isOurs = uid === undefined || owner === uid || owner === 0;
  return isOurs && (mode & constants.S_IFMT) === constants.S_IFREG ? 'plain' : 'odd';
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A path through a file (ENOTDIR) or a locked folder holds no file for us.
    return undefined;
  }
}
