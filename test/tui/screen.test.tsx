import { cleanup, render } from 'ink-testing-library';
import { renderToString } from 'ink';
import { afterEach, describe, expect, it } from 'vitest';
import { suggestionsFrom } from '../../src/tui/answers.ts';
import { reduce } from '../../src/tui/reduce.ts';
import { Screen } from '../../src/tui/screen.tsx';
import { type Event, type KeyName, type Size, startState, type State } from '../../src/tui/state.ts';
import { recentAt, statsAt, SUGGESTIONS } from '../support-e2e/fake-daemon.ts';

const NOW = Date.UTC(2026, 4, 1, 12);
const WIDE: Size = { columns: 100, rows: 40 };
const HEARD: Event = { kind: 'heard', nowMs: NOW, stats: statsAt(NOW), recent: recentAt(NOW) };
const WORDS: Event = { kind: 'suggestions', suggestions: suggestionsFrom(SUGGESTIONS) };
const LOST: Event = { kind: 'lost', nowMs: NOW + 5000, why: 'it has ended' };

afterEach(cleanup);

function stateAfter(size: Size, events: ReadonlyArray<Event | KeyName>, isAscii = false): State {
  const start = startState({ size, isAscii, address: '/state/daemon/daemon.sock', nowMs: NOW });
  return events
    .map((event): Event => (typeof event === 'string' ? { kind: 'key', key: event } : event))
    .reduce(reduce, start);
}

/** The rows of the screen. */
function screen(size: Size, ...events: Array<Event | KeyName>): string[] {
  const { lastFrame } = render(<Screen state={stateAfter(size, events)} />);
  return lastFrame()!.split('\n');
}

/** A picture for eyes: what is shown at a size. */
const shown = (size: Size, ...events: Array<Event | KeyName>): string => screen(size, ...events).join('\n');

function heard(second: number, saved: number): Event {
  const stats = statsAt(NOW);
  const today = { ...stats.today, tokensBefore: stats.today.tokensBefore + saved };
  return { kind: 'heard', nowMs: NOW + second * 1000, stats: { ...stats, today }, recent: recentAt(NOW) };
}

describe('the overview', () => {
  it('shows what was saved, by what, the last of both, what is full, and words', () => {
    const text = shown(WIDE, HEARD, WORDS);
    for (const part of [
      /ctxzip top 0\.1\.0 {2}pid 4242 {2}up 3h +live$/m,
      /^saved 1\.07M tokens today, 83% of 1\.28M now - tokens\/s/m,
      /^runs 1,234 today, 812 views, 23 expansions$/m,
      /^daemon 15\.3k requests, 2 failed, 1 in flight, -\/s p50 1\.23 ms p99 12\.3 ms memory 83\.9 MB$/m,
      /^store █+░+ 312 MB of 1\.00 GB, 1,204 originals spool █+░+ 12 of 64, 3\.10 MB$/m,
      /^kubectl get pods +412 +599k +94% +table +420 +608k +94%$/m,
      /^> +5s ac0ffeec0ffe kubectl get pods +table +4,421 to 293 +93% +3\.20 ms$/m,
      /^ +80s -{12} - +under 2000 characters +0\.40 ms$/m,
      /^ +14m cc0ffeec0ffe kubectl get pods +not there +-$/m,
      /^\* DiskPressure +in 4 outputs +120 tokens$/m,
      /^ {2}ERR_7741 +in 1 output$/m,
      /^q quit {2}\? help {2}Enter open {2}Tab expansions {2}p pause {2}s sort: saved/m,
    ])
      expect(text).toMatch(part);
  });

  it('shows rates and their curve once there are some', () => {
    const text = shown(WIDE, heard(0, 0), heard(1, 100), heard(2, 300), heard(3, 1100));
    expect(text).toMatch(/now 367 tokens\/s, 0 runs\/s ▂▃█$/m);
  });

  it('names strategies that are switched off', () => {
    const breakers = [{ strategy: 'json', untilMs: NOW + 240_000 }];
    const text = shown(WIDE, { ...HEARD, stats: statsAt(NOW, { breakers }) } as Event);
    expect(text).toContain('switched off: json for 4m');
  });

  it('moves the choice, the list and the order', () => {
    expect(shown(WIDE, HEARD, 'down')).toMatch(/^> +52s bc0ffeec0ffe npm test/m);
    expect(shown(WIDE, HEARD, 'tab')).toMatch(/^> +20s ac0ffeec0ffe kubectl get pods +1,000 tokens/m);
    expect(shown(WIDE, HEARD, 'end')).toMatch(/^> .* make target-19 /m);
    expect(shown(WIDE, HEARD, 'sort', 'sort', 'sort')).toMatch(/sort: name/);
    expect(shown(WIDE, HEARD, 'pause')).toMatch(/paused live$/m);
  });

  it('is full of nothing on a day without runs', () => {
    const none = { ...statsAt(NOW).today, runs: 0, tokensBefore: 0, tokensAfter: 0, byTool: [], byShape: [] };
    const stats = statsAt(NOW, { today: none });
    const text = shown(WIDE, {
      kind: 'heard',
      nowMs: NOW,
      stats,
      recent: { compressions: [], expansions: [] },
    });
    expect(text).toContain('saved 0 tokens today, - of 0');
    expect(text.match(/none today and yesterday/g)).toHaveLength(2);
  });
});

