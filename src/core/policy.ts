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
  /** … and of the failures that one counts. */
  countInMarker: 3,
  /** Share of the input's tokens that rare profiles, exemplars and edges may cost. */
  purse: 0.02,
  /** The same for records in JSON, which are several times as large as lines. */
  recordPurse: 0.06,
  /** … and a sum beside it, so that small inputs show their profiles too: tokens, and the share it may be. */
  purseBase: 100,
  purseBaseShare: 0.05,
  /** What is worth less (an edge has 0.3, the first line with a new word 2.5) is not bought: most often a line with another id. */
  purseLeast: 0.05,
  /** A profile of at most so many units is rare. */
  rareUnits: 5,
  /** Units that stand for one rare value. */
  rareValueUnits: 10,
  /** Tokens of lines of text that go where they stand for the second time. */
  seenText: 60,
  edgeFirst: 3,
  edgeLast: 8,
  /** Context goes on over units of profiles seen at most so often. */
  novelUnits: 2,
  /** The first line of a paragraph is looked for so far up. */
  paragraph: 40,
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

/** What stays around failures. */
export interface Around {
  /** Tokens that a unit of context may cost. */
  readonly cost: number;
  /** Units on each side in any case, and up to so many before and after where they are seen nowhere else. */
  readonly near: number;
  readonly before: number;
  readonly after: number;
  /** Lines of a failing record that stay with its first line. */
  readonly frames: number;
  /** Of every failure in view, not only of the first of its kind? */
  readonly allTraces: boolean;
  /** Failures of a kind that stay at least, the first and the last. */
  readonly first: number;
  readonly last: number;
  /** Units at the end of a section, where the command that failed says why. */
  readonly end: number;
}

const AROUND: Around = {
  cost: 80,
  near: 1,
  before: 4,
  after: 8,
  frames: 6,
  allTraces: false,
  first: 0,
  last: 0,
  end: 0,
};

/** The same where the command failed: traces stay whole. */
const AROUND_FAILED: Around = {
  cost: 300,
  near: 3,
  before: 12,
  after: 30,
  frames: 250,
  allTraces: true,
  first: 6,
  last: 2,
  end: 20,
};

/** What stays around failures under a policy. */
export function aroundOf({ failed }: Policy): Around {
  return failed === true ? AROUND_FAILED : AROUND;
}

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
