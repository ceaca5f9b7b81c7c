import { describe, expect, test } from 'vitest';
import { formatProblem, pipeVerdict, quoted, type Problem } from '../../src/config/problems.ts';

const note: Problem = { severity: 'note', source: 'project', message: 'n' };
const error: Problem = {
  severity: 'error',
  source: 'project',
  file: '/p/forge.yaml',
  line: 4,
  column: 3,
  key: 'hint',
  message: '"yes" is not allowed here',
  allowed: 'true or false',
};
const fatal: Problem = { severity: 'fatal', source: 'user', file: '/u/forge.yaml', message: 'is a folder' };

test.each([
  [error, '/p/forge.yaml:4:3: hint: "yes" is not allowed here (allowed: true or false)'],
  [fatal, '/u/forge.yaml: is a folder'],
  [{ severity: 'error', source: 'environment', key: 'CTXZIP_TTL', message: 'm' } as const, 'CTXZIP_TTL: m'],
  [{ ...fatal, file: '/a\u001b[2J\nb' }, '/a\\u001b[2J\\u000ab: is a folder'],
])('%#', (problem, text) => expect(formatProblem(problem)).toBe(text));

describe('pipeVerdict', () => {
  test.each<[string, Problem[], boolean, string | undefined]>([
    ['nothing', [], false, undefined],
    ['notes are for config check', [note, note], false, undefined],
    [
      'a mistyped flag is said before all else',
      [fatal, { severity: 'error', source: 'flag', key: '--level', message: 'm' }],
      true,
      '--level: m; input passed through unchanged; 1 more, see: ctxzip config check',
    ],
    ['an error is told', [note, error], false, `${formatProblem(error)}; ignored`],
    [
      'a fatal one passes through',
      [fatal],
      true,
      '/u/forge.yaml: is a folder; input passed through unchanged',
    ],
    [
      'the worst is told, the others counted',
      [error, note, fatal, error],
      true,
      '/u/forge.yaml: is a folder; input passed through unchanged; 2 more, see: ctxzip config check',
    ],
  ])('%s', (_, problems, passthrough, line) => {
    expect(pipeVerdict(problems)).toEqual(line === undefined ? { passthrough } : { passthrough, line });
  });
});

test.each([
  ['plain', '"plain"'],
  [17, '"17"'],
  [NaN, '"NaN"'],
  [null, '"null"'],
  [{ a: [1] }, '"{"a":[1]}"'],
  ['x'.repeat(70), `"${'x'.repeat(60)}..."`],
  ['a\tb\u202e', '"a\\u0009b\\u202e"'],
])('quoted %#', (value, text) => expect(quoted(value)).toBe(text));
