/** Many at once, and some of them killed: nothing whose marker was printed is lost. */
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandPath, hashOf, sandbox, type Sandbox } from '../support-e2e/command.ts';
import { log, pods, seeded } from '../support-e2e/inputs.ts';

function restoredAll(own: Sandbox, views: ReadonlyArray<readonly [string, string]>): Promise<void[]> {
  return Promise.all(
    views.map(async ([view, input]) => {
      const { text, code, err } = await own.run(['restore'], { input: view });
      expect({ same: text === input, code, err }).toEqual({ same: true, code: 0, err: '' });
    }),
  );
}

describe('eight pipes at once', () => {
  it('lose nothing while gc runs again and again', async () => {
    const own = sandbox();
    const pipesAreDone = { yes: false };
    const gc = (async () => {
      for (let runs = 0; !pipesAreDone.yes || runs < 3; runs += 1) {
        const { code, err } = await own.run(['gc']);
        expect(code, err).toBe(0);
      }
    })();
    const pipes = Array.from({ length: 8 }, async (_, pipe) => {
      const views: Array<readonly [string, string]> = [];
      for (let round = 0; round < 3; round += 1) {
        const input = log(600, `-${pipe}-${round}`);
        const { text, err, code } = await own.run([], { input });
        expect({ err, code }).toEqual({ err: '', code: 0 });
        views.push([text, input]);
      }
      return views;
    });
    const views = (await Promise.all(pipes)).flat();
    pipesAreDone.yes = true;
    await gc;
    await restoredAll(own, views);
    expect(JSON.parse((await own.run(['list', '--json'])).text)).toHaveLength(24);
  }, 60_000);

  it('of one input agree', async () => {
    const own = sandbox();
    const all = await Promise.all(Array.from({ length: 8 }, () => own.run([], { input: log() })));
    for (const { text, err } of all) {
      expect(err).toBe('');
      expect(text === all[0]!.text).toBe(true);
    }
    expect(own.spooled()).toHaveLength(1);
    expect(readdirSync(join(own.store, 'temp'))).toEqual([]);
  });

  it('make a new home together', async () => {
    const own = sandbox();
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        own.run([], { input: pods(100 + i), env: { CTXZIP_HOME: join(own.root, 'new/home') } }),
      ),
    );
    for (const { text, err, code } of all) {
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(text).toContain('<<ctxzip:');
    }
  });

  it('and forget, list and expand between them', async () => {
    const own = sandbox();
    const kept = await own.run([], { input: log(700, '-kept') });
    const doomed = hashOf((await own.run([], { input: log(700, '-doomed') })).text);
    const ended = await Promise.all([
      own.run(['forget', doomed]),
      own.run(['list']),
      own.run(['gc']),
      own.run(['expand', hashOf(kept.text)]),
      own.run(['restore'], { input: kept.text }),
      own.run([], { input: log(700, '-new') }),
      own.run(['verify'], { input: kept.text }),
    ]);
    for (const { err } of ended) expect(err).not.toMatch(/ {4}at |Error:/);
    expect(ended[3]!.text === log(700, '-kept')).toBe(true);
    expect(ended[4]!.text === log(700, '-kept')).toBe(true);
    expect(ended[6]!.code).toBe(0);
    // forget may have found gc at work: then it says so, and does it when asked again.
    if (ended[0]!.code !== 0) expect((await own.run(['forget', doomed])).code).toBe(0);
    expect((await own.run(['expand', doomed])).code).toBe(1);
  });
});

describe('kill -9', () => {
  it('of a pipe at any moment: what was printed is whole, or not there', async () => {
    const own = sandbox();
    const random = seeded(9);
    const input = log(9000);
    writeFileSync(join(own.root, 'in'), input);
    let printed = 0;
    for (let round = 0; round < 14; round += 1) {
      const out = await killedAfter(own, 40 + random() * 180);
      if (!/<<ctxzip:[0-9a-f]{12} /.test(out)) continue;
      printed += 1;
      const { text, code } = await own.run(['expand', hashOf(out)]);
      expect({ same: text === input, code }).toEqual({ same: true, code: 0 });
    }
    expect(printed).toBeGreaterThan(0);
    expect((await own.run(['gc'])).code).toBe(0);
    expect((await own.run([], { input })).text).toContain('<<ctxzip:');
  }, 60_000);

  it('of gc at any moment: every original is still there', async () => {
    const own = sandbox();
    const random = seeded(10);
    const views: Array<readonly [string, string]> = [];
    for (let round = 0; round < 6; round += 1) {
      for (const part of ['a', 'b']) {
        const input = log(500, `-${round}${part}`);
        views.push([(await own.run([], { input })).text, input]);
      }
      await killedAfter(own, 60 + random() * 200, 'gc');
    }
    expect((await own.run(['gc'])).code).toBe(0);
    await restoredAll(own, views);
    expect(own.spooled()).toEqual([]);
  }, 60_000);
});

