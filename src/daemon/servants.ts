/** The two kinds of servants: a thread, and a process where a fault could take the whole process down. */
import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { SHAPES } from '../core/model.ts';
import type { Hire } from './crew.ts';

/** What a thread is given when it starts. */
export interface ThreadData {
  /** The command line that starts the program. */
  readonly self: readonly [string, string];
  /** The state folder, absolute, where `CTXZIP_HOME` names it. */
  readonly home: string | undefined;
  /** Where it notes which strategy it is at: the index in SHAPES and 1, or 0. */
  readonly mark: Int32Array;
  readonly limitMs: number;
}

/** The heap that a thread may have; what is over ends it, and nothing else. Inputs lie outside of it. */
const HEAP_MB = 1024;

/** Threads that run `file`. They say `'ready'`, then the result of each work. */
export function hireThread<W, R>(file: string, data: Omit<ThreadData, 'mark'>): Hire<W, R> {
  return (events) => {
    const mark = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(file, {
      workerData: { ...data, mark } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.on('message', (message: 'ready' | R) => {
      if (message === 'ready') events.ready();
      else events.done(message as R);
    });
    worker.on('error', (error) => events.gone(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => events.gone(`it ended with ${code}`));
    return {
      send: (work, transfer) => worker.postMessage(work, transfer),
      dismiss: () => void worker.terminate(),
      doing: () => SHAPES[Atomics.load(mark, 0) - 1],
    };
  };
}

/** Processes that are started by a command line, with a channel to us; they end when it closes. */
export function hireProcess<W extends object, R>(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): Hire<W, R> {
  return (events) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
      env: { ...env },
      cwd: '/',
    });
    child.on('message', (message) => {
      if (message === 'ready') events.ready();
      else events.done(message as R);
    });
    child.on('error', (error) => events.gone(error.message));
    child.on('exit', (code, signal) => events.gone(`it ended with ${signal ?? code}`));
    return {
      send: (work) => void child.send(work, () => undefined),
      dismiss: () => void child.kill('SIGKILL'),
    };
  };
}
