/**
 * What a project's file may do. A `forge.yaml` comes with every checkout, and an untrusted one could try to
 * - delete the user's originals: `ttl: 1s` or `max_store_bytes: 1` would empty the store that all folders share. Both
 *   count only when the project's own `store_path` is the one in force (a stronger `CTXZIP_STORE_PATH` ends that);
 * - put originals, which hold secrets, where others read them, or spoil a folder with store files: a `store_path` must
 *   lie inside the folder of its `forge.yaml`, after symlinks are resolved, and not in `.git`. A store that came with
 *   the checkout is refused by the store unless it is private to the user (0700), and every original is checked
 *   against its hash;
 * - append to files of the user: `events_path` counts only in the user's own file, variable or flag;
 * - read private files through messages: a symlink that leaves the project is ignored, quoted text is clipped;
 * - attack the terminal through messages: control characters are escaped in every one of them;
 * - burn time: size, depth, aliases, number and length of patterns are limited, patterns run under a time limit, and the
 *   result of parsing is cached, bad or good;
 * - hang the pipe: only regular files are opened, and never in a way that waits.
 * It can still switch compression off, set a small budget or a level, and so hide more or less from the reader; keep
 * patterns of the user hold in every project, because lists add up. Nothing is lost by any of it: every byte stays in
 * the store.
 */
import { dirname } from 'node:path';
import { misplaced, type SourceLayer } from './layers.ts';
import { ownPath, projectPath } from './paths.ts';
import type { Problem } from './problems.ts';

/**
 * The layer of a project's file without what may not stand there, each named in a problem. `isStoreElsewhere`: a flag
 * or variable names another store, so the file's limits on a store have nothing to limit.
 */
export function trustedProject(layer: SourceLayer, home: string, isStoreElsewhere: boolean): SourceLayer {
  const checked = projectLayer(layer, home);
  const hasStore = checked.values.storePath !== undefined && !isStoreElsewhere;
  return hasStore ? checked : withoutStoreLimits(checked);
}

/** The layer of the user's own file, variables or flags with absolute paths; others are named in problems and dropped. */
export function ownLayer(layer: SourceLayer, home: string): SourceLayer {
  const values = { ...layer.values };
  const problems: Problem[] = [];
  for (const name of ['storePath', 'eventsPath'] as const) {
    const path = values[name];
    if (typeof path !== 'string') continue;
    const full = ownPath(path, home);
    if (full !== undefined) values[name] = full;
    else {
      delete values[name];
      problems.push(misplaced(layer, name, 'error', 'must be absolute or begin with ~/'));
    }
  }
  return { ...layer, values, problems: [...layer.problems, ...problems] };
}

function projectLayer(layer: SourceLayer, home: string): SourceLayer {
  const values = { ...layer.values };
  const problems: Problem[] = [];
  const { file } = layer.placeOf('storePath');
  if (values.eventsPath !== undefined) {
    delete values.eventsPath;
    problems.push(
      misplaced(layer, 'eventsPath', 'error', 'counts only in your own file, CTXZIP_EVENTS_PATH or a flag'),
    );
  }
  if (typeof values.storePath === 'string') {
    const full = file === undefined ? undefined : projectPath(values.storePath, dirname(file), home);
    if (full !== undefined) values.storePath = full;
    else {
      delete values.storePath;
      problems.push(misplaced(layer, 'storePath', 'error', 'must lie inside the project, and not in .git'));
    }
  }
  return { ...layer, values, problems: [...layer.problems, ...problems] };
}

function withoutStoreLimits(layer: SourceLayer): SourceLayer {
  const values = { ...layer.values };
  const problems: Problem[] = [];
  for (const name of ['ttlMs', 'maxStoreBytes'] as const) {
    if (values[name] === undefined) continue;
    delete values[name];
    problems.push(
      misplaced(layer, name, 'note', "has no effect here: it needs the project's own store_path"),
    );
  }
  return { ...layer, values, problems: [...layer.problems, ...problems] };
}
