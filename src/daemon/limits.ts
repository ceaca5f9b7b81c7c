/** What the daemon takes on, and what it says where that is too much. */
import { availableParallelism } from 'node:os';
import { duration, size } from '../config/kinds.ts';

export interface Limits {
  /** Bytes of a body. */
  readonly maxBody: number;
  readonly maxConnections: number;
  /** Bytes of all bodies that are held at a time. */
  readonly maxMemory: number;
  /** Milliseconds for a request, from its last byte on. */
  readonly timeoutMs: number;
  readonly workers: number;
  /** Milliseconds that requests in flight are given when the daemon is told to end. */
  readonly drainMs: number;
}

/** Requests that wait for a worker. */
export const QUEUE = 512;
/** Inputs of more bytes leave one worker to small ones. */
export const LARGE_BYTES = 256 << 10;

/** What `start` and `run` can be told, as text. */
export interface LimitTexts {
  readonly maxBody?: string;
  readonly maxConnections?: string;
  readonly maxMemory?: string;
  readonly timeout?: string;
  readonly workers?: string;
}

/** Reads limits; a message where one is none. */
export function readLimits(texts: LimitTexts): Limits | string {
  const faults: string[] = [];
  const read = <T>(
    flag: string,
    text: string | undefined,
    reader: (text: string) => T | undefined,
    usual: T,
  ): T => {
    const value = text === undefined ? usual : reader(text);
    if (value === undefined) faults.push(`--${flag} ${JSON.stringify(text)}: give ${ALLOWED[flag]}`);
    return value ?? usual;
  };
  const limits = {
    maxBody: read('max-body', texts.maxBody, (text) => size.read(text).value, 64 << 20),
    maxConnections: read('max-connections', texts.maxConnections, count, 256),
    maxMemory: read('max-memory', texts.maxMemory, (text) => size.read(text).value, 256 << 20),
    timeoutMs: read('timeout', texts.timeout, milliseconds, 30_000),
    workers: read('workers', texts.workers, count, Math.max(2, Math.min(4, availableParallelism()))),
    drainMs: 10_000,
  };
  return faults[0] ?? limits;
}

const ALLOWED: Readonly<Record<string, string>> = {
  'max-body': size.allowed,
  'max-memory': size.allowed,
  'max-connections': 'a number from 1 to 10000',
  workers: 'a number from 1 to 10000',
  timeout: 'a time, as 500ms, 30s or 2m',
};

function count(text: string): number | undefined {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= 10_000 ? value : undefined;
}

function milliseconds(text: string): number | undefined {
  const short = /^(\d{1,7})ms$/.exec(text)?.[1];
  const value = short === undefined ? duration.read(text).value : Number(short);
  return value !== undefined && value > 0 ? value : undefined;
}
