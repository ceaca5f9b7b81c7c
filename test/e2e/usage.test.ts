/** Help, versions, mistyped flags and commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder, sandbox } from '../support-e2e/command.ts';
import { log } from '../support-e2e/inputs.ts';

const box = sandbox();
const COMMANDS = ['run', 'expand', 'restore', 'verify', 'list', 'forget', 'gc', 'config'];
const FLAGS = [
  '--query',
  '--max-tokens',
  '--level',
  '--as',
  '--tool',
  '--keep',
  '--no-store',
  '--explain',
  '--json',
];

describe('help', () => {
  it.each([['--help'], ['-h'], ['help']])('%s shows purpose, examples, flags and commands', async (word) => {
    const { text, err, code } = await box.run([word]);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    for (const name of [...FLAGS, '--escapes', '--markers', '--no-hint', ...COMMANDS])
      expect(text).toContain(name);
    expect(
      text
        .split('\n')
        .slice(0, 7)
        .filter((line) => line.includes('ctxzip ') || line.includes('| ctxzip')),
    ).toHaveLength(4);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it.each(COMMANDS)('of %s, in both ways', async (command) => {
    const { text, err, code } = await box.run([command, '--help']);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(text).toMatch(new RegExp(`^Usage: ctxzip ${command}`, 'm'));
    expect(text).toMatch(new RegExp(`^  ctxzip ${command}`, 'm'));
    expect((await box.run(['help', command])).text).toBe(text);
    expect((await box.run([command, '-h'])).text).toBe(text);
  });

  it('help wins over everything else, and does not read stdin', async () => {
    const { text } = await box.run(['--level', 'none', '--help'], { input: 'copied' });
    expect(text).toMatch(/^ctxzip shrinks/);
    expect(text).not.toContain('copied');
  });
});

describe('version', () => {
  it.each([['--version'], ['-V']])('%s is the one of package.json', async (flag) => {
    const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      version: string;
    };
    const { text, code } = await box.run([flag]);
    expect({ text, code }).toEqual({ text: `${version}\n`, code: 0 });
  });
});

describe('a mistyped flag of the pipe', () => {
  it.each([
    [['--leve', 'none'], /unknown flag --leve; did you mean --level\?/],
    [['--jsn'], /did you mean --json\?/],
    [['--max-token=5'], /did you mean --max-tokens\?/],
    [['--querry', 'x'], /did you mean --query\?/],
    [['--nostore'], /did you mean --no-store\?/],
    [['-x'], /unknown flag -x/],
    [['--frobnicate'], /unknown flag --frobnicate; see: ctxzip --help/],
    [['--level'], /--level needs a value/],
    [['--level', 'nromal'], /"nromal" is not known, did you mean normal\?/],
    [['--level', 'loud'], /is not known/],
    [['--max-tokens', '-5'], /allowed: a whole number/],
    [['--max-tokens', '1e3'], /allowed: a whole number/],
    [['--max-tokens', 'lots'], /allowed: a whole number/],
    [
      ['--as', 'xml'],
      /the shapes are envelope, json, ndjson, diff, search, test, trace, yaml, describe, table, csv, log, code, text/,
    ],
    [['--escapes', 'drop'], /allowed: strip, keep/],
    [['--markers', 'long'], /allowed: short, full/],
    [['--json=yes'], /--json takes no value/],
    [['-'], /stdin is read anyway/],
    [['--\u001b]0;pwn\u0007'], /unknown flag/],
  ])('%j: stdin is copied, exit 2', async (args, message) => {
    const { text, err, code } = await box.run(args, { input: log() });
    expect({ same: text === log(), code }).toEqual({ same: true, code: 2 });
    expect(err).toMatch(message);
    expect(err).toMatch(/^ctxzip: [^\n]*\n$/);
    // oxlint-disable-next-line no-control-regex
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('copies binary, and 3 MB of it', async () => {
    const input = Buffer.alloc(3 << 20, Buffer.from([0, 255, 10, 13]));
    const { out, code } = await box.run(['--oops'], { input });
    expect({ same: out.equals(input), code }).toEqual({ same: true, code: 2 });
  });
});

describe('a mistyped command', () => {
  it.each([
    [['expnd', 'abcdef'], /"expnd" is no command; did you mean "ctxzip expand"\?/],
    [['lst'], /did you mean "ctxzip list"\?/],
    [['frobnicate'], /"frobnicate" is no command; see: ctxzip --help/],
    [['true'], /is no command/],
    [['ls', '-la'], /is no command/],
    [['--json', 'list'], /flags of list go behind it/],
    [['--query', 'x', 'why', 'is', 'it'], /"why" is no command/],
    [['\u001b[31mred'], /is no command/],
    [['💥'], /is no command/],
    [['constructor'], /is no command/],
  ])('%j: an error, stdin is not read', async (args, message) => {
    const { out, err, code } = await box.run(args, { input: log() });
    expect({ out: out.length, code }).toEqual({ out: 0, code: 2 });
    expect(err).toMatch(message);
    // oxlint-disable-next-line no-control-regex
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('does not wait for stdin', async () => {
    // A producer that is not done: the error comes at once.
    const { text, ms } = await box.shell(
      'mkfifo p; sleep 20 > p & producer=$!; $CZ expnd < p 2>&1; echo "exit $?"; kill $producer',
    );
    expect(text).toMatch(/exit 2/);
    expect(ms).toBeLessThan(9000);
  });

  it.each([
    [['restore', '--foo']],
    [['restore', 'foo']],
    [['verify', 'x']],
    [['list', 'x']],
    [['gc', 'x']],
    [['config', 'chek']],
    [['config']],
    [['list', '--jsn']],
    [['help', 'frobnicate']],
  ])('%j: wrong usage of a command', async (args) => {
    const { out, err, code } = await box.run(args, { input: 'x' });
    expect({ out: out.length, code }).toEqual({ out: 0, code: 2 });
    expect(err).toMatch(/ctxzip: /);
  });

  it('config check takes no further word', async () => {
    expect((await box.run(['config', 'check', 'x'])).code).toBe(2);
  });

  it('help of an unknown command says that it is none', async () => {
    expect((await box.run(['help', 'frobnicate'])).err).toMatch(/"frobnicate" is no command/);
  });
});

describe('--', () => {
  it('ends the flags of the pipe', async () => {
    const { text, code } = await box.run(['--level', 'none', '--'], { input: log() });
    expect({ same: text === log(), code }).toEqual({ same: true, code: 0 });
  });

  it('in front of words: they are no flags, and no question', async () => {
    const { code, out, err } = await box.run(['--', '--json'], { input: log() });
    expect({ code, out: out.length }).toEqual({ code: 2, out: 0 });
    expect(err).toMatch(/--json/);
  });

  it.each([
    [['list', '--'], 0],
    [['gc', '--'], 0],
    [['expand', '--', 'abcdef123456'], 1],
    [['expand', '--grep', 'x', '--', 'abcdef123456', 'L1'], 1],
    [['forget', '--', 'abcdef123456'], 1],
    [['config', 'check', '--'], 0],
    [['restore', '--'], 1],
  ])('%j', async (args, exit) => {
    const { code, err } = await box.run(args);
    expect(code, err).toBe(exit);
    expect(err).not.toMatch(/unknown option|too many/);
  });

  it('in front of a command does not deny that it is one', async () => {
    const { code, err } = await box.run(['--', 'list']);
    expect(code).toBe(2);
    expect(err).not.toMatch(/"list" is no command/);
  });
});

describe('streams', () => {
  it('stdout carries the payload and nothing else', async () => {
    const view = await box.run(['--explain'], { input: log() });
    expect(view.text).toBe((await box.run([], { input: log() })).text);
    const { err } = await box.run(['--explain', '--json'], { input: log() });
    expect(err.split('\n').every((line) => line === '' || line.startsWith('ctxzip: '))).toBe(true);
  });

  it('no colour and no animation on stderr, whatever is asked', async () => {
    for (const env of [
      { FORCE_COLOR: '1' },
      { NO_COLOR: '1' },
      { TERM: 'dumb' },
      { TERM: 'xterm-256color' },
    ]) {
      const { err } = await box.run(['--oops'], { input: 'x', env });
      // oxlint-disable-next-line no-control-regex
      expect(err).not.toMatch(/\u001b/);
    }
  });
});
