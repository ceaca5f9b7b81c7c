/** The client against a server on a real socket, and against what is none. */
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { recentFrom, statsFrom, suggestionsFrom } from '../../src/tui/answers.ts';
import { connect, shownLines } from '../../src/tui/client.ts';
import type { Source } from '../../src/tui/port.ts';
import { type FakeDaemon, fakeDaemon, recentAt, statsAt, SUGGESTIONS } from '../support-e2e/fake-daemon.ts';

const NOW = Date.UTC(2026, 4, 1, 12);
const folder = mkdtempSync(join(tmpdir(), 'ctxzip-tui-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
let daemon: FakeDaemon | undefined;
afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
});

const own = { env: process.env, uid: process.getuid!() };
const never = new AbortController().signal;

function sourceAt(socket: string, script = ''): Source {
  const file = join(folder, `command-${(count += 1)}.cjs`);
  writeFileSync(file, script);
  return connect(socket, { ...own, command: [process.execPath, file] });
}

async function serve(): Promise<{ source: Source; socket: string; daemon: FakeDaemon }> {
  const socket = join(folder, `${(count += 1)}`, 'daemon.sock');
  daemon = await fakeDaemon(socket, {
    stats: statsAt(NOW),
    recent: recentAt(NOW),
    suggestions: SUGGESTIONS,
  });
  return { source: sourceAt(socket), socket, daemon };
}

describe('answers', () => {
  it('are what the daemon says', async () => {
    const { source, daemon: said } = await serve();
    expect(await source.stats(never)).toEqual(statsAt(NOW));
    expect(await source.recent(7, never)).toEqual(recentAt(NOW));
    expect(await source.suggestions(never)).toEqual([
      { word: 'DiskPressure', isSuggested: true, originals: 4, tokens: 120 },
      { word: 'QuotaExceeded', isSuggested: true, originals: 3, tokens: 12 },
      { word: 'ERR_7741', isSuggested: false, originals: 1 },
    ]);
    expect(said.asked).toEqual(['/v1/stats', '/v1/recent?limit=7', '/v1/suggestions']);
  });

  it('that are odd become what can be shown', () => {
    expect(
      statsFrom({ version: '9', pid: 1, requests: null, today: { byTool: [null, { name: 7, runs: '3' }] } }),
    ).toMatchObject({
      requests: { total: 0, failed: 0, inFlight: 0 },
      today: {
        runs: 0,
        byTool: [
          { name: '-', runs: 0 },
          { name: '-', runs: 0 },
        ],
        byShape: [],
      },
      breakers: [],
    });
    for (const json of [null, 7, 'x', [], {}, { version: 1, pid: 1 }]) {
      expect(statsFrom(json)).toBeUndefined();
      expect(recentFrom(json)).toEqual({ compressions: [], expansions: [] });
      expect(suggestionsFrom(json)).toEqual([]);
    }
  });

  it('give no control character to the terminal, and nothing but a hash to a command line', () => {
    const evil = '\u001b]0;title\u0007\u009b31m\u202e\n';
    const row = { at: 1, tool: evil, reason: evil, shapes: [evil, 3], hash: '--flag' };
    const recent = recentFrom({ compressions: [row], expansions: [{ ...row, hash: '../x' }] });
    const stats = { ...statsAt(NOW), version: evil, breakers: [{ strategy: evil, untilMs: 1 }] };
    const all = [recent, statsFrom(stats), suggestionsFrom({ candidates: [{ word: evil }] })];
    expect(JSON.stringify(all)).not.toMatch(/[\p{Cc}\p{Cf}]|\\u00|\\n/u);
    expect(recent.compressions[0]).not.toHaveProperty('hash');
    expect(recent.expansions[0]!.hash).toBe('');
  });
});

async function reason(source: Source): Promise<string> {
  try {
    await source.stats(never);
    return 'it answered';
  } catch (error) {
    return String(error);
  }
}

