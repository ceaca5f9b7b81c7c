import { count, duration, path, patterns, size, truth, word, type Kind } from './kinds.ts';
import type { Fault } from './problems.ts';
import type { Name, Settings } from './settings.ts';
import { level, tools } from './tools.ts';

/** One key: how it is written, what it may be, and what it does. */
export interface KeySpec<T> {
  /** As in `forge.yaml`; its variable is `CTXZIP_` and this in capitals. */
  readonly key: string;
  readonly kind: Kind<T>;
  readonly doc: string;
}

function spec<T>(key: string, kind: Kind<T>, doc: string): KeySpec<T> {
  return { key, kind, doc };
}

/** Every key, in the order in which it is documented and shown. */
export const SPECS: { readonly [N in Name]: KeySpec<Settings[N]> } = {
  enabled: spec('enabled', truth, 'false makes the pipe a passthrough'),
  level: spec('level', level, 'how much may go'),
  keepPatterns: spec(
    'keep_patterns',
    patterns,
    'what must stay in every view; the lists of all sources add up',
  ),
  minToolOutputChars: spec('min_tool_output_chars', count, 'shorter inputs pass through'),
  maxTokens: spec('max_tokens', count, 'budget of every view in estimated tokens; 0 is none'),
  escapes: spec('escapes', word(['strip', 'keep']), 'colours and cursor movement of the input'),
  hint: spec('hint', truth, 'the first marker shows the command that opens it'),
  markers: spec('markers', word(['short', 'full']), 'full gives every marker its hash'),
  errors: spec('errors', word(['floor', 'verbatim']), 'how `run` treats a command that fails'),
  tools: spec(
    'tools',
    tools,
    'level, keep_patterns, max_tokens and as by command or glob; sources are merged',
  ),
  ttlMs: spec('ttl', duration, 'how long an original is kept'),
  maxStoreBytes: spec('max_store_bytes', size, 'most the store may hold'),
  storePath: spec('store_path', path, 'folder of the store; null is CTXZIP_HOME, else the XDG state folder'),
  eventsPath: spec('events_path', path, 'file that audit events are added to; null is none'),
  cacheHints: spec('cache_hints', truth, 'used by the proxy'),
};

/** The names of all settings, in the order of SPECS. */
export const NAMES: readonly Name[] = namesOf(SPECS);

function namesOf<T extends object>(table: T): ReadonlyArray<keyof T> {
  const names: Array<keyof T> = [];
  for (const name in table) names.push(name);
  return names;
}

/** All keys as `forge.yaml` writes them. */
export const KEYS: readonly string[] = NAMES.map((name) => SPECS[name].key);

/** The environment variable of a key: `max_tokens` has `CTXZIP_MAX_TOKENS`. */
export function variableOf(key: string): string {
  return `CTXZIP_${key.toUpperCase()}`;
}

/** The flag of a key: `max_tokens` has `--max-tokens`; `keep_patterns` is the one exception, `--keep`. */
export function flagOf(key: string): string {
  return key === 'keep_patterns' ? '--keep' : `--${key.replaceAll('_', '-')}`;
}

/** What one source sets; keys it does not set are absent. */
export type Layer = { -readonly [N in Name]?: Settings[N] };

/** Checks a plain value of a key and puts what is usable of it into `layer`. Returns what is wrong. */
export function readInto<N extends Name>(layer: Layer, name: N, value: unknown): readonly Fault[] {
  const reading = SPECS[name].kind.read(value);
  if (reading.value !== undefined) layer[name] = reading.value;
  return reading.faults;
}
