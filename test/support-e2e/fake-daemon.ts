/** Says over a real socket what a daemon would: what it is told to. */
import { mkdirSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import type { DaemonStats, Recent, Tally } from '../../src/daemon/protocol.ts';

export interface Said {
  stats: unknown;
  recent: unknown;
  suggestions: unknown;
}

export interface FakeDaemon {
  /** What it answers, to be changed at will. */
  readonly said: Said;
  /** Answers in another way, instead. */
  odd: ((response: ServerResponse) => void) | undefined;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
}

export async function fakeDaemon(socket: string, said: Said): Promise<FakeDaemon> {
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const asked: string[] = [];
  const server: Server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (daemon.odd !== undefined) return daemon.odd(response);
    const name = url.replace(/^\/v1\/|\?.*$/g, '') as keyof Said;
    response.setHeader('content-type', 'application/json');
    response.statusCode = said[name] === undefined ? 404 : 200;
    response.end(JSON.stringify(said[name] ?? {}));
  });
  const daemon: FakeDaemon = {
    said,
    asked,
    odd: undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return daemon;
}

const MINUTE = 60_000;

function tally(name: string, runs: number, tokensBefore: number, tokensAfter: number): Tally {
  return { name, runs, tokensBefore, tokensAfter };
}

/** Stats of a daemon that has worked for three hours. */
export function statsAt(nowMs: number, more: Partial<DaemonStats> = {}): DaemonStats {
  return {
    version: '0.1.0',
    pid: 4242,
    startedAt: nowMs - 190 * MINUTE,
    uptimeMs: 190 * MINUTE,
    socket: '/state/daemon/daemon.sock',
    requests: { total: 15_320, failed: 2, inFlight: 1 },
    latencyMs: { p50: 1.234, p95: 4.5, p99: 12.3 },
    today: {
      runs: 1234,
      views: 812,
      expansions: 23,
      tokensBefore: 1_284_000,
      tokensAfter: 212_400,
      byTool: [
        tally('kubectl get pods', 412, 640_000, 41_000),
        tally('npm test', 97, 310_000, 88_000),
        tally('journalctl', 33, 201_000, 12_300),
        tally('git diff', 64, 133_000, 71_100),
      ],
      byShape: [
        tally('table', 420, 650_000, 42_000),
        tally('log', 130, 501_000, 100_300),
        tally('diff', 64, 133_000, 70_100),
      ],
    },
    store: { path: '/state/store', originals: 1204, bytes: 327_155_712, capBytes: 1 << 30 },
    spool: { files: 12, bytes: 3_250_000, mostFiles: 64, mostBytes: 64 << 20 },
    memory: { rssBytes: 88_000_000, heapBytes: 31_000_000 },
    breakers: [],
    ...more,
  };
}

export function recentAt(nowMs: number): Recent {
  const view = (i: number, tool: string, shape: string, tokensBefore: number, tokensAfter: number) => ({
    at: nowMs - 5000 - i * 47_000,
    ms: 3.2 + i * 7.7,
    bytes: tokensBefore * 4,
    tool,
    shapes: [shape],
    tokensBefore,
    tokensAfter,
    hash: (i + 10).toString(16).padEnd(64, 'c0ffee'),
  });
  return {
    compressions: [
      view(0, 'kubectl get pods', 'table', 4421, 293),
      view(1, 'npm test', 'test', 12_400, 2110),
      { at: nowMs - 80_000, ms: 0.4, bytes: 812, shapes: [], reason: 'under 2000 characters' },
      view(3, 'journalctl', 'log', 88_213, 3011),
      view(4, 'git diff', 'diff', 3200, 1900),
      ...Array.from({ length: 20 }, (_, i) => view(5 + i, `make target-${i}`, 'log', 900 + 100 * i, 300)),
    ],
    expansions: Array.from({ length: 9 }, (_, i) => ({
      at: nowMs - 20_000 - i * 400_000,
      hash: (i + 10).toString(16).padEnd(64, 'c0ffee'),
      hit: i !== 2,
      bytes: 4000 + i * 900,
      tokens: 1000 + i * 222,
      tool: i === 1 ? 'npm test' : 'kubectl get pods',
    })),
  };
}

export const SUGGESTIONS = {
  measured: { originals: 40, stored: 40, tokens: 'estimated' },
  candidates: [
    { word: 'DiskPressure', expansions: 5, originals: 4, tools: ['kubectl'], suggested: true, tokens: 120 },
    { word: 'QuotaExceeded', expansions: 3, originals: 3, tools: ['kubectl'], suggested: true, tokens: 12 },
    { word: 'ERR_7741', expansions: 1, originals: 1, tools: ['npm'], suggested: false },
  ],
  keep_patterns: ['DiskPressure', 'QuotaExceeded'],
};
