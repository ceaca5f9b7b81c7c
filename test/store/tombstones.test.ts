import { appendFileSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Folder, makeFolder } from '../../src/store/folder.ts';
import {
  bury,
  countTombstones,
  findTombstones,
  keptStones,
  pruneTombstones,
} from '../../src/store/tombstones.ts';
import type { Tombstone } from '../../src/store/port.ts';
import { DAY_MS, shaOf, T0, tempFolder } from './support.ts';

const stone = (n: number, goneMs = T0): Tombstone => ({
  sha: shaOf(Buffer.from(`grave ${n}`)),
  size: n,
  goneMs,
  why: 'expired',
  command: `run "${n}" \\ "sha":"`,
});
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);
const folder = (): Folder => makeFolder(`${tempFolder()}/store`);

it('finds by prefix, the last one of an original', () => {
  const at = folder();
  bury(
    at,
    range(0, 50).map((n) => stone(n)),
  );
  bury(at, [{ ...stone(7), goneMs: T0 + 5, why: 'evicted' }]);
  const { sha } = stone(7);
  for (const prefix of [sha, sha.slice(0, 12)]) {
    expect(findTombstones(at, prefix, T0 + 9)).toEqual([{ ...stone(7), goneMs: T0 + 5, why: 'evicted' }]);
  }
  expect(countTombstones(at)).toBe(50);
});

it('keeps the latest 5,000', () => {
  const at = folder();
  bury(
    at,
    range(0, 2600).map((n) => stone(n)),
  );
  bury(
    at,
    range(2600, 5200).map((n) => stone(n, T0 + DAY_MS)),
  );
  pruneTombstones(at, T0 + DAY_MS);
  expect(countTombstones(at)).toBe(5000);
  expect(findTombstones(at, stone(199).sha, T0 + DAY_MS)).toEqual([]);
  expect(findTombstones(at, stone(200).sha, T0 + DAY_MS)).toHaveLength(1);
  expect(
    keptStones(
      range(0, 5001).map((n) => stone(n)),
      T0,
    ),
  ).toHaveLength(5000);
});

it('reads over lines that a crash cut short or a disk damaged, and does not lose the next', () => {
  const at = folder();
  bury(at, [stone(1)]);
  appendFileSync(at.tombstones, JSON.stringify(stone(2)).slice(0, 90));
  bury(at, [stone(3)]);
  expect(countTombstones(at)).toBe(2);
  pruneTombstones(at, T0, new Set([stone(3).sha]));
  expect(readFileSync(at.tombstones, 'utf8')).toBe(`${JSON.stringify(stone(1))}\n`);
});
