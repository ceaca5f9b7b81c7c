import { expect, test } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';

const WORDS = ['keep_patterns', 'max_tokens', 'level', 'ttl'];

test.each([
  ['keep_pattern', 'keep_patterns'],
  ['keepPatterns', 'keep_patterns'],
  ['keep-patterns', 'keep_patterns'],
  ['max_tokesn', 'max_tokens'],
  ['maxtoken', 'max_tokens'],
  ['levle', 'level'],
  ['tll', 'ttl'],
  ['tttl', 'ttl'],
  ['colour', undefined],
  ['', undefined],
  ['__proto__', undefined],
  ['x'.repeat(100_000), undefined],
])('%#: %s means %s', (word, meant) => expect(nearest(word, WORDS)).toBe(meant));
