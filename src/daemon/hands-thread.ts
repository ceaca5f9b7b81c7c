/** The entry of the thread that starts processes. A chunk of its own. */
import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Crew } from './crew.ts';
import type { Errand, HandsData, HandsSay, HandsWork, Ran } from './hands.ts';
import { QUEUE } from './limits.ts';
import { hireProcess } from './servants.ts';
import type { ReaderDone, ReaderWork } from './work.ts';

const MOST_PRINTED = 64 << 20;
const { self, env } = workerData as HandsData;
const port = parentPort!;

const reader = new Crew<ReaderWork, ReaderDone>({
  hire: hireProcess<ReaderWork, ReaderDone>([...self, 'daemon', 'reader'], env),
  seats: 1,
  queue: QUEUE,
  tell: (text) => say({ kind: 'tell', text }),
});

function say(said: HandsSay, transfer: ArrayBuffer[] = []): void {
  port.postMessage(said, transfer);
}

function run({ words: [program, ...args], cwd, timeoutMs, isPatient }: Errand): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...env }, timeout: timeoutMs, maxBuffer: MOST_PRINTED };
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    );
    if (isPatient) lower(child.pid);
  });
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended, or the platform has no priorities.
  }
}

/** With bytes in a buffer of their own, which is handed over: copying is not for who answers requests. */
async function read(id: number, work: ReaderWork, limitMs: number): Promise<void> {
  const ended = await reader.run({ work, isLarge: false, limitMs });
  if (ended.kind !== 'done') return say({ kind: 'read', id, ended });
  const bytes = new Uint8Array(ended.result.bytes);
  say({ kind: 'read', id, ended: { kind: 'done', result: { ...ended.result, bytes } } }, [bytes.buffer]);
}

port.on('message', async (work: HandsWork) => {
  if (work.kind === 'read') await read(work.id, work.work, work.limitMs);
  else say({ kind: 'ran', id: work.id, ran: await run(work.errand) });
});
