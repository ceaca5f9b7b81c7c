/** Puts keep patterns into a `forge.yaml` on the disk: all of it or nothing. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { editConfig } from './edit.ts';
import { findProjectFile, findUserFile, inside, isTop, userFilePath, type World } from './find.ts';
import { judge } from './judge.ts';
import { formatProblem } from './problems.ts';
import { readRaw } from './read-text.ts';

/** Whose file is edited; absent: the project's, else the user's, whichever is there. */
export type Target = 'project' | 'user' | undefined;

export type Written =
  | { readonly kind: 'written'; readonly file: string; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly message: string };

/** Adds patterns to the configuration; where there is no file yet, makes the user's, or the project's if that is asked for. */
export function writeKeepPatterns(world: World, target: Target, patterns: readonly string[]): Written {
  const found = { project: judge(findProjectFile(world), world), user: judge(findUserFile(world), world) };
  const place = target ?? (found.project.kind === 'none' ? 'user' : 'project');
  const finding = found[place];
  if (finding.kind === 'refused') return { kind: 'refused', message: formatProblem(finding.problem) };
  const path = finding.kind === 'none' ? newPath(world, place) : finding.file.place.file;
  if (path === undefined)
    return { kind: 'refused', message: 'there is no home folder to keep a forge.yaml in' };
  try {
    return writeInto(path, finding.kind === 'plain', patterns);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'refused', message: `${path} can't be written: ${reason}` };
  }
}

function newPath(world: World, place: 'project' | 'user'): string | undefined {
  if (place === 'user') return userFilePath(world);
  if (world.cwd === '') return undefined;
  let top = world.cwd;
  while (!isTop(top, world)) top = dirname(top);
  return inside(existsSync(inside(top, '.git')) ? top : world.cwd, 'forge.yaml');
}

function writeInto(path: string, isThere: boolean, patterns: readonly string[]): Written {
  if (!isThere) mkdirSync(dirname(path), { recursive: true });
  // Where a symbolic link may lead was judged; it stays one.
  const real = isThere ? realpathSync(path) : path;
  const before = isThere ? statSync(real) : undefined;
  const read = isThere ? readRaw(real) : { kind: 'text' as const, text: '' };
  if (read.kind === 'unreadable') return { kind: 'refused', message: `${path} ${read.message}` };
  const edited = editConfig(read.text, { keep: patterns });
  if (edited.kind === 'fault')
    return { kind: 'refused', message: `${path} is left as it is: ${edited.message}` };
  if (edited.text !== read.text) replace(real, edited.text, before);
  return { kind: 'written', file: path, isNew: !isThere };
}

/** Writes beside the file and renames; whoever reads it sees the old text or the new. */
function replace(path: string, text: string, before: Stats | undefined): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const handle = openSync(temporary, 'wx', before === undefined ? 0o644 : 0o600);
  try {
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
      if (before !== undefined) fchmodSync(handle, before.mode & 0o7777);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    const now = lstatSync(path, { throwIfNoEntry: false });
    if (now?.mtimeMs !== before?.mtimeMs || now?.size !== before?.size)
      throw new Error('it changed just now; try again');
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}
