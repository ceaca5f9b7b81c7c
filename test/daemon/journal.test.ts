import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordExpansion, recordRun } from '../../src/app/ledger.ts';
import { Journal } from '../../src/daemon/journal.ts';
import { recordFile } from '../../src/store/records.ts';

const NOON = Date.parse('2026-03-10T12:00:00Z');
const DAY = 86_400_000;
let state: string;

beforeEach(() => {
  state = join(mkdtempSync(join(tmpdir(), 'ctxzip-journal-')), 'state');
});
afterEach(() => rmSync(join(state, '..'), { recursive: true }));

const run = (at: number, more: object = {}): void =>
  recordRun(state, {
    at,
    ms: 2,
    bytes: 4000,
    before: 1000,
    after: 100,
    shapes: ['log'],
    hash: 'ab'.repeat(32),
    ...more,
  });

it('adds up today, and shows yesterday among the last', async () => {
  let nowMs = NOON;
  run(NOON - DAY, { tool: 'make' });
  run(NOON, { tool: 'kubectl' });
  run(NOON + 1, {
    before: undefined,
    after: undefined,
    shapes: undefined,
    hash: undefined,
    reason: 'binary',
  });
  recordExpansion(state, {
    at: NOON,
    hash: 'cd'.repeat(32),
    hit: true,
    bytes: 10,
    tokens: 3,
    words: ['OOMKilled'],
  });
  recordExpansion(state, { at: NOON, hash: 'ef'.repeat(32), hit: false, bytes: 0, tokens: 0 });
  const journal = new Journal(state, () => nowMs);
  await journal.refresh();
  expect(journal.sums()).toEqual({
    runs: 2,
    views: 1,
    expansions: 1,
    tokensBefore: 2000,
    tokensAfter: 1100,
    byTool: [
      { name: 'kubectl', runs: 1, tokensBefore: 1000, tokensAfter: 100 },
      { name: '-', runs: 1, tokensBefore: 1000, tokensAfter: 1000 },
    ],
    byShape: [
      { name: 'log', runs: 1, tokensBefore: 1000, tokensAfter: 100 },
      { name: '-', runs: 1, tokensBefore: 1000, tokensAfter: 1000 },
    ],
  });
  const { compressions, expansions } = journal.recent(10);
  expect(compressions.map(({ tool, reason }) => tool ?? reason)).toEqual(['binary', 'kubectl', 'make']);
  expect(expansions[1]).toEqual({ at: NOON, hash: 'cd'.repeat(32), hit: true, bytes: 10, tokens: 3 });
  expect(journal.recent(1).compressions).toHaveLength(1);
  nowMs += DAY;
  run(NOON + 2, { tool: 'late' });
  run(nowMs, { tool: 'next' });
  await journal.refresh();
  expect(journal.sums().byTool.map(({ name }) => name)).toEqual(['next']);
  expect(journal.recent(2).compressions.map(({ tool }) => tool)).toEqual(['next', 'late']);
});

it('reads only what is new, over the edges of its pieces', async () => {
  const journal = new Journal(state, () => NOON);
  const tool = 'é'.repeat(70);
  for (let i = 1; i <= 700; i += 1) {
    run(NOON, { tool });
    if (i % 100 === 0) {
      await Promise.all([journal.refresh(), journal.refresh()]);
      expect(journal.sums()).toMatchObject({ runs: i, byTool: [{ name: tool, runs: i }] });
    }
  }
});

it('skips what is no record, and has nothing where there is no file', async () => {
  const journal = new Journal(state, () => NOON);
  await journal.refresh();
  expect(journal.sums().runs).toBe(0);
  run(NOON);
  appendFileSync(recordFile(state, 'runs', NOON), '\n{"at":1}\nno json\n[]\n\xff\n{"at":');
  await journal.refresh();
  run(NOON);
  await journal.refresh();
  expect(journal.sums().runs).toBe(2);
  writeFileSync(recordFile(state, 'runs', NOON), '');
  await journal.refresh();
  expect(journal.sums().runs).toBe(2);
});
