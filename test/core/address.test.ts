import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Address,
  formatAddress,
  markerAddress,
  MAX_MARKER_ADDRESS,
  parseAddress,
  parseLineSpan,
  type PathAddress,
} from '../../src/core/address.ts';

interface AddressCase {
  readonly text: string;
  readonly canonical?: string;
  readonly address?: Address;
  readonly invalid?: string;
}

const cases = JSON.parse(readFileSync(new URL('./marker-cases.json', import.meta.url), 'utf8')) as {
  addresses: AddressCase[];
};

describe('addresses of marker-cases.json', () => {
  it.each(cases.addresses)('$text', ({ text, canonical, address, invalid }) => {
    const parsed = parseAddress(text);
    if (address) {
      expect(parsed).toEqual({ kind: 'address', address });
      expect(formatAddress(address)).toBe(canonical ?? text);
    } else {
      expect(parsed.kind === 'invalid' && parsed.message).toContain(invalid);
      expect(parsed.kind === 'invalid' && parsed.message).toContain('L12-48 (lines)');
    }
  });
});

const number = fc.oneof(fc.nat(200), fc.maxSafeNat());
const span = (least: number) =>
  fc.tuple(number, number).map(([a, b]) => {
    const from = Math.max(least, Math.min(a, b));
    return { from, to: Math.max(from, b) };
  });
const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', 'L1-2', 'B0-4', '5-9', '5-', '@1', '%', '/', ':', '..', '-', 'L', 'B2B', 'a:L3'),
);
const path: fc.Arbitrary<PathAddress> = fc
  .record({
    document: fc.option(number, { nil: undefined }),
    segments: fc.array(key, { maxLength: 5 }),
    range: fc.option(span(0), { nil: undefined }),
  })
  .filter(
    ({ document, segments, range }) => document !== undefined || range !== undefined || segments.length > 0,
  )
  .map(({ document, segments, range }) => ({
    kind: 'path',
    segments,
    ...(document !== undefined && { document }),
    ...(range !== undefined && { range }),
  }));
const plain: fc.Arbitrary<Address> = fc.oneof(
  span(1).map((lines) => ({ kind: 'lines' as const, ...lines })),
  fc
    .tuple(number, span(1))
    .map(([line, chars]) => ({ kind: 'chars' as const, line: Math.max(1, line), ...chars })),
  fc
    .tuple(fc.nat(1e9), fc.integer({ min: 1, max: 1e9 }))
    .map(([start, size]) => ({ kind: 'bytes' as const, start, end: start + size })),
  path,
);
const wrapped = (inner: fc.Arbitrary<Address>): fc.Arbitrary<Address> =>
  fc
    .tuple(
      path.filter(({ range }) => range === undefined),
      inner,
    )
    .map(([at, address]) => ({ kind: 'inside' as const, path: at, inner: address }));
const anyAddress = fc.oneof(plain, wrapped(plain), wrapped(wrapped(plain)));

describe('address', () => {
  it('parse(format(a)) = a, in the alphabet of a marker', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        const text = formatAddress(address);
        expect(text).toMatch(/^[A-Za-z0-9_.%@:/-]+$/);
        expect(parseAddress(text)).toEqual({ kind: 'address', address });
      }),
      { numRuns: 1000 },
    );
  });

  it('whatever text is parsed: an address or words, never a throw; what parses formats to its canonical form', () => {
    const nonsense = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'LB0123459-:/c%@.a') }),
    );
    fc.assert(
      fc.property(nonsense, (text) => {
        const parsed = parseAddress(text);
        if (parsed.kind === 'address') expect(parseAddress(formatAddress(parsed.address))).toEqual(parsed);
        else expect(parsed.message).toMatch(/^[^\u0000-\u001f\u007f-\u009f]+$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused where it is absurdly long', () => {
    expect(parseAddress('a:'.repeat(3000)).kind).toBe('invalid');
    expect(parseAddress(`${'a:'.repeat(2000)}L1`).kind).toBe('address');
  });

  it('becomes bytes in a marker where its path is long or can not be written', () => {
    const long: Address = { kind: 'path', segments: ['x'.repeat(MAX_MARKER_ADDRESS + 1)] };
    expect(markerAddress(long, [4096, 9000])).toBe('B4096-9000');
    const fits: Address = { kind: 'path', segments: ['x'.repeat(MAX_MARKER_ADDRESS)] };
    expect(markerAddress(fits, [4096, 9000])).toBe('x'.repeat(MAX_MARKER_ADDRESS));
    const lone: Address = { kind: 'path', segments: ['a\ud800'] };
    expect(markerAddress(lone, [4096, 9000])).toBe('B4096-9000');
    expect(() => formatAddress(lone)).toThrow(RangeError);
  });

  it.each([
    ['3-9', { kind: 'lines', from: 3, to: 9 }],
    ['3', { kind: 'lines', from: 3, to: 3 }],
    ['L3-9', { kind: 'lines', from: 3, to: 9 }],
  ])('--lines %s', (text, address) => {
    expect(parseLineSpan(text)).toEqual({ kind: 'address', address });
  });

  it.each(['', '0', '9-3', '3-', '-3', 'items/3', '3:9', 'B0-4', 'L3:c1'])(
    '--lines %s is refused',
    (text) => {
      expect(parseLineSpan(text).kind).toBe('invalid');
    },
  );
});
