/** Starting and ending: one daemon at a place, whatever was killed, stopped or left behind. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { hashOf } from '../support-e2e/command.ts';
import { daemonBox, keep, runs, until } from '../support-e2e/daemon.ts';
import { log, pods } from '../support-e2e/inputs.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

it('starts, says so a second time, tells its status, and stops', async () => {
  const box = daemonBox();
  const none = await box.run(['daemon', 'status']);
  expect([none.code, none.err]).toEqual([1, 'ctxzip: no daemon runs; ctxzip daemon start starts one\n']);
  expect((await box.run(['daemon', 'status', '--json'])).text).toBe('{"state":"nobody"}\n');
  expect((await box.run(['daemon', 'stop'])).err).toBe('ctxzip: there is no daemon to stop\n');
  expect((await box.run(['daemon', 'logs'])).err).toBe('ctxzip: no daemon has logged anything yet\n');
  const first = await box.run(['daemon', 'start']);
  const pid = box.pid();
  expect([first.code, first.err]).toEqual([
    0,
    `ctxzip: the daemon listens at ${box.socket}, process ${pid}\n`,
  ]);
  const second = await box.run(['daemon', 'start']);
  expect([second.code, second.err]).toEqual([0, `ctxzip: a daemon listens already, process ${pid}\n`]);
  expect(box.pid()).toBe(pid);
  expect(lstatSync(box.socket).mode & 0o777).toBe(0o600);
  expect(lstatSync(join(box.store, 'daemon')).mode & 0o777).toBe(0o700);
  const status = await box.run(['daemon', 'status']);
  expect(status.code).toBe(0);
  for (const word of [`process   ${pid}, up`, 'socket', 'store', 'spool', 'memory', 'requests', 'latency'])
    expect(status.text).toContain(word);
  const json = JSON.parse((await box.run(['daemon', 'status', '--json'])).text) as object;
  expect(json).toMatchObject({ state: 'answers', pid, socket: box.socket, requests: { failed: 0 } });
  const stopped = await box.run(['daemon', 'stop']);
  expect([stopped.code, stopped.err]).toEqual([0, `ctxzip: the daemon has ended, process ${pid}\n`]);
  expect(runs(pid)).toBe(false);
  expect(existsSync(box.socket)).toBe(false);
  const logs = (await box.run(['daemon', 'logs'])).text;
  expect(logs).toContain('listens at');
  expect(logs.trimEnd().endsWith('ended')).toBe(true);
  expect((await box.run(['daemon', 'logs', '-n', '1'])).text.split('\n')).toHaveLength(2);
});

it('is one of eight that start at once', async () => {
  const box = daemonBox();
  const all = await Promise.all(
    Array.from({ length: 8 }, () => box.run(['daemon', 'start'], { timeoutMs: 60_000 })),
  );
  expect(all.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0));
  const pids = new Set(all.map(({ err }) => /process (\d+)/.exec(err)?.[1]));
  expect([...pids]).toEqual([String(box.pid())]);
  const listening = box
    .log()
    .split('\n')
    .filter((line) => line.includes('listens at'));
  expect(listening).toHaveLength(1);
}, 90_000);

it('is one of eight that start where a killed one has left its socket', async () => {
  const box = daemonBox();
  const first = await box.start();
  process.kill(first, 'SIGKILL');
  await until(() => !runs(first), 'it is dead');
  expect(existsSync(box.socket)).toBe(true);
  const before = box
    .log()
    .split('\n')
    .filter((line) => line.includes('listens at')).length;
  const all = await Promise.all(
    Array.from({ length: 8 }, () => box.run(['daemon', 'start'], { timeoutMs: 60_000 })),
  );
  expect(all.every(({ code }) => code === 0)).toBe(true);
  expect(new Set(all.map(({ err }) => /process (\d+)/.exec(err)?.[1]))).toEqual(new Set([String(box.pid())]));
  expect(
    box
      .log()
      .split('\n')
      .filter((line) => line.includes('listens at')),
  ).toHaveLength(before + 1);
}, 90_000);

it('keeps every original that it has shown when it is killed at work', async () => {
  const box = daemonBox();
  const pid = await box.start();
  const shown: Array<readonly [string, string]> = [];
  const work = Array.from({ length: 6 }, async (_, client) => {
    for (let i = 0; ; i += 1) {
      const input = log(400, `-${client}-${i}-`);
      const { text } = await box.ask('/v1/compress', { body: input });
      shown.push([hashOf(text), input]);
    }
  });
  await until(() => shown.length > 30, 'some are shown');
  process.kill(pid, 'SIGKILL');
  await Promise.allSettled(work);
  for (const [hash, input] of shown.filter((_, i) => i % 5 === 0 || i > shown.length - 8))
    expect((await box.run(['expand', hash])).text).toBe(input);
  expect((await box.run(['daemon', 'start'])).code).toBe(0);
  expect(box.pid()).not.toBe(pid);
}, 60_000);

it('lets requests in flight end when it is told to end', async () => {
  const box = daemonBox();
  const pid = await box.start();
  const body = log(60_000);
  const asked = box.ask('/v1/compress', { body });
  await until(async () => (await box.stats()).requests.inFlight > 1, 'it is at work');
  process.kill(pid, 'SIGTERM');
  const { status, text } = await asked;
  expect(status).toBe(200);
  await until(() => !runs(pid), 'it has ended');
  expect((await box.run(['expand', hashOf(text)])).out.length).toBe(body.length);
  expect(box.log()).toContain('SIGTERM: 1 requests in flight');
});

it('harms nobody when it is stopped, is told of, and can be ended', async () => {
  const box = daemonBox();
  const pid = await box.start();
  const hash = hashOf((await box.ask('/v1/compress', { body: log(900) })).text);
  await box.ask(`/v1/originals/${hash}`);
  process.kill(pid, 'SIGSTOP');
  const { text } = await box.run([], { input: pods() });
  expect((await box.run(['expand', hashOf(text)])).text).toBe(pods());
  expect((await box.run(['gc'])).code).toBe(0);
  expect((await box.run(['expand', hash])).text).toBe(log(900));
  const status = await box.run(['daemon', 'status']);
  expect([status.code, status.err]).toEqual([1, expect.stringContaining(`process ${pid} listens at`)]);
  const second = await box.run(['daemon', 'start'], { timeoutMs: 60_000 });
  expect([second.code, second.err]).toEqual([1, expect.stringContaining('does not answer')]);
  const stopped = await box.run(['daemon', 'stop'], { timeoutMs: 60_000 });
  expect([stopped.code, stopped.err]).toEqual([
    0,
    `ctxzip: the daemon did not answer; process ${pid} was killed\n`,
  ]);
  await until(() => !runs(pid), 'it is dead');
}, 90_000);

it('restarts, and takes over from another version', async () => {
  const box = daemonBox();
  const pid = await box.start();
  expect((await box.run(['daemon', 'restart'], { timeoutMs: 60_000 })).code).toBe(0);
  expect(runs(pid)).toBe(false);
  const info = join(box.store, 'daemon', 'info.json');
  await box.run(['daemon', 'stop']);
  const old = createHttp((request, response) => {
    const { url } = request;
    response.statusCode = url === '/v1/stop' ? 202 : 200;
    response.end(
      JSON.stringify({
        name: 'ctxzip',
        version: '0.0.1',
        pid: 999_999_999,
        processStart: '1',
        startedAt: 1,
        socket: box.socket,
      }),
    );
    if (url === '/v1/stop') {
      old.close();
      old.closeAllConnections();
    }
  });
  servers.push(old);
  await new Promise<void>((resolve) => old.listen(box.socket, resolve));
  rmSync(info, { force: true });
  expect((await box.run(['daemon', 'start'])).err).toContain('of version 0.0.1 and not');
  expect((await box.run(['daemon', 'status'])).text).toMatch(
    /version {3}0\.0\.1; this command is .*: daemon restart/,
  );
  const restarted = await box.run(['daemon', 'restart'], { timeoutMs: 60_000 });
  expect([restarted.code, restarted.err]).toEqual([0, expect.stringContaining('listens at')]);
  expect(await box.stats()).toMatchObject({ pid: box.pid() });
}, 90_000);

it('leaves a foreign listener alone', async () => {
  const box = daemonBox();
  mkdirSync(join(box.store, 'daemon'), { recursive: true, mode: 0o700 });
  writeFileSync(join(box.store, 'ctxzip-store'), '');
  const foreign = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
  });
  servers.push(foreign);
  await new Promise<void>((resolve) => foreign.listen(box.socket, resolve));
  for (const word of ['start', 'stop', 'restart', 'status', 'run']) {
    const { code, err } = await box.run(['daemon', word]);
    expect(code, word).toBe(1);
    expect(err).toMatch(/is no daemon of ctxzip; it is left alone|another one listens already/);
  }
  expect(foreign.listening).toBe(true);
}, 60_000);

it('has a short socket where the state folder is deep, in a folder of its own', async () => {
  const box = daemonBox();
  const runtime = join(box.root, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const env = { CTXZIP_HOME: join(box.root, 'deep'.repeat(30)), XDG_RUNTIME_DIR: runtime };
  const started = await box.run(['daemon', 'start'], { env });
  try {
    const socket = /listens at (\S+),/.exec(started.err)?.[1] ?? '';
    expect(socket.startsWith(runtime)).toBe(true);
    expect(lstatSync(join(socket, '..')).mode & 0o777).toBe(0o700);
    // Another environment finds it by what it says of itself.
    expect((await box.run(['daemon', 'status'], { env: { ...env, XDG_RUNTIME_DIR: '' } })).text).toContain(
      socket,
    );
  } finally {
    expect((await box.run(['daemon', 'stop'], { env })).err).toContain('has ended');
  }
});

it('refuses a folder that is a link', async () => {
  const box = daemonBox();
  await box.run([], { input: log(300) });
  const elsewhere = join(box.root, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(box.store, 'daemon'));
  const { code, err } = await box.run(['daemon', 'start']);
  expect([code, err]).toEqual([1, expect.stringContaining('is a symbolic link')]);
});

it('ends when its socket is removed, and leaves the one of its successor', async () => {
  const box = daemonBox();
  const first = await box.start();
  unlinkSync(box.socket);
  const second = await box.start();
  expect(second).not.toBe(first);
  await until(() => !runs(first), 'the first has noticed');
  expect((await box.stats()).pid).toBe(second);
  expect(existsSync(box.socket)).toBe(true);
});

it('runs in the foreground, talks on stderr, and ends on SIGINT', async () => {
  const box = daemonBox();
  const child = keep(box, ['daemon', 'run', '--workers', '1']);
  let err = '';
  child.stderr!.on('data', (text: Buffer) => (err += text.toString()));
  await until(() => err.includes('with 1 workers'), 'it listens');
  expect((await box.ask('/healthz')).status).toBe(200);
  const second = await box.run(['daemon', 'run']);
  expect([second.code, second.err]).toEqual([1, 'ctxzip: another one listens already\n']);
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(err).toMatch(/SIGINT: 0 requests in flight\nctxzip: ended\n$/);
});

it('shows its log as it grows, and keeps it bounded', async () => {
  const box = daemonBox();
  await box.start();
  const file = join(box.store, 'daemon', 'log');
  const child = keep(box, ['daemon', 'logs', '-f']);
  let out = '';
  child.stdout!.on('data', (text: Buffer) => (out += text.toString()));
  await until(() => out.includes('listens at'), 'what is there');
  writeFileSync(file, `${'x'.repeat(99)}\n`.repeat(12_000), { flag: 'a' });
  await until(() => out.length > 1_200_000, 'what is new');
  await box.run(['daemon', 'stop']);
  await until(() => out.includes(' ended\n'), 'what came after it was begun anew');
  expect(readFileSync(file).length).toBeLessThan(10_000);
  expect(readFileSync(`${file}.1`).length).toBeGreaterThan(1_200_000);
});

it.each([
  [['daemon'], 2, /Usage/],
  [['daemon', 'frobnicate'], 2, /unknown command/],
  [['daemon', 'start', '--max-body', 'huge'], 2, /--max-body "huge": give a number of bytes/],
  [['daemon', 'run', '--timeout', '0'], 2, /--timeout "0": give a time/],
  [['daemon', 'restart', '--workers', '0'], 2, /--workers "0": give a number/],
  [['daemon', 'logs', '-n', 'all'], 2, /--lines "all"/],
  [['daemon', 'reader'], 2, /is started by the daemon/],
  [['daemon', 'stop', 'now'], 2, /too many arguments/],
] as const)('%j ends with %i', async (args, exit, message) => {
  const { code, err, text } = await daemonBox().run([...args]);
  expect(code).toBe(exit);
  expect(err + text).toMatch(message);
});
