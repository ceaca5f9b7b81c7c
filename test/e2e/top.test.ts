/** `ctxzip top` in a real terminal, and where there is none. */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { commandPath, hashOf, hasTool, projectFolder, sandbox } from '../support-e2e/command.ts';
import { type FakeDaemon, fakeDaemon, recentAt, statsAt, SUGGESTIONS } from '../support-e2e/fake-daemon.ts';
import { pods } from '../support-e2e/inputs.ts';

const hasPython = hasTool('python3');
const box = sandbox();
const socket = join(box.store, 'daemon', 'socket');

const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';

let daemon: FakeDaemon | undefined;
afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
  rmSync(socket, { force: true });
});

/** A daemon whose latest compression is that of a stored original. */
async function serve(hash?: string): Promise<FakeDaemon> {
  const now = Date.now();
  const recent = recentAt(now);
  const [first, ...others] = recent.compressions;
  const compressions = [{ ...first!, ...(hash !== undefined && { hash }) }, ...others];
  daemon = await fakeDaemon(socket, {
    stats: statsAt(now),
    recent: { ...recent, compressions },
    suggestions: SUGGESTIONS,
  });
  return daemon;
}

interface Played {
  /** All that the terminal got. */
  readonly raw: string;
  /** The same without control sequences. */
  readonly text: string;
  readonly code: number | null;
}

type Step = readonly [after: string, keys: string];

