import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { folderAt, makeFolder } from '../../src/store/folder.ts';
import { type GcDone, type GcJob, type GcReport, runGc } from '../../src/store/gc.ts';
import { openHome } from '../../src/store/home.ts';
import { healthOf } from '../../src/store/lmdb-guard.ts';
import { takeLock } from '../../src/store/lock.ts';
import { spoolLoad } from '../../src/store/spool.ts';
import { spoolStore } from '../../src/store/spool-store.ts';
import { buildChild, run, start } from './children.ts';
import { bytesOf, DAY_MS, HOUR_MS, logText, noise, put, shaOf, T0, tempFolder } from './support.ts';

let child: string;
beforeAll(async () => {
  child = await buildChild(tempFolder());
});
let root: string;
beforeEach(() => {
  root = join(tempFolder(), 'store');
});

async function gc(job: Partial<GcJob> = {}): Promise<GcDone> {
  const report: GcReport = await runGc({ root, nowMs: T0, ...job });
  if (report.kind !== 'done') throw new Error(`not done but ${report.kind}`);
  expect(report.trouble).toBeUndefined();
  expect(healthOf(folderAt(root)).kind).toBe('sound');
  return report;
}

describe('gc', () => {
  it('moves originals from the spool into LMDB, where readers find them', async () => {
    const texts = [Buffer.alloc(0), Buffer.from('small'), logText(200_000), noise(20_000_000)];
    const viewSha = shaOf(Buffer.from('view'));
    for (const text of texts)
      await put(spoolStore(root), text, { view: { viewSha, policy: 'p' }, facts: { command: 'x' } });
    expect(await gc()).toMatchObject({ imported: 4, damaged: 0, expired: 0 });
    expect(spoolLoad(root).files).toBe(0);
    const home = openHome(root, runGc);
    for (const text of texts) {
      const lookup = await home.open(shaOf(text).slice(0, 12), T0);
      expect(lookup).toMatchObject({
        kind: 'found',
        entry: { where: 'lmdb', size: text.length, expiresMs: T0 + 7 * DAY_MS, facts: { command: 'x' } },
      });
      expect(bytesOf(lookup).equals(text)).toBe(true);
    }
    expect(await home.view(viewSha)).toEqual({ sha: shaOf(texts.at(-1) ?? Buffer.alloc(0)), policy: 'p' });
    expect(await home.stats()).toMatchObject({
      originals: 4,
      originalBytes: texts.reduce((sum, text) => sum + text.length, 0),
    });
    await home.close();
    expect(await gc()).toMatchObject({ imported: 0 });
  });

  it('keeps the later expiry of spool and LMDB, and the later facts', async () => {
    const text = Buffer.from('again');
    await put(spoolStore(root), text, { ttlMs: 3 * HOUR_MS, facts: { command: 'first' } });
    await gc();
    await put(spoolStore(root), text, { nowMs: T0 + 1000, ttlMs: HOUR_MS, facts: { command: 'second' } });
    const home = openHome(root, runGc);
    // The copy in the spool is over, the one in LMDB is not.
    expect(await home.open(shaOf(text), T0 + 2 * HOUR_MS)).toMatchObject({
      kind: 'found',
      entry: { where: 'lmdb' },
    });
    await home.close();
    await gc({ nowMs: T0 + 2000 });
    const lookup = await home.open(shaOf(text), T0 + 2000);
    expect(lookup).toMatchObject({
      entry: { where: 'lmdb', expiresMs: T0 + 3 * HOUR_MS, facts: { command: 'second' } },
    });
    await home.close();
  });

  it('sweeps both, by time and by the cap over both', async () => {
    await put(spoolStore(root), Buffer.from('over soon'), { ttlMs: 1000 });
    for (let n = 0; n < 6; n += 1) await put(spoolStore(root), noise(100_000, n), { nowMs: T0 + n });
    await gc();
    const report = await gc({ nowMs: T0 + 2 * HOUR_MS, maxBytes: 350_000 });
    expect(report).toMatchObject({ expired: 1, evicted: 3 });
    expect(report.storedBytes).toBeLessThanOrEqual(350_000);
    const home = openHome(root, runGc);
    const kinds = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (n) => (await home.open(shaOf(noise(100_000, n)), T0 + 2 * HOUR_MS)).kind),
    );
    expect(kinds).toEqual(['expired', 'expired', 'expired', 'found', 'found', 'found']);
    await home.close();
  });

  it('counts a read as a use', async () => {
    for (let n = 0; n < 4; n += 1) await put(spoolStore(root), noise(100_000, n), { nowMs: T0 + n });
    await gc();
    const home = openHome(root, runGc);
    bytesOf(await home.open(shaOf(noise(100_000, 0)), T0 + HOUR_MS));
    await home.close();
    await gc({ nowMs: T0 + 3 * HOUR_MS, maxBytes: 250_000 });
    const at = T0 + 3 * HOUR_MS;
    const kinds = await Promise.all(
      [0, 1, 2, 3].map(async (n) => (await home.open(shaOf(noise(100_000, n)), at)).kind),
    );
    expect(kinds).toEqual(['found', 'expired', 'expired', 'found']);
    await home.close();
  });

  it('says when the cap cannot be met, until it can', async () => {
    await put(spoolStore(root), noise(300_000));
    await gc({ nowMs: T0 + 1000, maxBytes: 100_000 });
    expect(Number(await import('node:fs').then((fs) => fs.readFileSync(join(root, 'full'), 'utf8')))).toBe(
      T0 + HOUR_MS,
    );
    await gc({ nowMs: T0 + HOUR_MS, maxBytes: 100_000 });
    expect(readdirSync(root)).not.toContain('full');
  });

  it('imports a good copy over a damaged one, and a damaged one over nothing', async () => {
    const { writeFileSync, readFileSync } = await import('node:fs');
    const text = logText(300_000);
    const sha = await put(spoolStore(root), text);
    const path = join(root, 'spool', sha);
    const good = readFileSync(path);
    const bad = Buffer.from(good);
    bad[1000] = (bad[1000] ?? 0) ^ 1;
    writeFileSync(path, bad, { mode: 0o600 });
    expect(await gc()).toMatchObject({ imported: 0, damaged: 1 });
    expect((await spoolStore(root).open(sha, T0)).kind).toBe('damaged');
    writeFileSync(path, good);
    expect(await gc()).toMatchObject({ imported: 1, damaged: 0 });
    // LMDB has a good copy, so the damaged one in the spool can go.
    writeFileSync(path, bad, { mode: 0o600 });
    expect(await gc()).toMatchObject({ imported: 1, damaged: 0 });
    const home = openHome(root, runGc);
    expect(bytesOf(await home.open(sha, T0)).equals(text)).toBe(true);
    await home.close();
  });

  it('forgets what is in either, for good', async () => {
    const viewSha = shaOf(Buffer.from('v'));
    const shas = [await put(spoolStore(root), Buffer.from('in lmdb'), { view: { viewSha, policy: 'p' } })];
    await gc();
    shas.push(await put(spoolStore(root), Buffer.from('in the spool')));
    const home = openHome(root, runGc);
    expect(await home.forget(shas, T0)).toBe(2);
    for (const sha of shas) expect(await home.open(sha, T0)).toEqual({ kind: 'unknown' });
    expect(await home.view(viewSha)).toBeUndefined();
    expect(await home.list()).toEqual([]);
    await home.close();
  });

  it('can take a backlog of thousands', async () => {
    await run(child, 'commit', { root, nowMs: T0, count: 1500, size: 300 });
    const started = performance.now();
    expect(await gc()).toMatchObject({ imported: 1500 });
    // A transaction each: on a busy disk each takes more than 10 ms.
    expect(performance.now() - started).toBeLessThan(100_000);
    expect(statSync(join(root, 'lmdb', 'data.mdb')).size).toBeLessThan(20_000_000);
  }, 120_000);

  it('needs no store', async () => {
    expect(await runGc({ root, nowMs: T0 })).toEqual({ kind: 'none' });
  });
});

