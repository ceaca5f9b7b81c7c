/** The grammar of docs/minimal-format.md: cases as data, and how many tokens a view has. */
import { encode } from '@toon-format/toon';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DamagedView, readMinimal, writeMinimal } from '../../src/core/minimal/index.ts';
import { minimize } from '../../src/core/minimal/minimize.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { memorySource } from '../../src/core/source.ts';
import { ROOT } from '../support/fixtures.ts';
import { seeded } from '../support-e2e/inputs.ts';

interface Cases {
  /** `restored` where it is not the input: an equal document. */
  readonly views: ReadonlyArray<{ name: string; input: string; view: string; restored?: string }>;
  readonly damaged: ReadonlyArray<{ name: string; view: string; reason: string }>;
}

const cases: Cases = JSON.parse(readFileSync(join(ROOT, 'test/core/minimal-cases.json'), 'utf8'));

describe('a view', () => {
  it.each(cases.views)('$name', ({ input, view, restored = input }) => {
    expect(Buffer.from(writeMinimal(Buffer.from(input))!.bytes).toString()).toBe(view);
    expect(Buffer.from(readMinimal(Buffer.from(view)).bytes).toString()).toBe(restored);
  });
});

it('the example of docs/minimal-format.md is a view', () => {
  const text = readFileSync(join(ROOT, 'docs/minimal-format.md'), 'utf8');
  const view = /```\n(<<ctxzip minimal[\s\S]*?)```/.exec(text)![1]!;
  const { bytes } = readMinimal(Buffer.from(view));
  expect(Buffer.from(writeMinimal(bytes)!.bytes).toString()).toBe(view);
});

describe('a damaged view says what is wrong', () => {
  it.each(cases.damaged)('$name', ({ view, reason }) => {
    const read = (): unknown => readMinimal(Buffer.from(view));
    expect(read).toThrow(DamagedView);
    expect(read).toThrow(new RegExp(reason));
  });

  it('a bomb', () => {
    const head = '<<ctxzip minimal/1 json>>\n#123456789\n';
    for (const body of [
      `${'[1 rows: a\n'.repeat(100_000)}1`,
      `[2 rows: ${'a('.repeat(100_000)}`,
      `[999999999 rows: a=${'"x"'}\n`,
    ])
      expect(() => readMinimal(Buffer.from(head + body))).toThrow(DamagedView);
    const text = '<<ctxzip minimal/1 text>>\n#123456789\nx\n<<999999999 more of the line above>>\n';
    expect(() => readMinimal(Buffer.from(text))).toThrow(DamagedView);
  });
});

const next = seeded(20_260_501);
const below = (n: number): number => Math.floor(next() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const id = (): string => below(1e9).toString(36);

/** Records as tools print them. */
const RECORDS: Readonly<Record<string, (i: number) => object>> = {
  pods: () => ({
    name: `${pick(['cart', 'pay', 'web'])}-${id()}`,
    namespace: pick(['shop', 'kube-system']),
    ready: pick(['1/1', '0/1']),
    status: pick(['Running', 'Pending', 'CrashLoopBackOff']),
    restarts: below(9),
    age: pick(['3d', '12h']),
  }),
  people: (i) => ({
    id: i,
    name: pick(['Ann Lee', 'Bo']) + i,
    email: `u${i}@example.com`,
    active: next() < 0.5,
  }),
  metrics: (i) => ({ date: `2026-01-${10 + (i % 20)}`, views: below(1e5), clicks: below(1e3), rate: next() }),
  'log records': (i) => ({
    at: `2026-05-01T12:00:${10 + (i % 50)}Z`,
    level: pick(['info', 'warn']),
    message: `request ${i} took ${below(90)}ms, ok`,
  }),
  groups: (i) => ({
    id: i,
    user: { name: id(), tier: pick(['free', 'pro']) },
    at: { x: below(9), y: below(9) },
  }),
  'optional fields': (i) => ({ id: i, name: id(), ...(next() < 0.7 && { note: 'hello, world' }) }),
  'lists of records': (i) => ({
    id: i,
    ports: [
      { port: 80, name: 'http' },
      { port: 443, name: 'https' },
    ].slice(i % 2),
  }),
};

describe.each(Object.keys(RECORDS))('tokens of %s', (name) => {
  const list = (count: number): object[] => Array.from({ length: count }, (_, i) => RECORDS[name]!(i));
  const wraps: ReadonlyArray<readonly [string, (records: object[]) => object]> = [
    ['a list', (records) => records],
    ['a list in an object', (records) => ({ kind: 'List', items: records })],
    ['a map', (records) => Object.fromEntries(records.map((record, i) => [`id-${i}`, record]))],
  ];
  it.each(wraps)('%s: as few as TOON, fewer than minified JSON', (_, wrap) => {
    for (const count of [8, 12, 20, 50, 200, 1000]) {
      const value = wrap(list(count));
      const text = JSON.stringify(value);
      const bytes = Buffer.from(text);
      const made = minimize(memorySource(bytes), { ...DEFAULT_POLICY, level: 'minimal', minChars: 0 });
      // Law 5: under 100 tokens saved, the input is what is printed.
      if (made.kind === 'passthrough') continue;
      const tokens = countTokens(Buffer.from(made.bytes).toString());
      expect(tokens, `${count}`).toBeLessThan(countTokens(text));
      expect(tokens, `${count}`).toBeLessThanOrEqual(countTokens(encode(value)));
      expect(tokens, `${count}`).toBeLessThanOrEqual(countTokens(encode(value, { delimiter: '\t' })));
    }
  });

  it('are those of minified JSON or fewer, however the input is written', () => {
    const value = wraps[1]![1](list(100));
    const minified = countTokens(JSON.stringify(value));
    for (const indent of [1, 2, 4, '\t']) {
      const view = writeMinimal(Buffer.from(JSON.stringify(value, null, indent)))!;
      expect(countTokens(Buffer.from(view.bytes).toString())).toBeLessThan(minified);
    }
  });
});
