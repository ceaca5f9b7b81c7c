/** What goes wrong around the daemon, and hurts it and others no more than it must. */
import { connect, type Socket } from 'node:net';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { commandPath, execute, hashOf } from '../support-e2e/command.ts';
import { type Answered, ask, daemonBox, runs, until } from '../support-e2e/daemon.ts';
import { log, pods } from '../support-e2e/inputs.ts';
import { canMount, withDisk } from '../store/disk.ts';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A bare connection that has sent something; what comes back is gathered. */
function raw(
  path: string,
  bytes: string | Uint8Array,
): { readonly socket: Socket; text(): string; isClosed(): boolean } {
  const socket = connect(path);
  sockets.push(socket);
  let text = '';
  let isClosed = false;
  socket.on('data', (piece) => (text += piece.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  socket.write(bytes);
  return { socket, text: () => text, isClosed: () => isClosed };
}

const errorOf = (answer: Answered): string => String(answer.json()['error']);

it('refuses bodies that are too large, told or not, and says so', async () => {
  const box = daemonBox();
  await box.start('--max-body', '100KB');
  const large = log(4000);
  const told = await box.ask('/v1/compress', { body: large });
  expect([told.status, errorOf(told)]).toEqual([413, expect.stringContaining('larger than 100000 bytes')]);
  const waiting = await box.ask('/v1/compress', { body: large, headers: { expect: '100-continue' } });
  expect(waiting.status).toBe(413);
  const untold = await new Promise<number>((resolve, reject) => {
    const sent = request({ socketPath: box.socket, path: '/v1/compress', method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    for (let at = 0; at < large.length; at += 10_000) sent.write(large.slice(at, at + 10_000));
    sent.end();
  });
  expect(untold).toBe(413);
  expect((await box.ask('/v1/compress', { body: pods() })).status).toBe(200);
});

it('refuses connections and memory over the limits, and takes them again', async () => {
  const box = daemonBox();
  await box.start('--max-connections', '3', '--max-memory', '300KB');
  const idle = Array.from({ length: 3 }, () => raw(box.socket, 'GET /healthz HTTP/1.1\r\nHost: c\r\n\r\n'));
  await until(() => idle.every((each) => each.text().includes('"ok"')), 'they are connected');
  const fourth = await box.ask('/healthz');
  expect([fourth.status, errorOf(fourth)]).toEqual([503, expect.stringContaining('3 connections already')]);
  expect(fourth.headers['retry-after']).toBe('1');
  for (const { socket } of idle) socket.destroy();
  await until(async () => (await box.ask('/healthz')).status === 200, 'there is room again');
  const half = raw(
    box.socket,
    `POST /v1/compress HTTP/1.1\r\nHost: c\r\nContent-Length: 250000\r\n\r\n${'x'.repeat(200_000)}`,
  );
  await until(
    async () => (await box.ask('/metrics')).text.includes('ctxzip_held_bytes 200000'),
    'it is held',
  );
  const more = await box.ask('/v1/compress', { body: log(2500) });
  expect([more.status, errorOf(more)]).toEqual([503, expect.stringContaining('all the memory')]);
  half.socket.destroy();
  await until(async () => (await box.ask('/metrics')).text.includes('ctxzip_held_bytes 0'), 'it is let go');
  expect((await box.ask('/v1/compress', { body: log(2500) })).status).toBe(200);
});

it('gives up what takes too long, replaces the worker, and goes on', async () => {
  const box = daemonBox();
  await box.start('--timeout', '150ms', '--workers', '2');
  const large = log(400_000);
  const late = await box.ask('/v1/compress', { body: large });
  expect([late.status, errorOf(late)]).toEqual([
    503,
    expect.stringContaining('over the time limit of 150 ms'),
  ]);
  expect(late.headers['retry-after']).toBe('1');
  expect(box.log()).toContain('a worker was too long at');
  await until(
    async () => (await box.ask('/v1/compress', { body: pods() })).status === 200,
    'small ones go on',
  );
  expect((await box.ask('/metrics')).text).toMatch(/ctxzip_workers_replaced [1-9]/);
  expect(box.spooled()).toHaveLength(1);
}, 60_000);

it('answers small requests while large ones take all that they may', async () => {
  const box = daemonBox();
  await box.start('--workers', '2');
  const large = Array.from({ length: 3 }, () => box.ask('/v1/compress', { body: log(250_000) }));
  let open = large.length;
  for (const each of large) void each.finally(() => (open -= 1));
  await until(async () => (await box.ask('/metrics')).text.includes('ctxzip_queue_length 2'), 'they wait');
  expect((await box.ask('/v1/compress', { body: pods() })).status).toBe(200);
  expect(open).toBeGreaterThan(0);
  expect((await Promise.all(large)).map(({ status }) => status)).toEqual([200, 200, 200]);
}, 60_000);

it('survives garbage, clients that vanish, and slow readers', async () => {
  const box = daemonBox();
  const pid = await box.start();
  const garbage = [
    '\0\u0001\u0002'.repeat(500),
    'hello\r\n\r\n',
    'GET / HTTP/9\r\n\r\n',
    `GET /${'x'.repeat(40_000)} HTTP/1.1\r\n`,
  ];
  for (const bytes of garbage) {
    const connection = raw(box.socket, bytes);
    await until(() => connection.isClosed(), 'it is shown out');
    expect(connection.text()).toMatch(/^HTTP\/1\.1 4\d\d [^]*"error"/);
  }
  const head = 'POST /v1/compress HTTP/1.1\r\nHost: c\r\nContent-Length: ';
  for (let i = 0; i < 20; i += 1) {
    const part = raw(box.socket, `${head}90000\r\n\r\n${'y'.repeat(i * 4000)}`);
    const whole = raw(box.socket, `${head}${log(1000).length}\r\n\r\n${log(1000)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    part.socket.destroy();
    whole.socket.destroy();
  }
  const body = Buffer.alloc(8 << 20, 'unlike ');
  const slow = connect(box.socket);
  sockets.push(slow);
  slow.on('error', () => undefined);
  slow.pause();
  slow.write(`POST /v1/compress?level=none HTTP/1.1\r\nHost: c\r\nContent-Length: ${body.length}\r\n\r\n`);
  slow.write(body);
  await until(
    async () => (await box.stats()).requests.inFlight === 2,
    'only it and the question are in flight',
  );
  for (let i = 0; i < 5; i += 1) expect((await box.ask('/v1/compress', { body: pods() })).status).toBe(200);
  let got = 0;
  slow.on('data', (piece) => (got += piece.length));
  slow.resume();
  await until(() => got > body.length, 'it has read all in the end');
  slow.destroy();
  await until(async () => {
    const { text } = await box.ask('/metrics');
    return text.includes('ctxzip_held_bytes 0\n') && text.includes('ctxzip_connections 1\n');
  }, 'nothing is held for those who have gone');
  expect(box.pid()).toBe(pid);
  expect(runs(pid)).toBe(true);
}, 60_000);

it('lets inputs through where nothing can be stored', async () => {
  const box = daemonBox();
  await box.start();
  renameSync(join(box.store, 'spool'), join(box.store, 'spool-away'));
  writeFileSync(join(box.store, 'spool'), 'in the way');
  const { status, text, headers } = await box.ask('/v1/compress', { body: log(900) });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'x-ctxzip-kind': 'view',
    'x-ctxzip-gaps': '0',
    'x-ctxzip-note': expect.stringContaining('level minimal instead: nothing is hidden'),
  });
  expect((await box.run(['restore'], { input: text })).text).toBe(log(900));
});

it.skipIf(!canMount)(
  'goes on when the disk is full, and when there is room again',
  async () => {
    await withDisk('24m', async ({ path }) => {
      const box = daemonBox();
      const home = join(path, 'home');
      const env = { CTXZIP_HOME: home };
      expect((await box.run(['daemon', 'start'], { env })).code).toBe(0);
      const socket = join(home, 'daemon', 'socket');
      try {
        const first = await ask(socket, '/v1/compress', { body: log(900) });
        expect(first.headers['x-ctxzip-kind']).toBe('view');
        await execute(['sh', '-c', `cat /dev/zero > ${join(path, 'ballast')} || true`], {
          cwd: '/',
          env: box.env,
        });
        const full = await ask(socket, '/v1/compress', { body: log(901) });
        expect(full.status).toBe(200);
        expect(full.headers).toMatchObject({
          'x-ctxzip-gaps': '0',
          'x-ctxzip-note': expect.stringContaining('the disk is full'),
        });
        const json = (await ask(socket, '/v1/stats', {})).json();
        expect(json).toHaveProperty('requests');
        await execute(['rm', join(path, 'ballast')], { cwd: '/', env: box.env });
        const again = await ask(socket, '/v1/compress', { body: log(902) });
        expect(again.headers['x-ctxzip-kind']).toBe('view');
        expect((await box.run(['expand', hashOf(again.text)], { env })).text).toBe(log(902));
        expect((await ask(socket, `/v1/originals/${hashOf(first.text)}`)).text).toBe(log(900));
      } finally {
        expect((await box.run(['daemon', 'stop'], { env })).code).toBe(0);
      }
    });
  },
  90_000,
);

it('replaces a reader that dies, and a damaged LMDB file takes nothing down', async () => {
  const box = daemonBox();
  const pid = await box.start();
  const hash = hashOf((await box.ask('/v1/compress', { body: log(900) })).text);
  expect((await box.ask(`/v1/originals/${hash}`)).text).toBe(log(900));
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    (readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
  );
  expect(children.length).toBeGreaterThan(0);
  for (const child of children) process.kill(child, 'SIGKILL');
  await until(async () => (await box.ask(`/v1/originals/${hash}`)).text === log(900), 'another one reads');
  await box.run(['gc']);
  expect(box.spooled()).toEqual([]);
  const data = join(box.store, 'lmdb', 'data.mdb');
  const bytes = readFileSync(data);
  writeFileSync(data, bytes.fill(0xee, 8192));
  const { status } = await box.ask(`/v1/originals/${hash}`);
  expect(status).not.toBe(200);
  expect((await box.ask('/v1/compress', { body: pods() })).status).toBe(200);
  expect(runs(pid)).toBe(true);
}, 60_000);

it('does the pipe no harm, whatever is at the socket', async () => {
  const box = daemonBox();
  await box.run([], { input: pods() });
  mkdirSync(join(box.store, 'daemon'), { mode: 0o700 });
  for (const prepare of [
    () => writeFileSync(box.socket, 'no socket'),
    () => writeFileSync(join(box.store, 'daemon', 'info.json'), '{"name":'),
    () => chmodSync(join(box.store, 'daemon'), 0o000),
  ]) {
    prepare();
    const { text, err, code } = await box.run([], { input: log(900) });
    expect([code, err]).toEqual([0, '']);
    expect((await box.run(['expand', hashOf(text)])).text).toBe(log(900));
  }
  chmodSync(join(box.store, 'daemon'), 0o700);
  await box.start();
  expect((await box.ask('/healthz')).status).toBe(200);
});

it('leaves nothing of a given-up worker behind in the end, and no process', async () => {
  const box = daemonBox();
  const pid = await box.start('--timeout', '100ms');
  await box.ask('/v1/compress', { body: log(400_000) });
  await box.run(['daemon', 'stop']);
  await until(() => !runs(pid), 'it has ended');
  expect(existsSync(box.socket)).toBe(false);
  expect(readdirSync(join(box.store, 'daemon')).sort()).toEqual(['locks', 'log']);
  expect(readdirSync(join(box.store, 'daemon', 'locks'))).toEqual([]);
});

it('is found by doctor', async () => {
  const box = daemonBox();
  expect(
    (await execute([process.execPath, commandPath, 'doctor'], { cwd: box.root, env: box.env })).text,
  ).toMatch(/ok +daemon +none runs/);
  await box.start();
  expect((await box.run(['doctor'])).text).toMatch(/ok +daemon +process \d+/);
});
