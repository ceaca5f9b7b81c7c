/**
 * What a command prints into. Node's own pipes are sockets, which a command can't open again by name: `echo x > /dev/stderr`
 * fails in them, and two streams can't share one. So the pipes are named ones, which have lost their names before anything
 * is started; where `mkfifo` is missing, Node's must do.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Child, Output } from './child.ts';

/** One pipe for both outputs of a command, or one for each. */
export interface Pipes {
  /** What the command gets as stdout and stderr. */
  readonly outputs: readonly [Output, Output];
  /** Where a ctxzip under the command marks its output as its own. */
  readonly marks: string | undefined;
  /** The other ends, once the command has started; both outputs may come out of one pipe, or two belong to it. */
  open(child: Child): ReadonlyArray<readonly NodeJS.ReadableStream[]>;
  /** Has a ctxzip printed into the pipe? */
  isMarked(pipe: number): boolean;
  close(): void;
}

export function makePipes(count: 1 | 2): Pipes {
  return namedPipes(count) ?? socketPipes(count);
}

interface Ends {
  readonly read: number;
  readonly write: number;
  readonly inode: bigint;
}

function namedPipes(count: 1 | 2): Pipes | undefined {
  let folder: string | undefined;
  let ends: readonly Ends[];
  try {
    folder = mkdtempSync(join(tmpdir(), 'ctxzip-run-'));
    const paths = Array.from({ length: count }, (_, i) => `${folder}/pipe${i}`);
    if (spawnSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' }).status !== 0)
      throw new Error('no mkfifo');
    ends = paths.map(endsOf);
  } catch {
    if (folder !== undefined) removeFolder(folder);
    return undefined;
  }
  const marks = folder;
  return {
    outputs: [ends[0]!.write, ends.at(-1)!.write],
    marks,
    open: () =>
      ends.map(({ read, write }) => {
        closeSync(write);
        return [new Socket({ fd: read, readable: true, writable: false })];
      }),
    isMarked: (pipe) => existsSync(`${marks}/${ends[pipe]!.inode}`),
    close: () => removeFolder(marks),
  };
}

/** Only our end does not wait: the command's is an open file of its own. */
function endsOf(path: string): Ends {
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  unlinkSync(path);
  return { read, write, inode: fstatSync(read, { bigint: true }).ino };
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is in the folder for what is temporary.
  }
}

function socketPipes(count: 1 | 2): Pipes {
  return {
    outputs: ['pipe', 'pipe'],
    marks: undefined,
    open: ({ stdout, stderr }) => (count === 1 ? [[stdout!, stderr!]] : [[stdout!], [stderr!]]),
    isMarked: () => false,
    close: () => undefined,
  };
}
