import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runGc } from '../../src/store/gc.ts';
import { openHome } from '../../src/store/home.ts';
import { openSpool } from '../../src/store/spool.ts';
import { buildChild, run } from './children.ts';
import { canMount, withDisk } from './disk.ts';
import { T0, tempFolder } from './support.ts';

const mode = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);
const isRoot = process.geteuid?.() === 0;

function allPaths(root: string): string[] {
  return [root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))];
}

describe('the folder of a store', () => {
  let child: string;
  beforeAll(async () => {
    child = await buildChild(tempFolder());
  });

  it.each([0o022, 0o000, 0o027, 0o077])(
    'has modes 0700 and 0600 all through, under umask %o',
    async (umask) => {
      const root = join(tempFolder(), 'a', 'b', 'store');
      const before = process.umask(umask);
      try {
        await run(child, 'commit', { root, nowMs: T0, count: 3 });
        await run(child, 'gc', { root, nowMs: T0 });
        await run(child, 'commit', { root, nowMs: T0, count: 1, seed: 'later' });
        const [line = ''] = await run(child, 'commit', { root, nowMs: T0 });
        await run(child, 'read', { root, nowMs: T0, shas: [line.slice(0, 64)] });
        await run(child, 'gc', { root, nowMs: T0 + 30 * 86_400_000, maxBytes: 1 });
      } finally {
        process.umask(before);
      }
      const paths = allPaths(root);
      expect(paths.some((path) => path.endsWith('data.mdb'))).toBe(true);
      expect(paths.some((path) => path.endsWith('tombstones'))).toBe(true);
      for (const path of paths) {
        expect([path, mode(path)]).toEqual([path, lstatSync(path).isDirectory() ? '700' : '600']);
      }
    },
  );

  it('is closed to others when it was open', () => {
    const root = join(tempFolder(), 'store');
    mkdirSync(root, { mode: 0o755 });
    chmodSync(root, 0o755);
    openSpool(root);
    expect(mode(root)).toBe('700');
  });

  it.each<readonly [string, (path: string) => void, string, RegExp]>([
    ['a plain file', (path) => writeFileSync(path, 'bbolt'), 'folder', /is not a folder; move it away/],
    ['a link to a folder', (path) => link(path, 'real'), 'folder', /is a symbolic link/],
    ['a dangling link', (path) => symlinkSync(`${path}-nowhere`, path), 'folder', /is a symbolic link/],
    [
      'a folder with other files',
      (path) => withFile(path),
      'folder',
      /holds other files and was not made by ctxzip/,
    ],
    [
      'below a plain file',
      (path) => writeFileSync(join(path, '..'), ''),
      'folder',
      /a part of the path is not a folder/,
    ],
  ])('is refused if it is %s, and left as it was', async (_, make, trouble, message) => {
    const parent = tempFolder();
    const root = join(parent, 'in', 'store');
    if (_ !== 'below a plain file') mkdirSync(join(parent, 'in'));
    make(root);
    const before = allPaths(parent);
    expect(() => openSpool(root)).toThrow(
      expect.objectContaining({ name: 'StoreUnavailable', trouble, message: expect.stringMatching(message) }),
    );
    const home = openHome(root, runGc);
    if (_ !== 'below a plain file') await expect(home.open('abcdef', T0)).rejects.toThrow(message);
    expect(allPaths(parent)).toEqual(before);
  });

  it.skipIf(!isRoot)('is refused if it belongs to somebody else', async () => {
    const root = join(tempFolder(), 'store');
    openSpool(root);
    chownSync(root, 12_345, 12_345);
    const refused = expect.objectContaining({
      trouble: 'owner',
      message: expect.stringMatching(/belongs to user 12345/),
    });
    expect(() => openSpool(root)).toThrow(refused);
    await expect(openHome(root, runGc).open('abcdef', T0)).rejects.toThrow(/belongs to user 12345/);
  });

  it('is refused if the spool in it is a link', () => {
    const parent = tempFolder();
    const root = join(parent, 'store');
    mkdirSync(root, { mode: 0o700 });
    writeFileSync(join(root, 'ctxzip-store'), '');
    link(join(root, 'spool'), 'elsewhere');
    expect(() => openSpool(root)).toThrow(/spool is a symbolic link/);
  });

  it('never follows a link that is in the place of a file', () => {
    const root = join(tempFolder(), 'store');
    const spool = openSpool(root);
    const victim = join(root, '..', 'victim');
    writeFileSync(victim, 'precious');
    const sha = '0'.repeat(64);
    symlinkSync(victim, join(root, 'views', sha).replace('views', 'spool'));
    expect(() => spool.view(sha)).not.toThrow();
    const writer = spool.begin();
    writer.write(Buffer.from('x'));
    writer.commit({ facts: { createdMs: T0 }, ttlMs: 1000, nowMs: T0 });
    writer.close();
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  it('is not made by a reader', async () => {
    const parent = tempFolder();
    const home = openHome(join(parent, 'store'), runGc);
    expect(await home.open('abcdef', T0)).toEqual({ kind: 'unknown' });
    expect(await home.list()).toEqual([]);
    expect(await home.view('0'.repeat(64))).toBeUndefined();
    expect(await home.forget(['0'.repeat(64)], T0)).toBe(0);
    expect(await home.sweep({ nowMs: T0, maxBytes: 1 })).toEqual({ expired: 0, evicted: 0, freedBytes: 0 });
    await home.close();
    expect(readdirSync(parent)).toEqual([]);
  });

  it.skipIf(!canMount)('says so if it is on a read-only disk, and is still read there', async () => {
    await withDisk('64m', async (disk) => {
      const root = join(disk.path, 'store');
      const [spooled = ''] = await run(child, 'commit', { root, nowMs: T0 });
      await run(child, 'gc', { root, nowMs: T0 });
      const [later = ''] = await run(child, 'commit', { root, nowMs: T0, seed: 'later' });
      disk.remount('ro');
      expect(() => openSpool(root).begin()).toThrow(expect.objectContaining({ trouble: 'access' }));
      expect(() => openSpool(join(disk.path, 'new'))).toThrow(/it is on a read-only file system/);
      const shas = [spooled, later].map((line) => line.slice(0, 64));
      const lines = await run(child, 'read', { root, nowMs: T0, shas });
      expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toMatchObject([
        { kind: 'found', hash: shas[0], where: 'lmdb' },
        { kind: 'found', hash: shas[1], where: 'spool' },
      ]);
    });
  });
});

function link(path: string, name: string): void {
  const target = join(path, '..', name);
  mkdirSync(target);
  symlinkSync(target, path);
}

function withFile(path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, 'notes.txt'), 'mine');
}
