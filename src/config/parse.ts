/**
 * YAML text to settings. A lazy chunk: loading `yaml` takes longer than Node needs to start, so nothing on the hot
 * path may import this file except by `await import()`.
 */
import { LineCounter } from 'yaml';
import type { FoundFile } from './find.ts';
import { nearest } from './nearest.ts';
import { problemOf, quoted, type Fault, type Place, type Problem } from './problems.ts';
import { readText } from './read-text.ts';
import { KEYS, NAMES, readInto, SPECS, type Layer } from './schema.ts';
import type { Name } from './settings.ts';
import { unknownKey } from './tools.ts';
import { pathKey, readTree, YamlError, type Tree } from './yaml-tree.ts';

/** Reads and parses a found file; never throws. `isLasting` is false when another try may give something else. */
export function readConfig(file: FoundFile): { readonly parsed: ParsedFile; readonly isLasting: boolean } {
  const read = readText(file);
  if (read.kind === 'text') return { parsed: parseConfig(read.text, file.place), isLasting: true };
  const problem: Problem = { ...file.place, severity: 'fatal', message: read.message };
  return { parsed: { values: {}, places: {}, problems: [problem] }, isLasting: read.isLasting };
}

export { writeKeepPatterns } from './write.ts';

/** Line and column, from 1. */
export type Position = readonly [number, number];

/** What one file sets, where, and what is wrong in it. Plain data, so that it can be cached as JSON. */
export interface ParsedFile {
  readonly values: Layer;
  readonly places: { readonly [N in Name]?: Position };
  readonly problems: readonly Problem[];
}

const BLOCK = 'compression';

/**
 * Reads the block `compression:` of a `forge.yaml`; other blocks are ignored, and so are keys that are null.
 * Never throws: text that can't be read as a whole is one fatal problem.
 * `place` names the source and the file of the problems.
 */
export function parseConfig(text: string, place: Place): ParsedFile {
  const lines = new LineCounter();
  try {
    return readBlock(readTree(text, BLOCK, lines), place, (offset) => positionAt(lines, offset));
  } catch (error) {
    // Whatever else the YAML parser throws, the file can't be read; the pipe must go on.
    const [line, column] = positionAt(lines, error instanceof YamlError ? error.offset : 0);
    const message = unreadable(error instanceof Error ? error.message : String(error));
    const problem: Problem = { ...place, line, column, severity: 'fatal', message };
    return { values: {}, places: {}, problems: [problem] };
  }
}

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return [Math.max(line, 1), Math.max(col, 1)];
}

/** Regexes are often put into "double quotes", where YAML takes `\d` for a broken escape. */
function unreadable(message: string): string {
  const hint = message.startsWith('Invalid escape sequence')
    ? "; inside 'single quotes' a backslash is only itself"
    : '';
  return `can't be read as YAML: ${message.replace(/\s+/g, ' ').slice(0, 200)}${hint}`;
}

function readBlock(tree: Tree, place: Place, at: (offset: number) => Position): ParsedFile {
  const block = tree.root?.find((entry) => entry.key === BLOCK);
  if (!block) return { values: {}, places: {}, problems: misspeltBlock(tree, place, at) };
  const { value, offsets } = tree.plain(block);
  const positionOf = (path: Fault['path']): Position => at(nearestOffset(offsets, path) ?? block.offset);
  if (value === null) return { values: {}, places: {}, problems: [] };
  if (typeof value !== 'object' || Array.isArray(value)) {
    const [line, column] = positionOf([]);
    const message = `${quoted(value)} is not a map of keys`;
    const allowed = KEYS.join(', ');
    const problem: Problem = { ...place, line, column, severity: 'fatal', key: BLOCK, message, allowed };
    return { values: {}, places: {}, problems: [problem] };
  }
  return readKeys(Object.entries(value), place, positionOf);
}

function readKeys(
  entries: ReadonlyArray<readonly [string, unknown]>,
  place: Place,
  positionOf: (path: Fault['path']) => Position,
): ParsedFile {
  const values: Layer = {};
  const places: { [N in Name]?: Position } = {};
  const problems: Problem[] = [];
  for (const [key, plain] of entries) {
    const name = NAMES.find((candidate) => SPECS[candidate].key === key);
    if (name !== undefined) places[name] = positionOf([key]);
    if (name !== undefined && plain === null) continue;
    const faults = name === undefined ? [unknownKey(key, KEYS)] : readInto(values, name, plain);
    for (const found of faults) {
      const [line, column] = positionOf([key, ...found.path]);
      problems.push(problemOf(found, key, { ...place, line, column }));
    }
  }
  return { values, places, problems };
}

/** The place of a fault, or of the nearest part around it. */
function nearestOffset(offsets: ReadonlyMap<string, number>, path: Fault['path']): number | undefined {
  for (let end = path.length; end > 0; end--) {
    const offset = offsets.get(pathKey(path.slice(0, end)));
    if (offset !== undefined) return offset;
  }
  return undefined;
}

/** `compresion:` would be another tool's block: only a note, and only when there is no `compression:`. */
function misspeltBlock(tree: Tree, place: Place, at: (offset: number) => Position): Problem[] {
  const entry = tree.root?.find((candidate) => nearest(candidate.key, [BLOCK]) !== undefined);
  if (!entry) return [];
  const [line, column] = at(entry.offset);
  const message = `${quoted(entry.key)} is ignored, did you mean ${BLOCK}?`;
  return [{ ...place, line, column, severity: 'note', message }];
}
