/** A daemon in a home of its own, that no test leaves behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { DaemonInfo } from '../../src/daemon/client.ts';
import type { DaemonStats } from '../../src/daemon/protocol.ts';
import { commandPath, type Sandbox, sandbox } from './command.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly text: string;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
}

export interface DaemonBox extends Sandbox {
  readonly socket: string;
  start(...flags: string[]): Promise<number>;
  /** Its process number. */
  pid(): number;
  log(): string;
  ask(path: string, options?: Asked): Promise<Answered>;
  stats(): Promise<DaemonStats>;
}

interface Asked {
  readonly method?: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

const boxes: DaemonBox[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const box of boxes.splice(0)) killDaemon(box);
});

function killDaemon(box: DaemonBox): void {
  try {
    process.kill(box.pid(), 'SIGKILL');
  } catch {
    // It has ended, or none was started.
  }
}

/** A home in which a daemon can be started; it is killed when the test ends. */
export function daemonBox(): DaemonBox {
  const base = sandbox();
  const folder = join(base.store, 'daemon');
  const socket = join(folder, 'socket');
  const box: DaemonBox = {
    ...base,
    socket,
    start: async (...flags) => {
      const { code, err } = await box.run(['daemon', 'start', ...flags], { timeoutMs: 60_000 });
      if (code !== 0) throw new Error(`daemon start ended with ${code}: ${err}${box.log()}`);
      return box.pid();
    },
    pid: () => (JSON.parse(readFileSync(join(folder, 'info.json'), 'utf8')) as DaemonInfo).pid,
    log: () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''),
    ask: (path, options) => ask(socket, path, options),
    stats: async () => (await box.ask('/v1/stats')).json<DaemonStats>(),
  };
  boxes.push(box);
  return box;
}

/** Starts a process that ends with the test. */
export function keep(
  box: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(process.execPath, [commandPath, ...args], {
    cwd: box.root,
    env: { ...box.env, ...env },
  });
  children.push(child);
  return child;
}

/** One request on a connection of its own. */
export function ask(
  socketPath: string,
  path: string,
  { method, body, headers }: Asked = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath, path, method: method ?? (body === undefined ? 'GET' : 'POST'), headers, agent: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const all = Buffer.concat(pieces);
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: all,
            text: all.toString(),
            json: () => JSON.parse(all.toString()),
          });
        });
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Waits until something is true. */
export async function until(is: () => boolean | Promise<boolean>, what: string, ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; !(await is());) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Does a process run? One that has ended and was not waited for does not. */
export function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}
