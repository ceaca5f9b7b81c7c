import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../src/tui/layout.ts';
import { reduce } from '../../src/tui/reduce.ts';
import {
  type Event,
  itemsOf,
  type KeyName,
  ratesOf,
  savedRates,
  sorted,
  startState,
  type State,
} from '../../src/tui/state.ts';
import { recentAt, statsAt } from '../support-e2e/fake-daemon.ts';

const NOW = Date.UTC(2026, 4, 1, 12);
const SIZE = { columns: 80, rows: 24 };

function after(...events: Array<Event | KeyName>): State {
  const start = startState({ size: SIZE, isAscii: false, address: '/state/daemon.sock', nowMs: NOW });
  return events
    .map((event): Event => (typeof event === 'string' ? { kind: 'key', key: event } : event))
    .reduce(reduce, start);
}

function heard(seconds = 0, runs = 0, more: Parameters<typeof statsAt>[1] = {}): Event {
  const stats = { ...statsAt(NOW), ...more };
  const { today } = stats;
  return {
    kind: 'heard',
    nowMs: NOW + seconds * 1000,
    stats: {
      ...stats,
      today: { ...today, runs: today.runs + runs, tokensBefore: today.tokensBefore + runs * 100 },
    },
    recent: recentAt(NOW),
  };
}

const LOST: Event = { kind: 'lost', nowMs: NOW + 9000, why: 'it has ended' };

describe('the link', () => {
  it('goes up, down since when it was lost, and up again with what was shown before', () => {
    expect(after().link).toEqual({ kind: 'trying' });
    expect(after(heard()).link).toEqual({ kind: 'up' });
    const lost = after(heard(), LOST, { ...LOST, nowMs: NOW + 12_000 });
    expect(lost.link).toEqual({ kind: 'down', why: 'it has ended', sinceMs: NOW + 9000 });
    expect(lost.nowMs).toBe(NOW + 12_000);
    expect(lost.stats).toEqual(after(heard()).stats);
    expect(after(heard(), LOST, heard(20)).link).toEqual({ kind: 'up' });
  });
});

describe('rates', () => {
  it('are those of the last ten seconds', () => {
    expect(ratesOf(after(heard()))).toBeUndefined();
    expect(ratesOf(after(heard(0, 0), heard(2, 5)))).toEqual({ runs: 2.5, requests: 0, saved: 250 });
    expect(ratesOf(after(heard(0, 0), heard(10, 5), heard(20, 25)))?.runs).toBe(2);
    expect(savedRates(after(heard(0, 0), heard(1, 1), heard(3, 5)).samples)).toEqual([100, 200]);
  });

  it('are none while no daemon answers, of another daemon, and never below 0', () => {
    expect(ratesOf(after(heard(0, 0), heard(1, 5), LOST))).toBeUndefined();
    expect(after(heard(0, 9), heard(1, 5, { pid: 7 })).samples).toHaveLength(1);
    expect(ratesOf(after(heard(0, 500), heard(1, 2)))).toEqual({ runs: 0, requests: 0, saved: 0 });
  });

  it('keep a minute', () => {
    const many = Array.from({ length: 100 }, (_, i) => heard(i, i));
    expect(after(...many).samples).toHaveLength(61);
    expect(ratesOf(after(...many))?.runs).toBe(1);
  });
});

describe('pause', () => {
  it('holds what is shown until it is pressed again, and says when the daemon goes', () => {
    const paused = after(heard(), 'pause');
    const later = after(heard(), 'pause', heard(30, 99), LOST, { kind: 'suggestions', suggestions: [] });
    expect(later).toEqual({ ...paused, link: { kind: 'down', why: 'it has ended', sinceMs: NOW + 9000 } });
    expect(after(heard(), 'pause', LOST, heard(31)).link).toEqual({ kind: 'up' });
    expect(after(heard(), 'pause', 'pause', heard(30, 99)).stats?.today.runs).toBe(1333);
  });

  it('shows the first answer all the same', () => {
    expect(after('pause', heard()).stats).toBeDefined();
  });
});

/** An answer with so many new compressions. */
function fresh(n: number): Event {
  const { compressions, expansions } = recentAt(NOW);
  const added = Array.from({ length: n }, (_, i) => ({ at: NOW + i, ms: 1, bytes: i, shapes: [] }));
  const recent = { compressions: [...added, ...compressions], expansions };
  return { ...(heard() as Extract<Event, { kind: 'heard' }>), recent };
}

describe('the chosen row', () => {
  it('moves, and stops at both ends', () => {
    expect(after(heard(), 'down', 'down', 'up').chosen.index).toBe(1);
    expect(after(heard(), 'up').chosen.index).toBe(0);
    expect(after(heard(), 'end').chosen.index).toBe(24);
    expect(after(heard(), 'end', 'down').chosen.index).toBe(24);
    expect(after(heard(), 'end', 'home').chosen.index).toBe(0);
    const step = planOf(after(heard())).lists.compressions - 1;
    expect(after(heard(), 'pageDown').chosen.index).toBe(step);
    expect(after(heard(), 'pageDown', 'pageUp').chosen.index).toBe(0);
  });

  it('stays with its row while others come in, and the first one follows the newest', () => {
    const state = after(heard(), 'down', 'down', fresh(3));
    expect(state.chosen.index).toBe(5);
    expect(itemsOf(state, 'compressions')[5]).toEqual(itemsOf(after(heard()), 'compressions')[2]);
    expect(after(heard(), fresh(3)).chosen.index).toBe(0);
  });

  it('is the nearest when its row has gone, or all have', () => {
    const only: Event = {
      ...(heard() as Extract<Event, { kind: 'heard' }>),
      recent: { compressions: recentAt(NOW).compressions.slice(0, 2), expansions: [] },
    };
    expect(after(heard(), 'end', only).chosen.index).toBe(1);
    expect(after(heard(), 'tab', 'end', only).chosen).toEqual({ index: 0 });
    expect(after(heard(), 'tab', only, 'enter').page).toEqual({ kind: 'all' });
  });
});

