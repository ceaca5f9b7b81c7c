/** Starts and stops the daemon from outside. */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { isAlive, startOf } from '../store/lock.ts';
import { ask, type DaemonInfo, type Reached, reach, readInfo, socketOf } from './client.ts';
import { type Place, preparePlace } from './place.ts';

export type Started =
  | { readonly kind: 'started' | 'running'; readonly info: DaemonInfo }
  | { readonly kind: 'silent' | 'foreign' }
  | { readonly kind: 'failed'; readonly message: string };

export interface Launch {
  readonly place: Place;
  /** The command line of `daemon run`. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

/** A loaded machine takes its time. */
const START_MS = 30_000;
const STEP_MS = 20;

/** Starts one in the background and waits until one answers; of many that are started at once one stays. */
export async function startDaemon(launch: Launch): Promise<Started> {
  const { place, now } = launch;
  const before = await reach(place);
  if (before.kind === 'answers') return { kind: 'running', info: before.info };
  if (before.kind !== 'nobody') return before;
  preparePlace(place);
  const child = spawnDetached(launch);
  let isEnded = false;
  let complaint = '';
  child.on('exit', () => (isEnded = true));
  child.on('error', (error) => {
    isEnded = true;
    complaint = error.message;
  });
  for (const endMs = now() + START_MS; now() < endMs;) {
    const hasEnded = isEnded;
    const reached = await reach(place);
    if (reached.kind === 'answers') {
      const isOurs = reached.info.pid === child.pid;
      // Another was faster. Ours may not have seen that yet, and must not take over later.
      if (!isOurs) child.kill('SIGKILL');
      return { kind: isOurs ? 'started' : 'running', info: reached.info };
    }
    // One that another was faster than has ended; that other may still be about to listen.
    if (hasEnded && reached.kind === 'nobody') break;
    await pause(STEP_MS);
  }
  return { kind: 'failed', message: complaint || `it did not come up; see ${place.log}` };
}

function spawnDetached({ place, command: [program, ...args], env }: Launch) {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const log = openSync(place.log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...env },
      cwd: '/',
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

export type Stopped =
  | { readonly kind: 'stopped'; readonly pid: number; readonly how: 'asked' | 'killed' }
  | { readonly kind: 'none' | 'foreign' }
  | { readonly kind: 'failed'; readonly message: string };

/** A daemon that was asked ends its requests first. */
const STOP_MS = 20_000;
const KILL_MS = 5000;

/** Ends the daemon and waits until it is gone. What listens and is none of ours is left alone. */
export async function stopDaemon(place: Place, now: () => number): Promise<Stopped> {
  const reached = await reach(place);
  if (reached.kind === 'nobody') return { kind: 'none' };
  if (reached.kind === 'foreign') return { kind: 'foreign' };
  const pid = pidOf(place, reached);
  if (reached.kind === 'answers') {
    const accepted = await ask(socketOf(place), { method: 'POST', path: '/v1/stop' }).catch(() => undefined);
    const isAsked = accepted?.status === 202 || (pid !== undefined && kill(pid, 'SIGTERM'));
    if (isAsked && (await isGone(place, { pid, now, ms: STOP_MS })))
      return { kind: 'stopped', pid: reached.info.pid, how: 'asked' };
  }
  if (pid === undefined)
    return {
      kind: 'failed',
      message: `something listens at ${place.socket} and does not answer; its process is not known`,
    };
  kill(pid, 'SIGKILL');
  if (await isGone(place, { pid, now, ms: KILL_MS })) return { kind: 'stopped', pid, how: 'killed' };
  return { kind: 'failed', message: `process ${pid} does not end` };
}

/** The process that listens, if it is certainly the one that the daemon's file names. */
export function pidOf(place: Place, reached: Reached): number | undefined {
  const info = reached.kind === 'answers' ? reached.info : readInfo(place);
  if (info === undefined) return undefined;
  const { pid, processStart } = info;
  return isAlive(pid) && startOf(pid) === processStart ? pid : undefined;
}

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function isGone(
  place: Place,
  { pid, now, ms }: { readonly pid: number | undefined; readonly now: () => number; readonly ms: number },
): Promise<boolean> {
  const start = pid === undefined ? undefined : startOf(pid);
  for (const endMs = now() + ms; now() < endMs;) {
    const isThere =
      pid === undefined ? (await reach(place)).kind !== 'nobody' : isAlive(pid) && startOf(pid) === start;
    if (!isThere) return true;
    await pause(STEP_MS);
  }
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
