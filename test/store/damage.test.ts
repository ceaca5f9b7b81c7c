/** What is not as it should be: the LMDB file, the addon, the disk, a stopped process. The pipe goes on in each case. */
import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderAt } from '../../src/store/folder.ts';
import { type GcReport, runGc } from '../../src/store/gc.ts';
import { healthOf, listAside, refuseUnfit } from '../../src/store/lmdb-guard.ts';
import { openSpool } from '../../src/store/spool.ts';
import { spoolStore } from '../../src/store/spool-store.ts';
import { buildChild, type Ended, run, runJson, start, wait } from './children.ts';
import { canMount, withDisk } from './disk.ts';
import { bytesOf, HOUR_MS, logText, noise, put, seeded, shaOf, T0, tempFolder } from './support.ts';

interface Answer {
  readonly kind?: string;
  readonly hash?: string;
  readonly reason?: string;
  readonly name?: string;
  readonly message?: string;
  readonly trouble?: string | null;
}

let child: string;
/** A store with originals in LMDB, which every test copies. */
let model: string;
const inLmdb = [
  logText(300_000),
  noise(200_000),
  Buffer.from('small one'),
  Buffer.from('small two'),
  noise(70_000, 2),
];
const spooled = Buffer.from('waits in the spool');

beforeAll(async () => {
  child = await buildChild(tempFolder());
  model = join(tempFolder(), 'store');
  for (const bytes of inLmdb) await put(spoolStore(model), bytes);
  expect(await runGc({ root: model, nowMs: T0 })).toMatchObject({ imported: inLmdb.length });
  await put(spoolStore(model), spooled);
});

function copyOfModel(): string {
  const root = join(tempFolder(), 'store');
  cpSync(model, root, { recursive: true });
  return root;
}

const dataFile = (root: string): string => join(root, 'lmdb', 'data.mdb');

async function read(
  root: string,
  bytes: readonly Buffer[],
  by = child,
): Promise<{ answers: Answer[]; trouble: Answer; ended: Ended }> {
  const ended = await start(by, 'read', { root, nowMs: T0, shas: bytes.map(shaOf) }).ended;
  const answers = ended.lines.map((line) => JSON.parse(line) as Answer);
  return { answers: answers.slice(0, -1), trouble: answers.at(-1) ?? {}, ended };
}

/** The pipe: a commit in a process of its own, in less than a second. */
async function expectCommit(root: string, by = child): Promise<void> {
  const startMs = performance.now();
  const [line = ''] = await run(by, 'commit', { root, nowMs: T0, seed: String(startMs) });
  expect(line).toMatch(/^[0-9a-f]{64} /);
  expect(performance.now() - startMs).toBeLessThan(1000);
}

const sizeOf = (root: string): number => statSync(dataFile(root)).size;
const overwrite = (root: string, bytes: Buffer, at = 0): void => {
  const file = readFileSync(dataFile(root));
  bytes.copy(file, at);
  writeFileSync(dataFile(root), file);
};