describe('versions of one input', () => {
  it('are originals of their own', async () => {
    const own = sandbox();
    const first = log(800);
    const second = first.replace('id=300 ', 'id=301 ');
    const views = [(await own.run([], { input: first })).text, (await own.run([], { input: second })).text];
    expect(hashOf(views[0]!)).not.toBe(hashOf(views[1]!));
    await restoredAll(own, [
      [views[0]!, first],
      [views[1]!, second],
    ]);
  });

  it('one input under many policies: each view restores', async () => {
    const own = sandbox();
    const input = log(1200);
    const views: Array<readonly [string, string]> = [];
    for (let budget = 100; budget < 500; budget += 20) {
      views.push([(await own.run(['--max-tokens', String(budget)], { input })).text, input]);
    }
    await restoredAll(own, views);
    expect((await own.run(['gc'])).code).toBe(0);
    await restoredAll(own, views);
    expect(JSON.parse((await own.run(['list', '--json'])).text)).toHaveLength(1);
  }, 60_000);
});

function rows(count: number, row: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => row(i)).join('\n');
}

describe('speed', () => {
  const random = seeded(1);
  const word = (): string => Math.floor(random() * 1e9).toString(36);
  const inputs: ReadonlyArray<readonly [string, () => string]> = [
    ['a log', () => log(60_000)],
    ['a table', () => pods(60_000)],
    [
      'an access log',
      () =>
        rows(
          50_000,
          (i) =>
            `10.0.${i % 200}.${i % 31} - - [01/May/2026:12:00:00 +0000] "GET /api/${word()} HTTP/1.1" 200 ${i}`,
        ),
    ],
    [
      'JSON lines',
      () =>
        rows(40_000, (i) =>
          JSON.stringify({ time: '2026-05-01T12:00:00Z', level: 'info', msg: `request ${i}`, id: word() }),
        ),
    ],
    [
      'one JSON document',
      () => JSON.stringify(Array.from({ length: 40_000 }, (_, i) => ({ id: i, name: word(), ok: true }))),
    ],
    [
      'stack traces',
      () =>
        rows(
          12_000,
          (i) =>
            `2026-05-01T12:00:00Z ERROR worker ${i} failed\n    at foo.bar(x.js:${i})\n    at baz.qux(y.js:7)\nCaused by: java.io.IOException: gone`,
        ),
    ],
    ['prose', () => rows(30_000, () => Array.from({ length: 15 }, word).join(' '))],
    [
      'source code',
      () => rows(60_000, (i) => `  if (value${i % 977} > ${i}) { return compute(${word()}); }`),
    ],
    [
      'coloured lines',
      () => rows(40_000, (i) => `\u001b[32mINFO\u001b[0m request ${i} \u001b[1mtook\u001b[0m ${i % 90}ms`),
    ],
  ];

  it.each(inputs)('about 5 MB of %s is a matter of seconds', async (_, make) => {
    const own = sandbox();
    const { code, err, ms, text } = await own.run([], { input: make() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(text.length).toBeGreaterThan(0);
    expect(ms).toBeLessThan(6000);
  });
});

/** Starts the pipe (or a command) and kills it after so many milliseconds; what it has printed by then. */
function killedAfter(own: Sandbox, ms: number, command?: string): Promise<string> {
  const line = command === undefined ? [commandPath] : [commandPath, command];
  const child = spawn(process.execPath, line, {
    cwd: own.root,
    env: own.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(command === undefined ? log(9000) : '');
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(out);
    });
  });
}