describe('the maintenance lock', () => {
  it('is held by one at a time', async () => {
    const folder = makeFolder(root);
    const first = takeLock(folder, Date.now());
    expect(first.kind).toBe('held');
    expect(takeLock(folder, Date.now())).toMatchObject({ kind: 'busy', pid: process.pid });
    expect(await runGc({ root, nowMs: Date.now() })).toMatchObject({ kind: 'busy' });
    if (first.kind === 'held') first.release();
    const again = takeLock(folder, Date.now());
    expect(again.kind).toBe('held');
    if (again.kind === 'held') again.release();
  });

  it('is never held by two of six processes, some of which are killed with it', async () => {
    makeFolder(root);
    const steady = Array.from({ length: 4 }, () =>
      start(child, 'locks', { root, nowMs: Date.now(), rounds: 60 }),
    );
    for (let n = 0; n < 6; n += 1) {
      const doomed = start(child, 'locks', { root: `${root}`, nowMs: Date.now(), rounds: 1 });
      setTimeout(() => doomed.process.kill('SIGKILL'), 50 + n * 7);
      await doomed.ended;
    }
    const ends = await Promise.all(steady.map((each) => each.ended));
    const said = ends.flatMap(({ lines }) => lines);
    expect(said.filter((line) => line.startsWith('violation'))).toEqual([]);
    expect(said.filter((line) => line.startsWith('held'))).toHaveLength(4);
    expect(
      readdirSync(join(root, 'locks')).filter((name) => Number.parseInt(name, 10) > 0).length,
    ).toBeLessThanOrEqual(1);
  });
});

describe('eight processes at once', () => {
  it('lose nothing while gc runs', async () => {
    makeFolder(root);
    const writers = Array.from({ length: 8 }, (_, n) =>
      start(child, 'commit', { root, nowMs: T0, count: 60, size: n === 0 ? 400_000 : 3000, seed: `w${n}` }),
    );
    const same = ['p1', 'p2'].map((policy) =>
      start(child, 'commit', { root, nowMs: T0, count: 40, same: true, policy }),
    );
    const cleaners = [1, 2].map(() => start(child, 'gc', { root, nowMs: T0, rounds: 25, maxBytes: 1e9 }));
    const ends = await Promise.all([...writers, ...same].map((each) => each.ended));
    for (const { code, errors } of ends) expect([code, errors]).toEqual([0, '']);
    for (const cleaner of cleaners) expect((await cleaner.ended).errors).toBe('');
    const committed = ends.flatMap(({ lines }) => lines.map((line) => line.split(' ')));
    expect(committed).toHaveLength(8 * 60 + 2 * 40);
    const check = async (): Promise<void> => {
      const home = openHome(root, runGc);
      for (const [sha = '', viewSha = ''] of committed) {
        const lookup = await home.open(sha, T0);
        expect([sha, lookup.kind]).toEqual([sha, 'found']);
        expect(shaOf(bytesOf(lookup))).toBe(sha);
        expect((await home.view(viewSha))?.sha).toBe(sha);
      }
      await home.close();
    };
    await check();
    await gc();
    expect(spoolLoad(root).files).toBe(0);
    await check();
  });
});
