/**
 * Makes values of known types out of what a socket said: another version may answer there, or no daemon at all. What is
 * absent or of another type becomes 0, '' or nothing; no text keeps a character that a terminal could obey.
 */
import { printable } from '../core/address.ts';
import type { DaemonStats, Recent, Tally } from '../daemon/protocol.ts';
import type { Suggestion } from './port.ts';

type Fields = Readonly<Record<string, unknown>>;
type Compression = Recent['compressions'][number];
type Expansion = Recent['expansions'][number];

/** More rows of one kind are not taken. */
const MOST_ROWS = 1000;
const MOST_TEXT = 500;

/** Undefined where it is no answer of a daemon of ours. */
export function statsFrom(json: unknown): DaemonStats | undefined {
  const all = fields(json);
  if (typeof all['version'] !== 'string' || typeof all['pid'] !== 'number') return undefined;
  const { requests, latencyMs, store, spool, memory } = all;
  return {
    version: text(all['version']),
    pid: number(all['pid']),
    startedAt: number(all['startedAt']),
    uptimeMs: number(all['uptimeMs']),
    socket: text(all['socket']),
    requests: numbers(requests, ['total', 'failed', 'inFlight']),
    latencyMs: numbers(latencyMs, ['p50', 'p95', 'p99']),
    today: todayFrom(all['today']),
    store: { path: text(fields(store)['path']), ...numbers(store, ['originals', 'bytes', 'capBytes']) },
    spool: numbers(spool, ['files', 'bytes', 'mostFiles', 'mostBytes']),
    memory: numbers(memory, ['rssBytes', 'heapBytes']),
    breakers: rows(all['breakers'], (row) => ({
      strategy: text(row['strategy']),
      untilMs: number(row['untilMs']),
    })),
  };
}

function todayFrom(json: unknown): DaemonStats['today'] {
  const today = fields(json);
  return {
    ...numbers(today, ['runs', 'views', 'expansions', 'tokensBefore', 'tokensAfter']),
    byTool: rows(today['byTool'], tallyFrom),
    byShape: rows(today['byShape'], tallyFrom),
  };
}

function tallyFrom(row: Fields): Tally {
  return { name: text(row['name']) || '-', ...numbers(row, ['runs', 'tokensBefore', 'tokensAfter']) };
}

/** What is none is empty. */
export function recentFrom(json: unknown): Recent {
  const { compressions, expansions } = fields(json);
  return { compressions: rows(compressions, compressionFrom), expansions: rows(expansions, expansionFrom) };
}

function compressionFrom(row: Fields): Compression {
  const { shapes } = row;
  return {
    ...numbers(row, ['at', 'ms', 'bytes']),
    shapes: Array.isArray(shapes) ? shapes.slice(0, 20).map(text) : [],
    ...some(row, 'tool', text),
    ...some(row, 'tokensBefore', number),
    ...some(row, 'tokensAfter', number),
    ...hashOf(row),
    ...some(row, 'reason', text),
  };
}

function expansionFrom(row: Fields): Expansion {
  return {
    ...numbers(row, ['at', 'bytes', 'tokens']),
    hash: hashOf(row).hash ?? '',
    hit: row['hit'] === true,
    ...some(row, 'tool', text),
  };
}

/** From the JSON of `ctxzip suggestions`. */
export function suggestionsFrom(json: unknown): readonly Suggestion[] {
  return rows(fields(json)['candidates'], (row) => ({
    word: text(row['word']),
    isSuggested: row['suggested'] === true,
    originals: number(row['originals']),
    ...some(row, 'tokens', number),
  }));
}

/** A hash goes into a command line. */
function hashOf({ hash }: Fields): { hash?: string } {
  return typeof hash === 'string' && /^[0-9a-f]{6,64}$/.test(hash) ? { hash } : {};
}

function fields(json: unknown): Fields {
  return typeof json === 'object' && json !== null ? (json as Fields) : {};
}

function rows<T>(json: unknown, read: (row: Fields) => T): T[] {
  return Array.isArray(json) ? json.slice(0, MOST_ROWS).map((row) => read(fields(row))) : [];
}

function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' ? printable(value.slice(0, MOST_TEXT)) : '';
}

function numbers<K extends string>(json: unknown, keys: readonly K[]): Record<K, number> {
  const all = fields(json);
  return Object.fromEntries(keys.map((key) => [key, number(all[key])])) as Record<K, number>;
}

function some<K extends string, T>(row: Fields, key: K, read: (value: unknown) => T): Partial<Record<K, T>> {
  return row[key] === undefined || row[key] === null ? {} : ({ [key]: read(row[key]) } as Record<K, T>);
}
