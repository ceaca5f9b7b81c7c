/** What is put into a `forge.yaml`, and that all around it stays as it is, byte for byte. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editConfig, type Edited } from '../../src/config/edit.ts';

const addKeepPatterns = (text: string, keep: readonly string[]): Edited => editConfig(text, { keep });

const REST = `# My project, do not reorder

agent:   {name: "x",   model: 'y' }   # odd   spacing
list:
- a
-   b

`;

/** Where `ADD` stands, that is what has to be put there; nowhere else may anything change. */
const CASES: ReadonlyArray<readonly [name: string, text: string]> = [
  [
    'a list',
    `${REST}compression:\n  keep_patterns:\n    - One\n    - Two # why\nADD:    - 'Fresh'\n:    # after\n  level: normal\n`,
  ],
  [
    'a list at the indentation of its key',
    `compression:\n  keep_patterns:\n  - One\nADD:  - 'Fresh'\n:  level: normal\n${REST}`,
  ],
  ['a list with wide dashes', `compression:\n  keep_patterns:\n    -   One\nADD:    -   'Fresh'\n:`],
  ["a list in 'single quotes'", `compression:\n  keep_patterns:\n    - 'One'\nADD:    - 'Fresh'\n:`],
  ['a list in "double quotes"', `compression:\n  keep_patterns:\n    - "One"\nADD:    - "Fresh"\n:`],
  ['a list without a last line end', `compression:\n  keep_patterns:\n    - OneADD:\n    - 'Fresh'\n:`],
  [
    'a list in brackets',
    `compression:\n  keep_patterns: [ One,  'Two'ADD:, 'Fresh': ] # c\n  level: normal\n`,
  ],
  [
    'a list in brackets over lines',
    `compression:\n  keep_patterns: [\n    One, # 1\n    TwoADD:, 'Fresh': # 2\n  ]\n`,
  ],
  ['an empty list', `compression:\n  keep_patterns: [ADD:'Fresh':] # none\n${REST}`],
  ['no value', `compression:\n  keep_patterns:ADD: ['Fresh']: # none\n  level: normal\n`],
  [
    'no key',
    `${REST}compression:\n  # how much\n  level: normal # c\nADD:  keep_patterns:\n    - 'Fresh'\n:\n  # ttl: 7d\nother: 1\n`,
  ],
  [
    'no key behind a nested map',
    `compression:\n    tools:\n        kubectl: {level: none}\nADD:    keep_patterns:\n      - 'Fresh'\n:other: 1\n`,
  ],
  ['a block in braces', `compression: {level: normalADD:, keep_patterns: ['Fresh']:}\n`],
  ['an empty block in braces', `compression: {ADD:keep_patterns: ['Fresh']:}\n`],
  ['a block without keys', `compression:ADD:\n  keep_patterns:\n    - 'Fresh': # later\nother: 1\n`],
  ['no block', `${REST}ADD:compression:\n  keep_patterns:\n    - 'Fresh'\n:`],
  ['no block and no last line end', `other: 1ADD:\n\ncompression:\n  keep_patterns:\n    - 'Fresh'\n:`],
  ['a document with an end', `---\nother: 1\nADD:\ncompression:\n  keep_patterns:\n    - 'Fresh'\n:...\n`],
  ['nothing', `ADD:compression:\n  keep_patterns:\n    - 'Fresh'\n:`],
  ['only a comment', `# mine\nADD:\ncompression:\n  keep_patterns:\n    - 'Fresh'\n:`],
  ['only a mark', `---\nADD:\ncompression:\n  keep_patterns:\n    - 'Fresh'\n:`],
  ['a byte order mark', `\ufeffcompression:\n  level: normal\nADD:  keep_patterns:\n    - 'Fresh'\n:`],
];

function taken(text: string): { before: string; after: string } {
  const [, head, added, tail] = /^([\s\S]*?)ADD:([\s\S]*?):((?![\s\S]*Fresh)[\s\S]*)$/.exec(text)!;
  return { before: head! + tail!, after: head! + added! + tail! };
}

describe.each([
  ['\\n', '\n'],
  ['\\r\\n', '\r\n'],
])('with %s', (_, lineEnd) => {
  it.each(CASES)('%s', (_name, text) => {
    const lines = text.replaceAll('\n', lineEnd);
    const { before, after } = taken(lines);
    if (lineEnd !== '\n' && !before.includes('\r\n')) return;
    expect(addKeepPatterns(before, ['Fresh'])).toEqual({ kind: 'text', text: after });
    expect(addKeepPatterns(after, ['Fresh'])).toEqual({ kind: 'text', text: after });
  });
});

it('quotes what YAML would take for something else', () => {
  const words = ['true', 'a: b', "it's", '#x', 'NO', '12', '/x y/i', 'ok-word'];
  const edited = addKeepPatterns('compression:\n  keep_patterns: [One]\n', words);
  if (edited.kind !== 'text') throw new Error(edited.message);
  expect(parse(edited.text).compression.keep_patterns).toEqual(['One', ...words]);
});

it.each([
  ['compression: [', /line \d+/],
  ['a: 1\n---\nb: 2\n', /document/],
  ['- a\n- b\n', /no map/],
  ['compression: 3\n', /no map/],
  ['compression:\n  keep_patterns: One\n', /no list/],
  ['x: &x [One]\ncompression:\n  keep_patterns: *x\n', /reference/],
  ['x: &x {level: normal}\ncompression: *x\n', /reference/],
  // A list that is used elsewhere, too, would change there.
  ['compression:\n  keep_patterns: &k [One]\nother: *k\n', /by hand/],
  ['compression: {}\ncompression: {level: normal}\n', /by hand/],
])('refuses %j', (text, reason) => {
  const edited = addKeepPatterns(text, ['Fresh']);
  expect(edited).toEqual({ kind: 'fault', message: expect.stringMatching(reason) as string });
});