describe('a damaged LMDB file', () => {
  it.each<readonly [string, (root: string) => void]>([
    ['cut to one byte', (root) => truncateSync(dataFile(root), 1)],
    ['cut to two pages', (root) => truncateSync(dataFile(root), 8192)],
    ['cut to a tenth', (root) => truncateSync(dataFile(root), Math.floor((sizeOf(root) - 1_100_000) / 10))],
    ['cut to a half', (root) => truncateSync(dataFile(root), Math.floor((sizeOf(root) - 1_100_000) / 2))],
    ['text', (root) => writeFileSync(dataFile(root), 'not a database\n'.repeat(1000))],
    ['random bytes', (root) => writeFileSync(dataFile(root), noise(100_000))],
    ['zeros', (root) => writeFileSync(dataFile(root), Buffer.alloc(sizeOf(root)))],
    ['without its first page', (root) => overwrite(root, Buffer.alloc(4096))],
    ['with its middle zeroed', (root) => overwrite(root, Buffer.alloc(600_000), 8192)],
    ['with its middle full of ones', (root) => overwrite(root, Buffer.alloc(600_000, 255), 8192)],
  ])('%s: the spool serves, the reason is told, gc starts afresh', async (_, damage) => {
    const root = copyOfModel();
    damage(root);
    const { answers, trouble, ended } = await read(root, [spooled, ...inLmdb]);
    expect([ended.code, ended.signal]).toEqual([0, null]);
    expect(answers[0]).toMatchObject({ kind: 'found', hash: shaOf(spooled) });
    for (const [n, answer] of answers.slice(1).entries()) {
      expect(['damaged', 'found', 'threw']).toContain(answer.kind);
      if (answer.kind === 'found') expect(answer.hash).toBe(shaOf(inLmdb[n] ?? Buffer.alloc(0)));
    }
    expect(trouble.trouble === 'damaged' || answers.some(({ kind }) => kind !== 'found')).toBe(true);
    await expectCommit(root);
    const report = await runJson<GcReport>(child, 'watch', { root, nowMs: T0, silenceMs: 5000 });
    expect(report).toMatchObject({ kind: 'done', imported: 2, damaged: 0 });
    expect(report).not.toHaveProperty('trouble');
    expect(listAside(folderAt(root))).toHaveLength(1);
    const after = await read(root, [spooled, ...inLmdb]);
    expect(after.answers[0]).toMatchObject({ kind: 'found', hash: shaOf(spooled), where: 'lmdb' });
    expect(after.answers[1]).toMatchObject({
      kind: 'damaged',
      reason: expect.stringContaining('lmdb.corrupt-') as never,
    });
    expect(after.trouble.trouble).toBeNull();
  });

  it.each<readonly [string, (root: string) => void]>([
    ['without its second meta page', (root) => overwrite(root, Buffer.alloc(4096), 4096)],
    ['with a lock file of garbage', (root) => writeFileSync(join(root, 'lmdb', 'lock.mdb'), noise(9000))],
    ['with an empty lock file', (root) => writeFileSync(join(root, 'lmdb', 'lock.mdb'), '')],
    ['without a lock file', (root) => rmSync(join(root, 'lmdb', 'lock.mdb'))],
  ])('%s is used as it is', async (_, damage) => {
    const root = copyOfModel();
    damage(root);
    const { answers } = await read(root, inLmdb);
    // The older meta page may not know the last transaction.
    for (const answer of answers) expect(['found', 'unknown']).toContain(answer.kind);
    await expectCommit(root);
    expect(await runJson(child, 'watch', { root, nowMs: T0, silenceMs: 5000 })).toMatchObject({
      kind: 'done',
      imported: 2,
    });
    expect(listAside(folderAt(root))).toEqual([]);
  });

  it.each([
    ['stillborn', { imported: 0, trouble: { trouble: 'failed' } }],
    ['doomed', { imported: 1 }],
    ['crashing', { imported: 0, trouble: { trouble: 'failed' } }],
  ])('is left where it is when it is sound, whatever crashes: %s', async (worker, expected) => {
    const root = copyOfModel();
    expect(await runJson(child, 'watch', { root, nowMs: T0, worker })).toMatchObject(expected);
    expect(listAside(folderAt(root))).toEqual([]);
    for (const answer of (await read(root, [spooled, ...inLmdb])).answers)
      expect(answer).toMatchObject({ kind: 'found' });
  });

  it('that is empty is a new one', async () => {
    const root = copyOfModel();
    writeFileSync(dataFile(root), '');
    expect((await read(root, [spooled])).answers[0]).toMatchObject({ kind: 'found' });
    expect(await runJson(child, 'watch', { root, nowMs: T0 })).toMatchObject({ kind: 'done', imported: 1 });
  });

  it('with a flipped byte in a value: that original is damaged, the others are served', async () => {
    const root = copyOfModel();
    const file = readFileSync(dataFile(root));
    // Noise is stored as it is, so it can be found.
    const at = file.indexOf((inLmdb[1] ?? Buffer.alloc(0)).subarray(100_000, 100_064));
    expect(at).toBeGreaterThan(0);
    for (const offset of [at, at + 30_000]) {
      const bad = Buffer.from(file);
      bad[offset] = (bad[offset] ?? 0) ^ 16;
      writeFileSync(dataFile(root), bad);
      const { answers } = await read(root, inLmdb);
      expect(answers.map(({ kind }) => kind)).toEqual(['found', 'threw', 'found', 'found', 'found']);
      expect(answers[1]).toMatchObject({ name: 'DamagedError' });
    }
    // The same original committed again heals it.
    await put(spoolStore(root), inLmdb[1] ?? Buffer.alloc(0));
    expect(await runJson(child, 'gc', { root, nowMs: T0 })).toMatchObject({ kind: 'done', imported: 2 });
    const { answers } = await read(root, inLmdb);
    expect(answers.map(({ kind }) => kind)).toEqual(['found', 'found', 'found', 'found', 'found']);
  });

  it('with a flipped bit anywhere never gives a wrong byte', async () => {
    const root = copyOfModel();
    const good = readFileSync(dataFile(root));
    const used = good.length - 1_048_576;
    const random = seeded(21);
    const seen: Record<string, number> = {};
    for (let round = 0; round < 50; round += 1) {
      const bad = Buffer.from(good);
      const at = round < 25 ? Math.floor(random() * used) : Math.floor(random() * 65_536);
      bad[at] = (bad[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(dataFile(root), bad);
      const { answers, ended } = await read(root, inLmdb);
      const ending = ended.signal ?? (ended.code === 0 ? 'ran' : 'failed');
      seen[ending] = (seen[ending] ?? 0) + 1;
      for (const { hash, kind, name } of answers) {
        seen[kind ?? ''] = (seen[kind ?? ''] ?? 0) + 1;
        if (kind === 'found') expect(inLmdb.map(shaOf)).toContain(hash);
        if (kind === 'threw') expect(['DamagedError', 'StoreUnavailable']).toContain(name);
      }
    }
    expect(seen['ran']).toBeGreaterThan(40);
    process.stderr.write(`flipped bits: ${JSON.stringify(seen)}\n`);
  });
});

it.each([
  ['NFS', 0x6969, 'network'],
  ['SMB', 0xfe534d42 | 0, 'network'],
  ['ext4 with 1 MB of room', 0xef53, 'space'],
])('LMDB refuses %s', (_, type, trouble) => {
  const disk = { type, bavail: 250, bsize: 4096 };
  expect(() => refuseUnfit(folderAt(model), 1000, disk)).toThrow(expect.objectContaining({ trouble }));
  expect(() => refuseUnfit(folderAt(model), 1000, { ...disk, type: 0xef53, bavail: 1e6 })).not.toThrow();
});

/** A store whose locks do nothing for so many milliseconds. */
async function withUseless(ms: number, work: (root: string) => Promise<void>): Promise<void> {
  const root = copyOfModel();
  const holder = start(child, 'useless', { root, ms });
  while (holder.lines.length === 0) await wait(5);
  expect(holder.lines).toEqual(['removed 3']);
  await work(root);
  await holder.ended;
}

describe.skipIf(process.platform !== 'linux')('locks that another process made useless', () => {
  it('are waited for by readers, all at once', async () => {
    await withUseless(250, async (root) => {
      const all = await Promise.all(Array.from({ length: 4 }, () => read(root, inLmdb)));
      for (const { answers } of all) expect(answers.map(({ kind }) => kind)).toEqual(Array(5).fill('found'));
    });
  });

  it('are waited for by gc', async () => {
    await withUseless(250, async (root) => {
      expect(await runJson(child, 'watch', { root, nowMs: T0 })).toMatchObject({ kind: 'done', imported: 1 });
      expect(listAside(folderAt(root))).toEqual([]);
    });
  });

  it('that stay so are told, and are no damage', async () => {
    await withUseless(2500, async (root) => {
      const { answers } = await read(root, [spooled, ...inLmdb]);
      expect(answers.map(({ kind }) => kind)).toEqual(['found', ...Array<string>(5).fill('threw')]);
      expect(answers[1]).toMatchObject({ name: 'StoreUnavailable' });
      expect(await runJson(child, 'watch', { root, nowMs: T0 })).toMatchObject({
        imported: 0,
        trouble: { trouble: 'busy' },
      });
      expect(listAside(folderAt(root))).toEqual([]);
    });
  });
});

describe('without the addon', () => {
  it('the spool alone serves, and says why', async () => {
    const bare = await buildChild(tempFolder(), 'without addon');
    const root = copyOfModel();
    await expectCommit(root, bare);
    const { answers, trouble } = await read(root, [spooled, inLmdb[0] ?? Buffer.alloc(0)], bare);
    expect(answers).toMatchObject([
      { kind: 'found' },
      { kind: 'threw', message: expect.stringContaining("can't be loaded") as never },
    ]);
    expect(trouble.trouble).toBe('addon');
    const report = await runJson<GcReport>(bare, 'watch', { root, nowMs: T0 + 30 * 24 * HOUR_MS });
    expect(report).toMatchObject({ kind: 'done', imported: 0, expired: 2, trouble: { trouble: 'addon' } });
    expect((await read(root, inLmdb.slice(0, 1))).answers).toMatchObject([{ kind: 'found' }]);
  });
});

describe('a process stopped inside a write transaction', () => {
  it('holds up neither the pipe nor readers, and gc gives up', async () => {
    const root = copyOfModel();
    const holder = start(child, 'hold', { root });
    while (!holder.lines.includes('holding')) await wait(5);
    await wait(50);
    await expectCommit(root);
    const { answers, trouble } = await read(root, [spooled, ...inLmdb]);
    expect(answers.map(({ kind }) => kind)).toEqual(Array(6).fill('found'));
    expect(trouble.trouble).toBeNull();
    const startMs = performance.now();
    const report = await runJson<GcReport>(child, 'watch', { root, nowMs: T0, silenceMs: 1200 });
    expect(report).toMatchObject({ kind: 'done', imported: 0, trouble: { trouble: 'busy' } });
    expect(performance.now() - startMs).toBeLessThan(4000);
    holder.process.kill('SIGCONT');
    await holder.ended;
    expect(await runJson(child, 'watch', { root, nowMs: T0 })).toMatchObject({ kind: 'done', imported: 2 });
  });

  it('does not hold up gc once it is killed', async () => {
    const root = copyOfModel();
    const holder = start(child, 'hold', { root });
    while (!holder.lines.includes('holding')) await wait(5);
    holder.process.kill('SIGKILL');
    await holder.ended;
    expect(await runJson(child, 'watch', { root, nowMs: T0 })).toMatchObject({ kind: 'done', imported: 1 });
  });
});

describe.skipIf(!canMount)('a full disk', () => {
  it('is reported by the commit, and what came in can still be passed on', () => {
    withDisk('6m', (disk) => {
      const root = join(disk.path, 'store');
      const first = openSpool(root).begin();
      first.write(noise(1_000_000));
      expect(first.commit({ facts: { createdMs: T0 }, ttlMs: HOUR_MS, nowMs: T0 })).toMatchObject({
        kind: 'stored',
      });
      first.close();
      const writer = openSpool(root).begin();
      const piece = noise(700_000, 5);
      const write = (): void => {
        for (;;) writer.write(piece);
      };
      expect(write).toThrow(expect.objectContaining({ name: 'StoreUnavailable', trouble: 'space' }));
      expect(writer.size % piece.length).toBe(0);
      expect(Buffer.from(writer.read(0, piece.length)).equals(piece)).toBe(true);
      writer.close();
      const again = openSpool(root).begin();
      again.write(Buffer.from('fits again'));
      expect(again.commit({ facts: { createdMs: T0 }, ttlMs: HOUR_MS, nowMs: T0 })).toMatchObject({
        kind: 'stored',
      });
      again.close();
    });
  });

  it('too small for LMDB leaves all in the spool', async () => {
    await withDisk('8m', async (disk) => {
      const root = join(disk.path, 'store');
      const sha = await put(spoolStore(root), spooled);
      const report = await runJson<GcReport>(child, 'watch', { root, nowMs: T0 });
      expect(report).toMatchObject({ kind: 'done', imported: 0, trouble: { trouble: 'space' } });
      expect(existsSync(dataFile(root))).toBe(false);
      expect(bytesOf(await spoolStore(root).open(sha, T0)).equals(spooled)).toBe(true);
    });
  });

  it('in the middle of an import loses nothing, and the next gc goes on', async () => {
    await withDisk('42m', async (disk) => {
      const root = join(disk.path, 'store');
      const small = await put(spoolStore(root), logText(100_000));
      await run(child, 'gc', { root, nowMs: T0 });
      const large = await put(spoolStore(root), noise(22_000_000));
      const report = await runJson<GcReport>(child, 'watch', { root, nowMs: T0 });
      expect(report).toMatchObject({ kind: 'done', imported: 0, trouble: { trouble: 'space' } });
      const answers = await read(root, [logText(100_000), noise(22_000_000)]);
      expect(answers.answers).toMatchObject([
        { hash: small, where: 'lmdb' },
        { hash: large, where: 'spool' },
      ]);
      disk.remount('size=120m');
      expect(await runJson(child, 'watch', { root, nowMs: T0 })).toMatchObject({ kind: 'done', imported: 1 });
      expect(healthOf(folderAt(root)).kind).toBe('sound');
      expect((await read(root, [noise(22_000_000)])).answers).toMatchObject([{ hash: large, where: 'lmdb' }]);
    });
  });
});
