/** Reads the files of a plan, writes them atomically, and takes them back. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Findings } from './offers.ts';
import type { Change, PlannedFile } from './plan.ts';

/** Entries of a folder that are looked at, and how deep. */
const MOST_ENTRIES = 2000;
const DEEPEST = 4;
const MOST_YAML = 200;
const HEAD = 2000;
const SKIPPED = new Set(['node_modules', '.git', 'vendor', 'target', 'dist', 'build', '.venv', '.terraform']);

/** Looks what a folder holds, as far as a few thousand entries tell. */
export function lookInto(root: string): Findings {
  const paths: string[] = [];
  const open: Array<{ folder: string; depth: number }> = [{ folder: root, depth: 0 }];
  for (let seen = 0; open.length > 0 && seen < MOST_ENTRIES;) {
    const { folder, depth } = open.shift()!;
    for (const entry of entriesOf(folder)) {
      seen += 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < DEEPEST && !SKIPPED.has(entry.name))
        open.push({ folder: path, depth: depth + 1 });
      if (entry.isFile()) paths.push(relative(root, path).split(sep).join('/'));
    }
  }
  const yaml = paths
    .filter((path) => /\.ya?ml$/.test(path))
    .slice(0, MOST_YAML)
    .map((path) => ({ path, head: (textOf(join(root, path)) ?? '').slice(0, HEAD) }));
  return { paths, yaml };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** The text of a file; undefined where there is none. Throws where it is no regular file or can't be read. */
export function textOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new Error(`${path} is no regular file`);
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw new Error(`${path} is no UTF-8`);
  return text;
}

/** What a run of init did: what its files held before, and the hash of what it wrote. */
interface Record {
  readonly at: string;
  readonly files: ReadonlyArray<{
    readonly path: string;
    readonly before: string | null;
    readonly after: string;
  }>;
}

function recordPath(stateFolder: string, root: string): string {
  return join(stateFolder, 'init', `${sha(root).slice(0, 24)}.json`);
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes all changes; where one fails, those before it are taken back. The record that `undo` reads is written first. */
export function apply(changes: readonly Change[], stateFolder: string, root: string, nowMs: number): string {
  const record: Record = {
    at: new Date(nowMs).toISOString(),
    files: changes.map(({ path, text, after }) => ({ path, before: text ?? null, after: sha(after) })),
  };
  const file = recordPath(stateFolder, root);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFile(file, `${JSON.stringify(record)}\n`, 0o600);
  const done: PlannedFile[] = [];
  try {
    for (const change of changes) {
      if (textOf(change.path) !== change.text) throw new Error(`${change.name} was changed meanwhile`);
      mkdirSync(dirname(change.path), { recursive: true });
      writeFile(change.path, change.after);
      done.push(change);
    }
  } catch (error) {
    for (const { path, text } of done.toReversed()) putBack(path, text);
    rmSync(file, { force: true });
    throw error;
  }
  return file;
}

/** Takes the last run in this project back; says what it did to each file, or why it left one alone. */
export function undo(
  stateFolder: string,
  root: string,
): { readonly lines: string[]; readonly isWhole: boolean } | undefined {
  const file = recordPath(stateFolder, root);
  const text = textOf(file);
  if (text === undefined) return undefined;
  const { files } = JSON.parse(text) as Record;
  let isWhole = true;
  const lines = files.map(({ path, before, after }) => {
    const now = textOf(path);
    if (now === undefined ? before === null : before !== null && now === before)
      return `${path}: nothing to take back`;
    if (now === undefined || sha(now) !== after) {
      isWhole = false;
      return `${path} was changed since: take back by hand what you want to${before === null ? '' : `; what it held before is in ${file}`}`;
    }
    putBack(path, before ?? undefined);
    return before === null ? `${path}: removed` : `${path}: as it was`;
  });
  if (isWhole) rmSync(file, { force: true });
  return { lines, isWhole };
}

function putBack(path: string, text: string | undefined): void {
  if (text === undefined) rmSync(path, { force: true });
  else writeFile(path, text);
}

/** Replaces a file in one step; a link keeps pointing where it points, a mode stays. */
function writeFile(path: string, text: string, mode?: number): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const temp = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    writeFileSync(temp, text, { flag: 'wx', mode: mode ?? 0o644 });
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats !== undefined) chmodSync(temp, stats.mode & 0o7777);
    renameSync(temp, target);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}
