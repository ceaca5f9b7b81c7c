/** The first looks, which spare most texts a pattern, lose nothing of what the patterns find. */
import { type Arbitrary, array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BRANCH, LONG, showsForm, TOTAL } from '../../src/core/search/list-form.ts';

const lineOf = (parts: readonly string[]): Arbitrary<string> =>
  array(constantFrom(...parts), { maxLength: 10 }).map((some) => some.join(''));

describe('showsForm', () => {
  const PATH = /^(?:[A-Za-z]:)?[^\s:"'<>|*?={},;()]{1,400}$/;
  const forms = {
    ls: (text: string) => TOTAL.test(text) || LONG.test(text) || /^\.{0,2}\/?[^\s:]*:$/.test(text),
    tree: (text: string) => BRANCH.test(text),
    paths: (text: string) => PATH.test(text) && /[\\/]/.test(text),
  };
  const lines = lineOf([
    '-rw-r--r-- 1 root root 42 Jan 1 12:00 ',
    'drwxr-xr-x',
    ' 2 a b 1K 2026-05-01 10:00 ',
    'total ',
    '12K',
    './',
    'quay',
    ':',
    '\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 ',
    '|-- ',
    '`-- ',
    '    ',
    '/',
    '\\',
    ' ',
    'x',
  ]);

  it.each(['ls', 'tree', 'paths'] as const)('finds of the form %s what its patterns find', (form) => {
    assert(
      property(lines, (text) => {
        expect(showsForm(form, text)).toBe(forms[form](text));
      }),
      { numRuns: 3000 },
    );
  });
});
