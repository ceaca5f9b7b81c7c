/**
 * `ctxzip daemon reader`: expands for the daemon, in a process of its own. A damaged LMDB file can crash the process that
 * maps it. It is opened for one question at a time and closed behind it, so that nothing is held while nobody asks.
 */
import { expandCommand } from '../cli/commands/expand.ts';
import type { Wire } from '../wire.ts';
import type { ReaderDone, ReaderWork } from './work.ts';

/** More is not handed over. */
const MOST_BYTES = 64 << 20;

class TooLarge extends Error {}

/** Answers questions until the channel closes. */
export function runReader(wire: Wire): Promise<number> {
  let last = Promise.resolve();
  process.on('message', (work: ReaderWork) => {
    last = last.then(async () => void process.send!(await answer(wire, work)));
  });
  // The daemon is gone, whatever ended it.
  process.on('disconnect', () => process.exit(0));
  // A terminal or a service manager tells all processes to end: the daemon does, with what is in flight.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.send!('ready');
  return new Promise(() => undefined);
}

async function answer(wire: Wire, { argv, cwd }: ReaderWork): Promise<ReaderDone> {
  const chunks: Uint8Array[] = [];
  const notes: string[] = [];
  let size = 0;
  const write = (piece: Uint8Array | string): void => {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > MOST_BYTES) throw new TooLarge();
    chunks.push(bytes);
  };
  const call = { ...wire, world: { ...wire.world, cwd, nowMs: wire.now() } };
  try {
    const exit = await expandCommand(call, argv, { write, say: (text) => void notes.push(text) });
    return { exit, bytes: Buffer.concat(chunks), notes, isTooLarge: false };
  } catch (error) {
    if (error instanceof TooLarge) return { exit: 2, bytes: new Uint8Array(0), notes, isTooLarge: true };
    notes.push(error instanceof Error ? error.message : String(error));
    return { exit: 1, bytes: new Uint8Array(0), notes, isTooLarge: false };
  }
}
