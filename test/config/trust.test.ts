import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandbox, type Sandbox } from './sandbox.ts';

const SEVERITIES = ['fatal', 'error'];

async function loud(box: Sandbox, env = {}): Promise<string[]> {
  const { problems } = await box.load(env);
  return problems
    .filter(({ severity }) => SEVERITIES.includes(severity))
    .map(({ key, line }) => `${line} ${key}`);
}

describe('a store of the project', () => {
  test.each([
    ['.ctxzip', '.ctxzip'],
    ['./a/b/../c', 'a/c'],
    ['REPO/deep/er', 'deep/er'],
    ['~/work/repo/x', 'x'],
    ['..data', '..data'],
    ['real/sub', 'real/sub'],
  ])('%s lies inside', async (path, inside) => {
    const box = sandbox();
    mkdirSync(join(box.repo, 'real'));
    box.project(`store_path: '${path.replace('REPO', box.repo)}'`, 'ttl: 1h', 'max_store_bytes: 1MiB');
    const { settings, problems, storeFolder } = await box.load();
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      storePath: join(box.repo, inside),
      ttlMs: 3_600_000,
      maxStoreBytes: 2 ** 20,
    });
    expect(storeFolder).toBe(join(box.repo, inside));
  });

  test.each([
    ['..'],
    ['../other'],
    ['.'],
    ['a/..'],
    ['/'],
    ['/var/store'],
    ['~'],
    ['~/.local/state/ctxzip'],
    ['REPO'],
    ['REPOx'],
    ['.git'],
    ['.git/hooks'],
    ['sub/.GIT/x'],
    ['link'],
    ['link/deeper/still'],
    ['dangling'],
    ['dangling/deeper'],
    ['file/x'],
    ['x'.repeat(300)],
  ])('%# is refused, and so are its ttl and cap', async (path) => {
    const box = sandbox();
    mkdirSync(join(box.home, 'outside'));
    symlinkSync(join(box.home, 'outside'), join(box.repo, 'link'));
    symlinkSync(join(box.home, 'nothing'), join(box.repo, 'dangling'));
    box.write('file', 'x');
    box.project(`store_path: '${path.replace('REPO', box.repo)}'`, 'ttl: 1s', 'max_store_bytes: 1');
    const { settings, storeFolder, stateFolder } = await box.load();
    expect(await loud(box)).toEqual(['2 store_path']);
    expect(settings).toMatchObject({ storePath: null, ttlMs: 7 * 86_400_000, maxStoreBytes: 2 ** 30 });
    expect(storeFolder).toBe(stateFolder);
  });
});

describe('ttl and cap of a project', () => {
  test('without a store of its own they are notes, and the store of the user is safe', async () => {
    const box = sandbox();
    box.user('ttl: 30d');
    box.project('ttl: 1s', 'max_store_bytes: 1');
    const { settings, problems } = await box.load();
    expect(settings).toMatchObject({ ttlMs: 30 * 86_400_000, maxStoreBytes: 2 ** 30 });
    expect(problems).toMatchObject([
      { severity: 'note', key: 'ttl', line: 2 },
      { severity: 'note', key: 'max_store_bytes', line: 3 },
    ]);
  });

  test('they do not count for a store that the environment names', async () => {
    const box = sandbox();
    box.project('store_path: .ctxzip', 'ttl: 1s', 'max_store_bytes: 1');
    const { settings } = await box.load({ CTXZIP_STORE_PATH: '/precious' });
    expect(settings).toMatchObject({ storePath: '/precious', ttlMs: 7 * 86_400_000, maxStoreBytes: 2 ** 30 });
  });

  test('a flag and a variable always count', async () => {
    const box = sandbox();
    box.project('ttl: 1s');
    const { settings } = await box.load({ CTXZIP_TTL: '2h' }, { maxStoreBytes: '5MB' });
    expect(settings).toMatchObject({ ttlMs: 7_200_000, maxStoreBytes: 5e6 });
  });
});

test('a refused store_path counts as soon as the symlink on its way is gone', async () => {
  const box = sandbox();
  symlinkSync(box.home, join(box.repo, 'way'));
  box.project('store_path: way/store');
  expect(await loud(box)).toEqual(['2 store_path']);
  rmSync(join(box.repo, 'way'));
  expect((await box.load()).storeFolder).toBe(join(box.repo, 'way', 'store'));
  symlinkSync(box.home, join(box.repo, 'way'));
  expect(await loud(box)).toEqual(['2 store_path']);
});

test('events_path of a project is refused, of the user it counts', async () => {
  const box = sandbox();
  box.project('events_path: .events');
  expect(await loud(box)).toEqual(['2 events_path']);
  box.user('events_path: /var/events');
  expect((await box.load()).settings.eventsPath).toBe('/var/events');
  expect((await box.load({ CTXZIP_EVENTS_PATH: '/e' })).settings.eventsPath).toBe('/e');
});

test('the keep patterns and tools of the user hold in every project', async () => {
  const box = sandbox();
  box.user('keep_patterns: [mine]', "tools: {'kubectl get secret*': {level: none}}");
  box.project('keep_patterns: []', 'tools: {}');
  const { settings } = await box.load();
  expect(settings.keepPatterns).toEqual(['mine']);
  expect(settings.tools).toEqual({ 'kubectl get secret*': { level: 'none' } });
});
