import type { Policy } from './model.ts';

/** The numbers of design §5; starting values of the selection spike, changed by measurement only. */
export const NUMBERS = {
  /** A view saves at least this many tokens … */
  leastSaved: 100,
  /** … and this share. */
  leastShare: 0.1,
  /** Tokens that a gap must save beyond its marker. */
  gapGain: 25,
  /** Estimated tokens of a short marker, of one with a hash, and of one with the command that opens it. */
  shortMarker: 13,
  fullMarker: 24,
  hintMarker: 40,
  /** Share of the input's tokens that rare profiles, exemplars and edges may cost. */
  purse: 0.02,
  /** The same for records in JSON, which are several times as large as lines. */
  recordPurse: 0.06,
  /** … and a sum beside it, so that small inputs show their profiles too: tokens, and the share it may be. */
  purseBase: 100,
  purseBaseShare: 0.05,
  /** A profile of at most so many units is rare. */
  rareUnits: 5,
  /** Units that stand for one rare value. */
  rareValueUnits: 10,
  edgeFirst: 3,
  edgeLast: 8,
  /** Tokens that a unit of context may cost. */
  contextCost: 80,
  /** Context goes on over units of profiles seen at most so often, up to so many before and after. */
  novelUnits: 2,
  contextBefore: 4,
  contextAfter: 8,
  /** The first line of a paragraph is looked for so far up. */
  paragraph: 40,
  /** Lines of a failing record that stay with its first line. */
  frames: 6,
  /** Anchors: at most the larger of this many units and this share. */
  anchorUnits: 50,
  anchorShare: 0.1,
  /** A unit longer than this many characters is cut inside. */
  longLine: 700,
  /** … and a string in JSON longer than this many. */
  longString: 1200,
  longHead: 300,
  longWindow: 320,
  longTail: 120,
  longPlaces: 8,
} as const;

export const DEFAULT_POLICY: Policy = {
  level: 'normal',
  keepPatterns: [],
  minChars: 2048,
  maxTokens: 16_000,
  budgetAsked: false,
  escapes: 'strip',
  hint: true,
  markers: 'short',
};
