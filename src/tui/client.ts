/** Asks the daemon over its socket, and commands of ours about one original. */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { printable } from '../core/address.ts';
import { stripEscapes } from '../core/escapes.ts';
import { recentFrom, statsFrom, suggestionsFrom } from './answers.ts';
import { type Source, Unreachable } from './port.ts';

/** A daemon that takes longer is told of as one that does not answer. */
const PATIENCE_MS = 3000;
/** Suggestions are measured over stored originals. */
const LONG_PATIENCE_MS = 30_000;
const MOST_ANSWER = 8 << 20;
/** Of an `explain` or `diff`, so much is shown. */
const MOST_TEXT = 16 << 20;
const MOST_LINES = 50_000;
const MOST_LINE = 2000;

export interface Caller {
  /** Starts this program again. */
  readonly command: readonly [string, string];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent where files have no owner. */
  readonly uid?: number;
}

/** The daemon at `socket`. */
export function connect(socket: string, { command, env, uid }: Caller): Source {
  const ask = async (path: string, over: AbortSignal, patienceMs = PATIENCE_MS): Promise<unknown> => {
    refuseForeign(socket, uid);
    // By hand: what `AbortSignal.any` makes of one that lives for days stays with it for days.
    const stop = new AbortController();
    const onStop = (): void => stop.abort();
    over.addEventListener('abort', onStop);
    const timer = setTimeout(onStop, patienceMs);
    try {
      return JSON.parse(await get(socket, path, stop.signal));
    } catch (error) {
      throw error instanceof Unreachable ? error : new Unreachable(reasonOf(error, stop.signal.aborted));
    } finally {
      clearTimeout(timer);
      over.removeEventListener('abort', onStop);
    }
  };
  const lines = (verb: string, hash: string, signal: AbortSignal): Promise<readonly string[]> =>
    printedLines([...command, verb, hash], env, signal);
  return {
    address: socket,
    stats: async (signal) => {
      const stats = statsFrom(await ask('/v1/stats', signal));
      if (stats === undefined) throw new Unreachable('something else than a daemon of ctxzip answers');
      return stats;
    },
    recent: async (limit, signal) => recentFrom(await ask(`/v1/recent?limit=${limit}`, signal)),
    suggestions: async (signal) => suggestionsFrom(await ask('/v1/suggestions', signal, LONG_PATIENCE_MS)),
    explain: (hash, signal) => lines('explain', hash, signal),
    diff: (hash, signal) => lines('diff', hash, signal),
  };
}

/** The folder of a socket may be in one that all can write to. */
function refuseForeign(socket: string, uid: number | undefined): void {
  const owner = lstatSync(dirname(socket), { throwIfNoEntry: false })?.uid;
  if (uid !== undefined && owner !== undefined && owner !== uid)
    throw new Unreachable('the folder of its socket belongs to somebody else');
}

async function get(socketPath: string, path: string, signal: AbortSignal): Promise<string> {
  const { request } = await import('node:http');
  return await new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, agent: false, signal }, (answer) => {
      const pieces: Buffer[] = [];
      let size = 0;
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size > MOST_ANSWER) asked.destroy(new Unreachable('its answer is too long'));
      });
      answer.on('end', () => {
        const { statusCode } = answer;
        if (statusCode === 200) resolve(Buffer.concat(pieces).toString());
        else reject(new Unreachable(`it answers ${statusCode}`));
      });
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'none has been started',
  ECONNREFUSED: 'it has ended',
  ECONNRESET: 'it ended while it was asked',
};

function reasonOf(error: unknown, isLate: boolean): string {
  if (isLate) return 'it does not answer in time';
  if (error instanceof SyntaxError) return 'its answer is no JSON';
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? printable(message);
}

/** What a command of ours prints, first what it says on stderr. */
async function printedLines(
  words: readonly string[],
  env: Caller['env'],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { execFile } = await import('node:child_process');
  const [program = '', ...args] = words;
  const options = { env: { ...env }, signal, maxBuffer: MOST_TEXT, encoding: 'buffer' } as const;
  return await new Promise((resolve, reject) => {
    execFile(program, args, options, (error, out, err) => {
      if (signal.aborted) return reject(error!);
      const lines = [...shownLines(err), ...shownLines(out)];
      if (error !== null && typeof error.code !== 'number') lines.push(`… ${printable(error.message)}`);
      resolve(lines.length === 0 ? ['nothing to show'] : lines);
    });
  });
}

/** Lines without control sequences and without anything else that a terminal could obey. */
export function shownLines(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  const text = Buffer.from(stripEscapes(bytes)).toString().replace(/\n$/, '');
  const lines = text.split('\n', MOST_LINES + 1).map(shownLine);
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '… and more'] : lines;
}

function shownLine(line: string): string {
  const cut = line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line.replace(/\r$/, '');
  return printable(cut.replaceAll('\t', '    '));
}
