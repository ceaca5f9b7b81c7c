import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { World } from '../../src/config/find.ts';
import { loadConfig, type Config, type FlagTexts } from '../../src/config/load.ts';

/** A home folder with a repository in it, gone after the test. */
export interface Sandbox {
  readonly home: string;
  readonly repo: string;
  readonly world: World;
  /** Writes a file that looks old enough to be cached; relative paths are below the repository. */
  readonly write: (path: string, content: string | Buffer) => string;
  /** Writes the project's `forge.yaml` from the lines of its block. */
  readonly project: (...lines: string[]) => string;
  /** Writes the user's `forge.yaml` from the lines of its block. */
  readonly user: (...lines: string[]) => string;
  readonly load: (env?: World['env'], flags?: FlagTexts) => Promise<Config>;
}

export function sandbox(): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ctxzip-config-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const repo = join(home, 'work', 'repo');
  mkdirSync(join(repo, '.git'), { recursive: true });
  const world: World = {
    env: {},
    cwd: repo,
    home,
    ...(process.getuid && { uid: process.getuid() }),
    version: '1.2.3',
    nowMs: Date.now(),
    prepareState: (folder) => void mkdirSync(folder, { recursive: true, mode: 0o700 }),
  };
  const write = (path: string, content: string | Buffer): string => {
    const full = path.startsWith('/') ? path : join(repo, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    utimesSync(full, 1e9, 1e9);
    return full;
  };
  return {
    home,
    repo,
    world,
    write,
    project: (...lines) => write('forge.yaml', block(lines)),
    user: (...lines) => write(join(home, '.config', 'ctxzip', 'forge.yaml'), block(lines)),
    load: (env = {}, flags = {}) => loadConfig({ ...world, env }, flags),
  };
}

function block(lines: string[]): string {
  return ['compression:', ...lines.map((line) => `  ${line}`), ''].join('\n');
}
