/** How many rows each part of the screen gets. */
import type { List, Size, State } from './state.ts';

export interface Plan {
  /** Rows of the tables by tool and shape, without their heads; 0: none. */
  readonly tallies: number;
  /** Rows of each list, without its head; 0: not shown. */
  readonly lists: Readonly<Record<List, number>>;
  readonly suggestions: number;
}

/** Below these the parts give way. */
const SMALL_ROWS = 16;
const SMALL_COLUMNS = 60;
const TABLES_ROWS = 20;
const BOTH_LISTS_ROWS = 9;
const SUGGESTIONS_ROWS = 28;

const MOST_WORDS = 4;

/** Title and keys are always there, one row each. */
const FRAME_ROWS = 2;
const SMALL_FACTS_ROWS = 2;
const FACTS_ROWS = 5;

export function planOf(state: State): Plan {
  const { size, recent, suggestions, list } = state;
  const isSmall = isSmallSize(size);
  const words = size.rows < SUGGESTIONS_ROWS ? 0 : Math.min(MOST_WORDS, suggestions.length);
  let left = size.rows - FRAME_ROWS - factsRows(state) - partRows(words);
  const isPlain = isSmall || size.rows < TABLES_ROWS;
  const tallies = isPlain ? 0 : Math.min(longestTable(state), Math.max(3, Math.floor(left * 0.3)));
  left -= partRows(tallies);
  return { tallies, lists: listsOf(left, isSmall, list, recent), suggestions: words };
}

/** With its head and the blank line before the next. */
function partRows(rows: number): number {
  return rows === 0 ? 0 : rows + 2;
}

function factsRows(state: State): number {
  if (isSmallSize(state.size)) return SMALL_FACTS_ROWS;
  const hasBreakers = state.stats !== undefined && state.stats.breakers.length > 0;
  return FACTS_ROWS + Number(hasBreakers) + Number(hasWordLine(state));
}

/** Are the suggestions one line, for want of room? */
export function hasWordLine({ size, suggestions }: State): boolean {
  return suggestions.length > 0 && size.rows < SUGGESTIONS_ROWS;
}

function longestTable({ stats }: State): number {
  return Math.max(1, stats?.today.byTool.length ?? 0, stats?.today.byShape.length ?? 0);
}

function listsOf(left: number, isSmall: boolean, list: List, recent: State['recent']): Plan['lists'] {
  const none = { compressions: 0, expansions: 0 };
  if (isSmall || left < BOTH_LISTS_ROWS) return { ...none, [list]: Math.max(1, left - 1) };
  // Two heads and a blank line.
  const rows = left - 3;
  const expansions = Math.max(1, Math.min(recent.expansions.length, Math.floor(rows * 0.4)));
  return { compressions: rows - expansions, expansions };
}

export function isSmallSize({ rows, columns }: Size): boolean {
  return rows < SMALL_ROWS || columns < SMALL_COLUMNS;
}

/** Rows of the list that is moved in. */
export function listRows(state: State): number {
  return planOf(state).lists[state.list];
}

/** Rows of the text of an opened row: title, its facts, and keys are around it. */
export function bodyRows({ rows }: Size): number {
  return Math.max(1, rows - 3);
}

/** The first row to show of `length`, so that the chosen one is among `rows`. */
export function firstShown(chosen: number, rows: number, length: number): number {
  const first = chosen - Math.floor(rows / 2);
  return Math.max(0, Math.min(first, length - rows));
}