/** Runs a line of `sh` in a terminal, types keys, and calls what belongs to a text when the terminal has shown it. */
async function play(
  line: string,
  steps: readonly Step[],
  calls: ReadonlyArray<readonly [after: string, call: () => unknown]> = [],
): Promise<Played> {
  const script = join(projectFolder, 'test', 'support-e2e', 'terminal.py');
  const env = { ...box.env, TERM: 'xterm-256color', CZ: `${process.execPath} ${commandPath}` };
  const child = spawn('python3', [script, line, ...steps.flat()], { cwd: box.root, env });
  const waiting = [...calls];
  let raw = '';
  child.stdout.on('data', (data: Buffer) => {
    raw += data.toString('latin1');
    while (waiting[0] !== undefined && raw.includes(waiting[0][0])) waiting.shift()![1]();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  raw = Buffer.from(raw, 'latin1').toString();
  return { raw, text: stripVTControlCharacters(raw), code };
}

describe(`in a terminal${hasPython ? '' : ' (skipped: no python3)'}`, () => {
  const when = it.runIf(hasPython);

  when('shows the daemon, opens a row, and gives the terminal back', async () => {
    const hash = hashOf((await box.run([], { input: pods() })).text);
    const full = box.spooled()[0]!.slice(0, 64);
    expect(full.startsWith(hash)).toBe(true);
    await serve(full);
    const { raw, text, code } = await play('$CZ top; echo "ended $?"; stty -a', [
      ['live', '\\r'],
      ['EXPLAIN 1-', 'd'],
      ['+++ ', '\\x7f?'],
      ['any key', 'xq'],
    ]);
    expect(code).toBe(0);
    expect(text).toContain('1.07M tokens today');
    expect(text).toMatch(/EXPLAIN \d+-\d+ of \d+ /);
    expect(text).toContain(`--- ${hash} original`);
    expect(text).toContain('any key goes back');
    expect(raw.indexOf(LEFT)).toBeGreaterThan(raw.indexOf('\u001b[?1049h'));
    expect(raw.slice(raw.indexOf(LEFT) + LEFT.length)).toMatch(/^ended 0\r\n/);
    expect(text).toMatch(/ icanon /);
    expect(text).toMatch(/ echo /);
  });

  when('waits for a daemon, loses it, and finds it again', async () => {
    const { text, code } = await play(
      '$CZ top',
      [['found again', 'q']],
      [
        ['No daemon answers', () => serve()],
        ['live', () => daemon!.stop()],
        [
          'daemon gone',
          async () => {
            const again = await serve();
            again.said.stats = statsAt(Date.now(), { version: 'found again' });
          },
        ],
      ],
    );
    expect(code).toBe(0);
    expect(text).toContain('none has been started');
    expect(text).toContain('ctxzip daemon start');
  });

  when('draws itself anew where the terminal is resized', async () => {
    await serve();
    const line = `stty cols 80 rows 24; (while [ ! -e go ]; do sleep 0.05; done; stty cols 40 rows 10 < /dev/tty) & NO_COLOR=1 $CZ top`;
    const { text, code } = await play(
      line,
      [['Tab list', 'q']],
      [['Tab expansions', () => writeFileSync(join(box.root, 'go'), '')]],
    );
    expect(code).toBe(0);
    expect(text).toMatch(/ctxzip top {26}live/);
  });

  when.each([
    ['Ctrl-C', '\\x03', 0],
    ['q', 'q', 0],
  ])('ends by %s', async (_, keys, exit) => {
    await serve();
    const { raw } = await play('$CZ top; echo "ended $?"', [['live', keys]]);
    expect(raw.endsWith(`${LEFT}ended ${exit}\r\n`)).toBe(true);
  });

  when.each([
    ['TERM', 143],
    ['INT', 130],
    ['HUP', 129],
  ])('ends by SIG%s, and gives the terminal back', async (name, exit) => {
    await serve();
    const line = `(while [ ! -e now${name} ]; do sleep 0.05; done; kill -${name} $(cat pid)) & sh -c 'echo $$ > pid; exec $CZ top'; echo "ended $?"`;
    const { raw } = await play(line, [], [['live', () => writeFileSync(join(box.root, `now${name}`), '')]]);
    expect(raw.endsWith(`${LEFT}ended ${exit}\r\n`)).toBe(true);
    expect(existsSync(socket)).toBe(true);
  });

  when('has no colours with NO_COLOR, and no control sequence at all in a dumb terminal', async () => {
    await serve();
    const steps: Step[] = [['live', 'q']];
    expect((await play('$CZ top', steps)).raw).toMatch(/\u001b\[3\dm/);
    expect((await play('NO_COLOR=1 $CZ top', steps)).raw).not.toMatch(/\u001b\[[\d;]*m/);
    const dumb = await play('TERM=dumb $CZ top; echo "ended $?"', steps);
    expect(dumb.raw).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(dumb.raw).toContain('kubectl get pods');
    expect(dumb.raw).toMatch(/ended 0\r\n$/);
  });

  when('needs no keys, and shows frames where a build machine says CI', async () => {
    await serve();
    const line = `(while [ ! -e seen ]; do sleep 0.05; done; kill -TERM $(cat pid)) & sh -c 'echo $$ > pid; exec $CZ top < /dev/null'; echo "ended $?"`;
    const { raw } = await play(
      `export CI=true; ${line}`,
      [],
      [['1.07M tokens', () => writeFileSync(join(box.root, 'seen'), '')]],
    );
    expect(raw.endsWith(`${LEFT}ended 143\r\n`)).toBe(true);
  });
});

describe('without a terminal', () => {
  it('says in one line what there is instead', async () => {
    const { text, err, code } = await box.run(['top']);
    expect({ text, code }).toEqual({ text: '', code: 2 });
    expect(err).toBe(
      'ctxzip: top draws on a terminal, and stdout is none: ctxzip top --once prints one frame\n',
    );
  });

  it('prints one frame as text, or what the daemon says', async () => {
    await serve();
    const once = await box.run(['top', '--once']);
    expect({ err: once.err, code: once.code }).toEqual({ err: '', code: 0 });
    expect(once.text).toMatch(/^saved 1\.07M tokens today, 83% of 1\.28M/);
    expect(once.text).toMatch(/^\* DiskPressure /m);
    expect(once.text).not.toMatch(/[^\S\n]$|\u001b|^>/m);
    const narrow = await box.run(['top', '--once'], { env: { COLUMNS: '50', LC_ALL: 'C' } });
    expect(narrow.text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(Math.max(...narrow.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50);
    const json = await box.run(['top', '--json']);
    expect(JSON.parse(json.text)).toEqual(daemon!.said.stats);
  });

  it('says that no daemon answers', async () => {
    for (const flag of ['--once', '--json']) {
      const { text, err, code } = await box.run(['top', flag]);
      expect({ text, code }).toEqual({ text: '', code: 1 });
      expect(err).toMatch(
        /^ctxzip: no daemon answers at .*: none has been started; start one: ctxzip daemon start\n$/,
      );
    }
  });
});
