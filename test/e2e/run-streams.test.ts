/** `ctxzip run` with floods, closed streams, leftovers, signals and terminals. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandPath, execute, hasTool, sandbox } from '../support-e2e/command.ts';
import { FAILURE, log } from '../support-e2e/inputs.ts';

const box = sandbox();
writeFileSync(join(box.root, 'log'), log());
const file = (name: string, lines: readonly string[]): void =>
  writeFileSync(join(box.root, name), `${lines.join('\n')}\n`);
const helper = (name: string): string => fileURLToPath(new URL(`../support-e2e/${name}`, import.meta.url));
const hasPython = hasTool('python3');
const withoutPython = hasPython ? '' : ' (skipped: no python3)';
const flood = `python3 ${helper('flood.py')}`;
const sh = (script: string, ...flags: string[]) => box.run(['run', ...flags, '--', 'sh', '-c', script]);

/** Runs a shell line in a terminal of its own and plays keys into it. */
const terminal = (line: string, ...script: string[]) =>
  execute(['python3', helper('terminal.py'), line, ...script], {
    cwd: box.root,
    env: { ...box.env, TERM: 'xterm', CZ: `${process.execPath} ${commandPath}` },
    timeoutMs: 30_000,
  });

describe(`floods${withoutPython}`, () => {
  const when = it.runIf(hasPython);

  when('200 MB on both streams at once, all of it comes back', { timeout: 120_000 }, async () => {
    const { text, code } = await box.shell(
      `$CZ run -- ${flood} 200000000 4 > out 2> err; echo $?; ${flood} 200000000 > want 2> /dev/null
       $CZ restore < out | cmp - want && $CZ restore < err | cmp - want && echo same; rm want`,
      { timeoutMs: 110_000 },
    );
    expect({ text, code }).toEqual({ text: '4\nsame\n', code: 0 });
    expect(readFileSync(join(box.root, 'out')).length).toBeLessThan(50_000);
  });

  when('into one pipe nothing is lost', { timeout: 60_000 }, async () => {
    const { text } = await box.shell(`$CZ run -- ${flood} 40000000 2>&1 | $CZ restore | wc -c`, {
      timeoutMs: 55_000,
    });
    expect(text.trim()).toBe('80000000');
  });

  when('what the store may not hold is printed as it comes', { timeout: 60_000 }, async () => {
    const env = { CTXZIP_MAX_STORE_BYTES: '1MiB' };
    const { text, err } = await box.shell(
      `$CZ run -- ${flood} 40000000 2> got-err | wc -c; wc -c < got-err`,
      {
        env,
        timeoutMs: 55_000,
      },
    );
    const [out, other] = text.trim().split('\n').map(Number);
    expect(err).toBe('');
    expect(out).toBe(40_000_000);
    expect(other).toBeGreaterThanOrEqual(40_000_000);
    const notes = (await box.shell('grep -a "^ctxzip: " got-err | sort -u; rm got-err')).text;
    expect(notes).toMatch(/larger than the store may grow .*; output passes through unchanged/);
  });

  it('large binary output is not waited for', { timeout: 60_000 }, async () => {
    const { text, err } = await box.shell('$CZ run -- head -c 60000000 /dev/zero | wc -c', {
      timeoutMs: 55_000,
    });
    expect({ bytes: Number(text), err }).toEqual({ bytes: 60_000_000, err: '' });
  });
});

describe('streams that end in another way', () => {
  it('closed early by the command', async () => {
    const started = performance.now();
    const { text, err, code } = await sh('echo a; echo b >&2; exec >&- 2>&-; sleep 1; exit 3');
    expect({ text, err, code }).toEqual({ text: 'a\n', err: 'b\n', code: 3 });
    expect(performance.now() - started).toBeGreaterThan(1000);
    expect(await sh('exec >&-; echo b >&2; exit 3')).toMatchObject({ text: '', err: 'b\n', code: 3 });
  });

  it('held by what the command left behind: after 2 seconds it goes on, and says so', async () => {
    const { text, err, code, ms } = await sh('sleep 60 & echo $!; cat log; exit 5');
    const [pid] = text.split('\n');
    process.kill(Number(pid), 'SIGKILL');
    expect(code).toBe(5);
    expect(text).toContain(FAILURE);
    expect(err).toMatch(
      /^ctxzip: what "sh" has left running still holds its output; ctxzip goes on without it\n$/,
    );
    expect(ms).toBeGreaterThan(1900);
    expect(ms).toBeLessThan(8000);
  });

  it('what comes in these 2 seconds is taken along', async () => {
    const { text, err, ms } = await sh('(sleep 0.7; echo late) & echo early');
    expect({ text, err }).toEqual({ text: 'early\nlate\n', err: '' });
    expect(ms).toBeLessThan(2600);
  });

  it('left open with a flood, it ends all the same', async () => {
    const { code, ms } = await box.shell(
      `$CZ run -- sh -c 'yes & echo $! > pid; sleep 0.2; exit 6' > /dev/null`,
      { env: { CTXZIP_MAX_STORE_BYTES: '64MiB' } },
    );
    expect(code).toBe(6);
    expect(ms).toBeLessThan(15_000);
    await box.shell('sleep 0.3; kill -9 $(cat pid) 2> /dev/null');
  });

  it('nobody reads: quiet, and the exit code is that of the command', async () => {
    const { text, err } = await box.shell(
      '{ $CZ run -- sh -c "cat log; exit 3"; echo $? > code; } | true; sleep 1; cat code',
    );
    expect({ text, err }).toEqual({ text: '3\n', err: '' });
    const endless = await box.shell('$CZ run -- yes | head -1', { env: { CTXZIP_MAX_STORE_BYTES: '1MiB' } });
    expect(endless.text).toBe('y\n');
  });

  it.runIf(existsSync('/dev/full'))('a full disk is an error with one line', async () => {
    for (const command of ['cat log', 'echo x']) {
      const { code, err } = await box.shell(`$CZ run -- ${command} > /dev/full`);
      expect(code).toBe(1);
      expect(err).toMatch(/^ctxzip: [^\n]*no space left[^\n]*\n$/);
    }
    expect((await box.shell('$CZ run -- sh -c "cat log; exit 7" > /dev/full')).code).toBe(7);
  });

  it('closed from the start', async () => {
    for (const closed of ['>&-', '2>&-', '>&- 2>&-', '<&-']) {
      expect((await box.shell(`$CZ run -- sh -c 'echo x; exit 4' ${closed}`)).code, closed).toBe(4);
    }
  });
});

