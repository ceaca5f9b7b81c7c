/** Where the daemon of a state folder is: its socket, its log, and what it says of itself. */
import { chmodSync, lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { World } from '../config/find.ts';
import { makeFolder, makeSub } from '../store/folder.ts';
import { sha256 } from '../store/hash.ts';

export interface Place {
  /** The state folder. */
  readonly state: string;
  readonly folder: string;
  /** Where the socket is: in `folder`, unless its path would be too long for one. */
  readonly socketFolder: string;
  /** The path of the socket, or the name of the pipe on Windows. */
  readonly socket: string;
  readonly isPipe: boolean;
  readonly log: string;
  /** Who listens, as JSON: `DaemonInfo`. */
  readonly info: string;
  readonly locks: string;
}

/** Bytes that the address of a socket may have everywhere: 104 on macOS, 108 on Linux, with the end. */
const LONGEST = 100;
/** The socket has this name and a process number until it listens. */
const LONGEST_NAME = 'socket.4194304';

/** Names the parts; touches nothing. */
export function placeOf({ env, uid }: Pick<World, 'env' | 'uid'>, state: string): Place {
  const folder = join(state, 'daemon');
  const isPipe = process.platform === 'win32';
  const socketFolder = isPipe ? folder : socketFolderOf(folder, env, uid);
  return {
    state,
    folder,
    socketFolder,
    socket: isPipe ? `\\\\.\\pipe\\ctxzip-${shortHash(state)}` : join(socketFolder, 'socket'),
    isPipe,
    log: join(folder, 'log'),
    info: join(folder, 'info.json'),
    locks: join(folder, 'locks'),
  };
}

function socketFolderOf(folder: string, env: World['env'], uid: number | undefined): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  const name = `ctxzip-${uid ?? 0}-${shortHash(folder)}`;
  const folders = [
    folder,
    ...(runtime && isAbsolute(runtime) ? [join(runtime, name)] : []),
    join(env['TMPDIR'] || '/tmp', name),
  ];
  return folders.find(isShort) ?? join('/tmp', name);
}

function isShort(folder: string): boolean {
  return Buffer.byteLength(join(folder, LONGEST_NAME)) <= LONGEST;
}

function shortHash(text: string): string {
  return sha256().update(text).digest('hex').slice(0, 12);
}

/**
 * Makes the folders: real, of this user, mode 0700. Throws `StoreUnavailable` where one is somebody else's or can't be
 * made.
 */
export function preparePlace({ state, folder, socketFolder }: Place): void {
  makeFolder(state);
  for (const each of new Set([folder, socketFolder])) {
    makeSub(each);
    if (process.geteuid !== undefined && (lstatSync(each).mode & 0o077) !== 0) chmodSync(each, 0o700);
  }
}
