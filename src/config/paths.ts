import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/**
 * Makes a path of the user's own configuration, variable or flag absolute: `~/x` is below the home folder. A relative
 * path would make another store in every folder, so it is undefined.
 */
export function ownPath(path: string, home: string): string | undefined {
  const full = expanded(path, home);
  return isAbsolute(full) ? resolve(full) : undefined;
}

/**
 * Makes the `store_path` of a project absolute, relative to the folder of its `forge.yaml`. Undefined when it leads out
 * of that folder, by `..` or through a symlink, is the folder itself, or lies in `.git`.
 */
export function projectPath(path: string, folder: string, home: string): string | undefined {
  try {
    const root = realpathSync(folder);
    const target = realTarget(resolve(folder, expanded(path, home)));
    const prefix = root.endsWith(sep) ? root : root + sep;
    const inside = target.startsWith(prefix) ? target.slice(prefix.length) : '';
    return inside === '' || inside.toLowerCase().split(sep).includes('.git') ? undefined : target;
  } catch {
    return undefined;
  }
}

function expanded(path: string, home: string): string {
  if (home === '' || !path.startsWith('~') || !/^~(?:$|[/\\])/.test(path)) return path;
  return join(home, path.slice(1));
}

/** The real path of something that may not exist yet: the part that exists is resolved. Throws on a dangling symlink. */
function realTarget(path: string): string {
  const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const parent = dirname(path);
  return exists || parent === path ? realpathSync(path) : join(realTarget(parent), basename(path));
}
