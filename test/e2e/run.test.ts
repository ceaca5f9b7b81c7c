/** `ctxzip run`: real commands, what they print, how they end. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandPath, hashOf, sandbox } from '../support-e2e/command.ts';
import { FAILURE, log, pods } from '../support-e2e/inputs.ts';

const box = sandbox();
const file = (name: string, text: string): string => {
  writeFileSync(join(box.root, name), text);
  return name;
};
file('pods', pods());
file('log', log());
const run = (...args: string[]) => box.run(['run', ...args]);
const sh = (script: string, ...flags: string[]) => run(...flags, '--', 'sh', '-c', script);
const config = (home: string, ...lines: string[]): void => {
  mkdirSync(join(home, '.config', 'ctxzip'), { recursive: true });
  writeFileSync(join(home, '.config', 'ctxzip', 'forge.yaml'), `compression:\n  ${lines.join('\n  ')}\n`);
};

describe('what is run', () => {
  it('gets its words untouched, and no shell', async () => {
    const words = ['', ' a  b ', '$HOME', '*', '"\'\\', '--json', '--', '-h', 'ü\n', ';exit 3'];
    const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
    const { text, code } = await run('--', process.execPath, '-e', script, '--', ...words);
    expect({ words: JSON.parse(text) as unknown, code }).toEqual({ words, code: 0 });
  });

  it('takes the flags before it, with and without --', async () => {
    const plain = (await run('cat', 'pods')).text;
    expect(plain).toContain('CrashLoopBackOff');
    expect(plain).toBe((await box.run([], { input: pods() })).text);
    expect((await run('--', 'cat', 'pods')).text).toBe(plain);
    expect((await run('--markers', 'full', 'cat', '--', 'log')).text).not.toMatch(/<<ctxzip \d/);
  });

  it('reads our stdin', async () => {
    const { text } = await box.run(['run', 'sh', '-c', 'read line; echo "got $line"; cat'], {
      input: 'a\nb\nc',
    });
    expect(text).toBe('got a\nb\nc');
    expect((await box.shell('echo x | $CZ run -- true; echo y | $CZ run cat')).text).toBe('y\n');
    expect((await box.shell('{ $CZ run -- head -c 2; cat; } < pods')).text).toBe(pods());
  });

  it('can open its outputs by name', async () => {
    const { text, err } = await sh('echo a > /dev/stdout; echo b > /dev/stderr; echo c >> /dev/fd/1');
    expect({ text, err }).toEqual({ text: 'a\nc\n', err: 'b\n' });
  });

  it('gets its own signals and pipes back as a shell would give them', async () => {
    const { text } = await sh('yes 2>&1 | head -1; trap');
    expect(text).toBe('y\n');
  });

  it('runs in a folder that is gone', async () => {
    const { text, code } = await box.shell(
      'mkdir gone && cd gone && rmdir ../gone && $CZ run -- echo still here',
    );
    expect({ text, code }).toEqual({ text: 'still here\n', code: 0 });
  });
});

describe('exit codes', () => {
  it.each([0, 1, 2, 3, 42, 126, 127, 255])('%d is passed on', async (code) => {
    expect((await sh(`exit ${code}`)).code).toBe(code);
    expect((await sh(`exit ${code}`, '--level', 'none')).code).toBe(code);
  });

  it.each([
    [['no-such-program-of-ours'], 127, /^ctxzip: "no-such-program-of-ours": command not found\n$/],
    [['./no/such/file'], 127, /command not found/],
    [[''], 127, /command not found/],
    [['./pods'], 126, /^ctxzip: "\.\/pods": it can not be executed\n$/],
    [['/'], 126, /can not be executed/],
  ])('%j ends with %d', async (words, code, message) => {
    for (const flags of [[], ['--level', 'none']]) {
      const ended = await run(...flags, '--', ...words);
      expect({ code: ended.code, text: ended.text }).toEqual({ code, text: '' });
      expect(ended.err).toMatch(message);
    }
  });

  it('a script without a first line is run by sh', async () => {
    file('script', 'echo from the script; exit 5\n');
    chmodSync(join(box.root, 'script'), 0o755);
    expect(await run('./script')).toMatchObject({ text: 'from the script\n', code: 5 });
  });

  it('too many arguments', async () => {
    const { code } = await box.shell(
      'x=$(head -c 131000 /dev/zero | tr "\\0" a); $CZ run true "$x$x"; echo $?',
    );
    expect(code).toBe(0);
  });

  it.each(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGSEGV', 'SIGPIPE', 'SIGUSR1', 'SIGABRT'] as const)(
    'by %s, as the command',
    async (signal) => {
      const line = `ulimit -c 0; kill -${signal.slice(3)} $$`;
      for (const flags of [[], ['--level', 'none']]) {
        const ended = await box.shell(`ulimit -c 0; exec $CZ run ${flags.join(' ')} -- sh -c '${line}'`);
        expect(ended).toMatchObject({ code: null, signal });
      }
    },
  );

  it('what was printed before a signal comes out', async () => {
    const { text, signal } = await sh('cat log; kill -KILL $$');
    expect(signal).toBe('SIGKILL');
    expect(text).toContain(FAILURE);
    expect((await box.run(['restore'], { input: text })).text).toBe(log());
  });
});

describe('two streams', () => {
  it('are two views, each on its own', async () => {
    const { text, err, code } = await sh('cat pods; cat log >&2; exit 0');
    expect(code).toBe(0);
    const list = JSON.parse((await box.run(['list', '--json'])).text) as Array<{ stream?: string }>;
    expect(list.map(({ stream }) => stream)).toEqual(expect.arrayContaining(['stdout', 'stderr']));
    expect(text).toBe((await box.run([], { input: pods() })).text);
    expect(err).toBe((await box.run([], { input: log() })).text);
    expect((await box.run(['restore'], { input: err })).text).toBe(log());
  });

  it('are one view in the order of writing where they are one file', async () => {
    const script =
      'i=0; while [ $i -lt 300 ]; do echo "out line $i of the tool"; echo "err line $i of it" >&2; i=$((i+1)); done';
    file('both.sh', script);
    const expected = (await box.shell('sh both.sh 2>&1')).text;
    const { text, err } = await box.shell('$CZ run sh both.sh 2>&1');
    expect(err).toBe('');
    expect(text).toMatch(/<<ctxzip:/);
    expect((await box.run(['restore'], { input: text })).text).toBe(expected);
    await box.shell('$CZ run sh both.sh > one 2>&1');
    expect(readFileSync(join(box.root, 'one'), 'utf8')).toBe(text);
    expect((await box.shell('$CZ run sh both.sh > /dev/null 2>&1')).code).toBe(0);
  });

  it('small ones come out as they came, CRLF, NUL, half a character', async () => {
    const bytes = Buffer.from([13, 10, 0, 0xff, 0xe2, 0x82, 10, 65]);
    writeFileSync(join(box.root, 'bytes'), bytes);
    const { out, err } = await sh('cat bytes; echo "to stderr" >&2');
    expect({ same: out.equals(bytes), err }).toEqual({ same: true, err: 'to stderr\n' });
  });
});

describe('the store', () => {
  it('keeps command without credentials, folder, exit code and duration', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'log'), log());
    await own.run(['run', 'sh', '-c', 'sleep 0.2; cat log; exit 4', '--password', 'hunter2']);
    const [entry] = JSON.parse((await own.run(['list', '--json'])).text) as [Record<string, unknown>];
    expect(entry).toMatchObject({
      command: `sh -c 'sleep 0.2; cat log; exit 4' --password ***`,
      folder: own.root,
      exitCode: 4,
      stream: 'stdout',
    });
    expect(entry['durationMs']).toBeGreaterThanOrEqual(200);
    await own.run(['gc']);
    const { text } = await own.run(['list']);
    expect(text.split('\n')[1]).toMatch(
      / +4 +\d\.\ds +\S+ +sh -c 'sleep 0\.2; cat log; exit 4' --password \*\*\*$/,
    );
    const md = (await own.run(['list', '--md'])).text;
    expect(md).toMatch(/^- `[0-9a-f]{12}` `sh -c 'sleep .*` · stdout · .* · exit 4 · kept for 7d$/m);
    mkdirSync(join(own.root, 'sub'));
    expect((await own.run(['list', '--md'], { cwd: join(own.root, 'sub') })).text).toMatch(/Nothing/);
    expect((await own.run(['list', '--md', '--json'])).code).toBe(2);
  });

  it('nothing of it in a passthrough', async () => {
    const own = sandbox();
    await own.run(['run', 'echo', 'small']);
    await own.run(['run', '--level', 'none', 'cat', '/etc/passwd']);
    expect(own.spooled()).toEqual([]);
  });
});

describe('flags', () => {
  it.each([
    [['--query', 'what happened to id=1234?'], /id=1234 /],
    [['--keep', 'id=777 '], /id=777 /],
    [['--as', 'text'], /<<ctxzip:/],
    [['--escapes', 'keep'], /<<ctxzip:/],
    [['--no-hint'], /<<ctxzip:[0-9a-f]{12} \d+_lines_offloaded L\d+-\d+>>/],
  ])('%j as in the pipe', async (flags, pattern) => {
    const { text } = await run(...flags, 'cat', 'log');
    expect(text).toMatch(pattern);
    expect(text).toBe((await box.run(flags, { input: log() })).text);
  });

  it('--max-tokens binds small outputs too', async () => {
    file('few', pods(20));
    expect((await run('--max-tokens', '150', 'cat', 'few')).text).toContain('<<ctxzip:');
  });

  it('--no-store and --level minimal need no store', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'log'), log());
    for (const flags of [['--no-store'], ['--level', 'minimal']]) {
      const { text } = await own.run(['run', ...flags, 'cat', 'log']);
      expect(text).toBe((await own.run(flags, { input: log() })).text);
      expect(text.length).toBeLessThan(log().length);
      expect((await own.run(['restore'], { input: text })).text).toBe(log());
    }
    expect(own.spooled()).toEqual([]);
  });

  it('--json is one object with the streams in it', async () => {
    const ended = await sh('cat pods; echo "a word" >&2; exit 3', '--json');
    expect({ code: ended.code, err: ended.err }).toEqual({ code: 3, err: '' });
    const { streams, ...facts } = JSON.parse(ended.text) as Record<string, unknown> & { streams: unknown[] };
    expect(facts).toEqual({ kind: 'run', exitCode: 3, durationMs: expect.any(Number) });
    expect(streams).toMatchObject([
      { stream: 'stdout', kind: 'view', bytes: pods().length, shapes: ['table'] },
      { stream: 'stderr', kind: 'passthrough', output: 'a word\n' },
    ]);
    const killed = await box.shell(`$CZ run --json -- sh -c 'cat pods; kill -9 $$' 2>&1; echo`);
    expect(killed.text).toMatch(
      /^\{"kind":"run","exitCode":137,"signal":"SIGKILL".*"stream":"stdout\+stderr"/,
    );
  });

  it('--explain says why, and which rule decided what', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'pods'), pods());
    config(
      own.home,
      'tools:',
      '  cat: { as: table, max_tokens: 900 }',
      "  'cat p*': { max_tokens: 800 }",
      "  '*': { level: normal, keep_patterns: [x0099] }",
      "  'echo secret*': { level: none }",
    );
    const { text, err } = await own.run(['run', '--explain', '/bin/cat', 'pods']);
    expect(text).toContain('x0099');
    expect(err).toContain('ctxzip: rule "cat p*" of tools: max_tokens 800\n');
    expect(err).toContain('ctxzip: rule "cat" of tools: max_tokens 900 (decided by "cat p*"), as table\n');
    expect(err).toContain('ctxzip: rule "*" of tools: level normal, keep_patterns ["x0099"]\n');
    expect(err).toMatch(/^ctxzip: +L52 +failure/m);
    const none = await own.run(['run', '--explain', 'echo', 'secret', 'word']);
    expect(none.text).toBe('secret word\n');
    expect(none.err).toContain('rule "echo secret*" of tools: level none\n');
    expect(none.err).toContain('passed through: level none\n');
    const asked = await own.run(['run', '--explain', '--max-tokens', '500', 'cat', 'pods']);
    expect(asked.err).toContain('max_tokens 800 (decided by --max-tokens)');
    const pipe = await own.run(['--explain', '--tool', 'echo secret'], { input: pods() });
    expect(pipe.text).toBe(pods());
    expect(pipe.err).toContain('rule "echo secret*" of tools: level none\n');
  });

  it.each([[[]], [['--']], [['--oops', 'ls']], [['--level', 'loud', 'touch', 'made']]])(
    '%j is wrong usage, and nothing is run',
    async (args) => {
      const { text, err, code } = await run(...args);
      expect({ text, code }).toEqual({ text: '', code: 2 });
      expect(err).toMatch(/^ctxzip: [^\n]*\n$/);
      expect(existsSync(join(box.root, 'made'))).toBe(false);
    },
  );

  it('version and help are asked for before the command only', async () => {
    expect((await run('--version')).text).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run('sh', '-c', 'echo $0 $1', '--version', '-h')).text).toBe('--version -h\n');
  });
});

const long = (lines: number): string =>
  Array.from({ length: lines }, (_, i) => `step ${i} of the build is done and well`).join('\n') + '\n';

describe('a command that fails', () => {
  const trace = [
    'Traceback (most recent call last):',
    ...Array.from(
      { length: 40 },
      (_, i) => `  File "/app/layer${i}.py", line ${i + 3}, in call_${i}\n    run_${i}(value)`,
    ),
    'ValueError: the value is not good',
  ].join('\n');

  it('keeps all of up to 8 KiB', async () => {
    const text = long(210);
    expect(text.length).toBeLessThanOrEqual(8192);
    file('short', text);
    expect((await sh('cat short')).text).toContain('<<ctxzip:');
    expect(await sh('cat short; exit 1')).toMatchObject({ text, code: 1 });
    const json = JSON.parse((await sh('cat short; exit 1', '--json')).text) as {
      streams: Array<{ reason: string }>;
    };
    expect(json.streams[0]!.reason).toMatch(/failed/);
    expect((await sh('cat short; exit 1', '--max-tokens', '200')).text).toContain('<<ctxzip:');
  });

  it('keeps more of what is longer: traces whole, the end', async () => {
    const text = `${long(2000)}${trace}\n${long(300)}make: *** [all] Error 2\n`;
    file('long', text);
    const good = await sh('cat long');
    const bad = await sh('cat long; exit 2');
    expect(bad.text).toContain('<<ctxzip:');
    expect(bad.text).toContain(trace);
    expect(good.text).not.toContain(trace);
    expect(bad.text.length).toBeLessThan(text.length / 5);
    expect(bad.text).toContain(text.split('\n').slice(-21).join('\n'));
    expect((await box.run(['restore'], { input: bad.text })).text).toBe(text);
  });

  it('errors: verbatim leaves all of it alone', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'log'), log());
    config(own.home, 'errors: verbatim');
    expect((await own.run(['run', 'sh', '-c', 'cat log; exit 1'])).text).toBe(log());
    expect((await own.run(['run', 'sh', '-c', 'cat log'])).text).toContain('<<ctxzip:');
  });
});

describe('what ctxzip itself has printed', () => {
  const self = `${process.execPath} ${commandPath}`;

  it('is not compressed again', async () => {
    const view = (await run('cat', 'log')).text;
    const hash = hashOf(view);
    expect((await run(process.execPath, commandPath, 'expand', hash)).text).toBe(log());
    expect((await sh(`${self} expand ${hash}; true`)).text).toBe(log());
    expect((await sh(`${self} < log; true`)).text).toBe(view);
    expect((await run(process.execPath, commandPath, 'run', 'cat', 'log')).text).toBe(view);
    expect((await sh(`${self} expand ${hash}`, '--explain')).err).toMatch(/printed by ctxzip itself/);
    const nested = await run('sh', '-c', `${self} run sh -c '${self} expand ${hash}'`);
    expect(nested.text).toBe(log());
    const apart = await run('sh', '-c', `${self} run sh -c 'cat log >&2'; echo behind it >&2`);
    expect(apart.err).toBe(`${view}behind it\n`);
  });

  it('but what a tool made of that is', async () => {
    const hash = hashOf((await run('cat', 'log')).text);
    expect((await sh(`${self} expand ${hash} | grep -v nothing`)).text).toContain('<<ctxzip:');
    expect((await sh(`x=$(${self} list); cat log`)).text).toContain('<<ctxzip:');
  });
});

describe('fail open', () => {
  it.each(['1', 'true'])('CTXZIP_DISABLE=%s runs it as if we were not there', async (value) => {
    const own = sandbox();
    writeFileSync(join(own.root, 'log'), log());
    const env = { CTXZIP_DISABLE: value };
    const ended = await own.run(['run', '--json', 'sh', '-c', 'cat log; exit 9'], { env });
    expect({ same: ended.text === log(), code: ended.code, err: ended.err }).toEqual({
      same: true,
      code: 9,
      err: '',
    });
    expect(existsSync(own.store)).toBe(false);
  });

  it('a broken forge.yaml', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'log'), log());
    config(own.home, 'keep_patterns: [/(/]');
    const ended = await own.run(['run', 'sh', '-c', 'cat log; exit 9']);
    expect({ same: ended.text === log(), code: ended.code }).toEqual({ same: true, code: 9 });
    expect(ended.err).toMatch(/^ctxzip: .*its output passes through unchanged\n$/);
  });

  it('a store that can not be used', async () => {
    const own = sandbox();
    writeFileSync(own.store, 'a file');
    writeFileSync(join(own.root, 'log'), log());
    const ended = await own.run(['run', 'sh', '-c', 'cat log; exit 9']);
    expect(ended.code).toBe(9);
    expect((await own.run(['restore'], { input: ended.text })).text).toBe(log());
    expect(ended.err).toMatch(/^ctxzip: [^\n]*\n$/);
  });

  it('no place for pipes, and no mkfifo', async () => {
    for (const env of [{ TMPDIR: '/nonexistent' }, { PATH: '/nonexistent' }]) {
      const ended = await box.run(['run', '/bin/sh', '-c', '/bin/cat log; /bin/cat pods >&2; exit 9'], {
        env,
      });
      expect(ended.code).toBe(9);
      expect((await box.run(['restore'], { input: ended.text })).text).toBe(log());
      expect((await box.run(['restore'], { input: ended.err })).text).toBe(pods());
    }
    const both = await box.shell('TMPDIR=/nonexistent $CZ run sh both.sh 2>&1');
    expect((await box.run(['restore'], { input: both.text })).text.split('\n')).toHaveLength(601);
  });

  it('an installation with parts missing', async () => {
    const copy = mkdtempSync(join(box.root, 'copy-'));
    await box.shell(
      `cp -r ${join(commandPath, '..', '..', 'dist')} ${copy}/dist && cp -r ${join(commandPath, '..')} ${copy}/bin`,
    );
    const script = join(copy, 'bin', 'ctxzip.js');
    for (const part of ['pipe', 'run']) {
      await box.shell(`rm ${copy}/dist/${part}.cjs`);
      const ended = await box.run(['run', '--', 'sh', '-c', 'cat log; exit 9'], { script });
      expect({ same: ended.text === log(), code: ended.code }).toEqual({ same: true, code: 9 });
      expect(ended.err).toMatch(/^ctxzip: .*output passes through unchanged\n$/s);
    }
  });
});
