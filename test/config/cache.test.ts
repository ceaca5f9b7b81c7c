import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import * as parser from '../../src/config/parse.ts';
import { sandbox, type Sandbox } from './sandbox.ts';

const readConfig = vi.spyOn(parser, 'readConfig');
const isRoot = process.getuid?.() === 0;

function cacheFolder(box: Sandbox): string {
  return join(box.home, '.local', 'state', 'ctxzip', 'config');
}

function onlyCacheFile(box: Sandbox): string {
  const names = readdirSync(cacheFolder(box));
  expect(names).toHaveLength(1);
  return join(cacheFolder(box), names[0]!);
}

function prepareState(): void {
  throw new Error('no');
}

/** Loads, and says whether the YAML parser was needed. */
async function parsed(box: Sandbox, change: object = {}): Promise<boolean> {
  readConfig.mockClear();
  const { settings } = await loadConfig({ ...box.world, ...change });
  expect(settings.level).toBe('none');
  return readConfig.mock.calls.length > 0;
}

test('the second load does not parse, and gives the same', async () => {
  const box = sandbox();
  box.project(
    'level: none',
    'max_tokens: lots',
    'store_path: .ctxzip',
    'ttl: 2h',
    'tools: {ls: {level: none}}',
  );
  const first = await box.load();
  expect(await parsed(box)).toBe(false);
  expect(await box.load()).toEqual(first);
});

test('both files are cached, broken ones too', async () => {
  const box = sandbox();
  box.user('level: none');
  box.write('forge.yaml', 'compression: [');
  expect([await parsed(box), await parsed(box)]).toEqual([true, false]);
  expect((await box.load()).problems).toMatchObject([{ severity: 'fatal' }]);
});

test('the cache is private', async () => {
  const box = sandbox();
  box.project('level: none');
  const umask = process.umask(0o000);
  await parsed(box);
  process.umask(umask);
  expect(statSync(onlyCacheFile(box)).mode & 0o777).toBe(0o600);
  expect(statSync(cacheFolder(box)).mode & 0o777).toBe(0o700);
});

test.each<[string, (path: string) => void]>([
  [
    'another size',
    (path) => {
      writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
      utimesSync(path, 1e9, 1e9);
    },
  ],
  ['another time', (path) => utimesSync(path, 1e9, 1e9 + 1)],
  [
    'the same size and time, put there anew',
    (path) => {
      const text = readFileSync(path);
      rmSync(path);
      writeFileSync(path, text);
      utimesSync(path, 1e9, 1e9);
    },
  ],
])('a file with %s is parsed again', async (_, change) => {
  const box = sandbox();
  const path = box.project('level: none');
  await parsed(box);
  change(path);
  expect([await parsed(box), await parsed(box)]).toEqual([true, false]);
});

test('another version does not trust it', async () => {
  const box = sandbox();
  box.project('level: none');
  await parsed(box);
  expect([await parsed(box, { version: '1.2.4' }), await parsed(box, { version: '1.2.4' })]).toEqual([
    true,
    false,
  ]);
});

test('a file that was changed just now is not cached: it could change again unseen', async () => {
  const box = sandbox();
  const path = box.project('level: none');
  utimesSync(path, Date.now() / 1000, box.world.nowMs / 1000);
  expect([await parsed(box), await parsed(box)]).toEqual([true, true]);
});

test.each<[string, (text: string) => string | Buffer]>([
  ['empty', () => ''],
  ['garbage', () => Buffer.from([0, 255, 1, 254])],
  ['cut short', (text) => text.slice(0, -1)],
  ['longer', (text) => `${text} `],
  ['one letter off', (text) => text.replace('"none"', '"nope"')],
  ['of another file', (text) => text.replace('forge.yaml', 'gorge.yaml')],
  ['only a key', (text) => text.split('\n')[0]!],
  ['null', (text) => `${text.split('\n')[0]!}\nnull`],
  ['huge', (text) => text + ' '.repeat(3 << 20)],
])('a cache that is %s is ignored and replaced', async (_, damage) => {
  const box = sandbox();
  box.project('level: none');
  await parsed(box);
  const path = onlyCacheFile(box);
  const good = readFileSync(path, 'utf8');
  writeFileSync(path, damage(good));
  expect(await parsed(box)).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe(good);
  expect(await parsed(box)).toBe(false);
});

test.each<[string, (path: string) => void]>([
  ['readable for others', (path) => chmodSync(path, 0o644)],
  ['of somebody else', (path) => (isRoot ? chownSync(path, 4711, 4711) : chmodSync(path, 0o666))],
  [
    'a symlink',
    (path) => {
      const copy = `${path}.copy`;
      writeFileSync(copy, readFileSync(path), { mode: 0o600 });
      rmSync(path);
      symlinkSync(copy, path);
    },
  ],
  [
    'a folder',
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])('a cache that is %s is not trusted', async (_, change) => {
  const box = sandbox();
  box.project('level: none');
  await parsed(box);
  change(onlyCacheFile(box));
  expect(await parsed(box)).toBe(true);
});

test('where nothing can be written, everything is parsed every time', async () => {
  const box = sandbox();
  box.project('level: none');
  box.write(join(box.home, 'file'), 'x');
  const env = { CTXZIP_HOME: join(box.home, 'file') };
  expect([await parsed(box, { env }), await parsed(box, { env })]).toEqual([true, true]);
  expect([await parsed(box, { prepareState }), await parsed(box, { prepareState })]).toEqual([true, true]);
});

test('a state folder that is a symlink is not written to', async () => {
  const box = sandbox();
  box.project('level: none');
  const [real, link] = [join(box.home, 'real'), join(box.home, 'link')];
  mkdirSync(real);
  symlinkSync(real, link);
  await parsed(box, { env: { CTXZIP_HOME: link } });
  expect(readdirSync(real)).toEqual([]);
});

test('a leftover of a killed writer is cleared away', async () => {
  const box = sandbox();
  box.project('level: none');
  await parsed(box);
  const path = onlyCacheFile(box);
  rmSync(path);
  writeFileSync(`${path}.${process.pid}.tmp`, 'half');
  await parsed(box);
  await parsed(box);
  expect(onlyCacheFile(box)).toBe(path);
});

test('a fresh load reads the file itself', async () => {
  const box = sandbox();
  box.project('level: none');
  await parsed(box);
  readConfig.mockClear();
  await loadConfig(box.world, {}, { fresh: true });
  expect(readConfig).toHaveBeenCalledTimes(1);
});
