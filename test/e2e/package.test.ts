/** The tarball of `npm pack`, installed globally into an empty prefix without a network, gives a working command. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  execute,
  hashOf,
  projectFolder,
  type RunOptions,
  sandbox,
  tempFolder,
  type Ended,
} from '../support-e2e/command.ts';
import { fakeDaemon, recentAt, statsAt, SUGGESTIONS } from '../support-e2e/fake-daemon.ts';
import { log, pods } from '../support-e2e/inputs.ts';

const addons = join(projectFolder, 'node_modules', '@lmdb');
const addon = `lmdb-${process.platform}-${process.arch}`;
const folder = tempFolder();
const prefix = join(folder, 'prefix');
const installed = join(prefix, 'lib', 'node_modules', 'ctxzip');

function npm(...args: string[]): string {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const quiet = {
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
    HOME: folder,
  };
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--offline'], {
    cwd: projectFolder,
    env: { ...env, ...quiet },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(() => {
  const packed = npm('pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  mkdirSync(prefix);
  npm('install', '--global', '--prefix', prefix, '--omit=optional', join(folder, filename));
});

function ctxzip(
  own: { root: string; env: Readonly<Record<string, string>> },
  args: string[],
  options: RunOptions = {},
): Promise<Ended> {
  return execute([join(prefix, 'bin', 'ctxzip'), ...args], {
    cwd: own.root,
    ...options,
    env: { ...own.env, ...options.env },
  });
}

describe('the package', () => {
  it('holds what it needs and nothing else', () => {
    expect(
      readdirSync(installed)
        .sort()
        .filter((name) => !['docs', 'node_modules'].includes(name)),
    ).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'forge.example.yaml', 'package.json']);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest['dependencies']).toBeUndefined();
    expect(manifest['scripts']).not.toHaveProperty('postinstall');
    expect(statSync(join(installed, 'bin', 'ctxzip.js')).mode & 0o111).not.toBe(0);
  });

  it('names no path of the machine that made it', () => {
    for (const name of readdirSync(join(installed, 'dist'))) {
      const text = readFileSync(join(installed, 'dist', name), 'latin1');
      expect(text.includes(projectFolder), name).toBe(false);
    }
  });
});

describe('installed without the optional addon', () => {
  const own = sandbox();

  it('compresses, expands, restores and lists with the spool alone', async () => {
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
    const view = await ctxzip(own, [], { input: log() });
    expect({ err: view.err, code: view.code }).toEqual({ err: '', code: 0 });
    const hash = hashOf(view.text);
    expect((await ctxzip(own, ['expand', hash, 'L1-2'])).text).toBe(
      `${log().split('\n').slice(0, 2).join('\n')}\n`,
    );
    expect((await ctxzip(own, ['restore'], { input: view.text })).text === log()).toBe(true);
    expect((await ctxzip(own, ['verify'], { input: view.text })).code).toBe(0);
    expect((await ctxzip(own, ['list'])).text).toContain(hash);
    expect((await ctxzip(own, ['--version'])).text).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await ctxzip(own, ['--help'])).code).toBe(0);
    expect((await ctxzip(own, ['config', 'show'])).code).toBe(0);
  });

  it('shows the daemon: its view is an ES module beside the rest', async () => {
    const now = Date.now();
    const stats = statsAt(now);
    const socket = join(own.store, 'daemon', 'socket');
    const daemon = await fakeDaemon(socket, { stats, recent: recentAt(now), suggestions: SUGGESTIONS });
    try {
      const { text, err, code } = await ctxzip(own, ['top', '--once']);
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(text).toContain('kubectl get pods');
    } finally {
      await daemon.stop();
    }
  });

  it('gc says what is missing, and loses nothing', async () => {
    const view = (await ctxzip(own, [], { input: pods() })).text;
    const { err } = await ctxzip(own, ['gc']);
    expect(err).toMatch(/LMDB can't be loaded/);
    expect((await ctxzip(own, ['restore'], { input: view })).text === pods()).toBe(true);
    expect((await ctxzip(own, ['forget', hashOf(view)])).code).toBe(0);
    expect((await ctxzip(own, ['expand', hashOf(view)])).code).toBe(1);
  });
});

describe(`installed with the optional addon${existsSync(join(addons, addon)) ? '' : ' (skipped: it is not here)'}`, () => {
  it.runIf(existsSync(join(addons, addon)))('moves originals into LMDB, and back', async () => {
    const own = sandbox();
    mkdirSync(join(installed, 'node_modules', '@lmdb'), { recursive: true });
    symlinkSync(join(addons, addon), join(installed, 'node_modules', '@lmdb', addon));
    const view = (await ctxzip(own, [], { input: log() })).text;
    const { err, code } = await ctxzip(own, ['gc']);
    expect(code, err).toBe(0);
    expect(err).toMatch(/^ctxzip: 1 imported/);
    expect(own.spooled()).toEqual([]);
    expect((await ctxzip(own, ['restore'], { input: view })).text === log()).toBe(true);
  });
});

describe('a package that is replaced', () => {
  it('by one of the same version and size runs the new code', async () => {
    const own = sandbox();
    const copy = join(own.root, 'copy');
    for (const part of ['bin', 'dist'])
      cpSync(join(projectFolder, part), join(copy, part), { recursive: true });
    const chunk = join(copy, 'dist', 'pipe.cjs');
    const run = (): Promise<Ended> =>
      own.run(['--no-store'], { input: log(), script: join(copy, 'bin', 'ctxzip.js') });
    for (let i = 0; i < 3; i += 1) expect((await run()).err).toMatch(/level minimal instead/);
    const code = readFileSync(chunk, 'utf8');
    expect(code).toContain('level minimal instead');
    writeFileSync(chunk, code.replaceAll('level minimal instead', 'LEVEL minimal instead'));
    expect((await run()).err).toMatch(/LEVEL minimal instead/);
  });
});

describe('a package that is damaged', () => {
  const chunks = readdirSync(join(projectFolder, 'dist')).filter((name) => /\.(?:cjs|wasm|bin)$/.test(name));

  // Law 8: whatever breaks in the pipe, the input comes out unchanged, one line says why, the exit code is 0.
  it.each(chunks)('without %s loses no input', async (name) => {
    const own = sandbox();
    const copy = join(own.root, 'copy');
    cpSync(join(projectFolder, 'bin'), join(copy, 'bin'), { recursive: true });
    cpSync(join(projectFolder, 'dist'), join(copy, 'dist'), {
      recursive: true,
      filter: (path) => !path.endsWith(`/${name}`),
    });
    const { text, err, code } = await own.run([], { input: log(), script: join(copy, 'bin', 'ctxzip.js') });
    expect(code).toBe(0);
    if (text === log()) expect(err).toMatch(/^ctxzip: [^\n]+\n$/);
    else expect((await own.run(['restore'], { input: text })).text === log()).toBe(true);
  });
});
