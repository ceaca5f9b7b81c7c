/** `stats`, `explain`, `diff` and audit events through the command. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hashOf, hasTool, sandbox, type Sandbox } from '../support-e2e/command.ts';
import { log, pods } from '../support-e2e/inputs.ts';

const clock = fileURLToPath(new URL('../support-e2e/clock.cjs', import.meta.url));
const days = (count: number): Record<string, string> => ({
  NODE_OPTIONS: `--require=${clock}`,
  CLOCK_SHIFT_MS: String(count * 86_400_000),
});

const tool = execFileSync;

interface Sums {
  runs: number;
  untouched: number;
  tokensBefore: number;
  tokensAfter: number;
  expansions: number;
  tokensExpanded: number;
  tokensSaved: number;
  ms: number;
}

interface Shown {
  total: Sums;
  expansionMisses: number;
  untouched: Record<string, number>;
  byTool: Record<string, Sums>;
  byShape: Record<string, Sums>;
  byDay: Record<string, Sums>;
}

async function stats(own: Sandbox, ...args: string[]): Promise<Shown> {
  const { text, code } = await own.run(['stats', '--json', ...args]);
  expect(code).toBe(0);
  return JSON.parse(text) as Shown;
}

describe('stats', () => {
  it('by tool, shape and day, with why inputs were left alone', async () => {
    const own = sandbox();
    await own.run(['--tool', 'kubectl get pods'], { input: pods() });
    await own.run(['--tool', 'app'], { input: log(), env: days(-3) });
    await own.run(['--tool', 'app'], { input: 'small\n' });
    await own.run([], { input: `${'x\0'.repeat(3000)}` });
    await own.run(['--level', 'none'], { input: log() });
    const shown = await stats(own);
    expect(shown.total).toMatchObject({ runs: 5, untouched: 3, expansions: 0 });
    expect(shown.untouched).toEqual({
      'under N characters': 1,
      'binary: it holds NUL bytes': 1,
      'level none': 1,
    });
    expect(Object.keys(shown.byTool).sort()).toEqual(['-', 'app', 'kubectl get pods']);
    expect(shown.byTool['app']).toMatchObject({ runs: 2, untouched: 1 });
    expect(Object.keys(shown.byShape).sort()).toEqual(['-', 'log', 'table']);
    expect(Object.values(shown.byDay).map(({ runs }) => runs)).toEqual([1, 4]);
    for (const sums of Object.values(shown.byShape))
      expect(sums.tokensSaved).toBe(sums.tokensBefore - sums.tokensAfter - sums.tokensExpanded);
    const { text } = await own.run(['stats']);
    for (const head of ['TOOL', 'SHAPE', 'DAY', 'UNTOUCHED', 'ALL'])
      expect(text).toMatch(new RegExp(`^${head} `, 'm'));
  });

  it('expansions are subtracted, below nothing too', async () => {
    const own = sandbox();
    const hash = hashOf((await own.run(['--tool', 'app'], { input: log(300) })).text);
    const before = await stats(own);
    for (let n = 0; n < 2; n += 1) await own.run(['expand', hash]);
    expect((await own.run(['expand', 'abcdef0123ab'])).code).toBe(1);
    const after = await stats(own);
    expect(after.total.expansions).toBe(2);
    expect(after.expansionMisses).toBe(1);
    expect(after.total.tokensExpanded).toBe(2 * before.total.tokensBefore);
    expect(after.byTool['app']!.tokensSaved).toBe(after.byShape['log']!.tokensSaved);
    expect(after.total.tokensSaved).toBeLessThan(0);
    expect((await own.run(['stats'])).text).toMatch(/ -\d[\d,]* +-\d+%/);
  });

  it('--since', async () => {
    const own = sandbox();
    await own.run([], { input: log(), env: days(-10) });
    await own.run([], { input: pods() });
    expect((await stats(own)).total.runs).toBe(2);
    expect((await stats(own, '--since', '7d')).total.runs).toBe(1);
    const { code, err } = await own.run(['stats', '--since', 'monday']);
    expect(code).toBe(2);
    expect(err).toMatch(/--since "monday": give a number with s, m, h, d or w/);
  });

  it('are private, and say so where there are none', async () => {
    const own = sandbox();
    const { code, err, text } = await own.run(['stats']);
    expect({ code, text }).toEqual({ code: 0, text: '' });
    expect(err).toMatch(/nothing is recorded yet/);
    await own.run([], { input: 'small\n' });
    expect(statSync(join(own.store, 'records')).mode & 0o777).toBe(0o700);
  });

  it('of what run has run, by program', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'app.log'), log());
    const { text } = await own.run([
      'run',
      '--events',
      'events.jsonl',
      '--',
      'cat',
      'app.log',
      '--',
      '/dev/null',
    ]);
    await own.run(['run', 'echo', 'small']);
    await own.run(['run', '/bin/sh', '-c', 'sed s/items/things/ app.log; exit 3']);
    await own.run(['run', 'true']);
    const shown = await stats(own);
    expect(Object.keys(shown.byTool).sort()).toEqual(['cat', 'echo small', 'sh']);
    expect(shown.total).toMatchObject({ runs: 3, untouched: 1 });
    const [event] = readFileSync(join(own.root, 'events.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(event!)).toMatchObject({ seam: 'run', tool: 'cat app.log -- /dev/null' });
    await own.run(['expand', hashOf(text), 'L40-44']);
    expect((await stats(own)).byTool['cat']).toMatchObject({ runs: 1, expansions: 1 });
    expect((await own.run(['explain', hashOf(text)])).text).toMatch(
      /^[0-9a-f]{12} cat app\.log -- \/dev\/null\n/,
    );
    const { text: failing, err } = await own.run(['explain', 'last']);
    expect({ err, isSame: failing.includes('log: time stamps or levels') }).toEqual({
      err: '',
      isSame: true,
    });
  });

  it('count the runs of processes at once', async () => {
    const own = sandbox();
    await Promise.all(
      Array.from({ length: 24 }, (_, n) => own.run([], { input: n % 2 ? 'small\n' : log(300, `-${n}`) })),
    );
    expect((await stats(own)).total).toMatchObject({ runs: 24, untouched: 12 });
  }, 60_000);
});

describe('explain', () => {
  it('says of a hash and of the last view what --explain said', async () => {
    const own = sandbox();
    const args = ['--query', 'id=77', '--max-tokens', '900', '--tool', 'app --x'];
    const { text, err } = await own.run([...args, '--explain'], { input: log() });
    const said = err.replaceAll('ctxzip: ', '');
    const last = await own.run(['explain', 'last']);
    expect(last).toMatchObject({ code: 0, err: '', text: `${hashOf(text)} app --x\n${said}` });
    expect(said).toMatch(/log: time stamps or levels/);
    expect(said).toMatch(/failure +\d+ tokens/);
    expect((await own.run(['explain', hashOf(text)])).text).toBe(last.text);
    await own.run(['gc']);
    expect((await own.run(['explain', 'last'])).text).toBe(last.text);
  });

  it('says where the policy is not that of the run', async () => {
    const own = sandbox();
    const { text } = await own.run(['--query', 'password=QuietRiver'], { input: log() });
    const { code, err } = await own.run(['explain', hashOf(text)]);
    expect(code).toBe(0);
    expect(err).toMatch(/under another policy or version/);
  });

  it.each([
    [['explain', 'last'], /no run is recorded/, 1],
    [['explain', 'abcdef0123ab'], /no original is stored/, 1],
    [['explain', 'xyz'], /./, 2],
    [['explain'], /missing required argument|hash/, 2],
    [['diff', 'last'], /no run is recorded/, 1],
  ] as const)('%j', async (args, message, exit) => {
    const { code, err, text } = await sandbox().run(args);
    expect({ code, text }).toEqual({ code: exit, text: '' });
    expect(err).toMatch(message);
  });
});

const records = JSON.stringify({
  items: Array.from({ length: 90 }, (_, i) => ({
    name: `web-${i}`,
    phase: i === 40 ? 'Failed' : 'Running',
    note: 'x'.repeat(40),
  })),
});

const body = (text: string): string => text.split('\n').slice(2).join('\n');

describe('diff', () => {
  const inputs: ReadonlyArray<readonly [string, string]> = [
    ['a log', log()],
    ['a log without a last line end', log().trimEnd()],
    ['a log with CRLF', log().replaceAll('\n', '\r\n')],
    ['a table', pods()],
    ['JSON on one line', records],
    ['JSON over lines', `${JSON.stringify(JSON.parse(records), null, 2)}\n`],
    ['output in a JSON string', JSON.stringify({ stdout: log(400), exit_code: 0 })],
    ['long lines', `${`${'word number seven '.repeat(90)}\n`.repeat(4)}${log(300)}`],
  ];

  it.skipIf(!hasTool('patch')).each(inputs)('of %s turns the original into the view', async (_, input) => {
    const own = sandbox();
    const { text: view } = await own.run([], { input });
    expect(view).toContain('<<ctxzip');
    const { text, code, err } = await own.run(['diff', 'last']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const folder = mkdtempSync(join(tmpdir(), 'ctxzip-e2e-patch-'));
    writeFileSync(join(folder, 'original'), input);
    writeFileSync(join(folder, 'diff'), text);
    tool('patch', ['--binary', '--fuzz=0', '--silent', 'original', 'diff'], { cwd: folder });
    expect(readFileSync(join(folder, 'original'), 'utf8') === view).toBe(true);
    expect(existsSync(join(folder, 'original.orig'))).toBe(false);
  });

  it.skipIf(!hasTool('diff')).each(inputs)('of %s is what diff -u says', async (_, input) => {
    const own = sandbox();
    const { text: view } = await own.run([], { input });
    const folder = mkdtempSync(join(tmpdir(), 'ctxzip-e2e-diff-'));
    writeFileSync(join(folder, 'a'), input);
    writeFileSync(join(folder, 'b'), view);
    let theirs = '';
    try {
      tool('diff', ['-u', 'a', 'b'], { cwd: folder, encoding: 'utf8' });
    } catch (error) {
      theirs = (error as { stdout: string }).stdout;
    }
    expect(body((await own.run(['diff', 'last'])).text)).toBe(body(theirs));
  });

  it('is coloured where colours are asked for', async () => {
    const own = sandbox();
    await own.run([], { input: log() });
    const plain = (await own.run(['diff', 'last'])).text;
    expect(plain).not.toContain('\u001b');
    const painted = (await own.run(['diff', 'last'], { env: { FORCE_COLOR: '1' } })).text;
    expect(painted).toContain('\u001b[31m-');
    expect(painted).toContain('\u001b[32m+<<ctxzip');
    expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
    expect((await own.run(['diff', 'last'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).text).toBe(plain);
  });

  it.skipIf(!hasTool('python3'))(
    'on a terminal has colours, and no control sequence of the input',
    async () => {
      const own = sandbox();
      await own.run([], { input: log().replaceAll('INFO', '\u001b[5;35mINFO\u001b]0;title\u0007') });
      const terminal = fileURLToPath(new URL('../support-e2e/terminal.py', import.meta.url));
      const { text } = await own.shell(`python3 ${terminal} "$CZ diff last"`, { env: { TERM: 'xterm' } });
      expect(text).toContain('\u001b[31m-');
      expect(text).not.toMatch(/\u001b\[5;35m|\u001b\]0/);
      expect(
        (await own.shell(`python3 ${terminal} "$CZ diff last"`, { env: { TERM: 'dumb' } })).text,
      ).not.toContain('\u001b[31m');
    },
  );
});

const read = (file: string): Array<Record<string, unknown>> =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('audit events', () => {
  it('of compressions, expansions, misses and suggestions, with the totals of the day', async () => {
    const own = sandbox();
    for (let n = 0; n < 3; n += 1) {
      const input = log(300, `-${n}`).replaceAll('INFO', 'INFO state=DiskPressure');
      const { text } = await own.run(['--events', 'events.jsonl', '--tool', `app ${n}`], { input });
      await own.run(['expand', hashOf(text), 'L30-33', '--events', 'events.jsonl']);
    }
    await own.run(['expand', 'abcdef0123ab', '--events', 'events.jsonl']);
    await own.run(['--events', 'events.jsonl'], { input: 'small\n' });
    const file = join(own.root, 'events.jsonl');
    const events = read(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(events.map(({ event }) => event)).toEqual([
      'context_compressed',
      'context_expanded',
      'context_compressed',
      'context_expanded',
      'context_compressed',
      'context_expanded',
      ...events.slice(6, -1).map(() => 'context_pattern_suggested'),
      'context_expanded',
    ]);
    const [compressed, expanded] = events;
    expect(compressed).toMatchObject({
      seam: 'pipe',
      tool: 'app 0',
      total_compressions: 1,
      total_expansions: 0,
    });
    expect(compressed!['saved_tokens']).toBe(
      Number(compressed!['tokens_before']) - Number(compressed!['tokens_after']),
    );
    expect(expanded).toMatchObject({
      hit: true,
      tool: 'app 0',
      hash: compressed!['hash'],
      total_expansions: 1,
      total_expansion_misses: 0,
    });
    expect(expanded!['candidates']).toContain('DiskPressure');
    expect(events.at(-1)).toMatchObject({
      hit: false,
      hash: 'abcdef0123ab',
      bytes: 0,
      total_compressions: 3,
      total_expansion_misses: 1,
    });
    const suggested = events.find(({ pattern }) => pattern === 'DiskPressure');
    expect(suggested).toMatchObject({ expansions: 3, tools: ['app 0', 'app 1', 'app 2'] });
    const documented = readFileSync(fileURLToPath(new URL('../../docs/events.md', import.meta.url)), 'utf8');
    for (const event of events)
      for (const field of Object.keys(event)) expect(documented).toContain(`| \`${field}\` |`);
  });

  it("go where the user's file or a variable says, never where a project does", async () => {
    const own = sandbox();
    const file = join(own.root, 'mine.jsonl');
    mkdirSync(join(own.home, '.config', 'ctxzip'), { recursive: true });
    writeFileSync(
      join(own.home, '.config', 'ctxzip', 'forge.yaml'),
      `compression:\n  events_path: ${file}\n`,
    );
    await own.run([], { input: log() });
    expect(read(file)).toHaveLength(1);
    const other = join(own.root, 'other.jsonl');
    await own.run([], { input: pods(), env: { CTXZIP_EVENTS_PATH: other } });
    expect(read(other)).toHaveLength(1);
    const project = join(own.root, 'project');
    mkdirSync(project);
    const theirs = join(project, 'theirs.jsonl');
    writeFileSync(join(project, 'forge.yaml'), `compression:\n  events_path: ${theirs}\n`);
    await own.run([], { input: log(500), cwd: project });
    expect(existsSync(theirs)).toBe(false);
    expect(read(file)).toHaveLength(2);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe that nobody reads', (path: string) => void tool('mkfifo', [path])],
    ['a place that does not exist', () => undefined],
  ])('%s in place of the file changes nothing', async (kind, prepare) => {
    const own = sandbox();
    const file = join(own.root, kind.includes('exist') ? 'nowhere/at/all' : 'odd');
    prepare(file);
    const { text, code, err } = await own.run(['--events', file], { input: log() });
    expect({ code, err, isView: text.includes('<<ctxzip') }).toEqual({ code: 0, err: '', isView: true });
    expect((await own.run(['expand', hashOf(text), 'L2', '--events', file])).code).toBe(0);
  });

  it('are whole lines when many write at once', async () => {
    const own = sandbox();
    await Promise.all(
      Array.from({ length: 16 }, (_, n) => own.run(['--events', 'all.jsonl'], { input: log(300, `-${n}`) })),
    );
    expect(read(join(own.root, 'all.jsonl'))).toHaveLength(16);
  }, 60_000);
});
