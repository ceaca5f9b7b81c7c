/**
 * The maintenance lock: one gc, forget or sweep at a time in a store.
 *
 * Each contender makes a ticket whose name says which process it is, then looks at the others. A ticket of a dead process
 * is removed; if any live one is left, the contender takes its own back and gives up. The second of two to make its ticket
 * sees the first, so two never both go on, and no stale lock is ever taken over, as a name stands for one process only.
 */
import { closeSync, constants, lstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, unlinkIfThere } from './files.ts';
import { type Folder, withSub } from './folder.ts';

/** `held` until `release`, or `busy` with the process that has it. */
export type Lock =
  | { readonly kind: 'held'; readonly release: () => void }
  | { readonly kind: 'busy'; readonly pid: number; readonly sinceMs: number };

/** A ticket from a machine or container whose processes can't be seen counts as dead when it is older. */
const FOREIGN_MS = 3_600_000;
/** When two meet they both step back; then each waits another while. */
const TRIES = 3;

/** Takes the lock, or says who has it. Blocks for at most 0.3 s, when others want it at the same moment. */
export function takeLock(folder: Folder, nowMs: number): Lock {
  let lock = tryLock(folder, nowMs);
  for (let tries = 1; tries < TRIES && lock.kind === 'busy' && nowMs - lock.sinceMs < 1000; tries += 1) {
    pause(20 + Math.random() * 100);
    lock = tryLock(folder, nowMs);
  }
  return lock;
}

/** Whether the process `pid` is there; true if it can't be told. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function tryLock(folder: Folder, nowMs: number): Lock {
  const mine = ticketOf(process.pid);
  const path = join(folder.locks, mine);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  closeSync(withSub(folder.locks, () => openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)));
  const other = namesIn(folder.locks).find((name) => name !== mine && !removeIfDead(folder, name, nowMs));
  if (other === undefined) return { kind: 'held', release: () => unlinkIfThere(path) };
  unlinkIfThere(path);
  const sinceMs = lstatSync(join(folder.locks, other), { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
  return { kind: 'busy', pid: Number.parseInt(other, 10), sinceMs };
}

/** `pid.start.machine.container.random`; the start is in clock ticks after boot, where the platform tells. */
function ticketOf(pid: number): string {
  const random = Math.random().toString(36).slice(2, 10);
  return `${pid}.${startOf(pid)}.${here()}.${random}`;
}

function removeIfDead(folder: Folder, name: string, nowMs: number): boolean {
  const path = join(folder.locks, name);
  const [pid = '', start = '', machine = '', container = ''] = name.split('.');
  const seen = `${machine}.${container}` === here();
  const ageMs = nowMs - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
  const dead = seen ? !isAlive(Number(pid)) || startOf(Number(pid)) !== start : ageMs > FOREIGN_MS;
  if (dead) unlinkIfThere(path);
  return dead;
}

/** Start time of a process, so that a number that is used again is not taken for it; `0` where it can't be told. */
export function startOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '0');
}

/** This boot of this machine, and this set of process numbers. */
function here(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id').slice(0, 8) || process.platform;
  let numbers = '0';
  try {
    numbers = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    // Not Linux.
  }
  return `${boot}.${numbers}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Waits without turning the event loop. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
