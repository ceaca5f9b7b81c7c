/** A list inside of an object, read in windows: the view is the one that one tape gives, byte for byte. */
import { describe, expect, it } from 'vitest';
import { policyOf } from '../../src/app/pure.ts';
import { shellAround } from '../../src/core/json/shell.ts';
import { indexLines } from '../../src/core/line-index.ts';
import { memorySource } from '../../src/core/source.ts';
import { outlineSection } from '../../src/strategies/index.ts';
import { Dice } from '../support-e2e/arbitrary.ts';
import { listInside } from './makers.ts';
import { inWindows, viewOf } from './windowed.ts';

const SEEDS = 60;

const pod = (i: number) => ({
  metadata: { name: `pay-${i}`, labels: { app: 'pay', tier: `t${i % 3}` }, note: 'quiet '.repeat(60) },
  status: { phase: i === 217 ? 'Failed' : 'Running', restarts: i % 50 === 7 ? 40 : 0 },
  ...(i % 40 === 3 && { logs: 'INFO berth assigned\n'.repeat(90) }),
});

describe('a list inside of an object', () => {
  it('of any shape', () => {
    let windowed = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const dice = new Dice(seed);
      const input = Buffer.from(listInside(dice, 150 + dice.below(300)));
      const policy = dice.pick([
        policyOf({}),
        policyOf({ maxTokens: 600 }),
        policyOf({ query: 'api-7 503' }),
        policyOf({ keepPatterns: ['us-east-1'] }),
      ]);
      const seen = { windows: 0 };
      const size = dice.pick([2000, 5000, 20_000]);
      const made = viewOf(input, policy, inWindows(size, seen, 6000));
      expect(made, `seed ${seed}`).toEqual(viewOf(input, policy, outlineSection));
      if (seen.windows > 2) windowed += 1;
    }
    expect(windowed).toBeGreaterThan(SEEDS / 3);
  });

  it('as kubectl prints it: outputs, small lists, failures and names around it', () => {
    const document = {
      kind: 'List',
      conditions: Array.from({ length: 5 }, (_, n) => ({ type: `Ready${n}`, status: 'True' })),
      data: {
        stdout: 'INFO moored\nERROR no berth left\n'.repeat(40),
        items: Array.from({ length: 400 }, (_, i) => pod(i)),
        'odd key/é': { error: 'connection refused', hint: 'retry '.repeat(80) },
        errors: [{ code: 'E1', message: 'tide table is stale' }],
      },
      stderr: 'panic: no harbour\n'.repeat(50),
    };
    for (const indent of [0, 2])
      for (const policy of [policyOf({}), policyOf({ maxTokens: 900 }), policyOf({ query: 'pay-33' })]) {
        const input = Buffer.from(`${JSON.stringify(document, null, indent)}\n`);
        const seen = { windows: 0 };
        const made = viewOf(input, policy, inWindows(9000, seen, 12_000));
        expect(JSON.stringify(made) === JSON.stringify(viewOf(input, policy, outlineSection))).toBe(true);
        expect(seen.windows).toBeGreaterThan(3);
      }
  });

  const items = Array.from({ length: 300 }, (_, i) => ({ id: i, state: 'moored' }));
  it.each([
    ['two lists', { a: items, b: items }],
    ['much before it', { note: 'deep water '.repeat(900), items }],
    ['much behind it', { items, note: 'deep water '.repeat(900) }],
    ['a list around it', { pages: [{ items }] }],
    ['no list', { note: 'deep water '.repeat(900) }],
  ])('is none where there is %s', (_, document) => {
    const input = Buffer.from(JSON.stringify(document));
    const index = indexLines(memorySource(input));
    const shell = shellAround(index, [0, input.length], 4000);
    if ('pages' in document) expect(shell?.elements).toEqual([9, input.length - 1]);
    else expect(shell).toBeUndefined();
  });

  it.each(['{"items":[1,2', '{"items":[1,2]}}', '{"items":[1,2],}', '{"items":[1,2]} x', '{"items":[1,2}'])(
    'is none in %s',
    (text) => {
      const input = Buffer.from(text.replace('1,2', '1,2,'.repeat(300).slice(0, -1)));
      const index = indexLines(memorySource(input));
      expect(shellAround(index, [0, input.length], 400)).toBeUndefined();
    },
  );
});
