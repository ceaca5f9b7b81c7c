import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRuns } from '../../src/app/ledger.ts';
import { compressParams } from '../../src/daemon/params.ts';
import { compressWork } from '../../src/daemon/compress-work.ts';
import { Engine } from '../../src/daemon/engine.ts';
import { wire as readWire } from '../../src/wire.ts';
import { log, pods } from '../support-e2e/inputs.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ctxzip-engine-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function bench(off: readonly string[] = []) {
  const env = { HOME: home, CTXZIP_HOME: join(home, 'state') };
  const own = readWire((folder) => mkdirSync(folder, { recursive: true }));
  const wire = { ...own, env, world: { ...own.world, env, home } };
  const mark = new Int32Array(1);
  const engine = new Engine(wire, mark, 1000);
  engine.off = off;
  const compress = (input: string, params = '') => {
    const read = compressParams(new URLSearchParams(params));
    if (read.kind === 'wrong') throw new Error(read.message);
    return compressWork(engine, { ...read, blocks: [new Uint8Array(Buffer.from(input))], off });
  };
  return { compress, mark };
}

const mixed = JSON.stringify({ stdout: log(400), items: [1, 2, 3] });

it('lets an input through whose strategy is off, with the reason, and no other', async () => {
  const { compress } = bench(['log']);
  for (const input of [log(600), mixed]) {
    const { reply, stored, uses } = await compress(input);
    expect(Buffer.from(reply.body).toString()).toBe(input);
    expect(reply.headers).toMatchObject({
      'x-ctxzip-kind': 'passthrough',
      'x-ctxzip-reason': 'strategy log is off for some minutes: it took too long',
    });
    expect(stored).toEqual([]);
    expect(uses.some(({ name }) => name === 'log')).toBe(false);
  }
  expect((await compress(pods())).reply.headers).toMatchObject({ 'x-ctxzip-kind': 'view' });
  const reasons = readRuns(join(home, 'state')).map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason?.includes('is off'))).toHaveLength(2);
});

it('measures each strategy without those that it calls, and notes what it is at', async () => {
  const { compress, mark } = bench();
  const { uses, stored, views } = await compress(mixed);
  expect(uses.map(({ name }) => name).sort()).toEqual(['envelope', 'log']);
  for (const { ms } of uses) expect(ms).toBeGreaterThanOrEqual(0);
  expect(mark[0]).toBeGreaterThan(0);
  expect(stored).toEqual([{ folder: join(home, 'state'), cwd: '', bytes: Buffer.byteLength(mixed) }]);
  expect(views).toMatchObject([{ kind: 'view' }]);
});

it('is spent by a large input, which comes back whole where nothing is to be done', async () => {
  const { compress } = bench();
  const large = 'x'.repeat((8 << 20) + 1);
  const { reply, isSpent } = await compress(large, 'level=none');
  expect(isSpent).toBe(true);
  expect(Buffer.from(reply.body).equals(Buffer.from(large))).toBe(true);
  expect((await compress('small')).isSpent).toBe(false);
});
