/** Large originals in bounded memory. The 1 GB one takes half a minute: `CTXZIP_TEST_1GB=1`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { spoolLoad } from '../../src/store/spool.ts';
import type { Verb } from './child.ts';
import { buildChild, run } from './children.ts';
import { T0, tempFolder } from './support.ts';

let child: string;
beforeAll(async () => {
  child = await buildChild(tempFolder());
});

interface Step {
  readonly rssMb: number;
  readonly seconds: number;
  readonly said: Record<string, unknown>;
}

async function step(verb: Verb, job: object): Promise<Step> {
  const startMs = performance.now();
  const lines = await run(child, verb, { nowMs: T0, rss: true, ...job });
  const { rssMb } = JSON.parse(lines.at(-1) ?? '{}') as { rssMb: number };
  return {
    rssMb,
    seconds: (performance.now() - startMs) / 1000,
    said: JSON.parse(lines[0] ?? '{}') as Record<string, unknown>,
  };
}

interface Ranges {
  readonly read: ReadonlyArray<{ readonly found: string; readonly ms: number }>;
  readonly atLine: { readonly found: string; readonly ms: number };
}

async function throughTheStore(mib: number, mostMb: number): Promise<void> {
  const root = join(tempFolder(), 'store');
  const report: string[] = [];
  const note = (what: string, { rssMb, seconds }: Step): void => {
    report.push(`${what} ${seconds.toFixed(2)} s ${rssMb} MB`);
    expect([what, rssMb]).toEqual([what, Math.min(rssMb, mostMb)]);
  };
  const committed = await step('big', { root, mib });
  note('commit', committed);
  const { sha, size, lines } = committed.said as { sha: string; size: number; lines: number };
  expect(size).toBeGreaterThanOrEqual(mib * 1_048_576);
  const readAll = async (what: string, where: string): Promise<void> => {
    const all = await step('read', { root, shas: [sha] });
    expect(all.said).toEqual({ kind: 'found', hash: sha, where });
    note(`all of it from ${what}`, all);
    const middle = Math.floor(size / 2);
    const job = {
      root,
      sha,
      ranges: [
        [0, 100],
        [middle, middle + 200_000],
        [size - 100, size],
      ],
      line: lines - 5,
    };
    const ranges = await step('ranges', job);
    const { read, atLine } = ranges.said as unknown as Ranges;
    expect(read.map(({ found }) => found.length)).toEqual([100, 200_000, 100]);
    expect(atLine.found).toMatch(new RegExp(`handled request ${lines - 6} in `));
    note(`ranges from ${what} (${read.map(({ ms }) => ms).join(', ')} ms, a line ${atLine.ms} ms)`, ranges);
  };
  await readAll('the spool', 'spool');
  const imported = await step('gc', { root });
  expect(imported.said).toMatchObject({ kind: 'done', imported: 1 });
  note('import', imported);
  expect(spoolLoad(root).files).toBe(0);
  await readAll('LMDB', 'lmdb');
  const swept = await step('gc', { root, nowMs: T0 + 8 * 86_400_000 });
  expect(swept.said).toMatchObject({ expired: 1 });
  note('sweep', swept);
  const { size: fileBytes } = statSync(join(root, 'lmdb', 'data.mdb'));
  process.stderr.write(`${mib} MiB: ${report.join('; ')}; data.mdb ${Math.round(fileBytes / 1e6)} MB\n`);
}

it('64 MiB in and out', () => throughTheStore(64, 220));

it.skipIf(process.env['CTXZIP_TEST_1GB'] === undefined)(
  '1 GB in and out',
  () => throughTheStore(1024, 300),
  300_000,
);
