/** State and event to the next state: no I/O, no clock. */
import type { DaemonStats } from '../daemon/protocol.ts';
import { bodyRows, listRows } from './layout.ts';
import {
  type Event,
  type Item,
  itemsOf,
  type KeyName,
  keyOf,
  type Page,
  SORTS,
  type State,
} from './state.ts';

type ItemPage = Extract<Page, { kind: 'item' }>;

/** So many answers make up the curve. */
const MOST_SAMPLES = 61;
/** Columns of a step to the side. */
const SIDE_STEP = 10;

export function reduce(state: State, event: Event): State {
  switch (event.kind) {
    case 'heard':
      return heard(state, event);
    case 'suggestions':
      return state.isPaused ? state : { ...state, suggestions: event.suggestions };
    case 'lost':
      return lost(state, event);
    case 'resized':
      return { ...state, size: event.size };
    case 'text':
      return textCame(state, event);
    case 'key':
      return keyed(state, event.key);
  }
}

function heard(state: State, event: Extract<Event, { kind: 'heard' }>): State {
  const link = { kind: 'up' } as const;
  // What is shown stands still; that the daemon is back is said all the same.
  if (state.isPaused && state.stats !== undefined)
    return state.link.kind === 'up' ? state : { ...state, link };
  const { nowMs, stats, recent } = event;
  const isSame = state.stats?.pid === stats.pid && state.stats.startedAt === stats.startedAt;
  const samples = [...(isSame ? state.samples : []), sampleOf(nowMs, stats)].slice(-MOST_SAMPLES);
  const next = { ...state, nowMs, link, stats, recent, samples };
  return { ...next, chosen: found(next) };
}

function sampleOf(at: number, { today, requests }: DaemonStats): State['samples'][number] {
  const saved = today.tokensBefore - today.tokensAfter;
  return { at, runs: today.runs, requests: requests.total, saved };
}

function lost(state: State, { nowMs, why }: Extract<Event, { kind: 'lost' }>): State {
  const sinceMs = state.link.kind === 'down' ? state.link.sinceMs : nowMs;
  return { ...state, nowMs: state.isPaused ? state.nowMs : nowMs, link: { kind: 'down', why, sinceMs } };
}

function textCame(state: State, { hash, text, lines }: Extract<Event, { kind: 'text' }>): State {
  const { page } = state;
  if (page.kind !== 'item' || page.item.hash !== hash) return state;
  return { ...state, page: { ...page, lines: { ...page.lines, [text]: lines } } };
}

/** The row that was chosen, wherever it is by now. */
function found(state: State): State['chosen'] {
  const { key, index } = state.chosen;
  if (key === undefined) return { index: 0 };
  const items = itemsOf(state, state.list);
  const at = items.findIndex((item) => keyOf(item) === key);
  return at >= 0 ? { index: at, key } : choice(items, index);
}

/** The row at a place, or the nearest there is. */
function choice(items: readonly Item[], wanted: number): State['chosen'] {
  const index = Math.max(0, Math.min(wanted, items.length - 1));
  return index === 0 ? { index } : { index, key: keyOf(items[index]!) };
}

function keyed(state: State, key: KeyName): State {
  if (key === 'quit') return { ...state, isOver: true };
  const { page } = state;
  if (page.kind === 'help') return { ...state, page: { kind: 'all' } };
  if (key === 'pause') return { ...state, isPaused: !state.isPaused };
  if (page.kind === 'item') return { ...state, page: keyedItem(state, page, key) };
  return keyedAll(state, key);
}

function keyedAll(state: State, key: KeyName): State {
  const items = itemsOf(state, state.list);
  const { index } = state.chosen;
  const step = Math.max(1, listRows(state) - 1);
  const moves: Partial<Record<KeyName, number>> = {
    up: index - 1,
    down: index + 1,
    pageUp: index - step,
    pageDown: index + step,
    home: 0,
    end: items.length - 1,
  };
  const move = moves[key];
  if (move !== undefined) return { ...state, chosen: choice(items, move) };
  if (key === 'help') return { ...state, page: { kind: 'help' } };
  if (key === 'sort') return { ...state, sort: SORTS[(SORTS.indexOf(state.sort) + 1) % SORTS.length]! };
  if (key === 'tab')
    return {
      ...state,
      list: state.list === 'compressions' ? 'expansions' : 'compressions',
      chosen: { index: 0 },
    };
  if (key === 'enter' || key === 'explain') return opened(state, items[index], 'explain');
  return key === 'diff' ? opened(state, items[index], 'diff') : state;
}

function opened(state: State, item: Item | undefined, text: ItemPage['text']): State {
  if (item === undefined) return state;
  const none = ['it came out as it was, and nothing is stored', ...reasonOf(item)];
  const lines = item.hash === undefined || item.hash === '' ? { explain: none, diff: none } : {};
  return { ...state, page: { kind: 'item', item, text, lines, top: 0, left: 0 } };
}

function reasonOf(item: Item): readonly string[] {
  return item.list === 'compressions' && item.reason !== undefined ? [`why: ${item.reason}`] : [];
}

function keyedItem(state: State, page: ItemPage, key: KeyName): Page {
  const rows = bodyRows(state.size);
  const last = Math.max(0, (page.lines[page.text]?.length ?? 0) - rows);
  const tops: Partial<Record<KeyName, number>> = {
    up: page.top - 1,
    down: page.top + 1,
    pageUp: page.top - rows,
    pageDown: page.top + rows,
    home: 0,
    end: last,
  };
  const top = tops[key];
  if (top !== undefined) return { ...page, top: Math.max(0, Math.min(top, last)) };
  if (key === 'left') return { ...page, left: Math.max(0, page.left - SIDE_STEP) };
  if (key === 'right') return { ...page, left: page.left + SIDE_STEP };
  if (key === 'back') return { kind: 'all' };
  const other = page.text === 'explain' ? 'diff' : 'explain';
  const text = key === 'tab' ? other : key;
  return text === 'explain' || text === 'diff' ? { ...page, text, top: 0, left: 0 } : page;
}
