import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderAt } from '../../src/store/folder.ts';
import { noteFull } from '../../src/store/full.ts';
import { runGc } from '../../src/store/gc.ts';
import { openHome } from '../../src/store/home.ts';
import { knownWithPrefix, writeKnown } from '../../src/store/known.ts';
import { openSpool, type CommitResult, type Spool, spoolLoad } from '../../src/store/spool.ts';
import { cleanCode, cleanTemp } from '../../src/store/spool-care.ts';
import { spoolStore } from '../../src/store/spool-store.ts';
import { bytesOf, HOUR_MS, logText, noise, shaOf, T0, tempFolder } from './support.ts';

const WEEK = { facts: { createdMs: T0 }, ttlMs: 7 * 24 * HOUR_MS, nowMs: T0 };

let root: string;
let spool: Spool;
beforeEach(() => {
  root = join(tempFolder(), 'store');
  spool = openSpool(root);
});

function commit(bytes: Buffer, extra: object = {}): CommitResult {
  const writer = spool.begin();
  try {
    writer.write(bytes);
    return writer.commit({ ...WEEK, ...extra });
  } finally {
    writer.close();
  }
}

const fileOf = (sha: string): string => join(root, 'spool', sha);

describe('a commit', () => {
  it('streams, can be read back before it is committed, and is then in its place', async () => {
    const bytes = noise(3_000_000);
    const writer = spool.begin();
    for (let at = 0; at < bytes.length; at += 70_001) writer.write(bytes.subarray(at, at + 70_001));
    expect(writer.size).toBe(bytes.length);
    expect(Buffer.from(writer.read(1_000_000, 1_000_100)).equals(bytes.subarray(1_000_000, 1_000_100))).toBe(
      true,
    );
    expect(writer.read(2_999_999, 9e9)).toHaveLength(1);
    expect(writer.seal()).toBe(shaOf(bytes));
    expect(writer.commit(WEEK)).toEqual({ kind: 'stored', sha: shaOf(bytes), expiresMs: T0 + WEEK.ttlMs });
    writer.close();
    writer.close();
    expect(readdirSync(join(root, 'temp'))).toEqual([]);
    expect(bytesOf(await spoolStore(root).open(shaOf(bytes), T0)).equals(bytes)).toBe(true);
  });

  it('leaves nothing when it is closed without', () => {
    const writer = spool.begin();
    writer.write(Buffer.from('half'));
    writer.close();
    expect(readdirSync(join(root, 'temp'))).toEqual([]);
    expect(spoolLoad(root)).toEqual({ files: 0, bytes: 0 });
  });

  it('counts for the load that starts a gc', () => {
    commit(Buffer.alloc(10_000));
    commit(Buffer.alloc(5_000));
    const { files, bytes } = spoolLoad(root);
    expect(files).toBe(2);
    expect(bytes).toBeGreaterThan(15_000);
    expect(bytes).toBeLessThan(16_000);
    expect(spoolLoad(join(root, 'nowhere'))).toEqual({ files: 0, bytes: 0 });
  });

  it('makes its view known in the same step', () => {
    const viewSha = shaOf(Buffer.from('view'));
    const sha = shaOf(Buffer.from('original'));
    commit(Buffer.from('original'), { view: { viewSha, policy: 'p 1' } });
    expect(spool.view(viewSha)).toEqual({ sha, policy: 'p 1' });
    expect(spool.view(shaOf(Buffer.from('other')))).toBeUndefined();
    expect(statSync(join(root, 'views', viewSha)).mode & 0o777).toBe(0o600);
  });

  it('leaves the record of a view as it is, unless it says something else', () => {
    const viewSha = shaOf(Buffer.from('view'));
    const sha = shaOf(Buffer.from('original'));
    const path = join(root, 'views', viewSha);
    const again = (policy: string): number => {
      commit(Buffer.from('original'), { view: { viewSha, policy } });
      expect(spool.view(viewSha)).toEqual({ sha, policy });
      return statSync(path).ino;
    };
    const first = again('p 1');
    expect(again('p 1')).toBe(first);
    expect(again('p 2')).not.toBe(first);
    // Cut short by a crash or a full disk.
    for (const text of ['', sha.slice(0, 20)]) {
      writeFileSync(path, text);
      expect(spool.view(viewSha)).toBeUndefined();
      again('p 2');
    }
  });

  it('has its view in the trailer too, for when a power cut takes the view file', async () => {
    const views = [1, 2, 3].map((n) => ({ viewSha: shaOf(Buffer.from(`view ${n}`)), policy: `p${n}` }));
    for (const view of views) commit(Buffer.from('original'), { view });
    rmSync(join(root, 'views'), { recursive: true });
    mkdirSync(join(root, 'views'));
    writeFileSync(join(root, 'views', views[1]?.viewSha ?? ''), '');
    const home = openHome(root, runGc);
    const sha = shaOf(Buffer.from('original'));
    for (const { viewSha, policy } of views) expect(await home.view(viewSha)).toEqual({ sha, policy });
    await runGc({ root, nowMs: T0 });
    for (const { viewSha, policy } of views) expect(spool.view(viewSha)).toEqual({ sha, policy });
  });

  it('reports another original with the same digits, in the spool or in LMDB', () => {
    const bytes = Buffer.from('the second');
    const digits = shaOf(bytes).slice(0, 12);
    const other = digits.padEnd(64, digits.endsWith('0') ? '1' : '0');
    writeFileSync(fileOf(other), 'the first');
    expect(commit(bytes)).toEqual({ kind: 'collision', other });
    expect(readdirSync(join(root, 'temp'))).toEqual([]);
    rmSync(fileOf(other));
    writeKnown(spool.folder, [other, shaOf(bytes)]);
    expect(commit(bytes)).toEqual({ kind: 'collision', other });
    writeKnown(spool.folder, [shaOf(bytes)]);
    expect(commit(bytes)).toMatchObject({ kind: 'stored' });
  });

  it('says that the store is full when the cap cannot be met', () => {
    const bytes = Buffer.alloc(2000);
    expect(commit(bytes, { maxBytes: 1999 })).toMatchObject({
      kind: 'full',
      reason: /larger than the store/ as never,
    });
    noteFull(spool.folder, T0 + HOUR_MS / 2);
    expect(commit(bytes, { maxBytes: 1e6 })).toMatchObject({ kind: 'full' });
    expect(commit(bytes, { maxBytes: 1e6, nowMs: T0 + HOUR_MS })).toMatchObject({ kind: 'stored' });
    noteFull(spool.folder, T0 + 24 * HOUR_MS);
    expect(commit(bytes, { maxBytes: 1e6 })).toMatchObject({ kind: 'stored' });
    expect(commit(bytes)).toMatchObject({ kind: 'stored' });
  });

  it('is refused when gc has not come to the spool for long', () => {
    expect(commit(Buffer.alloc(2000), { maxBytes: 1e6 })).toMatchObject({ kind: 'stored' });
    truncateSync(fileOf(shaOf(Buffer.alloc(2000))), 80_000_000);
    const large = Buffer.alloc(1 << 20);
    expect(commit(large, { maxBytes: 1e7 })).toMatchObject({
      kind: 'full',
      reason: /wait in the spool/ as never,
    });
    expect(commit(large, { maxBytes: 2e7 })).toMatchObject({ kind: 'stored' });
    // Small ones are not refused, nor is the spool weighed for them, while there are few.
    const small = Array.from({ length: 64 }, (_, n) => Buffer.alloc(3000, n + 1));
    const last = small.pop()!;
    for (const bytes of small) expect(commit(bytes, { maxBytes: 1e7 })).toMatchObject({ kind: 'stored' });
    expect(commit(last, { maxBytes: 1e7 })).toMatchObject({ kind: 'full' });
  });

  it('heals a damaged copy, and does not trust its expiry', async () => {
    const bytes = logText(20_000);
    const sha = shaOf(bytes);
    commit(bytes, { ttlMs: 90 * 24 * HOUR_MS });
    const file = readFileSync(fileOf(sha));
    file[file.length - 60] = (file.at(-60) ?? 0) ^ 1;
    writeFileSync(fileOf(sha), file);
    expect(await spoolStore(root).open(sha, T0)).toMatchObject({ kind: 'damaged' });
    expect(commit(bytes)).toMatchObject({ kind: 'stored', expiresMs: T0 + WEEK.ttlMs });
    expect(bytesOf(await spoolStore(root).open(sha, T0)).equals(bytes)).toBe(true);
  });
});

