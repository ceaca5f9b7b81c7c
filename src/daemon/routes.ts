/** What is answered where: see docs/daemon.md. */
import { existsSync } from 'node:fs';
import { type Breakers, isOverTime } from './breaker.ts';
import type { DaemonInfo } from './client.ts';
import type { Crew, Ended } from './crew.ts';
import type { Hands } from './hands.ts';
import { MOST_RECENT, type Journal } from './journal.ts';
import { LARGE_BYTES, type Limits } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { compressParams, expandParams, folderOf } from './params.ts';
import type { DaemonStats } from './protocol.ts';
import type { Request, Route } from './server.ts';
import { asHeader, type Done, fault, type Reply, type Work } from './work.ts';

/** What the routes are made of. */
export interface Parts {
  readonly crew: Crew<Work, Done>;
  readonly hands: Hands;
  readonly breakers: Breakers;
  readonly journal: Journal;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly info: DaemonInfo;
  readonly self: readonly [string, string];
  readonly now: () => number;
  /** Hears of what a worker has done. */
  readonly onDone: (done: Done) => void;
  readonly stats: () => Promise<DaemonStats>;
  readonly isDraining: () => boolean;
  /** Ends the daemon, after the answer. */
  readonly stop: () => void;
}

export function routesOf(parts: Parts): Route[] {
  return [
    { method: 'POST', path: '/v1/compress', answer: (request) => compress(parts, request) },
    { method: 'POST', path: '/v1/batch', answer: (request) => batch(parts, request) },
    { method: 'GET', path: '/v1/originals/', answer: (request) => originals(parts, request) },
    { method: 'GET', path: '/v1/suggestions', answer: suggestionsOf(parts) },
    { method: 'GET', path: '/v1/stats', answer: async () => json(await parts.stats()) },
    { method: 'GET', path: '/v1/recent', answer: (request) => recent(parts, request) },
    { method: 'GET', path: '/healthz', answer: () => health(parts) },
    { method: 'GET', path: '/metrics', answer: () => metrics(parts) },
    { method: 'POST', path: '/v1/stop', answer: () => stop(parts) },
  ];
}

