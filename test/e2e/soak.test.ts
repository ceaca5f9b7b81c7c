/** A short soak: the daemon under mixed load and through all scenes of faults; `npm run soak` is the long one. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from '../support-e2e/command.ts';
import { daemonBox } from '../support-e2e/daemon.ts';

const bench = join(import.meta.dirname, '..', '..', 'bench');

interface Soaked {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

/** Runs a soak with its homes in the folder of this test. */
function soak(...flags: string[]): Promise<Soaked & { readonly left: string[] }> {
  const { root, env } = sandbox();
  const temporary = join(root, 't');
  mkdirSync(temporary);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(bench, 'soak.mjs'), '--quick', ...flags],
      { env: { ...env, TMPDIR: temporary } },
      (error, out, err) => resolve({ code: error?.code ?? 0, out, err, left: readdirSync(temporary) }),
    );
  });
}

it('keeps all promises under load and through faults, and leaves nothing behind', async () => {
  const { code, out, err, left } = await soak('--requests', '300');
  expect([code, err]).toEqual([0, '']);
  const [, printed, whole] = /(\d+) hashes printed, (\d+) came back whole/.exec(out) ?? [];
  expect(Number(printed)).toBeGreaterThan(10);
  expect(whole).toBe(printed);
  for (const scene of [
    'kill -9',
    'SIGSTOP',
    'disk is full',
    'vanish',
    'slow readers',
    'garbage',
    'eight start',
  ])
    expect(out).toMatch(new RegExp(`^\\| .*${scene}`, 'm'));
  expect(out.trimEnd().endsWith('All promises kept.')).toBe(true);
  expect(left).toEqual([]);
}, 240_000);

/** What of `bench/soak` is used here. */
interface Judges {
  readonly Ledger: new () => {
    readonly faults: string[];
    pick(size: string, next: (n: number) => number, rarity: number): { readonly body: Buffer };
    answered(input: object, answer: object, isUsual: boolean): void;
  };
  expandAll(box: object, ledger: object): Promise<number>;
}

it('tells of originals that are lost, of views that change and of inputs that come back otherwise', async () => {
  const { Ledger, expandAll } = (await import(join(bench, 'soak', 'ledger.mjs'))) as Judges;
  const box = daemonBox();
  await box.start();
  const ledger = new Ledger();
  const input = ledger.pick('10 KB', () => 0, 1);
  const answer = await box.ask('/v1/compress', { body: input.body });
  ledger.answered(input, answer, true);
  expect([await expandAll(box, ledger), ledger.faults]).toEqual([1, []]);
  ledger.answered(input, { ...answer, body: Buffer.concat([answer.body, answer.body]) }, true);
  const changed = { headers: { 'x-ctxzip-kind': 'passthrough' }, body: input.body.subarray(1) };
  ledger.answered(input, changed, true);
  for (const name of box.spooled()) rmSync(join(box.store, 'spool', name));
  expect(await expandAll(box, ledger)).toBe(0);
  expect(ledger.faults).toEqual([
    expect.stringContaining('another view than before'),
    expect.stringContaining('a passthrough that is not the input'),
    expect.stringMatching(/^LOST: [0-9a-f]{12} answers 404/),
  ]);
});
