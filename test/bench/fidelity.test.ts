/** docs/benchmarks.md shows what the scripts measure: a part of it is measured again. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../support/fixtures.ts';

const doc = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8');
const bench = async (script: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [join(ROOT, 'bench', script), ...args])).stdout;

/** The tables of a text, as rows of cells; the first row is the head. */
function tablesOf(text: string): string[][][] {
  return [...text.matchAll(/(?:^\|.*\|\n?)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .map((line) => line.slice(2, -2).split(' | '))
      .filter((_, i) => i !== 1),
  );
}

function shown(name: string): string[][][] {
  const from = doc.indexOf(`<!-- ${name} -->`);
  const to = doc.indexOf(`<!-- /${name} -->`);
  expect(from).toBeGreaterThan(0);
  return tablesOf(doc.slice(from, to));
}

const number = (cell: string): number => Number(cell.replace(/[ ,%]/g, ''));

it('shows the fidelity that is measured', { timeout: 240_000 }, async () => {
  const measured = tablesOf(
    await bench(
      'fidelity/run.mjs',
      '--sizes',
      '100',
      '--seeds',
      '4',
      '--shapes',
      'kubectl get,JSON array,line log,diff',
    ),
  );
  const documented = shown('fidelity');
  expect(measured.map(([head]) => head)).toEqual(documented.map(([head]) => head));
  const [, shapes] = measured;
  const rows = new Map(documented[1]!.map((row) => [row.slice(0, 2).join(' '), row]));
  expect(shapes).toHaveLength(5);
  for (const row of shapes!.slice(1)) {
    const known = rows.get(row.slice(0, 2).join(' '))!;
    row.slice(2, 6).forEach((cell, i) => {
      if (cell === '–') expect(known[i + 2]).toBe('–');
      else expect(number(cell), row.join(' ')).toBeGreaterThanOrEqual(number(known[i + 2]!) - 5);
    });
    for (const i of [8, 9, 10]) {
      expect(number(row[i]!) / number(known[i]!), row.join(' ')).toBeGreaterThan(0.9);
      expect(number(row[i]!) / number(known[i]!), row.join(' ')).toBeLessThan(1.1);
    }
  }
});

it('runs a folder of real outputs, with peers', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctxzip-bench-test-'));
  try {
    const lines = Array.from({ length: 400 }, (_, i) => `2026-05-01T12:00:${i % 60} INFO quay ${i} free`);
    lines[200] = 'ERROR quay 200 flooded';
    lines[201] = 'the lamp keeper left';
    writeFileSync(join(folder, 'quays.log'), `${lines.join('\n')}\n`);
    const facts = { file: 'quays.log', shape: 'log', needles: ['flooded'], hard_needles: ['lamp keeper'] };
    writeFileSync(join(folder, 'index.jsonl'), `${JSON.stringify(facts)}\n`);
    const text = await bench(
      'fidelity/run.mjs',
      '--external',
      folder,
      '--peer',
      'same=cat',
      '--peer',
      'none=grep -v quay',
      '--peer',
      'broken=exit 3',
    );
    const [[head, ...rows]] = tablesOf(text) as [string[][]];
    const column = (name: string): string[] => rows.map((row) => row[head!.indexOf(name)]!);
    expect(head).not.toContain('broken');
    expect(column('ctxzip').slice(0, 2)).toEqual(['100 %', '100 %']);
    expect(column('ctxzip').at(-1)).toBe('yes');
    expect(column('same')).toEqual(['100 %', '100 %', '100 %', 'yes']);
    expect(column('none').slice(0, 2)).toEqual(['0.0 %', '100 %']);
    expect(column('none').at(-1)).toBe('no');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const heads = (tables: string[][][]): unknown => tables.map(([head]) => head);

it('shows the speed in the form of its script', async () => {
  const facts = {
    startup: [{ name: 'node -e 0', ms: 20, ratio: 1 }],
    throughput: ['ctxzip', 'cat', 'grep -c', 'gzip -1', 'sort -u', 'jq -c .'].map((name) => ({
      shape: 'log',
      megabytes: 1000,
      name,
      mbPerSecond: 100,
      ms: 10_000,
      cpu: 10_000,
      peak: 200,
    })),
    store: [{ megabytes: 1000, spool: { range: 1, all: 2 }, imported: 3, lmdb: { range: 1, all: 2 } }],
    missing: [],
  };
  const { speedTables } = (await import('../../bench/speed/report.mjs' as string)) as {
    speedTables: (facts: object) => string;
  };
  expect(heads(shown('speed'))).toEqual(heads(tablesOf(speedTables(facts))));
  expect(shown('speed')[1]!.map((row) => row.slice(0, 2).join(' '))).toContain('log 1,000');
});
