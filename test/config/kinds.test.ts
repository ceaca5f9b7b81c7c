import { describe, expect, test } from 'vitest';
import { count, duration, path, size, truth, word, type Kind } from '../../src/config/kinds.ts';

const HOUR_MS = 3_600_000;

function accepts<T>(kind: Kind<T>, cases: ReadonlyArray<readonly [unknown, T]>): void {
  test.each(cases)('%j is %j', (given, value) => {
    expect(kind.read(given)).toEqual({ value, faults: [] });
    expect(kind.read(kind.fromText(kind.show(value))).value).toEqual(value);
  });
}

function refuses<T>(kind: Kind<T>, cases: readonly unknown[]): void {
  test.each(cases.map((given) => [String(given).slice(0, 30), given]))(
    '%s is refused with what is allowed',
    (_, given) => {
      const { value, faults } = kind.read(given);
      expect(value).toBeUndefined();
      expect(faults).toMatchObject([{ severity: 'error', path: [], allowed: kind.allowed }]);
    },
  );
}

describe('truth', () => {
  accepts(truth, [
    [true, true],
    [false, false],
  ]);
  refuses(truth, ['true', 'yes', 1, 0, [], {}, '']);
  test.each([
    ['true', true],
    ['FALSE', false],
    ['1', true],
    ['0', false],
    ['yes', 'yes'],
    ['constructor', 'constructor'],
  ])('the text %j is %j', (text, value) => expect(truth.fromText(text)).toBe(value));
});

describe('count', () => {
  accepts(count, [
    [0, 0],
    [16_000, 16_000],
  ]);
  refuses(count, [-1, 1.5, '16000', NaN, Infinity, 2 ** 60, true, [], {}]);
  test.each([
    ['4000', 4000],
    ['-1', '-1'],
    ['1e3', '1e3'],
    ['0x10', '0x10'],
    [' 5', ' 5'],
  ])('the text %j is %j', (text, value) => expect(count.fromText(text)).toBe(value));
});

describe('duration', () => {
  accepts(duration, [
    ['7d', 168 * HOUR_MS],
    ['12h', 12 * HOUR_MS],
    ['30m', HOUR_MS / 2],
    ['90s', 90_000],
    ['2w', 336 * HOUR_MS],
    ['1.5h', 1.5 * HOUR_MS],
    [' 7 d ', 168 * HOUR_MS],
    ['1.5s', 1500],
    ['3650d', 87_600 * HOUR_MS],
  ]);
  refuses(duration, [
    '',
    '7',
    7,
    '7D',
    '7days',
    '-7d',
    '0d',
    '0.5s',
    '3651d',
    '99999999999d',
    '1d12h',
    null,
    [],
    '7 x',
  ]);
});

describe('size', () => {
  accepts(size, [
    ['1GiB', 2 ** 30],
    ['512MB', 512e6],
    ['1.5 KiB', 1536],
    ['64kib', 65_536],
    [4096, 4096],
    ['4096', 4096],
    ['10B', 10],
    ['2TB', 2e12],
    [1001, 1001],
  ]);
  refuses(size, ['', '1G', 'GiB', 0, -1, 0.2, '1e9', 1e21, '99999TiB', true, [], {}, '1PiB', NaN]);
});

describe('word', () => {
  const level = word<string>(['none', 'normal']);
  accepts(level, [
    ['none', 'none'],
    ['normal', 'normal'],
  ]);
  refuses(level, ['', 'Normal', 'nrmal', 'loud', 3, true, [], 'toString']);
  test('a near miss is told', () => {
    expect(level.read('nromal').faults[0]?.message).toBe('"nromal" is not known, did you mean normal?');
    expect(level.read('loud').faults[0]?.message).toBe('"loud" is not known');
  });
});

describe('path', () => {
  accepts(path, [
    ['/var/store', '/var/store'],
    ['~/x', '~/x'],
  ]);
  refuses(path, ['', '  ', 7, true, [], 'a\0b', 'x'.repeat(5000)]);
});