function json(value: object, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value)}\n` };
}

async function compress(parts: Parts, request: Request): Promise<Reply> {
  const { params, body, wantsJson } = request;
  const read = compressParams(params);
  if (read.kind === 'wrong') return fault(400, read.message);
  const flags = wantsJson ? { ...read.flags, json: true } : read.flags;
  if (flags.explain && !flags.json) return fault(400, 'explain goes with json');
  return await byWorker(parts, request, (off) => ({
    kind: 'compress',
    blocks: body.all(),
    flags,
    cwd: read.cwd,
    off,
  }));
}

async function batch(parts: Parts, request: Request): Promise<Reply> {
  const { params, body } = request;
  const cwd = folderOf(params);
  if (typeof cwd !== 'string') return fault(400, cwd.message);
  return await byWorker(parts, request, (off) => ({ kind: 'batch', blocks: body.all(), cwd, off }));
}

async function byWorker(
  parts: Parts,
  { body: { size }, isGone }: Request,
  workOf: (off: readonly string[]) => Work,
): Promise<Reply> {
  const { crew, limits, breakers, onDone } = parts;
  const permits = breakers.permits();
  const isLarge = size > LARGE_BYTES;
  const limitMs = limits.timeoutMs;
  const work = workOf(permits.off);
  const transfer = work.blocks.map(({ buffer }) => buffer);
  const ended = await crew.run({ work, isLarge, limitMs, transfer, isGone });
  breakers.report(permits, usesOf(ended, size));
  if (ended.kind !== 'done') return refusal(ended, limitMs);
  onDone(ended.result);
  return ended.result.reply;
}

function usesOf(ended: Ended<Done>, bytes: number): Parameters<Breakers['report']>[1] {
  if (ended.kind === 'late' && ended.doing !== undefined) return [{ name: ended.doing, isOver: true }];
  if (ended.kind !== 'done') return [];
  return ended.result.uses.map(({ name, ms }) => ({ name, isOver: isOverTime(ms, bytes) }));
}

/** Nothing came about: who asked does the work, or asks again. */
function refusal(ended: Exclude<Ended<unknown>, { kind: 'done' }>, limitMs: number): Reply {
  const retry = { 'retry-after': '1' };
  const doing = ended.kind === 'late' && ended.doing !== undefined ? `, at ${ended.doing}` : '';
  const reasons = {
    late: `over the time limit of ${limitMs} ms${doing}; use the pipe, or raise --timeout`,
    busy: 'too many requests wait already; try again',
    gone: `the worker failed: ${'reason' in ended ? ended.reason : ''}`,
  };
  return fault(503, reasons[ended.kind], retry);
}

const STATUS_OF_EXIT: Readonly<Record<number, number>> = { 0: 200, 1: 404, 2: 400, 3: 410 };

async function originals({ hands, limits }: Parts, { rest, params }: Request): Promise<Reply> {
  const read = expandParams(rest, params);
  if (read.kind === 'wrong') return fault(400, read.message);
  const limitMs = limits.timeoutMs;
  const { argv, cwd } = read;
  const ended = await hands.read({ argv, cwd }, limitMs);
  if (ended.kind !== 'done') return refusal(ended, limitMs);
  const { exit, bytes, notes, isTooLarge } = ended.result;
  if (isTooLarge) return fault(413, 'that is over 64 MiB; ask for less of it, or use ctxzip expand');
  const status = STATUS_OF_EXIT[exit] ?? 500;
  if (status !== 200 && bytes.length === 0) return fault(status, notes.join('; '));
  const note = notes.length > 0 && { 'x-ctxzip-note': asHeader(notes.join('; ')) };
  return { status, headers: { 'content-type': 'application/octet-stream', ...note }, body: bytes };
}

/** Reads stored originals and makes views of them: a process of its own, for all who ask the same at a time. */
function suggestionsOf({ hands, self, limits }: Parts): Route['answer'] {
  const asked = new Map<string, Promise<Reply>>();
  const ask = async (cwd: string): Promise<Reply> => {
    const words = [...self, 'suggestions', '--json'] as const;
    const errand = { words, cwd, timeoutMs: 2 * limits.timeoutMs, isPatient: true };
    const { failed, stdout, stderr } = await hands.run(errand);
    const message = stderr.replaceAll('ctxzip: ', '').trim() || 'it took too long';
    return failed ? fault(503, message) : { ...json({}), body: stdout };
  };
  return ({ params }) => {
    const cwd = folderOf(params);
    if (typeof cwd !== 'string') return fault(400, cwd.message);
    if (cwd !== '' && !existsSync(cwd)) return fault(400, 'cwd: there is no such folder');
    const running = asked.get(cwd) ?? ask(cwd || '/').finally(() => asked.delete(cwd));
    asked.set(cwd, running);
    return running;
  };
}

async function recent({ journal }: Parts, { params }: Request): Promise<Reply> {
  const text = params.get('limit') ?? '50';
  if (!/^\d{1,4}$/.test(text) || Number(text) > MOST_RECENT)
    return fault(400, `limit: give a number up to ${MOST_RECENT}`);
  await journal.refresh();
  return json(journal.recent(Number(text)));
}

function health({ info, now, isDraining }: Parts): Reply {
  const status = isDraining() ? 'stopping' : 'ok';
  return json({ status, ...info, uptimeMs: now() - info.startedAt }, isDraining() ? 503 : 200);
}

async function metrics({ metrics: all }: Parts): Promise<Reply> {
  return { status: 200, headers: { 'content-type': all.contentType }, body: await all.text() };
}

function stop({ stop: end, info }: Parts): Reply {
  setImmediate(end);
  return json({ status: 'stopping', pid: info.pid }, 202);
}
