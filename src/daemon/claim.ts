/** One daemon at a place: whoever listens at the socket is it. */
import { chmodSync, lstatSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { errno, folderAt } from '../store/folder.ts';
import { startOf, takeLock } from '../store/lock.ts';
import { type DaemonInfo, isHeard, socketOf } from './client.ts';
import type { Place } from './place.ts';

export interface Claimed {
  readonly kind: 'claimed';
  /** Is the socket still the one that this process made? Somebody may have removed it. */
  isOurs(): boolean;
  /** Removes socket and info, where they are ours. */
  release(): void;
}

/** `taken`: somebody listens there already, be it a daemon or not. */
export type Claim = Claimed | { readonly kind: 'taken' };

/** As long as others hold the lock, which they do for some milliseconds. */
const PATIENCE_MS = 20_000;

interface Claimant {
  readonly version: string;
  now(): number;
}

/**
 * Makes `server` listen at the place. A socket that nobody listens at any more is replaced. That is looked at and done
 * under a lock whose holder is known to live, so of many that start at once exactly one listens, whoever was killed.
 */
export async function claim(place: Place, server: Server, { version, now }: Claimant): Promise<Claim> {
  if (place.isPipe) return await claimPipe(place, server, { version, now });
  const folder = { ...folderAt(place.state), locks: place.locks };
  for (const endMs = now() + PATIENCE_MS; now() < endMs;) {
    if (await isSomebodyAt(place)) return { kind: 'taken' };
    const lock = takeLock(folder, now());
    if (lock.kind === 'busy') {
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 100));
      continue;
    }
    try {
      if (await isSomebodyAt(place)) return { kind: 'taken' };
      return await take(place, server, { version, now });
    } finally {
      lock.release();
    }
  }
  throw new Error(`others have been starting for ${PATIENCE_MS / 1000} s; see ${place.locks}`);
}

async function isSomebodyAt(place: Place): Promise<boolean> {
  for (const socket of new Set([socketOf(place), place.socket])) if (await isHeard(socket)) return true;
  return false;
}

/** Listens under a name of its own first: the name that all know is never missing, and never one that does not answer. */
async function take(place: Place, server: Server, claimant: Claimant): Promise<Claimed> {
  const own = `${place.socket}.${process.pid}`;
  removeQuietly(own);
  await listen(server, own);
  chmodSync(own, 0o600);
  renameSync(own, place.socket);
  const { ino } = lstatSync(place.socket);
  const isOurs = (): boolean => lstatSync(place.socket, { throwIfNoEntry: false })?.ino === ino;
  writeInfo(place, claimant);
  const release = (): void => {
    if (!isOurs()) return;
    removeQuietly(place.info);
    removeQuietly(place.socket);
  };
  return { kind: 'claimed', isOurs, release };
}

/** Windows keeps a second one from making a pipe of that name, and removes it with its process. */
async function claimPipe(place: Place, server: Server, claimant: Claimant): Promise<Claim> {
  try {
    await listen(server, place.socket);
  } catch (error) {
    if (errno(error) === 'EADDRINUSE' || errno(error) === 'EACCES') return { kind: 'taken' };
    throw error;
  }
  writeInfo(place, claimant);
  return { kind: 'claimed', isOurs: () => true, release: () => removeQuietly(place.info) };
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** What this process is, for those who ask. */
export function infoOfSelf({ socket }: Place, version: string, startedAt: number): DaemonInfo {
  const { pid } = process;
  return { name: 'ctxzip', version, pid, processStart: startOf(pid), startedAt, socket };
}

function writeInfo(place: Place, { version, now }: Claimant): void {
  const temporary = `${place.info}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(infoOfSelf(place, version, now()))}\n`, { mode: 0o600 });
  renameSync(temporary, place.info);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Nothing was there.
  }
}
