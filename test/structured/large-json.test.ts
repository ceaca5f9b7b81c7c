/** JSON that is large in one of its parts. */
import { describe, expect, it } from 'vitest';
import { prove, provesView } from './prove.ts';

const MB = 1 << 20;

describe('a string of 10 MB', () => {
  it.each([
    ['one letter', 'x'.repeat(10 * MB)],
    ['words', 'moored at the quay '.repeat(MB / 2)],
    ['escapes', '\\"\u0001'.repeat(MB)],
    ['characters of four bytes', '😀'.repeat((10 * MB) / 4)],
  ])('%s', async (_, value) => {
    const input = JSON.stringify({ id: 7, value, state: 'moored' });
    const { text } = await provesView(input, { most: 8000 });
    expect(text.length).toBeLessThan(10_000);
    expect(JSON.parse(text)).toMatchObject({ id: 7, state: 'moored' });
  });

  it('lines, one of which failed', async () => {
    const lines = Array.from({ length: 150_000 }, (_, i) =>
      i === 77_000
        ? 'ERROR berth 417: tide table is stale'
        : `INFO reserved berth ${i % 400} in ${i % 30}ms, all is well`,
    );
    const { text } = await provesView(JSON.stringify({ stdout: `${lines.join('\n')}\n`, code: 1 }), {
      most: 8000,
    });
    expect(text.length).toBeLessThan(100_000);
    const parsed = JSON.parse(text) as { stdout: string; code: number };
    expect(parsed.code).toBe(1);
    expect(parsed.stdout).toContain('ERROR berth 417: tide table is stale');
  });

  it('as a key', async () => {
    const input = JSON.stringify({ id: 7, ['k'.repeat(10 * MB)]: 1, state: 'moored' });
    JSON.parse((await prove(input, { most: 8000 })).text);
  });
});

describe('many', () => {
  const million = Array.from({ length: 1_000_000 }, (_, i) => i);
  const some = million.slice(0, 200_000);

  it('a million keys', async () => {
    const input = `{${million.map((i) => `"k${i}":${i % 7}`).join(',')}}`;
    const { text } = await provesView(input, { most: 15_000 });
    expect(text.length).toBeLessThan(200_000);
    JSON.parse(text);
  });

  it('records whose keys all differ', async () => {
    const input = `[${some.map((i) => (i % 10 === 0 ? `{"k${i}":1` : `"k${i}":${i % 7}${i % 10 === 9 ? '}' : ''}`)).join(',')}]`;
    const { text } = await provesView(input, { most: 15_000 });
    JSON.parse(text);
  });

  it('a million numbers', async () => {
    const { text } = await provesView(`[${million.join(',')}]`, { most: 15_000 });
    expect(text.length).toBeLessThan(200_000);
    JSON.parse(text);
  });

  it('empty values', async () => {
    const { text } = await provesView(`[${some.map((i) => (i % 2 ? '{}' : '[]')).join(',')}]`, {
      most: 15_000,
    });
    JSON.parse(text);
  });

  const records = some.slice(0, 60_000).map((i) => {
    const isBad = i === 30_000;
    return { id: i, state: isBad ? 'FAILED' : 'moored', error: isBad ? 'connection refused' : null };
  });

  it('records at the top: the failure is shown', async () => {
    const { text } = await provesView(JSON.stringify(records), { most: 10_000 });
    expect(text).toContain('connection refused');
  });

  // The list is charged for the commas between its elements: it is above the budget, and goes as a whole.
  it('records in a member: the failure is shown', async () => {
    const { text } = await provesView(JSON.stringify({ items: records }), { most: 10_000 });
    expect(text).toContain('connection refused');
  });
});