describe('what is no daemon', () => {
  it('is told of in words', async () => {
    expect(await reason(sourceAt(join(folder, 'nowhere', 'daemon.sock')))).toBe(
      'Unreachable: none has been started',
    );
    const { source, daemon: said } = await serve();
    const odd: ReadonlyArray<readonly [FakeDaemon['odd'], string]> = [
      [(response) => response.writeHead(503).end('{}'), 'it answers 503'],
      [(response) => response.end('<html>'), 'its answer is no JSON'],
      [(response) => response.end('{"pid":"x"}'), 'something else than a daemon of ctxzip answers'],
      [(response) => response.destroy(), 'it ended while it was asked'],
      [(response) => response.end(' '.repeat(9 << 20)), 'its answer is too long'],
      [() => undefined, 'it does not answer in time'],
    ];
    for (const [answer, words] of odd) {
      said.odd = answer;
      expect(await reason(source)).toBe(`Unreachable: ${words}`);
    }
    said.odd = undefined;
    expect(await reason(source)).toBe('it answered');
  });

  it('is a socket that nobody listens at any more', async () => {
    const socket = join(folder, 'stale.sock');
    // A process that is killed leaves its socket behind.
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const kept = join(folder, 'kept');
    mkdirSync(kept);
    linkSync(socket, join(kept, 'daemon.sock'));
    await new Promise((resolve) => server.close(resolve));
    expect(await reason(sourceAt(join(kept, 'daemon.sock')))).toBe('Unreachable: it has ended');
  });

  it('is one whose folder is of somebody else', async () => {
    const { socket } = await serve();
    const foreign = connect(socket, { ...own, command: ['', ''], uid: own.uid + 1 });
    expect(await reason(foreign)).toMatch(/belongs to somebody else$/);
  });

  it('is not waited for by one who has gone', async () => {
    const { source, daemon: said } = await serve();
    said.odd = () => undefined;
    const gone = new AbortController();
    const asked = source.suggestions(gone.signal);
    setTimeout(() => gone.abort(0), 20);
    await expect(asked).rejects.toThrow();
  });
});

describe('explain and diff', () => {
  it('are what the command prints, without what a terminal would obey', async () => {
    const script = `
      process.stderr.write('ctxzip: a note\\n');
      process.stdout.write(process.argv.slice(2).join(' ') + '\\n\\x1b[31mred\\x1b]0;title\\x07\\ttab\\r\\nlast');
      process.exitCode = 1;`;
    const source = sourceAt('/nowhere', script);
    expect(await source.explain('abc123', never)).toEqual([
      'ctxzip: a note',
      'explain abc123',
      'red    tab',
      'last',
    ]);
    expect((await source.diff('abc123', never))[1]).toBe('diff abc123');
  });

  it('say when there is nothing, no command, or no end of it', async () => {
    expect(await sourceAt('/nowhere').diff('abc123', never)).toEqual(['nothing to show']);
    const gone = connect('/nowhere', { ...own, command: [join(folder, 'none'), ''] });
    expect(await gone.diff('abc123', never)).toEqual([expect.stringMatching(/^… spawn .*ENOENT$/)]);
    const endless = sourceAt('/nowhere', `for (;;) require('fs').writeSync(1, 'y'.repeat(65536) + '\\n');`);
    const lines = await endless.diff('abc123', never);
    expect(lines.at(-1)).toMatch(/^… .*maxBuffer/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(2100);
  });

  it('end with their view', async () => {
    const gone = new AbortController();
    const text = sourceAt('/nowhere', 'setInterval(() => {}, 1000)').diff('abc123', gone.signal);
    setTimeout(() => gone.abort(0), 50);
    await expect(text).rejects.toThrow();
  });

  it('have so many lines at most', () => {
    expect(shownLines(Buffer.from('x\n'.repeat(60_000)))).toHaveLength(50_001);
    expect(shownLines(Buffer.from('a\n\nb\n'))).toEqual(['a', '', 'b']);
    expect(shownLines(Buffer.alloc(0))).toEqual([]);
  });
});
