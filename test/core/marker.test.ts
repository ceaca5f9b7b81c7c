import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../src/core/address.ts';
import {
  findMarkers,
  formatMarker,
  isForeignMarker,
  type MarkerFacts,
  MAX_MARKER_BYTES,
  parseHandle,
} from '../../src/core/marker.ts';

interface Cases {
  readonly markers: ReadonlyArray<{ text: string; marker: unknown }>;
  readonly formats: ReadonlyArray<{ facts: Omit<MarkerFacts, 'hash'>; text: string }>;
  readonly handles: ReadonlyArray<{
    words: string[];
    hash?: string;
    address?: string;
    invalid?: string;
    documentation?: string;
  }>;
  readonly foreign: ReadonlyArray<{ text: string; foreign: boolean }>;
}

const cases = JSON.parse(readFileSync(new URL('./marker-cases.json', import.meta.url), 'utf8')) as Cases;
const HASH = 'ac998fea694b';

describe('marker-cases.json', () => {
  it.each(cases.markers)('marker $text', ({ text, marker }) => {
    const found = findMarkers(`before ${text} after`).map(({ start, end, address, ...rest }) => ({
      ...rest,
      address: formatAddress(address),
      span: [start, end],
    }));
    expect(found).toEqual(marker ? [{ ...marker, span: [7, 7 + text.length] }] : []);
  });

  it.each(cases.formats)('format $text', ({ facts, text }) => {
    expect(formatMarker({ hash: HASH, ...facts })).toBe(text);
  });

  it.each(cases.handles)('handle %j', ({ words, hash, address, invalid, documentation }) => {
    const handle = parseHandle(words);
    if (handle.kind === 'handle') {
      expect({ hash: handle.hash, address: handle.address && formatAddress(handle.address) }).toEqual({
        hash,
        address,
      });
    } else {
      expect(handle.message).toContain(handle.kind === 'invalid' ? invalid : documentation);
    }
  });

  it.each(cases.foreign)('foreign marker: $text', ({ text, foreign }) => {
    expect(isForeignMarker(text)).toBe(foreign);
  });
});

const value = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcXYZ019_./+-'), minLength: 1, maxLength: 24 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('other', 'failures', 'expand', '>>', 'a b', '1/1'),
);
const facts: fc.Arbitrary<MarkerFacts> = fc.record({
  hash: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 12 }),
  form: fc.constantFrom('first', 'full', 'short'),
  count: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  unit: fc.string({ unit: fc.constantFrom(...'abcxyz'), minLength: 1, maxLength: 16 }),
  address: fc.oneof(
    fc.constantFrom('L3-90', 'L7', 'L12:c300-9000', 'B0-9007199254740991', 'items/5-146'),
    fc.string({ unit: fc.constantFrom(...'abc._'), minLength: 1, maxLength: 64 }),
  ),
  values: fc.array(fc.tuple(value, fc.integer({ min: -2, max: 900 })), { maxLength: 8 }),
  failures: fc.oneof(fc.nat(5), fc.maxSafeNat()),
});

describe('marker', () => {
  it('is at most 200 bytes of ASCII, matches the grammar, and its counts add up', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const text = formatMarker(given);
        expect(text.length).toBeLessThanOrEqual(MAX_MARKER_BYTES);
        expect(text).toMatch(/^<<ctxzip[!-~ ]*>>$/);
        expect(text.slice(2, -2)).not.toMatch(/[<>"'\\`$\n]/);
        const [marker, ...more] = findMarkers(text);
        expect(more).toEqual([]);
        expect(marker).toMatchObject({ start: 0, end: text.length, count: given.count, unit: given.unit });
        expect(marker!.failures).toBe(given.failures);
        expect(marker!.hash).toBe(given.form === 'short' ? undefined : given.hash);
        expect(formatAddress(marker!.address)).toBe(given.address);
        const sum = marker!.values.reduce((total, [, number]) => total + number, 0);
        if (marker!.values.length > 0) expect(sum).toBe(given.count);
        expect(marker!.values.filter(([name]) => name !== 'other').length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 1000 },
    );
  });

  it('opens what it says when it is pasted, whatever quotes stick to it', () => {
    const quote = fc.constantFrom('', '"', "'", '`', '\\"', '# ', '  ', '{"_ctxzip":"');
    const end = fc.constantFrom('', '"', "'", '`', '\\"', '.', ',', '"}', '"},\n');
    fc.assert(
      fc.property(facts, quote, end, (given, before, after) => {
        fc.pre(given.form !== 'short' && !/^0+$/.test(given.hash));
        const text = `${before}${formatMarker(given)}${after}`;
        for (const words of [[text], text.split(' ')]) {
          const handle = parseHandle(words);
          expect(handle).toMatchObject({ kind: 'handle', hash: given.hash });
          expect(handle.kind === 'handle' && formatAddress(handle.address!)).toBe(given.address);
        }
      }),
    );
  });

  it.each([
    { hash: 'AC998FEA694B' },
    { hash: 'ac998' },
    { count: 0 },
    { count: 1.5 },
    { unit: 'two words' },
    { address: 'L3 90' },
    { address: 'L0' },
    { address: '' },
    { failures: -1 },
  ])('is not made of %j', (wrong) => {
    const right: MarkerFacts = {
      hash: HASH,
      form: 'first',
      count: 3,
      unit: 'lines',
      address: 'L1-3',
      values: [],
      failures: 0,
    };
    expect(() => formatMarker({ ...right, ...wrong })).toThrow(RangeError);
  });

  it('is found wherever it stands, several on a line, in order', () => {
    const text = 'a <<ctxzip 1_lines L1>><<ctxzip 2_lines L2-3>>\n<<<ctxzip 3_lines L4-6>>>';
    expect(findMarkers(text).map(({ start, count }) => [start, count])).toEqual([
      [2, 1],
      [23, 2],
      [48, 3],
    ]);
  });

  it('is found in linear time where a text is full of beginnings', () => {
    const started = performance.now();
    expect(findMarkers('<<ctxzip:ac998fea694b 88_lines_offloaded L3-90 a:1 '.repeat(20_000))).toEqual([]);
    expect(isForeignMarker('[Read content stale: '.repeat(50_000))).toBe(false);
    expect(parseHandle([`${' "'.repeat(500_000)}x`]).kind).toBe('invalid');
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('never throws on what a person pastes', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<<ctxzip',
        'ctxzip:',
        'ac998fea694b',
        '88_lines_offloaded',
        'L3-90',
        '>>',
        'hash=',
        '"',
        ':',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.constantFrom('', ' '), (words, glue) => {
        expect(['handle', 'documentation', 'invalid']).toContain(parseHandle([words.join(glue)]).kind);
      }),
      { numRuns: 1000 },
    );
  });
});
