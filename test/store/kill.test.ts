/** `kill -9` at random moments, the same ones in every run: nothing whose commit has returned is lost. */
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { folderAt } from '../../src/store/folder.ts';
import { runGc } from '../../src/store/gc.ts';
import { openHome } from '../../src/store/home.ts';
import { openLmdb } from '../../src/store/lmdb.ts';
import { healthOf } from '../../src/store/lmdb-guard.ts';
import { spoolLoad } from '../../src/store/spool.ts';
import { spoolStore } from '../../src/store/spool-store.ts';
import { buildChild, run, start, wait } from './children.ts';
import { bytesOf, DAY_MS, HOUR_MS, logText, noise, put, seeded, shaOf, T0, tempFolder } from './support.ts';

let child: string;
beforeAll(async () => {
  child = await buildChild(tempFolder());
});
let root: string;
beforeEach(() => {
  root = join(tempFolder(), 'store');
});

/** Reads originals in a process of its own, as a damaged environment would kill it; throws unless all are there. */
async function expectAll(shas: readonly string[], nowMs = T0): Promise<void> {
  const lines = await run(child, 'read', { root, nowMs, shas });
  const answers = lines.map(
    (line) => JSON.parse(line) as { kind?: string; hash?: string; trouble?: string | null },
  );
  expect(answers.slice(0, -1).map(({ kind, hash }) => hash ?? kind)).toEqual(shas);
  expect(answers.at(-1)).toEqual({ trouble: null });
}

describe('kill -9', () => {
  it('in the middle of commits', async () => {
    const random = seeded(11);
    const committed: string[] = [];
    for (let round = 0; round < 14 || (committed.length <= 100 && round < 60); round += 1) {
      const size = round % 2 === 0 ? 3000 : 2_000_000;
      const writer = start(child, 'commit', { root, nowMs: T0, count: 5000, size, seed: `r${round}` });
      const { length } = writer.lines;
      while (writer.lines.length === length && writer.process.exitCode === null) await wait(2);
      await wait(random() * 60);
      writer.process.kill('SIGKILL');
      committed.push(...(await writer.ended).lines.map((line) => line.slice(0, 64)));
    }
    expect(committed.length).toBeGreaterThan(100);
    for (const sha of committed) {
      const lookup = await spoolStore(root).open(sha, T0);
      expect(shaOf(bytesOf(lookup))).toBe(sha);
    }
    // What was half-written is gone an hour later, and nothing else.
    const half = readdirSync(join(root, 'temp'));
    expect(half.length).toBeGreaterThan(0);
    for (const name of half) utimesSync(join(root, 'temp', name), 1e9, 1e9);
    await runGc({ root, nowMs: T0 });
    expect(readdirSync(join(root, 'temp'))).toEqual([]);
    await expectAll(committed.slice(0, 200));
  });

  it('in the middle of imports and sweeps', async () => {
    const random = seeded(12);
    const spool = spoolStore(root);
    const kept: string[] = [];
    let unfinished = 0;
    for (let round = 0; round < 24; round += 1) {
      for (let n = 0; n < 6; n += 1) kept.push(await put(spool, logText(60_000 * (n + 1), round * 10 + n)));
      // Chunks of more than one transaction, now and then.
      if (round % 6 === 0) kept.push(await put(spool, noise(11_000_000, round)));
      for (let n = 0; n < 8; n += 1)
        await put(spool, logText(30_000, 5000 + round * 10 + n), { ttlMs: HOUR_MS / 2 });
      const nowMs = T0 + (round % 3 === 2 ? HOUR_MS : 0);
      const gc = start(child, 'gc', { root, nowMs, rounds: 1 });
      await wait(45 + random() * 110);
      gc.process.kill('SIGKILL');
      const { code } = await gc.ended;
      if (code !== 0) unfinished += 1;
      expect([round, ['new', 'sound'].includes(healthOf(folderAt(root)).kind)]).toEqual([round, true]);
      if (round % 3 === 0) await expectAll(kept);
    }
    expect(unfinished).toBeGreaterThan(8);
    await expectAll(kept);
    expect(await runGc({ root, nowMs: T0 })).toMatchObject({ kind: 'done', damaged: 0 });
    expect(spoolLoad(root).files).toBe(0);
    await expectAll(kept);
    const home = openHome(root, runGc);
    expect((await home.list()).filter(({ expiresMs }) => expiresMs > T0 + DAY_MS)).toHaveLength(kept.length);
    await home.close();
  });

  it('of a put straight into LMDB leaves chunks that a later sweep removes', async () => {
    mkdirSync(root, { mode: 0o700 });
    const random = seeded(13);
    const committed: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const writer = start(child, 'put', { root, nowMs: T0 + round, size: 20_000_000 });
      while (writer.lines.length === 0) await wait(5);
      await wait(random() * 80);
      writer.process.kill('SIGKILL');
      committed.push(...(await writer.ended).lines);
    }
    await expectAll([...new Set(committed)]);
    const store = openLmdb(root, { nowMs: T0 });
    await store.sweep({ nowMs: T0 + 2 * HOUR_MS, maxBytes: Infinity });
    expect((await store.list()).map(({ sha }) => sha).sort()).toEqual([...new Set(committed)].sort());
    await store.close();
    const raw = open<Buffer, Buffer>({
      path: join(root, 'lmdb'),
      readOnly: true,
      maxDbs: 3,
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    const count = (name: string): number =>
      raw.openDB({ name, encoding: 'binary', keyEncoding: 'binary' }).getCount();
    expect(count('pending')).toBe(0);
    // Each has its chunks and a line index.
    expect(count('chunks')).toBe(new Set(committed).size * (Math.ceil(20_000_000 / 65_472) + 1));
    await raw.close();
  });
});
