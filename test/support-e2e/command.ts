/** Runs the built command as a user does: in a process of its own, in a home of its own, with a clean environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** The command of this checkout; `npm run build` makes it. */
export const commandPath = join(projectFolder, 'bin', 'ctxzip.js');

if (!existsSync(commandPath)) {
  throw new Error('the command is not built: npm run build');
}

export interface RunOptions {
  readonly input?: Uint8Array | string;
  /** Added to the clean environment; an empty text unsets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Another script than the one of this checkout. */
  readonly script?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: Buffer;
  /** stdout as UTF-8. */
  readonly text: string;
  readonly err: string;
  readonly ms: number;
}

export interface Sandbox {
  /** A temporary folder that goes when the tests of the file are done. */
  readonly root: string;
  readonly home: string;
  readonly store: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** A command line of `sh` in which `$CZ` is the command. */
  shell(line: string, options?: Omit<RunOptions, 'script'>): Promise<Ended>;
  /** Names of the originals in the spool. */
  spooled(): string[];
}

const folders: string[] = [];
const alive = new Set<ChildProcess>();

/** A new empty folder that goes when the tests of the file are done. */
export function tempFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'ctxzip-e2e-')));
  folders.push(path);
  return path;
}

export function sandbox(): Sandbox {
  const root = tempFolder();
  const home = join(root, 'home');
  const store = join(root, 'store');
  mkdirSync(home);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, CTXZIP_HOME: store };
  return {
    root,
    home,
    store,
    env,
    run: (args, options = {}) =>
      execute([process.execPath, options.script ?? commandPath, ...args], {
        cwd: root,
        ...options,
        env: withEnv(env, options.env),
      }),
    shell: (line, options = {}) =>
      execute(['sh', '-c', line], {
        cwd: root,
        ...options,
        env: withEnv({ ...env, CZ: `${process.execPath} ${commandPath}` }, options.env),
      }),
    spooled: () => (existsSync(join(store, 'spool')) ? readdirSync(join(store, 'spool')).sort() : []),
  };
}

function withEnv(
  env: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...env, ...more }).filter(([, value]) => value !== ''));
}

/** Runs a command line to its end; kills it, and fails, when it takes longer than it should. */
export function execute(
  words: readonly string[],
  options: Required<Pick<RunOptions, 'cwd' | 'env'>> & RunOptions,
): Promise<Ended> {
  const { input = '', cwd, env, timeoutMs = 25_000 } = options;
  const started = performance.now();
  const child = spawn(words[0]!, words.slice(1), { cwd, env, detached: true });
  alive.add(child);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data: Buffer) => err.push(data));
  // A command that does not read all of its input is in order.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      killGroup(child);
      reject(new Error(`${words.slice(1, 6).join(' ')} … did not end within ${timeoutMs} ms`));
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      alive.delete(child);
      const bytes = Buffer.concat(out);
      resolve({
        code,
        signal,
        out: bytes,
        text: bytes.toString(),
        err: Buffer.concat(err).toString(),
        ms: performance.now() - started,
      });
    });
  });
}

/** Each child leads a group of its own, so that a shell's commands go with it. */
function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The hash that the first marker of a view carries. */
export function hashOf(view: Buffer | string): string {
  const hash = /<<ctxzip:([0-9a-f]{12}) /.exec(view.toString())?.[1];
  if (hash === undefined) throw new Error(`no marker in: ${view.toString().slice(0, 300)}`);
  return hash;
}

/** Whether a tool that a test needs is there. */
export function hasTool(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

/** The processes that were started, by whomever, with one of our folders in their environment. */
function ours(): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const environment = readFileSync(join('/proc', pid, 'environ'), 'latin1');
        return folders.some((folder) => environment.includes(folder));
      } catch {
        return false;
      }
    })
    .map(Number);
}

// No process outlives the tests: a gc that a pipe has started is given time to end.
afterAll(async () => {
  for (const child of alive) killGroup(child);
  const end = Date.now() + 10_000;
  while (ours().length > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  const left = ours();
  for (const pid of left) process.kill(pid, 'SIGKILL');
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  if (left.length > 0) throw new Error(`${left.length} processes did not end`);
});
