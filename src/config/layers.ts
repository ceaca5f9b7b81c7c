import type { World } from './find.ts';
import type { FlagTexts } from './load.ts';
import type { ParsedFile } from './parse.ts';
import { problemOf, quoted, type Place, type Problem, type Source } from './problems.ts';
import { flagOf, NAMES, readInto, SPECS, variableOf, type Layer } from './schema.ts';
import type { Name } from './settings.ts';

/** What one source sets, and where each value stands. */
export interface SourceLayer {
  readonly source: Source;
  readonly values: Layer;
  readonly placeOf: (name: Name) => Place;
  readonly problems: readonly Problem[];
}

const KEY_VARIABLES = NAMES.map((name) => ({ name, variable: variableOf(SPECS[name].key) }));

/** The variables, or undefined when none is set. An empty one counts as not set. */
export function environmentLayer({ env }: World): SourceLayer | undefined {
  const given = KEY_VARIABLES.filter(({ variable }) => env[variable]);
  // Read last, so that it is stronger than CTXZIP_ENABLED.
  if (env['FORGE_COMPRESSION']) given.push({ name: 'enabled', variable: 'FORGE_COMPRESSION' });
  if (given.length === 0) return undefined;
  const values: Layer = {};
  const problems = given.flatMap(({ name, variable }) =>
    readTexts(values, name, env[variable] ?? '', { key: variable, source: 'environment' }),
  );
  const variableNamed = (name: Name): string =>
    given.findLast((variable) => variable.name === name)?.variable ?? '';
  const placeOf = (name: Name): Place => ({ source: 'environment', variable: variableNamed(name) });
  return { source: 'environment', values, placeOf, problems };
}

/** The flags of one call, or undefined when there are none; their problems are usage errors. */
export function flagLayer(flags: FlagTexts): SourceLayer | undefined {
  const values: Layer = {};
  const problems: Problem[] = [];
  let isGiven = false;
  for (const name of NAMES) {
    const text = flags[name];
    if (text === undefined) continue;
    isGiven = true;
    problems.push(...readTexts(values, name, text, { key: flagOf(SPECS[name].key), source: 'flag' }));
  }
  return isGiven ? { source: 'flag', values, placeOf: () => ({ source: 'flag' }), problems } : undefined;
}

/** A file as a layer. */
export function fileLayer(
  parsed: ParsedFile,
  file: string | undefined,
  source: 'project' | 'user',
): SourceLayer {
  const placeOf = (name: Name): Place => {
    const position = parsed.places[name];
    return {
      source,
      ...(file !== undefined && { file }),
      ...(position && { line: position[0], column: position[1] }),
    };
  };
  return { source, values: parsed.values, placeOf, problems: parsed.problems };
}

function readTexts(
  values: Layer,
  name: Name,
  text: string | readonly string[],
  { key, source }: { readonly key: string; readonly source: Source },
): Problem[] {
  const plain = typeof text === 'string' ? SPECS[name].kind.fromText(text) : text;
  return readInto(values, name, plain).map((found) => problemOf(found, key, { source }));
}

/** The problem of a value that is well formed but may not stand in this source. */
export function misplaced(
  layer: SourceLayer,
  name: Name,
  severity: 'error' | 'note',
  message: string,
): Problem {
  const { key } = SPECS[name];
  const written = { environment: variableOf(key), flag: flagOf(key) };
  const shown = layer.source === 'environment' || layer.source === 'flag' ? written[layer.source] : key;
  const value = layer.values[name];
  const what = typeof value === 'string' ? `${quoted(value)} ` : '';
  return { ...layer.placeOf(name), severity, key: shown, message: what + message };
}
