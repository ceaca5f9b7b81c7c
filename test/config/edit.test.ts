import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editConfig, type Edits } from '../../src/config/edit.ts';

/** The text afterwards; throws where it is refused. */
function edited(text: string, edits: Edits): string {
  const made = editConfig(text, edits);
  if (made.kind === 'fault') throw new Error(made.message);
  return made.text;
}

describe('every byte around an edit stays', () => {
  it.each<[string, string, Edits, string]>([
    [
      'a value',
      'compression:\n  level: normal # why\n',
      { set: { level: 'none' } },
      'compression:\n  level: none # why\n',
    ],
    [
      'another key, behind the last',
      '# mine\nother:\n  a:   [1,2]\ncompression:\n    ttl: 7d\n\n# end\n',
      { set: { level: 'none' } },
      '# mine\nother:\n  a:   [1,2]\ncompression:\n    ttl: 7d\n    level: none\n\n# end\n',
    ],
    [
      'a block list',
      "compression:\n  keep_patterns:\n    - 'a' # one\n    -  b\n  ttl: 7d\n",
      { keep: ["it's", '/x\\d/'] },
      "compression:\n  keep_patterns:\n    - 'a' # one\n    -  b\n    - 'it''s'\n    - '/x\\d/'\n  ttl: 7d\n",
    ],
    [
      'a flow list',
      'compression:\n  keep_patterns: [ "a" , b ]  # both\n',
      { keep: ['c'] },
      'compression:\n  keep_patterns: [ "a" , b, \'c\' ]  # both\n',
    ],
    [
      'an empty list',
      'compression:\n  keep_patterns: []\n',
      { keep: ['c'] },
      "compression:\n  keep_patterns: ['c']\n",
    ],
    [
      'a list that is null',
      'compression:\n  keep_patterns:\n',
      { keep: ['c'] },
      "compression:\n  keep_patterns: ['c']\n",
    ],
    [
      'a flow map',
      'compression: {ttl: 7d}\n',
      { set: { level: 'none' } },
      'compression: {ttl: 7d, level: none}\n',
    ],
    [
      'an empty block',
      'compression:\nother: 1\n',
      { set: { level: 'none' } },
      'compression:\n  level: none\nother: 1\n',
    ],
    ['no block', 'other: 1\n', { set: { level: 'none' } }, 'other: 1\n\ncompression:\n  level: none\n'],
    ['an empty file', '', { set: { level: 'none' } }, 'compression:\n  level: none\n'],
    [
      'no final newline',
      'compression:\n  ttl: 7d',
      { keep: ['x'] },
      "compression:\n  ttl: 7d\n  keep_patterns:\n    - 'x'\n",
    ],
    [
      'Windows line ends',
      'compression:\r\n  ttl: 7d\r\n',
      { set: { level: 'none' } },
      'compression:\r\n  ttl: 7d\r\n  level: none\r\n',
    ],
    [
      'what is there already',
      "compression:\n  keep_patterns: ['c']\n  level: none\n",
      { set: { level: 'none' }, keep: ['c'] },
      "compression:\n  keep_patterns: ['c']\n  level: none\n",
    ],
  ])('%s', (_, text, edits, wanted) => {
    expect(edited(text, edits)).toBe(wanted);
    expect(edited(wanted, edits)).toBe(wanted);
  });

  it('a list of maps and comments in odd places', () => {
    const text =
      'tools: &t\n  - x: 1\ncompression: # block\n  # before\n  level: normal\n\n  # about tools\n  tools:\n    kubectl: { level: none }\n# behind\nz: *t\n';
    const now = edited(text, { set: { ttl: '3d' }, keep: ['p'] });
    expect(parse(now)).toEqual({
      ...(parse(text) as object),
      compression: {
        level: 'normal',
        tools: { kubectl: { level: 'none' } },
        ttl: '3d',
        keep_patterns: ['p'],
      },
    });
    for (const line of text.split('\n')) expect(now.split('\n')).toContain(line);
  });
});

describe('refused', () => {
  it.each([
    ['no YAML', 'compression: [\n', /line 2/],
    ['a list at the top', '- a\n', /no map/],
    ['a block that is no map', 'compression: 7\n', /no map/],
    ['patterns that are a text', 'compression:\n  keep_patterns: a\n', /no list/],
    ['a value that is a map', 'compression:\n  level: {a: 1}\n', /no plain value/],
  ])('%s', (_, text, message) => {
    const made = editConfig(text, { set: { level: 'none' }, keep: ['x'] });
    expect(made).toMatchObject({ kind: 'fault', message: expect.stringMatching(message) as string });
  });
});
