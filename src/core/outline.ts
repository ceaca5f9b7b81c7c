import type { Odd } from './odd.ts';
import type { Shape } from './model.ts';

/** Flags of a unit. */
export const PINNED = 1;
export const KEEP = 2;
export const ANCHOR = 4;
/** A unit that may only go when a budget demands it: text that repeats nothing. */
export const WHOLE = 8;
/** A blank unit: of no value alone. */
export const EMPTY = 16;
/** A name of ten others: column heads and their rules. Pinned, and no edge. */
export const HEAD = 32;

/**
 * What a strategy says of a section: its units in order, each with a profile and a few facts. Units of the line shapes
 * lie side by side: unit `i` is the bytes `starts[i]` to `starts[i + 1]`.
 */
export interface Outline {
  readonly shape: Shape;
  /** What a unit is called in a marker: `lines`. */
  readonly unit: string;
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  readonly count: number;
  readonly starts: Uint32Array;
  /** Finest profile of each unit. */
  readonly kind: Uint32Array;
  /** Coarser profiles of each kind: the coarse one, then the one between. */
  readonly coarse: Uint32Array;
  readonly middle: Uint32Array;
  /** 3 fatal, 2 error, 1 warning, 0 none. */
  readonly severity: Uint8Array;
  readonly flags: Uint8Array;
  /** Estimated tokens of each unit; rough, where a unit is one of millions. */
  readonly costs: Float32Array;
  /** The same, exactly counted, for the units that the selection looks at. */
  readonly measure: (unit: number) => number;
  /** The unit that a unit belongs under; -1 where none. A unit stays only with its parent. */
  readonly parents?: Int32Array;
  readonly odd: readonly Odd[];
  /** Up to `allUpTo` failures stay all; of more the first and the last so many of each profile. */
  readonly failures: { readonly first: number; readonly last: number; readonly allUpTo: number };
  /** Do the units around a failure explain it? Lines do, rows don't. */
  readonly hasContext: boolean;
  /** A state-like value of each unit, for the counts in markers; 255 where it has none. */
  readonly states?: { readonly of: Uint8Array; readonly names: readonly string[] };
  /** Kept units are printed whole, however long: what is inside has a grammar of its own. */
  readonly uncut?: boolean;
  /** Why the strategy was chosen. */
  readonly reason: string;
}

/** Why a unit is in the view; the first that applies. 0 is: it is not. */
export const REASONS = [
  '',
  'pinned',
  'failure',
  'keep pattern',
  'anchor',
  'rare value',
  'outlier',
  'extreme',
  'rare profile',
  'exemplar',
  'edge',
  'context',
  'parent',
  'small gap',
  'text',
] as const;

export type Reason = (typeof REASONS)[number];

export const REASON = Object.fromEntries(REASONS.map((name, i) => [name, i])) as Readonly<
  Record<Reason, number>
>;
