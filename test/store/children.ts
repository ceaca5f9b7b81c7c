/** Bundles `child.ts` as the product is bundled, and runs it in processes of its own. */
import { build, type Plugin } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import type { Verb } from './child.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Writes `child.cjs` and `lmdb.cjs` into `folder`; without the addon there is nothing to load it from. */
export async function buildChild(
  folder: string,
  addon: 'with addon' | 'without addon' = 'with addon',
): Promise<string> {
  const plugin = pathToFileURL(join(root, 'scripts', 'lmdb-plugin.mjs')).href;
  const { bundledLmdb } = (await import(plugin)) as { bundledLmdb: Plugin };
  await build({
    absWorkingDir: root,
    entryPoints: { child: 'test/store/child.ts', lmdb: 'src/store/lmdb.ts' },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    plugins: [lazyLmdb, bundledLmdb],
    logLevel: 'warning',
  });
  if (addon === 'with addon') {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'node_modules', '@lmdb'), join(folder, 'node_modules', '@lmdb'));
  }
  return join(folder, 'child.cjs');
}

const lazyLmdb: Plugin = {
  name: 'lazy-lmdb',
  setup(bundle) {
    bundle.onResolve({ filter: /\/lmdb\.ts$/ }, (args) =>
      args.kind === 'dynamic-import' ? { path: './lmdb.cjs', external: true } : undefined,
    );
  },
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

export interface Running {
  readonly process: ChildProcess;
  /** What it has said so far. */
  readonly lines: string[];
  readonly ended: Promise<Ended>;
}

const alive = new Set<ChildProcess>();

/** Starts the child; `umask` and the environment are those of a plain shell. */
export function start(child: string, verb: Verb, job: object = {}, input = ''): Running {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const spawned = spawn(process.execPath, [child, verb, JSON.stringify(job)], { env });
  alive.add(spawned);
  const lines: string[] = [];
  let rest = '';
  let errors = '';
  spawned.stdout.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  spawned.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  spawned.stdin.on('error', () => {});
  spawned.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => {
    spawned.on('close', (code, signal) => {
      alive.delete(spawned);
      resolve({ code, signal, lines, errors });
    });
  });
  return { process: spawned, lines, ended };
}

/** Runs the child to its end and returns what it said; throws if it failed. */
export async function run(child: string, verb: Verb, job: object = {}): Promise<readonly string[]> {
  const { code, signal, lines, errors } = await start(child, verb, job).ended;
  if (code !== 0) throw new Error(`${verb} ended with ${code ?? signal}: ${errors}`);
  return lines;
}

/** The last line a verb said, as JSON. */
export async function runJson<T>(child: string, verb: Verb, job: object = {}): Promise<T> {
  return JSON.parse((await run(child, verb, job)).at(-1) ?? 'null') as T;
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// Whatever a test did, no process outlives it.
afterAll(() => {
  for (const child of alive) child.kill('SIGKILL');
});