describe('damage in the spool', () => {
  it('is reported for every byte that flips, and nothing of it returned', async () => {
    const bytes = Buffer.from('line one\nline two\n');
    const sha = shaOf(bytes);
    commit(bytes, { view: { viewSha: shaOf(Buffer.from('v')), policy: 'p' } });
    const good = readFileSync(fileOf(sha));
    for (let at = 0; at < good.length; at += 1) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(fileOf(sha), bad);
      expect([at, await spoolStore(root).open(sha, T0)]).toMatchObject([at, { kind: 'damaged', sha }]);
    }
  });

  it.each([0, 1, 39, 40, 41, 300])('is reported when the file is cut by %i bytes or so', async (cut) => {
    const bytes = logText(5000);
    const sha = shaOf(bytes);
    commit(bytes);
    const { size } = statSync(fileOf(sha));
    truncateSync(fileOf(sha), cut === 0 ? 0 : size - cut);
    expect(await spoolStore(root).open(sha, T0)).toMatchObject({ kind: 'damaged' });
  });

  it('is reported when bytes are added, or the file is another original under this name', async () => {
    const shas = ['one', 'two'].map((text) => shaOf(Buffer.from(text)));
    commit(Buffer.from('one'));
    commit(Buffer.from('two'));
    const [one = '', two = ''] = shas;
    copyFileSync(fileOf(two), fileOf(one));
    writeFileSync(fileOf(two), Buffer.concat([readFileSync(fileOf(two)), Buffer.from('x')]));
    for (const sha of shas) expect(await spoolStore(root).open(sha, T0)).toMatchObject({ kind: 'damaged' });
  });

  it('in a large original is found before the first byte is served', async () => {
    const bytes = noise(6_000_000);
    const sha = shaOf(bytes);
    commit(bytes);
    const good = readFileSync(fileOf(sha));
    good[5_999_000] = (good[5_999_000] ?? 0) ^ 4;
    writeFileSync(fileOf(sha), good);
    expect(await spoolStore(root).open(sha, T0)).toMatchObject({
      kind: 'damaged',
      reason: /do not match its hash/ as never,
    });
  });
});

