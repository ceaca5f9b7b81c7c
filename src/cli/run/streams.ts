import type { Intake } from '../../app/input.ts';
import { writeErr, writeOut } from '../io.ts';
import type { RunOutput } from '../pipe.ts';
import { Capture } from './capture.ts';
import type { Child } from './child.ts';
import { Outlet } from './outlet.ts';
import type { Pipes } from './pipes.ts';

/** So long a pipe is read on when the command has ended and something else holds it. */
const PATIENCE_MS = 2000;

/** What comes out of one pipe of a command. */
export interface Stream {
  readonly name: RunOutput['name'];
  /** Where it goes. */
  readonly outlet: Outlet;
  readonly capture: Capture;
  /** Nothing more comes. */
  readonly ended: Promise<unknown>;
}

export interface StreamOptions {
  /** Loads the engine; may throw. */
  readonly begin: () => Intake;
  /** Something is about to be printed. */
  readonly onPrint: () => void;
}

/** Reads the pipes of a command that was started. */
export function openStreams(child: Child, pipes: Pipes, options: StreamOptions): Stream[] {
  const all = pipes.open(child);
  return all.map((readables, i) => {
    const name = all.length === 1 ? 'stdout+stderr' : i === 0 ? 'stdout' : 'stderr';
    const raw = name === 'stderr' ? writeErr : writeOut;
    const outlet = new Outlet((bytes) => {
      options.onPrint();
      raw(bytes);
    });
    const capture = new Capture(options.begin, outlet);
    return {
      name,
      outlet,
      capture,
      ended: Promise.all(readables.map((each) => read(each, capture, outlet))),
    };
  });
}

/** Where nobody wants the output any more, the command learns it from its pipe. */
function read(readable: NodeJS.ReadableStream, capture: Capture, outlet: Outlet): Promise<void> {
  return new Promise((resolve) => {
    readable.on('data', (bytes: Uint8Array) => {
      capture.push(bytes);
      if (outlet.isClosed) (readable as Partial<Destroyable>).destroy?.();
    });
    readable.once('error', () => resolve());
    readable.once('close', () => resolve());
  });
}

interface Destroyable {
  destroy(): void;
}

/** Reads what is left in the pipes when the command has ended. True if something that it left behind still holds one. */
export async function isHeld(streams: readonly Stream[]): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), PATIENCE_MS);
  });
  const inTime = Promise.all(streams.map(({ ended }) => ended)).then(() => false);
  const isLate = await Promise.race([late, inTime]);
  clearTimeout(timer);
  return isLate;
}
