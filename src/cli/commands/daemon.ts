/** `ctxzip daemon …`: a lazy chunk; what listens is another. */
import { fstatSync, statSync } from 'node:fs';
import type { Check } from '../../app/doctor.ts';
import { formatSize } from '../../app/expand-words.ts';
import { stateFolder } from '../../config/find.ts';
import { printable } from '../../core/address.ts';
import { ask, type DaemonInfo, type Reached, reach, socketOf } from '../../daemon/client.ts';
import { pidOf, startDaemon, stopDaemon } from '../../daemon/lifecycle.ts';
import { type Limits, type LimitTexts, readLimits } from '../../daemon/limits.ts';
import { type Place, placeOf } from '../../daemon/place.ts';
import type { DaemonStats } from '../../daemon/protocol.ts';
import { OUTER_RUN, VERSION, type Wire } from '../../wire.ts';
import { say, writeOut } from '../io.ts';
import { showLogs } from './daemon-logs.ts';
import { span } from './spans.ts';
import { NO_STORE } from './store.ts';

/** Where the daemon of this call is; undefined, and said, where there is no state folder. */
function place(wire: Wire): Place | undefined {
  const state = stateFolder(wire.world);
  if (state === undefined) say(NO_STORE);
  return state === undefined ? undefined : placeOf(wire.world, state);
}

/** Where a daemon is to be and what it takes on; the exit code where that can't be. */
function whereAndHow(
  wire: Wire,
  options: LimitTexts,
): { readonly at: Place; readonly limits: Limits } | 1 | 2 {
  const at = place(wire);
  if (at === undefined) return 1;
  const limits = readLimits(options);
  if (typeof limits !== 'string') return { at, limits };
  say(limits);
  return 2;
}

/** `start`: 0 where one answers, 1 where none came up, 2 for a bad limit. */
export async function daemonStart(wire: Wire, options: LimitTexts): Promise<number> {
  const asked = whereAndHow(wire, options);
  if (typeof asked === 'number') return asked;
  const { at } = asked;
  const { [OUTER_RUN]: _, ...rest } = wire.env;
  const env = rest['CTXZIP_HOME'] ? { ...rest, CTXZIP_HOME: at.state } : rest;
  const command = [...wire.self, 'daemon', 'run', ...wordsOf(options)] as const;
  const started = await startDaemon({ place: at, command, env, now: wire.now });
  switch (started.kind) {
    case 'started':
      say(`the daemon listens at ${printable(started.info.socket)}, process ${started.info.pid}`);
      return 0;
    case 'running':
      say(`a daemon listens already${versionNote(started.info)}, process ${started.info.pid}`);
      return 0;
    case 'failed':
      say(printable(started.message));
      return 1;
    default:
      say(odd(at, started));
      return 1;
  }
}

/** Another version is worth a word. */
function versionNote({ version }: DaemonInfo): string {
  return version === VERSION
    ? ''
    : `, of version ${printable(version)} and not ${VERSION} (ctxzip daemon restart)`;
}