/** Starts a command that makes `ready`, sends a signal to the wrapper, and prints its exit code. */
const send = (signal: string, script: string, flags = '') =>
  box.shell(
    `rm -f ready; $CZ run ${flags} -- sh -c '${script}' & pid=$!
     while [ ! -e ready ]; do sleep 0.05; done; kill -${signal} $pid; wait $pid; echo "code $?"`,
  );

describe('signals', () => {
  const wait = 'touch ready; while :; do sleep 0.05; done';

  it.each(['INT', 'TERM', 'HUP', 'QUIT'])('%s reaches the command, which decides', async (signal) => {
    for (const flags of ['', '--level none']) {
      const { text } = await send(signal, `trap "echo got it; exit 7" ${signal}; ${wait}`, flags);
      expect(text).toBe('got it\ncode 7\n');
    }
  });

  it.each([
    ['TERM', 143],
    ['INT', 130],
    ['HUP', 129],
  ])('%s ends a command that does not care, and us the same way', async (signal, code) => {
    const { text } = await send(signal, `cat log; ${wait}`);
    expect(text).toContain(FAILURE);
    expect(text).toMatch(new RegExp(`\\ncode ${code}\\n$`));
  });

  it('a command that ignores it goes on', async () => {
    const { text } = await send('TERM', 'trap "" TERM; touch ready; sleep 0.6; echo still here; exit 2');
    expect(text).toBe('still here\ncode 2\n');
  });
});

describe(`a terminal${withoutPython}`, () => {
  const when = it.runIf(hasPython);

  when('Ctrl-C comes once, and what was printed is compressed', async () => {
    file('count.sh', [
      'n=0',
      "trap 'n=$((n+1))' INT",
      'cat log',
      'touch t1',
      'i=0; while [ $i -lt 15 ]; do sleep 0.1; i=$((i+1)); done',
      'echo "came $n times"',
      'exit 3',
    ]);
    const { text } = await terminal(
      'trap : INT; $CZ run sh count.sh; echo "code $?"',
      `@${join(box.root, 't1')}`,
      '\\x03',
    );
    expect(text).toContain('came 1 times');
    expect(text).toContain('code 3');
    expect(text).toContain(FAILURE);
    expect(text).toContain('<<ctxzip:');
  });

  when('Ctrl-C ends a command that does not care', async () => {
    const { text } = await terminal(
      'trap : INT; $CZ run sh -c "(sleep 0.3; touch t2) & exec sleep 20"; echo "code $?"',
      `@${join(box.root, 't2')}`,
      '\\x03',
    );
    expect(text).toMatch(/code 130/);
  });

  when('shows that a long run lives, and removes that', async () => {
    const { text } = await terminal('$CZ run -- sh -c "echo begun; sleep 3.5; echo over"');
    // oxlint-disable-next-line no-control-regex
    expect(text).toMatch(
      /^(?:\r\u001b\[2Kctxzip: \d s, 6 bytes so far: sh -c echo begun; [^\r]*)+\r\u001b\[2Kbegun\r\nover\r\n$/,
    );
    expect((await terminal('$CZ run -- sleep 3 2> quiet; cat quiet')).text).toBe('');
    expect((await terminal('TERM=dumb $CZ run -- sleep 3')).text).toBe('');
  });

  when('--tty gives it to the command', async () => {
    const test = 'sh -c "test -t 0 && test -t 1 && test -t 2 && echo yes || echo no; cat log | head -100"';
    const given = await terminal(`$CZ run --tty -- ${test}`);
    expect(given.text).toMatch(/^yes\r\n/);
    expect(given.text.split('\n')).toHaveLength(102);
    expect((await terminal(`$CZ run -- ${test}`)).text).toMatch(/^no\r\n/);
    expect((await terminal(`$CZ run --tty -- cat log > got; cat got`)).text).toContain('<<ctxzip:');
  });

  when('one view where both streams are the terminal', async () => {
    const { text } = await terminal('$CZ run -- sh -c "cat log; echo from stderr >&2"');
    expect(text).toMatch(/from stderr\r\nctxzip: 2001 lines → \d+, ~\d\d % fewer tokens \(est\.\)\r\n$/);
  });

  when('the command can ask its user', async () => {
    const { text } = await terminal(
      '$CZ run -- sh -c \'touch t3; read answer < /dev/tty; echo "answer $answer"\'',
      `@${join(box.root, 't3')}`,
      'blue\\n',
    );
    expect(text).toContain('answer blue');
  });
});
