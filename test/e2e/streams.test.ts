/** stdin and stdout in all conditions: closed, full, non-blocking, a terminal, a producer that dies. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandPath, execute, hasTool, hashOf, sandbox } from '../support-e2e/command.ts';
import { FAILURE, log } from '../support-e2e/inputs.ts';

const box = sandbox();
const large = log(40_000);
writeFileSync(join(box.root, 'log'), log());
writeFileSync(join(box.root, 'large'), large);
mkdirSync(join(box.root, 'folder'));

beforeAll(async () => {
  await box.run([], { input: log() });
});

function script(name: string): string {
  return fileURLToPath(new URL(`../support-e2e/${name}`, import.meta.url));
}

/** The interpreter itself: a version manager's stand-in would look for its settings in our empty home. */
const interpreter = hasTool('python3')
  ? execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  : '';
const hasPython = interpreter !== '';
const withoutPython = hasPython ? '' : ' (skipped: no python3)';

function python(name: string, ...args: string[]): ReturnType<typeof execute> {
  const env = { ...box.env, CZ: `${process.execPath} ${commandPath}` };
  return execute([interpreter, script(name), ...args], { cwd: box.root, env, timeoutMs: 30_000 });
}

describe('stdin', () => {
  it('closed from the start is empty', async () => {
    for (const command of ['$CZ', '$CZ --level none', '$CZ --oops', '$CZ --json']) {
      const { code, ms } = await box.shell(`${command} <&-`);
      expect([0, 2], command).toContain(code);
      expect(ms).toBeLessThan(5000);
    }
    expect((await box.shell('$CZ restore <&-')).code).toBe(1);
    expect((await box.shell('$CZ verify <&-')).code).toBe(1);
  });

  it('a folder is said', async () => {
    const { code, err } = await box.shell('$CZ < folder');
    expect(code).toBe(1);
    expect(err).toMatch(/^ctxzip: .*directory/);
  });

  it('a producer that is killed in the middle: what came is compressed', async () => {
    const { text, code } = await box.shell('{ cat log; kill -9 $$; } | $CZ');
    expect(code).not.toBe(2);
    expect(text).toContain(FAILURE);
    expect((await box.run(['restore'], { input: text })).text).toBe(log());
  });

  it('a slow producer whose lines come one by one', async () => {
    const { text } = await box.shell('{ head -c 50000 log; sleep 0.3; tail -c +50001 log; } | $CZ');
    expect(text).toBe((await box.run([], { input: log() })).text);
  });

  it('stdin as a file and as a pipe give one view', async () => {
    const { text } = await box.shell('$CZ < log');
    expect(text).toBe((await box.run([], { input: log() })).text);
  });
});

describe('stdout', () => {
  it.each([
    ['a view', '$CZ < large'],
    ['a passthrough', '$CZ --level none < large'],
    ['a copy after wrong usage', '$CZ --oops < large'],
    ['the kill switch', 'CTXZIP_DISABLE=1 $CZ < large'],
    ['JSON', '$CZ --json < large'],
    ['help', '$CZ --help'],
  ])('closed early by head -1: %s ends quietly', async (_, command) => {
    const { text, err } = await box.shell(`${command} | head -1`);
    expect(text.split('\n')).toHaveLength(2);
    expect(err.replace(/^ctxzip: unknown flag .*\n$/, '')).toBe('');
  });

  it('closed early: expand ends quietly', async () => {
    const view = await box.run([], { input: large });
    for (const more of ['', ' --grep INFO', ' -n']) {
      const { text, err } = await box.shell(`$CZ expand ${hashOf(view.text)}${more} | head -1`);
      expect(text.replace(/^1:/, '')).toBe(`${large.split('\n')[0]}\n`);
      expect(err, more).toBe('');
    }
  });

  it('closed early: restore ends quietly', async () => {
    writeFileSync(join(box.root, 'view'), (await box.run([], { input: large })).out);
    const { text, err } = await box.shell('$CZ restore < view | head -1');
    expect(text).toBe(`${large.split('\n')[0]}\n`);
    expect(err).toBe('');
  });

  it('closed early: what the engine passes through ends quietly', async () => {
    const { err } = await box.shell('$CZ --no-store < large | head -1');
    expect(err).toMatch(/^(?:ctxzip: there is no store [^\n]*\n)?$/);
  });

  it('closed from the start', async () => {
    for (const command of ['$CZ < log', '$CZ --level none < log', '$CZ list', '$CZ --help']) {
      const { code, err, ms } = await box.shell(`${command} >&-`);
      expect(err, command).not.toMatch(/ {4}at |node:internal/);
      expect([0, 1]).toContain(code);
      expect(ms).toBeLessThan(5000);
    }
  });

  it.runIf(existsSync('/dev/full'))('a full disk is an error with one line', async () => {
    for (const command of ['$CZ < log', '$CZ --level none < log', '$CZ --oops < log', '$CZ list']) {
      const { code, err } = await box.shell(`${command} > /dev/full`);
      expect(code, command).toBe(1);
      expect(err).toMatch(/^ctxzip: [^\n]*no space left[^\n]*\n$/);
    }
  });

  it('stderr closed changes nothing', async () => {
    const { text, code } = await box.shell('$CZ --oops < log 2>&-');
    expect({ same: text === log(), code }).toEqual({ same: true, code: 2 });
  });
});