describe('what killed processes leave', () => {
  it('is removed after an hour, unless the process lives', () => {
    const nowMs = Date.now();
    const names = {
      dead: '999999999-abc',
      live: `${process.pid}-abc`,
      young: '999999998-abc',
      ahead: '999999997-abc',
    };
    mkdirSync(join(root, 'temp'));
    for (const name of Object.values(names)) writeFileSync(join(root, 'temp', name), 'half');
    const old = nowMs / 1000 - 4000;
    utimesSync(join(root, 'temp', names.dead), old, old);
    utimesSync(join(root, 'temp', names.live), old, old);
    utimesSync(join(root, 'temp', names.ahead), old + 90_000, old + 90_000);
    expect(cleanTemp(folderAt(root), nowMs)).toBe(1);
    expect(readdirSync(join(root, 'temp')).sort()).toEqual([names.live, names.young, names.ahead].sort());
  });

  it('out of the way of the spool is served and goes back', async () => {
    const bytes = Buffer.from('taken');
    const sha = shaOf(bytes);
    commit(bytes);
    mkdirSync(join(root, 'taken'));
    renameSync(fileOf(sha), join(root, 'taken', sha));
    const store = spoolStore(root);
    expect(bytesOf(await store.open(sha.slice(0, 12), T0)).equals(bytes)).toBe(true);
    await store.sweep({ nowMs: T0, maxBytes: Infinity });
    expect(readdirSync(join(root, 'taken'))).toEqual([]);
    expect(bytesOf(await store.open(sha, T0)).equals(bytes)).toBe(true);
  });
});

it('compiled code of a month ago goes', () => {
  const folder = folderAt(root);
  mkdirSync(folder.code);
  for (const [name, days] of [
    ['old', 31],
    ['new', 29],
  ] as const) {
    writeFileSync(join(folder.code, name), 'code');
    utimesSync(
      join(folder.code, name),
      new Date(T0 - days * 24 * HOUR_MS),
      new Date(T0 - days * 24 * HOUR_MS),
    );
  }
  cleanCode(folder, T0);
  expect(readdirSync(folder.code)).toEqual(['new']);
});

it('finds known hashes by any prefix', () => {
  const shas = Array.from({ length: 1000 }, (_, n) => shaOf(Buffer.from(`known ${n}`))).sort();
  writeKnown(spool.folder, shas.toReversed());
  for (const sha of shas) expect(knownWithPrefix(spool.folder, sha.slice(0, 12))).toEqual([sha]);
  expect(knownWithPrefix(spool.folder, '0000000')).toEqual([]);
  expect(knownWithPrefix(spool.folder, 'ffffffff')).toEqual([]);
  expect(knownWithPrefix(spool.folder, shas[0]?.slice(0, 1) ?? '')[0]).toBe(shas[0]);
});
