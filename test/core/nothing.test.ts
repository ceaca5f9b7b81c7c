import { type Arbitrary, array, assert, constantFrom, integer, oneof, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAboutErrors, isNegated, isNone } from '../../src/core/nothing.ts';

/** What the hand-written scans stand for. */
const BEFORE =
  /(?:(?:^|[\s("'[=:,])(?:0+|no|zero|without|any|non|ignore|ignoring|on|if|upon|for) |(?:^|[\s("'[=:,])0 (?:[a-z]+ ){1,2}|\b(?:on|if|ignore)[-_])$/i;
const AFTER =
  /^(?:\(s\)|s)?["']?\s?[:=]+\s?(?:["'](?:["']|null|none)|0+(?![\w.])|null\b|nil\b|<nil>|none\b|false\b|\[\]|\{\}|-(?:\s|$)|undefined\b|no\b)/i;

const pieces = (texts: readonly string[]): Arbitrary<string> =>
  array(
    oneof(
      { weight: 4, arbitrary: constantFrom(...texts) },
      integer({ min: 0, max: 255 }).map((c) => String.fromCharCode(c)),
    ),
    {
      maxLength: 7,
    },
  ).map((parts) => parts.join(''));

describe('isNegated', () => {
  it('says what its regular expression says', () => {
    const texts = [
      '0',
      '00',
      '10',
      ' ',
      ' ',
      'no',
      'No',
      'ON',
      'if',
      'ignore',
      'x',
      'input',
      '-',
      '_',
      '(',
      '"',
      '=',
      ':',
      ',',
      '\t',
      '\xa0',
    ];
    const before = pieces(texts).chain((text) =>
      constantFrom('', ' ', '-', '_', '0 a ', ' 0 a b ').map((end) => text + end),
    );
    assert(
      property(before, (text) => {
        expect(isNegated(text)).toBe(BEFORE.test(text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each(['0 ', 'with no ', '0 input ', '0 lost or ', 'ignore-', 'x.on_', '(00 '])(
    '%j makes nothing of it',
    (text) => expect(isNegated(text)).toBe(true),
  );
  it.each(['10 ', '1 input ', 'x0 a ', 'con_', 'upon-', '', ' '])('%j does not', (text) =>
    expect(isNegated(text)).toBe(false),
  );
});

describe('isNone', () => {
  it('says what its regular expression says', () => {
    const texts = [
      's',
      '(s)',
      '"',
      "'",
      ' ',
      ':',
      '=',
      '0',
      '00',
      '.',
      'null',
      'NULL',
      'nil',
      '<nil>',
      'none',
      'false',
      '[',
      ']',
      '{',
      '}',
      '-',
      'no',
      'x',
      '\t',
      'undefined',
    ];
    const after = tuple(
      constantFrom('', 's', '(s)'),
      constantFrom('', '"', ' '),
      constantFrom('', ':', ': ', '=', ' = '),
      pieces(texts),
    ).map((parts) => parts.join(''));
    assert(
      property(after, (text) => {
        expect(isNone(text)).toBe(AFTER.test(text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([': 0', 's: 00,', '": null', '=nil', '(s) = []', ': {}', "='none'", ': -', '=no'])(
    '%j is none',
    (text) => expect(isNone(text)).toBe(true),
  );
  it.each([': 0.5', ': 05x', '=nothing', ': 1', '', '0', ': [1]', ': -1'])('%j is some', (text) =>
    expect(isNone(text)).toBe(false),
  );
});

describe('isAboutErrors', () => {
  const ABOUT =
    /^[ -](?:handl|rate|log|page|budget|report|bound|count|track|correction|correcting|detection|recovery|injection|information|messages?\b(?! ?:))/i;

  it('says what its regular expression says', () => {
    const words = [
      'handler',
      'rate',
      'Log',
      'page',
      'message',
      'messages',
      'MESSAGE',
      'messager',
      'in',
      'correct',
      ' ',
      ':',
      ' :',
      's',
      '-',
      '_',
      'x',
    ];
    const after = tuple(constantFrom('', ' ', '-', ':'), pieces(words)).map((parts) => parts.join(''));
    assert(
      property(after, (text) => {
        expect(isAboutErrors(text)).toBe(ABOUT.test(text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([' handling', '-rate', ' message was', ' messages'])('%j is about errors', (text) =>
    expect(isAboutErrors(text)).toBe(true),
  );
  it.each(['', ' in', ': x', ' message: x', ' messages : x', 'handling'])('%j is one', (text) =>
    expect(isAboutErrors(text)).toBe(false),
  );
});