const HASH = recentAt(NOW).compressions[0]!.hash!;

/** The text of the first row came. */
function text(length: number, hash = HASH): Event {
  const lines = Array.from({ length }, (_, i) => `line ${i}`);
  return { kind: 'text', hash, text: 'explain', lines };
}

/** The page of the first row, with 100 lines, after some keys. */
function top(...keys: KeyName[]): unknown {
  return after(heard(), 'enter', text(100), ...keys).page;
}

describe('an opened row', () => {
  it('waits for its text, and for no other', () => {
    expect(after(heard(), 'enter').page).toMatchObject({ kind: 'item', text: 'explain', lines: {} });
    expect(after(heard(), 'enter', text(3, 'abc123')).page).toMatchObject({ lines: {} });
    expect(after(heard(), 'enter', text(3)).page).toMatchObject({ lines: { explain: { length: 3 } } });
    expect(after(heard(), text(3)).page).toEqual({ kind: 'all' });
  });

  it('scrolls within its text, and keeps both texts', () => {
    expect(top('up')).toMatchObject({ top: 0 });
    expect(top('down', 'down')).toMatchObject({ top: 2 });
    expect(top('pageDown')).toMatchObject({ top: 21 });
    expect(top('end')).toMatchObject({ top: 79 });
    expect(top('end', 'down')).toMatchObject({ top: 79 });
    expect(top('right', 'right', 'left')).toMatchObject({ left: 10 });
    expect(top('end', 'diff')).toMatchObject({ text: 'diff', top: 0, lines: { explain: { length: 100 } } });
    expect(top('tab', 'tab')).toMatchObject({ text: 'explain' });
    expect(top('back')).toEqual({ kind: 'all' });
  });

  it('says why there is nothing to read', () => {
    expect(after(heard(), 'down', 'down', 'diff').page).toMatchObject({
      lines: { diff: ['it came out as it was, and nothing is stored', 'why: under 2000 characters'] },
    });
  });

  it('stays open while the lists change', () => {
    expect(after(heard(), 'enter', heard(5), LOST).page.kind).toBe('item');
  });
});

it('has four orders of tools and shapes', () => {
  const { byTool } = statsAt(NOW).today;
  const order = (...keys: KeyName[]): string[] =>
    sorted(byTool, after(...keys).sort).map(({ name }) => name.split(' ')[0]!);
  expect(order()).toEqual(['kubectl', 'npm', 'journalctl', 'git']);
  expect(order('sort')).toEqual(['kubectl', 'npm', 'git', 'journalctl']);
  expect(order('sort', 'sort')).toEqual(['journalctl', 'kubectl', 'npm', 'git']);
  expect(order('sort', 'sort', 'sort')).toEqual(['git', 'journalctl', 'kubectl', 'npm']);
  expect(after('sort', 'sort', 'sort', 'sort').sort).toBe('saved');
});

it('goes back from help by any key but the one that quits', () => {
  expect(after('help').page).toEqual({ kind: 'help' });
  for (const key of ['other', 'pause', 'help', 'back'] as const) expect(after('help', key)).toEqual(after());
  expect(after('help', 'quit').isOver).toBe(true);
});

it('has room for all that it plans, whatever the size, the data and the keys', () => {
  const keys: KeyName[] = [
    'up',
    'down',
    'pageDown',
    'end',
    'tab',
    'enter',
    'diff',
    'back',
    'help',
    'sort',
    'pause',
  ];
  const event = fc.oneof(
    fc.constantFrom(...keys).map((key): Event => ({ kind: 'key', key })),
    fc
      .record({ columns: fc.integer({ min: 1, max: 300 }), rows: fc.integer({ min: 1, max: 100 }) })
      .map((size): Event => ({ kind: 'resized', size })),
    fc.constantFrom(heard(), LOST, heard(3, 4, { breakers: [{ strategy: 'json', untilMs: NOW }] })),
    fc.constant<Event>({
      kind: 'suggestions',
      suggestions: [{ word: 'DiskPressure', isSuggested: true, originals: 3 }],
    }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const state = after(...events);
      const { lists, tallies, suggestions } = planOf(state);
      expect(Math.min(lists.compressions, lists.expansions, tallies, suggestions)).toBeGreaterThanOrEqual(0);
      expect(lists[state.list]).toBeGreaterThanOrEqual(1);
      expect(state.chosen.index).toBeLessThanOrEqual(Math.max(0, itemsOf(state, state.list).length - 1));
    }),
  );
});
