import { describe, expect, test } from 'vitest';
import { MAX_PATTERNS, parsePattern, readPatterns, splitPatterns } from '../../src/config/patterns.ts';

describe('parsePattern', () => {
  test.each([
    ['OOMKilled', { kind: 'literal', text: 'OOMKilled' }],
    ['/tmp', { kind: 'literal', text: '/tmp' }],
    ['/a b/c d', { kind: 'literal', text: '/a b/c d' }],
    ['a/b/c', { kind: 'literal', text: 'a/b/c' }],
    ['[ERROR]', { kind: 'literal', text: '[ERROR]' }],
    ['/pay-\\d+/', { kind: 'regex', source: 'pay-\\d+', flags: '' }],
    ['/pay/i', { kind: 'regex', source: 'pay', flags: 'i' }],
    ['/pay/gim', { kind: 'regex', source: 'pay', flags: 'im' }],
    ['/var/log/', { kind: 'regex', source: 'var/log', flags: '' }],
    ['/\\p{L}+/u', { kind: 'regex', source: '\\p{L}+', flags: 'u' }],
    ['/[\\p{L}--[a-z]]/v', { kind: 'regex', source: '[\\p{L}--[a-z]]', flags: 'v' }],
    ['x'.repeat(1000), { kind: 'literal', text: 'x'.repeat(1000) }],
  ])('%#', (text, pattern) => expect(parsePattern(text)).toEqual(pattern));

  test.each([
    ['', 'is empty'],
    ['//', 'is an empty regex'],
    ['//i', 'is an empty regex'],
    ['/a/y', 'has the flags "y"'],
    ['/a/d', 'has the flags "d"'],
    ['/a/I', 'has the flags "I"'],
    ['/a/ii', 'is no valid regex'],
    ['/a/uv', 'is no valid regex'],
    ['/a/gg', 'has the flags "gg"'],
    ['/(/', 'is no valid regex: Unterminated group'],
    ['/[/', 'is no valid regex'],
    ['/\\p{Nope}/u', 'is no valid regex'],
    ['/var/log', 'has the flags "log"; as a path it is written /\\/var\\/log/'],
    ['two\nlines', 'holds a line break'],
    ['x'.repeat(1001), 'has 1001 characters'],
    [`/${'('.repeat(998)}/`, 'is no valid regex'],
  ])('%#: %j is invalid', (text, message) => {
    const pattern = parsePattern(text);
    expect(pattern).toEqual({ kind: 'invalid', message: expect.stringContaining(message) });
  });

  test('the way it proposes for a path matches that path', () => {
    const proposed = parsePattern('/\\/var\\/log/');
    expect(proposed).toEqual({ kind: 'regex', source: '\\/var\\/log', flags: '' });
    expect(/\/var\/log/.test('see /var/log for more')).toBe(true);
  });
});

describe('readPatterns', () => {
  test('equal patterns are one, in their one written form', () => {
    expect(readPatterns(['a', '/b/gi', 'a', '/b/i']).value).toEqual(['a', '/b/i']);
  });

  test.each([['OOM'], [7], [{}], [true]])('%#: %j is no list, and fatal', (value) => {
    expect(readPatterns(value).faults).toMatchObject([{ severity: 'fatal', path: [] }]);
  });

  test.each([[404], [null], [['x']], [{ a: 1 }], [''], ['/(/'], ['/x/y']])(
    'the entry %j is fatal and named',
    (entry) => {
      const { value, faults } = readPatterns(['good', entry]);
      expect(value).toEqual(['good']);
      expect(faults).toMatchObject([{ severity: 'fatal', path: [1] }]);
    },
  );

  test('too many are refused', () => {
    expect(readPatterns(Array.from({ length: MAX_PATTERNS + 1 }, (_, i) => `p${i}`)).faults).toHaveLength(1);
  });
});

describe('splitPatterns', () => {
  test.each([
    ['OOMKilled', ['OOMKilled']],
    ['a,b', ['a', 'b']],
    [' a , b ,, ', ['a', 'b']],
    ['a\nb c\r\nd', ['a', 'b c', 'd']],
    ['/x{1,3}/i,b', ['/x{1,3}/i', 'b']],
    ['b,/x{1,3}/,/y,z/', ['b', '/x{1,3}/', '/y,z/']],
    ['/a\\/b,c/i', ['/a\\/b,c/i']],
    ['/tmp,/var', ['/tmp', '/var']],
    ['["a,b", "/c/"]', ['a,b', '/c/']],
    ['[ERROR],x', ['[ERROR]', 'x']],
    [',', []],
  ])('%#: %j is %j', (text, patterns) => expect(splitPatterns(text)).toEqual(patterns));

  test('a long text without end is split at once', () => {
    const startedMs = performance.now();
    splitPatterns(`/${'a,'.repeat(50_000)}`);
    splitPatterns('/a\\'.repeat(50_000));
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});
