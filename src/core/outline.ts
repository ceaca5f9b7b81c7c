import type { Ids } from './joined.ts';
import type { Address } from './address.ts';
import type { Frame } from './frame.ts';
import type { LineIndex } from './line-index.ts';
import type { Places } from './long-lines.ts';
import type { Shape } from './model.ts';
import type { Odd } from './odd.ts';
import type { Words } from './shapes.ts';

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
/** Says nothing of its own, wherever it stands: no edge. */
export const DULL = 64;
/** Says what the view shows elsewhere, word for word: of no value at all. */
export const SEEN = 128;

/** Units inside of units. A unit stays only with those around it; units that went with it are in the same gap. */
export interface Tree {
  /** The first unit behind all that is inside of a unit. */
  readonly afterOf: (unit: number) => number;
  /** The unit before it under the same parent, if nothing that stays is between them; -1. */
  readonly beforeOf: (unit: number) => number;
  /** What it is inside of; -1 of the root. */
  readonly parentOf: (unit: number) => number;
}

/** A part of the input that may go, and what stands in its place around the marker. Offsets are those of the outline. */
export interface Hole {
  readonly start: number;
  readonly end: number;
  /** Absent: the bytes. */
  readonly address?: Address;
  readonly count: number;
  readonly unit: string;
  readonly values: ReadonlyArray<readonly [string, number]>;
  readonly failures: number;
  /** The marker may not end with the command that opens it: a text that `: ` would end. */
  readonly hasNoCommand?: boolean;
  /** Indentation, quotes, line end. */
  readonly before: string;
  readonly after: string;
}

/** How many gaps a container has already, by its place: members of an object need names of their own. */
export type GapCounts = Map<number, number>;

/** What a strategy says of a section: its units in order, each with a profile and a few facts. */
export interface Outline {
  readonly shape: Shape;
  /** Lines of the section, from 1; those of the string, where the section is inside of one. */
  readonly lines: readonly [first: number, last: number];
  readonly count: number;
  /** Where a unit starts in the input. */
  readonly placeOf: (unit: number) => number;
  /** Bytes of a unit as it is shown. */
  readonly sizeOf: (unit: number) => number;
  /** Finest profile of each unit. */
  readonly kind: Ids;
  /** The words of the kinds of lines; those behind have none. They hold until the next input begins. */
  readonly words?: readonly Words[];
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
  /** The unit that a unit belongs under, where they lie side by side; -1 where none. A unit stays only with its parent. */
  readonly parents?: Int32Array;
  /** Units are inside of their parents. */
  readonly tree?: Tree;
  /** What goes with the units of a run. */
  readonly hole: (run: { first: number; last: number; end: number }, gaps: GapCounts) => Hole;
  /** The parts of a kept unit that go, because it is long. */
  readonly parts: (unit: number, places: Places) => readonly Hole[];
  /** Share of the tokens that optional reasons may spend, where it is not that of the policy; 0: there are none. */
  readonly purse?: number;
  /** Tokens that a marker costs more than alone: quotes, braces, an indentation. */
  readonly wrapping: number;
  /** The lines that patterns and queries are matched against; unit `i` is line `lines[0] - 1 + i` of it … */
  readonly index?: LineIndex;
  /** … or the text of each unit. */
  readonly text?: (unit: number) => string;
  /** The string of the input that the offsets count in. */
  readonly frame?: Frame;
  /** The units that hold outputs in strings, by the frames of those. */
  readonly outputs?: ReadonlyMap<Frame, number>;
  /** Failures that say the same; without them those of one coarse profile do. */
  readonly failureKeys?: Uint32Array;
  /** The units that stay with a failure, where the strategy knows them; of others those around it. */
  readonly bodyOf?: (unit: number) => readonly number[] | undefined;
  readonly odd: readonly Odd[];
  /** Up to `allUpTo` failures stay all; of more the first and the last so many of each profile. */
  readonly failures: { readonly first: number; readonly last: number; readonly allUpTo: number };
  /** The units `[from, to)` of the stack trace that a unit belongs to, up to `most` on each side. */
  readonly traceAt?: (unit: number, most: number) => readonly [number, number];
  /** Do the units around a failure explain it? Lines do, rows don't. */
  readonly hasContext: boolean;
  /** Its first and last units tell no more than others: no beginning and no end of what happened. */
  readonly isEdgeless?: boolean;
  /** A state-like value of each unit, for the counts in markers; 255 where it has none. */
  readonly states?: { readonly of: Uint8Array; readonly names: readonly string[] };
  /** A text for people, a unit a line: what stands in it for the second time may go, but for lines that hold markers. */
  readonly reading?: { readonly markers: readonly number[] };
  /** Kept units are printed whole, however long: what is inside has a grammar of its own. */
  readonly uncut?: boolean;
  /** The text ended too early when it arrived. */
  readonly isTorn?: boolean;
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

/** The unit that a unit belongs under or is inside of; -1. */
export function parentOf({ tree, parents }: Outline, unit: number): number {
  return tree === undefined ? (parents?.[unit] ?? -1) : tree.parentOf(unit);
}