describe(`pipes that do not block${withoutPython}`, () => {
  const when = it.runIf(hasPython);
  when('a view', async () => {
    const { text, code, err } = await python('nonblocking.py', 'log', process.execPath, commandPath);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(text).toBe((await box.run([], { input: log() })).text);
  });

  when('a passthrough of 3 MB through a slow reader', async () => {
    const { text, code } = await python(
      'nonblocking.py',
      'large',
      process.execPath,
      commandPath,
      '--level',
      'none',
    );
    expect({ same: text === large, code }).toEqual({ same: true, code: 0 });
  });

  when('wrong usage', async () => {
    const { text, code } = await python('nonblocking.py', 'large', process.execPath, commandPath, '--oops');
    expect({ same: text === large, code }).toEqual({ same: true, code: 2 });
  });

  when('restore', async () => {
    const view = (await box.run([], { input: large })).text;
    writeFileSync(join(box.root, 'view-n'), view);
    const { text, code } = await python('nonblocking.py', 'view-n', process.execPath, commandPath, 'restore');
    expect({ same: text === large, code }).toEqual({ same: true, code: 0 });
  });
});

describe(`a terminal${withoutPython}`, () => {
  const when = it.runIf(hasPython);
  when('as stdin shows short help at once', async () => {
    const { text, code } = await python('terminal.py', '$CZ');
    expect(code).toBe(0);
    expect(text).toMatch(/ctxzip shrinks tool output/);
    expect(text.split('\n').length).toBeLessThan(10);
  });

  when('as stdin and wrong usage do not wait', async () => {
    const { text, code } = await python('terminal.py', '$CZ --oops');
    expect(code).toBe(2);
    expect(text).toMatch(/unknown flag --oops/);
  });

  when('as stderr gets one line that says what happened', async () => {
    const { text, code } = await python('terminal.py', '$CZ < log > out');
    expect(code).toBe(0);
    expect(text).toMatch(/^ctxzip: 2000 lines → \d+, ~\d\d % fewer tokens \(est\.\)\r?\n$/);
  });

  when('says what goes on while a large input is read', async () => {
    const { text, code } = await python(
      'terminal.py',
      'i=0; while [ $i -lt 1200 ]; do cat log; i=$((i+1)); done | $CZ > out; $CZ verify < out > proof',
    );
    expect(code).toBe(0);
    expect(text).toMatch(/ctxzip: compressing \d+(?:\.\d+)? MB …/);
    expect(text).toMatch(/ctxzip: reading \d+(?:\.\d+)? MB …/);
  });

  when('says nothing of a passthrough', async () => {
    const { text } = await python('terminal.py', '$CZ --level none < log > out; echo short | $CZ > out');
    expect(text).toBe('');
  });

  when('Ctrl-C ends the producer, and what came so far is compressed', async () => {
    const { code } = await python(
      'terminal.py',
      '{ cat log; touch half; sleep 30; echo never; } | $CZ > got; touch done',
      `@${join(box.root, 'half')}`,
      '\\x03',
    );
    expect(code).not.toBe(255);
    const view = readFileSync(join(box.root, 'got'), 'utf8');
    expect(view).toContain(FAILURE);
    expect(view).toContain('<<ctxzip:');
    expect(view).not.toContain('never');
    expect((await box.run(['restore'], { input: view })).text).toBe(log());
  });

  when('Ctrl-C pressed again and again loses nothing', async () => {
    const half = join(box.root, 'half2');
    await python(
      'terminal.py',
      '{ cat log; touch half2; sleep 30; } | $CZ > got2',
      `@${half}`,
      '\\x03\\x03\\x03',
    );
    expect((await box.run(['restore'], { input: readFileSync(join(box.root, 'got2')) })).text).toBe(log());
  });

  when('Ctrl-C in a passthrough loses nothing that came', async () => {
    const half = join(box.root, 'half3');
    await python(
      'terminal.py',
      '{ cat log; touch half3; sleep 30; } | $CZ --level none > got3',
      `@${half}`,
      '\\x03',
    );
    expect(readFileSync(join(box.root, 'got3'), 'utf8')).toBe(log());
  });

  when('Ctrl-C of restore and expand just ends them', async () => {
    const { text } = await python(
      'terminal.py',
      'touch r; sleep 0.3; exec $CZ restore',
      `@${join(box.root, 'r')}`,
      '\\x03',
    );
    expect(text).not.toMatch(/ {4}at /);
  });
});

describe('termination', () => {
  it('SIGTERM in the middle of an input leaves nothing half-written that counts', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'large'), large);
    const { code } = await own.shell(
      'mkfifo p; $CZ < p > out & pid=$!; { cat large large large large large large large large large large large; touch sent; sleep 1; } > p & ' +
        'while [ ! -e sent ]; do sleep 0.05; done; kill -TERM $pid; wait $pid',
    );
    expect(code).toBe(143);
    expect(own.spooled()).toEqual([]);
    expect((await own.run(['gc'])).code).toBe(0);
    expect((await own.run(['list', '--json'])).text).toBe('[]\n');
  });
});
