import type { Level } from '../core/model.ts';
import type { Place, Problem } from './problems.ts';
import type { Tools } from './rules.ts';

/** A whole configuration, after all files and variables are merged. */
export interface Settings {
  readonly enabled: boolean;
  readonly level: Level;
  readonly keepPatterns: readonly string[];
  readonly minToolOutputChars: number;
  /** Estimated tokens; 0 is no budget. */
  readonly maxTokens: number;
  readonly escapes: 'strip' | 'keep';
  readonly hint: boolean;
  readonly markers: 'short' | 'full';
  readonly errors: 'floor' | 'verbatim';
  readonly tools: Tools;
  readonly ttlMs: number;
  readonly maxStoreBytes: number;
  /** Absolute; null is the state folder. */
  readonly storePath: string | null;
  /** The file that audit events are added to, absolute; null is none. */
  readonly eventsPath: string | null;
  readonly cacheHints: boolean;
}

export type Name = keyof Settings;

const DAY_MS = 86_400_000;

/** What holds where no source says anything else. */
export const DEFAULTS: Settings = Object.freeze({
  enabled: true,
  level: 'normal',
  keepPatterns: Object.freeze([]),
  minToolOutputChars: 2048,
  maxTokens: 16_000,
  escapes: 'strip',
  hint: true,
  markers: 'short',
  errors: 'floor',
  tools: Object.freeze({}),
  ttlMs: 7 * DAY_MS,
  maxStoreBytes: 2 ** 30,
  storePath: null,
  eventsPath: null,
  cacheHints: true,
});

/** Where values come from, strongest first; a list or map that adds up can have several places, a default has none. */
export type Origins = { readonly [N in Name]?: readonly Place[] };

/** A merged configuration with the problems of all that went into it. Plain data, so that it can be cached as JSON. */
export interface Merged {
  readonly settings: Settings;
  readonly origins: Origins;
  readonly problems: readonly Problem[];
}

/** What holds where no source sets anything. */
export const DEFAULT_CONFIG: Merged = { settings: DEFAULTS, origins: {}, problems: [] };
