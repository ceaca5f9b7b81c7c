/** The nouns of ctxzip. Offsets are bytes of the input, `end` is exclusive, unless a name says otherwise. */

export const SHAPES = [
  'envelope',
  'json',
  'ndjson',
  'diff',
  'search',
  'test',
  'trace',
  'yaml',
  'describe',
  'table',
  'csv',
  'log',
  'code',
  'text',
] as const;
/** A content shape: what a strategy recognises. */
export type Shape = (typeof SHAPES)[number];

export const LEVELS = ['none', 'minimal', 'normal', 'aggressive'] as const;
/** How much may go: `none` is passthrough, `minimal` only writes it shorter, `normal` offloads what repeats. */
export type Level = (typeof LEVELS)[number];

/** The frozen numbers and patterns that tune the core. Equal policies give equal views. */
export interface Policy {
  readonly level: Level;
  /** Literals (any case) or `/regex/flags`; every unit that matches one stays. */
  readonly keepPatterns: readonly string[];
  /** Inputs of fewer characters pass through, unless `budgetAsked`. */
  readonly minChars: number;
  /** Budget of the view in estimated tokens; 0 is none. */
  readonly maxTokens: number;
  /** The budget came from this call (`--max-tokens`), so that it also binds small inputs and reasons 1 to 3. */
  readonly budgetAsked: boolean;
  readonly escapes: 'strip' | 'keep';
  /** The first marker ends with the command that opens it. */
  readonly hint: boolean;
  /** `full`: every marker carries the hash. */
  readonly markers: 'short' | 'full';
  /** What the reader wants to know; units that answer it stay. */
  readonly query?: string;
  /** The shape is given, not detected. */
  readonly as?: Shape;
  /** The command that printed the input failed: more stays around failures and at the end. */
  readonly failed?: true;
}

/** The bytes of an input: in memory, or behind a file that is larger than memory should hold. */
export interface Source {
  readonly length: number;
  /** Bytes `start` to `end`; the result may be a view into a buffer that lives as long as the source. */
  read(start: number, end: number): Uint8Array;
}

/** A run of neighbouring units that went. */
export interface Gap {
  /** Where it was, in the grammar of docs/marker-format.md: `L12-48`, `L12:c300-9000`, `B4096-9000`. */
  readonly address: string;
  /** `[start, end)` in the input. */
  readonly bytes: readonly [number, number];
  /** `[start, end)` in the view, of the marker with its quotes, indentation and line end. */
  readonly view: readonly [number, number];
  readonly count: number;
  readonly unit: string;
  /** Counts of a state-like column among the hidden units; they add up to `count`. */
  readonly values: ReadonlyArray<readonly [string, number]>;
  /** Hidden units that are failures. */
  readonly failures: number;
}