describe('without a daemon', () => {
  it('says so, why, and how to start one', () => {
    expect(shown(WIDE)).toMatch(/connecting$/m);
    const text = shown(WIDE, { ...LOST, why: 'none has been started' } as Event);
    expect(text).toMatch(/no daemon, 0s$/m);
    expect(text).toContain('No daemon answers: none has been started.\n/state/daemon/daemon.sock\n');
    expect(text).toContain('Start one with ctxzip daemon start');
  });

  it('keeps what is known, and says that nothing goes on', () => {
    const text = shown(WIDE, HEARD, LOST, { ...LOST, nowMs: NOW + 9000 } as Event);
    expect(text).toMatch(/no daemon, 4s$/m);
    expect(text).toMatch(/^daemon gone \(it has ended\): ctxzip daemon start/m);
    expect(text).toContain('kubectl get pods');
    expect(text).toContain('now - tokens/s');
  });
});

describe('an opened row', () => {
  const hash = recentAt(NOW).compressions[0]!.hash!;
  const lines = Array.from({ length: 200 }, (_, i) => `${'-+@ '[i % 4]!}line ${i} ${'x'.repeat(120)}`);
  const diff: Event = { kind: 'text', hash, text: 'diff', lines };

  it('waits, shows its text, and scrolls both ways', () => {
    expect(shown(WIDE, HEARD, 'enter')).toContain('reading the original …');
    const text = screen(WIDE, HEARD, 'diff', diff);
    expect(text[1]).toBe('DIFF 1-37 of 200 ac0ffeec0ffe kubectl get pods, 5s ago, 93% saved, 3.20 ms');
    expect(text[2]).toMatch(/^-line 0 x+…$/);
    expect(text[39]).toMatch(/^Esc back {2}e explain {2}d diff/);
    expect(screen(WIDE, HEARD, 'diff', diff, 'end')[38]).toMatch(/^ line 199 x+…$/);
    expect(screen(WIDE, HEARD, 'diff', diff, 'right')[3]).toMatch(/^x+…$/);
  });
});

describe('any size', () => {
  const pages: ReadonlyArray<readonly [string, ...Array<Event | KeyName>]> = [
    ['overview', HEARD, WORDS],
    ['expansions', HEARD, WORDS, 'tab', 'end'],
    ['help', HEARD, 'help'],
    ['opened', HEARD, 'enter'],
    ['gone', HEARD, LOST],
    ['none', LOST],
  ];
  const sizes: readonly Size[] = [
    { columns: 200, rows: 60 },
    { columns: 120, rows: 40 },
    { columns: 80, rows: 24 },
    { columns: 76, rows: 20 },
    { columns: 60, rows: 16 },
    { columns: 40, rows: 10 },
    { columns: 20, rows: 6 },
    { columns: 1, rows: 1 },
  ];
  const cases = sizes.flatMap((size) => pages.map(([name, ...events]) => ({ ...size, name, size, events })));

  it.each(cases)('$columns×$rows: $name stays within it', ({ size, events, name }) => {
    const text = renderToString(<Screen state={stateAfter(size, events)} />, { columns: size.columns });
    const rows = text.split('\n');
    expect(rows.length).toBeLessThanOrEqual(size.rows);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(size.columns);
    if (size.rows < 6) return;
    expect(rows).toHaveLength(size.rows);
    const last = { help: /^any key/, opened: /^Esc back/, gone: /^daemon gone/ }[name] ?? /^q quit/;
    expect(rows.at(-1)).toMatch(last);
    if (name === 'overview') expect(text).toMatch(/^> +5s ac0ffe/m);
  });

  it('cuts wide characters where the column ends', () => {
    const recent = recentAt(NOW);
    const wide = { ...recent.compressions[0]!, tool: '日本語'.repeat(40) };
    const event: Event = { ...HEARD, recent: { ...recent, compressions: [wide] } } as Event;
    const row = screen({ columns: 80, rows: 24 }, event).find((each) => each.startsWith('>'))!;
    expect(row).toMatch(/^> +5s ac0ffeec0ffe [日本語]+…? +table +4,421 to 293 +93% +3\.20 ms$/);
  });

  it('needs no more than ASCII where there is no more', () => {
    const text = renderToString(<Screen state={stateAfter(WIDE, [HEARD, WORDS], true)} />, { columns: 100 });
    expect(text).toMatch(/^store #+\.+ 312 MB/m);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  });
});
