/** Paths into JSON that is too large for one tape name the bytes that they name in small JSON. */
import { describe, expect, it } from 'vitest';
import { atLargePath } from '../../src/app/expand-large.ts';
import { atPath } from '../../src/app/expand-path.ts';
import { openOriginal } from '../../src/app/expand-read.ts';
import { policyOf } from '../../src/app/pure.ts';
import type { PathAddress } from '../../src/core/address.ts';
import { formatAddress, parseAddress } from '../../src/core/address.ts';
import { LargeJson } from '../../src/core/json/large.ts';
import { memorySource } from '../../src/core/source.ts';
import { outlineSection } from '../../src/strategies/index.ts';
import { Dice } from '../support-e2e/arbitrary.ts';
import { listInside, ndjson } from './makers.ts';
import { viewOf } from './windowed.ts';

/** Paths of the gaps of a view, and some that are beside them. */
function pathsOf(input: Buffer): PathAddress[] {
  const made = viewOf(input, policyOf({ maxTokens: 600 }), outlineSection);
  const gaps = 'gaps' in made ? made.gaps : [];
  const named = gaps.flatMap(({ address }) => {
    const parsed = parseAddress(address);
    const found = parsed.kind === 'address' ? parsed.address : undefined;
    if (found?.kind === 'inside') return [found.path];
    return found?.kind === 'path' ? [found] : [];
  });
  const { range: _, ...near } = named[0] ?? { kind: 'path' as const, segments: ['items'] };
  const odd = ['0', '7', '99999', 'x', '-1'].map((last) => ({ ...near, segments: [...near.segments, last] }));
  return [
    ...named,
    ...odd,
    { ...near, range: { from: 3, to: 1e6 } },
    { ...near, range: { from: 1e6, to: 1e6 } },
  ];
}

describe('paths into large JSON', () => {
  it.each([
    ['a list in an object', (dice: Dice) => listInside(dice, 200)],
    [
      'a list',
      (dice: Dice) =>
        `[${ndjson(dice, 200)
          .trim()
          .split('\n')
          .filter((line) => /^\{.*\}$/.test(line))
          .join(', ')}]\n`,
    ],
    [
      'records',
      (dice: Dice) =>
        `${JSON.stringify({ id: 1, note: 'moored '.repeat(9) })}\n`.repeat(90) +
        listInside(dice, 20)
          .replace(/\s*\n\s*/g, '')
          .replace('\ufeff', ''),
    ],
  ])('%s', (_, make) => {
    let found = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const input = Buffer.from(make(new Dice(seed)));
      const json = LargeJson.of(memorySource(input), 2000, 3000);
      if (json === undefined) continue;
      const original = openOriginal({
        size: input.length,
        read: (a, b) => input.subarray(a, b),
        close: () => undefined,
      });
      for (const path of pathsOf(input)) {
        const small = atPath(original, path);
        expect(atLargePath(json, path), `seed ${seed} ${formatAddress(path)}`).toEqual(small);
        if (small.kind !== 'fault') found += 1;
      }
    }
    expect(found).toBeGreaterThan(40);
  });
});
