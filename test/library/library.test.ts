/** The library as a program uses it: pure views, verbs over a store of the caller, several results in one budget. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { shares } from '../../src/app/shares.ts';
import {
  type Compressed,
  compress,
  compressBatch,
  expand,
  openStore,
  restore,
  verify,
} from '../../src/library.ts';
import { SEED } from '../support-e2e/arbitrary.ts';
import { tempFolder } from '../support-e2e/command.ts';
import { FAILURE, log, logLines, pods } from '../support-e2e/inputs.ts';

function sum(of: readonly number[]): number {
  return of.reduce((all, one) => all + one, 0);
}

type View = Extract<Compressed, { kind: 'view' }>;

function view(made: Compressed): View {
  if (made.kind !== 'view') throw new Error(made.reason);
  return made;
}

describe('compress', () => {
  it('takes text and bytes, and changes neither', () => {
    const bytes = Buffer.from(log());
    const copy = Buffer.from(bytes);
    expect(compress(bytes)).toEqual(compress(log()));
    expect(bytes.equals(copy)).toBe(true);
  });

  it.each([
    ['nothing', '', /under 2048/],
    ['little', 'x\n'.repeat(500), /under 2048/],
    ['binary', Buffer.concat([Buffer.from(log()), Buffer.from([0])]), /binary/],
  ])('passes %s through', (_, input, reason) => {
    const made = compress(input);
    expect(made).toMatchObject({ kind: 'passthrough' });
    expect(made.kind === 'passthrough' && made.reason).toMatch(reason);
    expect(Buffer.from(made.view).equals(Buffer.from(input))).toBe(true);
    expect(made.tokensAfter).toBe(made.tokensBefore);
  });

  it('knows the policy', () => {
    const input = log();
    const text = (policy: Parameters<typeof compress>[1]): string =>
      Buffer.from(compress(input, policy).view).toString();
    expect(compress(input, { level: 'none' }).kind).toBe('passthrough');
    expect(text({ keepPatterns: ['id=777 '] })).toContain('id=777 ');
    expect(text({ query: 'what happened to id=1234' })).toContain('id=1234 ');
    expect(text({ hint: false })).not.toContain('expand:');
    expect(text({ markers: 'full' })).not.toMatch(/<<ctxzip \d/);
    expect(text({ maxTokens: 200 }).length).toBeLessThan(text({}).length);
    expect(view(compress(input, { as: 'text' })).shapes).toEqual(['text']);
    expect(compress('x\n'.repeat(900), { minChars: 0 }).kind).toBe('view');
  });

  it.each(['/(/', '/a/qq'])('throws for the pattern %s', (pattern) => {
    expect(() => compress(log(), { keepPatterns: [pattern] })).toThrow();
  });

  it('reads no folder and writes none', () => {
    const folder = tempFolder();
    const before = process.cwd();
    process.chdir(folder);
    try {
      compress(pods());
      openStore();
    } finally {
      process.chdir(before);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.each([
  ['in memory', () => undefined],
  ['in a folder', () => join(tempFolder(), 'store')],
])('a store %s', (_, folderOf) => {
  it('opens what was put', async () => {
    const store = openStore(folderOf());
    const made = view(compress(log()));
    await store.put(log(), made, { command: 'cat app.log' });
    for (const { address } of made.gaps) expect((await expand(store, made.hash, { address })).exit).toBe(0);
    const { bytes } = await expand(store, made.hash, { address: 'L12-13' });
    expect(Buffer.from(bytes).toString()).toBe(`${logLines().slice(11, 13).join('\n')}\n`);
    const found = await expand(store, made.hash.slice(0, 8), { grep: 'refused', before: 1, after: 1 });
    expect(Buffer.from(found.bytes).toString()).toContain(FAILURE);
    expect(Buffer.from((await restore(store, made.view))!).toString() === log()).toBe(true);
    expect(await verify(store, made.view)).toMatchObject({
      kind: 'proven',
      size: log().length,
      failures: { visible: 1, all: 1 },
    });
    await store.close();
  });

  it('says what it does not know', async () => {
    const store = openStore(folderOf());
    const made = view(compress(log()));
    expect(await expand(store, made.hash)).toMatchObject({
      exit: 1,
      notes: expect.arrayContaining([expect.stringContaining(made.hash.slice(0, 12))]) as unknown,
    });
    expect(await restore(store, made.view)).toBeUndefined();
    expect(await verify(store, made.view)).toEqual({ kind: 'unknown' });
    await store.put(log(), made);
    expect(await expand(store, made.hash, { address: 'L99999' })).toMatchObject({ exit: 2 });
    expect(await expand(store, made.hash, { grep: 'nowhere' })).toMatchObject({ exit: 1 });
    expect(await expand(store, 'no hash')).toMatchObject({ bytes: new Uint8Array(0) });
    await store.close();
  });

  it('leaves a passthrough out', async () => {
    const store = openStore(folderOf());
    await store.put('little', compress('little'));
    expect(await restore(store, 'little')).toBeUndefined();
    await store.close();
  });

  it('proves no view that was changed', async () => {
    const store = openStore(folderOf());
    const made = view(compress(log()));
    await store.put(log(), made);
    const text = Buffer.from(made.view).toString();
    expect(await verify(store, text.replace('INFO', 'info'))).toMatchObject({
      kind: expect.stringMatching(/broken|unknown/),
    });
    await store.close();
  });
});

describe('level minimal', () => {
  const records = JSON.stringify(logLines(300).map((line, i) => ({ id: i, line })));
  it.each([
    ['a log', log(), 'text'],
    ['records', records, 'json'],
  ])('%s: no gaps, and restore and verify need no store', async (_, input, kind) => {
    const made = view(compress(input, { level: 'minimal' }));
    expect(made).toMatchObject({ gaps: [], notes: [], shapes: [kind] });
    expect(made.tokensAfter).toBeLessThan(0.9 * made.tokensBefore);
    for (const store of [undefined, openStore()]) {
      expect(Buffer.from((await restore(store, made.view))!).toString() === input).toBe(true);
      expect(await verify(store, made.view)).toMatchObject({
        kind: 'proven',
        size: input.length,
        hiddenBytes: 0,
      });
      await store?.close();
    }
    expect(compress(made.view)).toMatchObject({ kind: 'passthrough', reason: 'a view of ctxzip already' });
    expect(compress(made.view, { level: 'minimal' }).kind).toBe('passthrough');
  });

  it('a damaged view is told', async () => {
    const made = view(compress(records, { level: 'minimal' }));
    const cut = made.view.subarray(0, made.view.length - 9);
    expect(await restore(undefined, cut)).toBe(undefined);
    expect(await verify(undefined, cut)).toMatchObject({
      kind: 'broken',
      reason: expect.stringMatching(/too early/),
    });
    expect(await verify(openStore(), cut)).toMatchObject({ kind: 'broken' });
    expect(await verify(undefined, 'no view\n')).toEqual({ kind: 'unknown' });
  });
});

it('a folder keeps what was put, for the next one that opens it', async () => {
  const folder = join(tempFolder(), 'store');
  const made = view(compress(log()));
  const first = openStore(folder);
  expect(existsSync(folder)).toBe(false);
  await first.put(log(), made);
  await first.close();
  const second = openStore(folder);
  expect(Buffer.from((await restore(second, made.view))!).toString() === log()).toBe(true);
  await second.close();
});

it('another store than that of openStore() is refused', async () => {
  const strange = { put: () => Promise.resolve(), close: () => Promise.resolve() };
  await expect(expand(strange, 'abcdef')).rejects.toThrow(TypeError);
});

describe('compressBatch', () => {
  const inputs = [log(2000, 'a'), 'exit 0\n', pods(150), log(900, 'b'), log(2000, 'c')];
  const entries = inputs.map((input) => ({ input }));

  it('gives what each needs where there is enough', () => {
    expect(compressBatch(entries, { totalTokens: 1e6 })).toEqual(inputs.map((input) => compress(input)));
  });

  it('keeps to the budget, in order, and cuts nothing without a handle', async () => {
    for (const totalTokens of [2500, 1200, 800]) {
      const made = compressBatch(entries, { totalTokens });
      expect(made.map(({ tokensBefore }) => Math.round(tokensBefore))).toEqual(
        inputs.map((input) => Math.round(compress(input).tokensBefore)),
      );
      expect(sum(made.map(({ tokensAfter }) => tokensAfter))).toBeLessThanOrEqual(totalTokens);
      const store = openStore();
      for (const [i, each] of made.entries()) {
        await store.put(inputs[i]!, each);
        if (each.kind === 'passthrough') expect(Buffer.from(each.view).toString()).toBe(inputs[i]);
        else expect((await restore(store, each.view))!.length).toBe(inputs[i]!.length);
      }
    }
  });

  it('leaves the small ones alone', () => {
    const made = compressBatch(entries, { totalTokens: 900 });
    expect(Buffer.from(made[1]!.view).toString()).toBe('exit 0\n');
  });

  it('takes each entry with its policy', () => {
    const [first] = compressBatch([{ input: log(), policy: { keepPatterns: ['id=777 '] } }], {
      totalTokens: 1e6,
    });
    expect(Buffer.from(first!.view).toString()).toContain('id=777 ');
  });

  it('of nothing is nothing', () => {
    expect(compressBatch([], { totalTokens: 100 })).toEqual([]);
  });
});

describe('shares', () => {
  it.each<[number[], number, number[]]>([
    [[10, 20, 30], 100, [10, 20, 30]],
    [[10, 100, 100], 110, [10, 50, 50]],
    [[100, 10, 100], 111, [51, 10, 50]],
    [[5, 5, 5], 7, [3, 2, 2]],
    [[100, 50, 20], 120, [50, 50, 20]],
    [[1, 2, 3], 0, [0, 0, 0]],
    [[], 10, []],
    [[7], 3, [3]],
  ])('%j in %d: %j', (needs, total, expected) => {
    expect(shares(needs, total)).toEqual(expected);
  });

  it('are never more than there is, nor than is needed; and the larger need never gets less', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000), { maxLength: 20 }), fc.nat(20_000), (needs, total) => {
        const given = shares(needs, total);
        expect(sum(given)).toBe(Math.min(total, sum(needs)));
        given.forEach((one, i) => {
          expect(one).toBeLessThanOrEqual(needs[i]!);
          given.forEach((other, k) => {
            if (needs[i]! > needs[k]!) expect(one + 1).toBeGreaterThanOrEqual(other);
          });
        });
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});
