// Clients that do not behave, and those beside them that must not notice.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { at, pause, until } from './box.mjs';
import { bodyOf, CLASSES, numbers } from './bodies.mjs';

function open(box) {
  const socket = connect(box.socket);
  socket.on('error', () => undefined);
  return socket;
}

const headOf = (body, path = '/v1/compress') =>
  `POST ${path} HTTP/1.1\r\nHost: ctxzip\r\nContent-Length: ${body.length}\r\n\r\n`;

/** Somebody who behaves, until `work` has ended; the times of his requests. */
async function besides(box, ledger, work) {
  // Workers come up first.
  await box.ask('/v1/compress', { body: bodyOf(kindOf('10 KB'), 0) });
  const state = { isOver: false };
  const times = [];
  const next = numbers(5);
  const good = async () => {
    while (!state.isOver || times.length < 20) {
      const input = ledger.pick('10 KB', next, 3);
      const answer = await box.ask('/v1/compress', { body: input.body });
      if (answer.status === 200) ledger.answered(input, answer, true);
      else ledger.fault(`one who behaves was answered with ${answer.status}`);
      times.push(answer.ms);
    }
  };
  const goods = [good(), good()];
  const ended = work().finally(() => (state.isOver = true));
  await Promise.all([ended, ...goods]).finally(() => Promise.allSettled([ended, ...goods]));
  times.sort((a, b) => a - b);
  return `${times.length} requests of others: p50 ${at(times, 0.5).toFixed(0)}, p99 ${at(times, 0.99).toFixed(0)} ms`;
}

/** Nothing is held for those who have gone. */
async function isLetGo(box, ledger) {
  box.agent.destroy();
  const isEmpty = await until(async () => {
    const value = await box.metrics();
    return (
      ['ctxzip_requests_in_flight', 'ctxzip_connections'].every((name) => value(name) === 1) &&
      value('ctxzip_held_bytes') === 0 &&
      value('ctxzip_workers_busy') === 0
    );
  });
  if (!isEmpty) ledger.fault('something is held for clients that have gone');
}

const kindOf = (size) => CLASSES.findIndex((each) => each.size === size);

export async function vanishing({ isQuick, box, ledger }) {
  const pid = await box.start();
  const count = isQuick ? 60 : 1500;
  const others = await besides(box, ledger, async () => {
    const next = numbers(3);
    for (let i = 0; i < count; i += 1) {
      const body = bodyOf(kindOf(next(20) === 0 ? '1 MB' : '10 KB'), 5000 + i);
      const socket = open(box);
      socket.write(headOf(body));
      // In the head, in the body, or behind it.
      socket.write(body.subarray(0, next(3) === 0 ? body.length : next(body.length)));
      await pause(next(6));
      socket.destroy();
    }
  });
  await isLetGo(box, ledger);
  if (box.pid() !== pid) ledger.fault('it is another daemon');
  return `${count} vanished; ${others}`;
}

export async function slowReaders({ isQuick, box, ledger }) {
  await box.start();
  const count = isQuick ? 5 : 40;
  const body = bodyOf(kindOf('1 MB'), 1);
  const slow = Array.from({ length: count }, () => {
    const socket = open(box);
    const reader = { socket, got: 0 };
    socket.on('data', (piece) => {
      reader.got += piece.length;
      socket.pause();
    });
    socket.pause();
    // An answer as large as the input.
    socket.write(headOf(body, '/v1/compress?level=none'));
    socket.write(body);
    return reader;
  });
  const others = await besides(box, ledger, async () => {
    for (const end = Date.now() + (isQuick ? 500 : 8000); Date.now() < end; await pause(50))
      for (const { socket } of slow) socket.resume();
  });
  for (const { socket } of slow) {
    socket.removeAllListeners('data');
    socket.on('data', (piece) => (slow.find((each) => each.socket === socket).got += piece.length));
    socket.resume();
  }
  const isRead = await until(() => slow.every(({ got }) => got > body.length));
  if (!isRead) ledger.fault(`slow readers got ${slow.map(({ got }) => got).join(' ')} bytes`);
  for (const { socket } of slow) socket.destroy();
  await isLetGo(box, ledger);
  return `${count} read 1 MB slowly and got all of it; ${others}`;
}

const RUBBISH = [
  () => randomBytes(700),
  () => Buffer.alloc(40_000, 'x'),
  () => Buffer.from('hello\r\n\r\n'),
  () => Buffer.from('GET / HTTP/9.9\r\n\r\n'),
  () => Buffer.from(`GET /${'y'.repeat(50_000)} HTTP/1.1\r\n`),
  () => Buffer.from('POST /v1/compress HTTP/1.1\r\nHost: c\r\nContent-Length: -5\r\n\r\nabc'),
  () =>
    Buffer.from('POST /v1/compress HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n'),
  () => Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'),
];

export async function garbage({ isQuick, box, ledger }) {
  const pid = await box.start();
  const count = isQuick ? 40 : 1000;
  let left = 0;
  const others = await besides(box, ledger, async () => {
    for (let i = 0; i < count; i += 1) {
      const socket = open(box);
      left += 1;
      socket.on('close', () => (left -= 1));
      socket.resume();
      socket.end(RUBBISH[i % RUBBISH.length]());
      if (i % 10 === 9) await pause(5);
    }
  });
  if (!(await until(() => left === 0))) ledger.fault(`${left} connections with garbage are still open`);
  await isLetGo(box, ledger);
  if (box.pid() !== pid) ledger.fault('it is another daemon');
  return `${count} pieces of it, all shown out; ${others}`;
}
