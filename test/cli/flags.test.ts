import { describe, expect, it } from 'vitest';
import { parseRun } from '../../src/cli/flags.ts';

describe('parseRun', () => {
  it.each<[string[], string[]]>([
    [['ls'], ['ls']],
    [['--', 'ls'], ['ls']],
    [
      ['ls', '--json'],
      ['ls', '--json'],
    ],
    [
      ['--json', 'ls', '--', '--tty'],
      ['ls', '--', '--tty'],
    ],
    [
      ['--query', 'why', '--', 'npm', 'test', '--', '-u'],
      ['npm', 'test', '--', '-u'],
    ],
    [
      ['-q', 'why', 'npm', '--help'],
      ['npm', '--help'],
    ],
    [
      ['--', '--', 'x'],
      ['--', 'x'],
    ],
    [['--', '-V'], ['-V']],
    [['-'], ['-']],
    [[''], ['']],
  ])('%j runs %j', (argv, words) => expect(parseRun(argv)).toMatchObject({ kind: 'run', words }));

  it('reads every flag of the pipe, and --tty', () => {
    const flags =
      '--query q --max-tokens 5 --level none --as log --tool t --keep a --keep b --no-store --explain';
    expect(parseRun([...flags.split(' '), '--json', '--tty', 'x'])).toEqual({
      kind: 'run',
      tty: true,
      words: ['x'],
      flags: {
        config: { maxTokens: '5', level: 'none', keepPatterns: ['a', 'b'] },
        query: 'q',
        as: 'log',
        tool: 't',
        store: false,
        explain: true,
        json: true,
      },
    });
  });

  it.each<[string[], RegExp]>([
    [[], /needs a command/],
    [['--'], /needs a command/],
    [['--json'], /needs a command/],
    [['--tyy', 'ls'], /did you mean --tty/],
    [['--query'], /needs a value/],
    [['--as', 'xml', 'ls'], /the shapes are/],
  ])('%j runs nothing', (argv, message) => {
    expect(parseRun(argv)).toEqual({ kind: 'usage', message: expect.stringMatching(message) });
  });

  it.each([['-h'], ['--help']])('%s is help in front of a command only', (flag) => {
    expect(parseRun([flag])).toEqual({ kind: 'help' });
    expect(parseRun(['ls', flag])).toMatchObject({ kind: 'run' });
  });
});
