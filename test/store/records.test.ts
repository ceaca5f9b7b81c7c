/** Append-only records: what is written is read, and nothing that is wrong with a folder or a file matters to anybody. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendRecord, dayOf, readRecords, RECORD_BYTES, sweepRecords } from '../../src/store/records.ts';
import { canMount, withDisk } from './disk.ts';
import { tempFolder } from './support.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-05-01T12:00:00Z');
const root = (): string => join(tempFolder(), 'state');

it('names days as the calendar does', () => {
  for (let ms = Date.parse('1999-01-01'); ms < Date.parse('2105-01-01'); ms += 7 * DAY + 3_600_000)
    expect(dayOf(ms)).toBe(new Date(ms).toISOString().slice(0, 10));
});

it('comes back in order, a file a day, private, in a signed folder', () => {
  const state = root();
  for (const [days, n] of [
    [0, 1],
    [0, 2],
    [-1, 0],
    [1, 3],
  ] as const)
    expect(appendRecord(state, 'runs', NOW + days * DAY, { n })).toBe(true);
  expect(readRecords(state, 'runs')).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
  expect(readRecords(state, 'runs', { sinceMs: NOW })).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(readRecords(state, 'runs', { holding: '"n":2' })).toEqual([{ n: 2 }]);
  expect(readRecords(state, 'runs', { holding: 'n' })).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
  expect(readRecords(state, 'runs', { mostBytes: 8 })).toEqual([{ n: 3 }]);
  expect(readRecords(state, 'runs', { mostBytes: 20 })).toEqual([{ n: 2 }, { n: 3 }]);
  expect(readRecords(state, 'expansions')).toEqual([]);
  const files = readdirSync(join(state, 'records')).sort();
  expect(files).toEqual(['runs-2026-04-30', 'runs-2026-05-01', 'runs-2026-05-02']);
  expect(existsSync(join(state, 'ctxzip-store'))).toBe(true);
  for (const path of [join(state, 'records'), ...files.map((name) => join(state, 'records', name))])
    expect(statSync(path).mode & 0o077).toBe(0);
});

describe('what can not be written', () => {
  it('is too long', () => {
    const state = root();
    expect(appendRecord(state, 'runs', NOW, { text: 'x'.repeat(RECORD_BYTES) })).toBe(false);
    expect(existsSync(state)).toBe(false);
    expect(appendRecord(state, 'runs', NOW, { t: 'x'.repeat(RECORD_BYTES - 9) })).toBe(true);
  });

  it.each([
    ['a file in place of the folder', (state: string) => writeFileSync(state, '')],
    [
      'a folder of somebody else',
      (state: string) => {
        mkdirSync(join(state, 'records'), { recursive: true });
        writeFileSync(join(state, 'notes.txt'), '');
      },
    ],
    ['a link in place of the folder', (state: string) => symlinkSync(tempFolder(), state)],
    [
      'a file in place of the records',
      (state: string) => {
        appendRecord(state, 'expansions', NOW, {});
        writeFileSync(join(state, 'records', 'x'), '');
        symlinkSync('/dev/null', join(state, 'records', 'runs-2026-05-01'));
      },
    ],
    [
      'a folder in place of the file',
      (state: string) => {
        appendRecord(state, 'expansions', NOW, {});
        mkdirSync(join(state, 'records', 'runs-2026-05-01'));
      },
    ],
  ])('%s', (_, prepare) => {
    const state = root();
    prepare(state);
    expect(appendRecord(state, 'runs', NOW, { n: 1 })).toBe(false);
    expect(readRecords(state, 'runs')).toEqual([]);
    expect(() => sweepRecords(state, NOW)).not.toThrow();
  });

  it.skipIf(process.getuid?.() === 0)('in a folder without the right to', () => {
    const state = root();
    appendRecord(state, 'runs', NOW, { n: 1 });
    chmodSync(join(state, 'records'), 0o500);
    expect(appendRecord(state, 'runs', NOW + DAY, { n: 2 })).toBe(false);
    chmodSync(join(state, 'records'), 0o700);
  });
});

it('skips what is no record, and what was cut short spoils no other', () => {
  const state = root();
  appendRecord(state, 'runs', NOW, { n: 1 });
  const file = join(state, 'records', 'runs-2026-05-01');
  writeFileSync(
    file,
    `${readFileSync(file, 'latin1')}\n{"n":2,"te\u0000\n[1\n7\n"x"\n\ufffd\ufffd{"n":`,
    'latin1',
  );
  appendRecord(state, 'runs', NOW, { n: 3 });
  expect(readRecords(state, 'runs')).toEqual([{ n: 1 }, { n: 3 }]);
});

it.skipIf(!canMount)('goes on behind a disk that was full', () => {
  withDisk('1m', (disk) => {
    const state = join(disk.path, 'state');
    expect(appendRecord(state, 'runs', NOW, { n: 0 })).toBe(true);
    const filler = join(disk.path, 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(2 << 20));
    } catch {
      // Full.
    }
    const results = Array.from({ length: 40 }, (_, n) =>
      appendRecord(state, 'runs', NOW, { n: n + 1, text: 'x'.repeat(1000) }),
    );
    expect(results).toContain(false);
    writeFileSync(filler, '');
    expect(appendRecord(state, 'runs', NOW, { n: 99 })).toBe(true);
    const read = readRecords(state, 'runs') as Array<{ n: number }>;
    expect(read.map(({ n }) => n)).toEqual([
      0,
      ...results.flatMap((isWritten, n) => (isWritten ? [n + 1] : [])),
      99,
    ]);
  });
});

it('sweeps what is over 400 days old, and the oldest of what is too much', () => {
  const state = root();
  for (const days of [-500, -399, -1, 0]) appendRecord(state, 'runs', NOW + days * DAY, { days });
  appendRecord(state, 'decisions', NOW - 500 * DAY, { word: 'x' });
  sweepRecords(state, NOW);
  expect(readRecords(state, 'runs')).toEqual([{ days: -399 }, { days: -1 }, { days: 0 }]);
  writeFileSync(join(state, 'records', 'runs-2026-04-30'), 'x'.repeat(65 << 20));
  sweepRecords(state, NOW);
  expect(readRecords(state, 'runs')).toEqual([{ days: 0 }]);
  expect(readRecords(state, 'decisions')).toHaveLength(1);
});
