/** What `ctxzip top` knows and shows, and what can happen to it. Plain data. */
import type { DaemonStats, Recent, Tally } from '../daemon/protocol.ts';
import type { Suggestion } from './port.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export type Link =
  /** Nothing has been heard yet. */
  | { readonly kind: 'trying' }
  | { readonly kind: 'up' }
  | { readonly kind: 'down'; readonly why: string; readonly sinceMs: number };

/** Counters at a moment. */
export interface Sample {
  readonly at: number;
  readonly runs: number;
  readonly requests: number;
  readonly saved: number;
}

export const SORTS = ['saved', 'runs', 'share', 'name'] as const;
export type Sort = (typeof SORTS)[number];

export type List = 'compressions' | 'expansions';

export type Item =
  | ({ readonly list: 'compressions' } & Recent['compressions'][number])
  | ({ readonly list: 'expansions' } & Recent['expansions'][number]);

export type Text = 'explain' | 'diff';

export type Page =
  | { readonly kind: 'all' }
  | { readonly kind: 'help' }
  | {
      readonly kind: 'item';
      readonly item: Item;
      readonly text: Text;
      /** Absent while they are on their way. */
      readonly lines: Readonly<Partial<Record<Text, readonly string[]>>>;
      /** The first line and the first column that are shown. */
      readonly top: number;
      readonly left: number;
    };

export interface State {
  readonly size: Size;
  readonly isAscii: boolean;
  readonly address: string;
  readonly nowMs: number;
  readonly link: Link;
  /** Absent until a daemon has answered. */
  readonly stats?: DaemonStats;
  readonly recent: Recent;
  readonly suggestions: readonly Suggestion[];
  /** The last minute, oldest first, of one daemon. */
  readonly samples: readonly Sample[];
  readonly isPaused: boolean;
  readonly sort: Sort;
  readonly list: List;
  /** The chosen row of the list; `key` is absent where the first one is chosen, whichever that is. */
  readonly chosen: { readonly index: number; readonly key?: string };
  readonly page: Page;
  readonly isOver: boolean;
}

export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'enter'
  | 'back'
  | 'tab'
  | 'pause'
  | 'sort'
  | 'explain'
  | 'diff'
  | 'help'
  | 'quit'
  /** Without a meaning, unless any key has one. */
  | 'other';

export type Event =
  | { readonly kind: 'heard'; readonly nowMs: number; readonly stats: DaemonStats; readonly recent: Recent }
  | { readonly kind: 'suggestions'; readonly suggestions: readonly Suggestion[] }
  | { readonly kind: 'lost'; readonly nowMs: number; readonly why: string }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'key'; readonly key: KeyName }
  | { readonly kind: 'text'; readonly hash: string; readonly text: Text; readonly lines: readonly string[] };

export function startState(from: Pick<State, 'size' | 'isAscii' | 'address' | 'nowMs'>): State {
  return {
    ...from,
    link: { kind: 'trying' },
    recent: { compressions: [], expansions: [] },
    suggestions: [],
    samples: [],
    isPaused: false,
    sort: 'saved',
    list: 'compressions',
    chosen: { index: 0 },
    page: { kind: 'all' },
    isOver: false,
  };
}

/** The rows of a list, latest first. */
export function itemsOf({ recent }: Pick<State, 'recent'>, list: List): readonly Item[] {
  return list === 'compressions'
    ? recent.compressions.map((each) => ({ list, ...each }))
    : recent.expansions.map((each) => ({ list, ...each }));
}

/** What tells one row from the others while new ones come in. */
export function keyOf(item: Item): string {
  return `${item.at} ${item.hash ?? ''} ${item.bytes}`;
}

/** Tallies in the order that was asked for. */
export function sorted(tallies: readonly Tally[], sort: Sort): readonly Tally[] {
  const value = VALUES[sort];
  return tallies.toSorted((a, b) => value(b) - value(a) || (a.name < b.name ? -1 : 1));
}

const VALUES: Readonly<Record<Sort, (tally: Tally) => number>> = {
  saved: ({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter,
  share: ({ tokensBefore, tokensAfter }) => (tokensBefore - tokensAfter) / Math.max(1, tokensBefore),
  runs: ({ runs }) => runs,
  name: () => 0,
};

/** A rate is that of so much of the past. */
const RATE_MS = 10_000;

/** What went on in the last seconds, a second; undefined until two answers came, and while none come. */
export function ratesOf({ samples, link }: State): Omit<Sample, 'at'> | undefined {
  const last = samples.at(-1);
  if (last === undefined || samples.length < 2 || link.kind !== 'up') return undefined;
  const first = samples.find(({ at }) => at >= last.at - RATE_MS && at < last.at) ?? samples.at(-2)!;
  const rateOf = (key: 'runs' | 'requests' | 'saved'): number => perSecond(first, last, key);
  return { runs: rateOf('runs'), requests: rateOf('requests'), saved: rateOf('saved') };
}

/** The rate of tokens saved between each two answers, oldest first. */
export function savedRates(samples: readonly Sample[]): readonly number[] {
  return samples.slice(1).map((sample, i) => perSecond(samples[i]!, sample, 'saved'));
}

/** Counters of a day start again at midnight. */
function perSecond(from: Sample, to: Sample, key: 'runs' | 'requests' | 'saved'): number {
  return Math.max(0, ((to[key] - from[key]) * 1000) / Math.max(1, to.at - from.at));
}
