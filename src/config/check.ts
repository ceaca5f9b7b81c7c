/** What `ctxzip config check`, `init`, `doctor` and the daemon look at beyond loading. Not on the hot path. */
import { createContext, Script } from 'node:vm';
import type { World } from './find.ts';
import { loadConfig, VARIABLES, type Config, type FlagTexts } from './load.ts';
import { nearest } from './nearest.ts';
import { parsePattern } from './patterns.ts';
import { quoted, type Place, type Problem } from './problems.ts';

/** For one hostile text; a sound pattern needs a twentieth of it. */
const PATTERN_TIMEOUT_MS = 200;
// Enough for what is exponential (32 times) and for what is cubic (2,000 characters); `foo.*bar` is sound.
const REPEATS = 32;
const LONG_CHARS = 2000;
const KNOWN_VARIABLES = [...VARIABLES, 'CTXZIP_HOME', 'CTXZIP_DISABLE', 'CTXZIP_RUN'];

/** Loads the configuration from the files themselves, and adds slow patterns and unknown variables to its problems. */
export async function checkConfig(world: World, flags: FlagTexts = {}): Promise<Config> {
  const config = await loadConfig(world, flags, { fresh: true });
  return { ...config, problems: [...config.problems, ...slowPatterns(config), ...unknownVariables(world)] };
}

/** Texts that make a backtracking regex try everything: its own letters and words, and common ones, repeated before a misfit. */
function hostileTexts(source: string): string[] {
  const words = source.replace(/\\[a-zA-Z]/g, ' ').match(/[\p{L}\p{N}]+|[ _./:=,-]/gu) ?? [];
  const seeds = new Set(['a', '0', ' ', 'a0', 'a ', ...words.slice(0, 40), ...words.join('').slice(0, 40)]);
  return [...seeds].flatMap((seed) =>
    [REPEATS, Math.ceil(LONG_CHARS / seed.length)].map((times) => `${seed.repeat(times)}\u0001`),
  );
}

/** True when a pattern answers in time for every hostile text. */
export function answersInTime(source: string, flags: string): boolean {
  const context = createContext({ regex: new RegExp(source, flags), text: '' });
  const script = new Script('regex.test(text)');
  try {
    for (const text of hostileTexts(source)) {
      context['text'] = text;
      script.runInContext(context, { timeout: PATTERN_TIMEOUT_MS });
    }
    return true;
  } catch {
    return false;
  }
}

function slowPatterns({ settings, origins }: Config): Problem[] {
  const lists: Array<readonly [string, readonly string[], Place]> = [];
  // Where several sources add up, the pattern itself is all that can be named.
  const placeOf = (name: 'keepPatterns' | 'tools'): Place => {
    const [first, second] = origins[name] ?? [];
    return first && !second ? first : { source: first?.source ?? 'default' };
  };
  lists.push(['keep_patterns', settings.keepPatterns, placeOf('keepPatterns')]);
  for (const [name, rule] of Object.entries(settings.tools)) {
    lists.push([`tools.${name}.keep_patterns`, rule.keepPatterns ?? [], placeOf('tools')]);
  }
  return lists.flatMap(([key, patterns, place]) =>
    patterns.flatMap((text): Problem[] => {
      const pattern = parsePattern(text);
      if (pattern.kind !== 'regex') return [];
      const message = patternTrouble(text, pattern.source, pattern.flags);
      return message === undefined ? [] : [{ ...place, severity: 'error', key, message }];
    }),
  );
}

function patternTrouble(text: string, source: string, flags: string): string | undefined {
  if (new RegExp(source, flags).test(''))
    return `${quoted(text)} matches the empty line, so it keeps every line`;
  if (answersInTime(source, flags)) return undefined;
  return `${quoted(text)} backtracks: some short lines take it longer than ${PATTERN_TIMEOUT_MS} ms`;
}

/** Names that begin like ours and mean nothing, such as `CTXZIP_LEVL`. */
function unknownVariables({ env }: World): Problem[] {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('CTXZIP_') && !KNOWN_VARIABLES.some((known) => known === name),
  );
  return unknown.sort().map((name) => {
    const meant = nearest(name, KNOWN_VARIABLES);
    const message = `is no variable of ctxzip${meant === undefined ? '' : `, did you mean ${meant}?`}`;
    return { source: 'environment', severity: 'error', key: quoted(name).slice(1, -1), message };
  });
}