function wordsOf(options: LimitTexts): string[] {
  const flags = {
    '--max-body': options.maxBody,
    '--max-connections': options.maxConnections,
    '--max-memory': options.maxMemory,
    '--timeout': options.timeout,
    '--workers': options.workers,
  };
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${value}`]));
}

/** `stop`: 0 also where there was none; 1 where it can't be ended. */
export async function daemonStop(wire: Wire): Promise<number> {
  const at = place(wire);
  if (at === undefined) return 1;
  const stopped = await stopDaemon(at, wire.now);
  switch (stopped.kind) {
    case 'stopped':
      say(
        stopped.how === 'asked'
          ? `the daemon has ended, process ${stopped.pid}`
          : `the daemon did not answer; process ${stopped.pid} was killed`,
      );
      return 0;
    case 'none':
      say('there is no daemon to stop');
      return 0;
    case 'foreign':
      say(odd(at, stopped));
      return 1;
    case 'failed':
      say(printable(stopped.message));
      return 1;
  }
}

/** `restart`: as `stop`, then as `start`. */
export async function daemonRestart(wire: Wire, options: LimitTexts): Promise<number> {
  const limits = readLimits(options);
  if (typeof limits === 'string') {
    say(limits);
    return 2;
  }
  const exit = await daemonStop(wire);
  return exit === 0 ? await daemonStart(wire, options) : exit;
}

function odd(at: Place, { kind }: { readonly kind: string }): string {
  const socket = printable(socketOf(at));
  if (kind === 'foreign') return `what listens at ${socket} is no daemon of ctxzip; it is left alone`;
  const pid = pidOf(at, { kind: 'silent' });
  const who = pid === undefined ? 'something' : `process ${pid}`;
  return `${who} listens at ${socket} and does not answer; perhaps it is stopped (ctxzip daemon stop ends it)`;
}

/** `status`: 0 where it answers, else 1. */
export async function daemonStatus(wire: Wire, { json }: { readonly json?: boolean }): Promise<number> {
  const at = place(wire);
  if (at === undefined) return 1;
  const reached = await reach(at);
  if (reached.kind !== 'answers') {
    if (json === true) writeOut(`${JSON.stringify({ state: reached.kind, ...pidIn(at, reached) })}\n`);
    else say(reached.kind === 'nobody' ? 'no daemon runs; ctxzip daemon start starts one' : odd(at, reached));
    return 1;
  }
  const { info } = reached;
  const answer = await ask(info.socket, { path: '/v1/stats', timeoutMs: 10_000 }).catch(() => undefined);
  const stats = answer?.status === 200 ? statsIn(answer.body.toString()) : undefined;
  if (json === true) writeOut(`${JSON.stringify({ state: 'answers', ...info, ...stats }, null, 2)}\n`);
  else writeOut(textOf(info, stats, wire.now()));
  return 0;
}

/** What a daemon says of itself; one of another version may say something else. */
function statsIn(text: string): DaemonStats | undefined {
  const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const parts = ['requests', 'latencyMs', 'store', 'spool', 'memory', 'today', 'breakers'];
  const isWhole = parts.every((part) => typeof value[part] === 'object' && value[part] !== null);
  return isWhole ? (value as unknown as DaemonStats) : undefined;
}

/** The daemon, for `doctor`: that there is none is in order. */
export async function daemonCheck(wire: Wire): Promise<Check[]> {
  const state = stateFolder(wire.world);
  if (state === undefined) return [];
  const at = placeOf(wire.world, state);
  const reached = await reach(at);
  const check = { name: 'daemon', state: 'ok' } as const;
  if (reached.kind === 'nobody') return [{ ...check, text: 'none runs, and none is needed' }];
  if (reached.kind !== 'answers')
    return [{ ...check, state: 'wrong', text: odd(at, reached), remedy: 'ctxzip daemon stop' }];
  const { pid, version } = reached.info;
  const text = `process ${pid}, version ${printable(version)}`;
  return [
    version === VERSION
      ? { ...check, text }
      : { ...check, state: 'note', text, remedy: 'ctxzip daemon restart' },
  ];
}

function pidIn(at: Place, reached: Reached): object {
  const pid = reached.kind === 'silent' ? pidOf(at, reached) : undefined;
  return pid === undefined ? {} : { pid };
}

function textOf(info: DaemonInfo, stats: DaemonStats | undefined, nowMs: number): string {
  const rows: Array<readonly [string, string]> = [
    ['process', `${info.pid}, up ${span(nowMs - info.startedAt)}`],
    [
      'version',
      info.version === VERSION ? VERSION : `${info.version}; this command is ${VERSION}: daemon restart`,
    ],
    ['socket', info.socket],
  ];
  if (stats !== undefined) {
    const { requests, latencyMs, store, spool, memory, today, breakers } = stats;
    rows.push(
      [
        'store',
        `${store.path}: ${store.originals} originals take ${formatSize(store.bytes)}, at most ${formatSize(store.capBytes)}`,
      ],
      ['spool', `${spool.files} of ${spool.mostFiles} files, ${formatSize(spool.bytes)}`],
      ['memory', formatSize(memory.rssBytes)],
      ['requests', `${requests.total}, ${requests.failed} failed, ${requests.inFlight} in flight`],
      ['latency', `p50 ${latencyMs.p50} ms, p95 ${latencyMs.p95} ms, p99 ${latencyMs.p99} ms`],
      [
        'today',
        `${today.runs} runs, ${today.tokensBefore} → ${today.tokensAfter} estimated tokens, ${today.expansions} expansions`,
      ],
      ...breakers.map(
        ({ strategy, untilMs }) => ['off', `${strategy}, for ${span(untilMs - nowMs)}`] as const,
      ),
    );
  }
  return rows.map(([name, text]) => `${name.padEnd(9)} ${printable(text)}\n`).join('');
}

/** `run`: in the foreground; 1 where another one listens. */
export async function daemonRun(wire: Wire, options: LimitTexts): Promise<number> {
  const asked = whereAndHow(wire, options);
  if (typeof asked === 'number') return asked;
  const { at, limits } = asked;
  const { runDaemon } = await import('../../daemon/run.ts');
  // In the background stderr is the log itself.
  return await runDaemon({ wire, place: at, limits, say: isFile(at.log) ? () => undefined : say });
}

/** Does stderr go to this file? */
function isFile(path: string): boolean {
  try {
    const [out, file] = [fstatSync(2, { bigint: true }), statSync(path, { bigint: true })];
    return out.ino === file.ino && out.dev === file.dev;
  } catch {
    return false;
  }
}

/** What answers for the daemon out of LMDB; it is started by that. */
export async function daemonReader(wire: Wire): Promise<number> {
  if (process.send === undefined) {
    say('daemon reader is started by the daemon');
    return 2;
  }
  const { runReader } = await import('../../daemon/reader.ts');
  return await runReader(wire);
}

/** `logs`: the last lines; with `follow` until the reader of our output or the user has enough. */
export async function daemonLogs(
  wire: Wire,
  options: { readonly follow?: boolean; readonly lines?: string },
): Promise<number> {
  const at = place(wire);
  return at === undefined ? 1 : await showLogs(at.log, options);
}
