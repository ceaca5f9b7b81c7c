import { latin1Bytes } from './native.ts';
import type { Script } from 'node:vm';
import { isUtf8 } from 'node:buffer';
import { kernel, LINES, memoryWords, outAt, place } from './kernel.ts';
import { textChunks, type LineIndex } from './line-index.ts';
import type { Places } from './long-lines.ts';
import { NUMBERS } from './policy.ts';

/** A pattern that took too long; the input is then passed through, so that nothing it asks for is lost. */
export class SlowPattern extends Error {
  override readonly name = 'SlowPattern';
}

/** Milliseconds that the patterns of one call may take for a chunk of about 1 MiB. */
const CHUNK_MS = 1000;

/** What patterns look for. */
export interface Patterns {
  /** Plain ASCII, in any case: the kernel finds them. */
  readonly literals: readonly string[];
  readonly regexes: readonly RegExp[];
  /** All of them as regexes. */
  all(): RegExp[];
}

/** Literals match in any case; `/regex/flags` as it says. */
export function compilePatterns(patterns: readonly string[]): Patterns {
  const literals: string[] = [];
  const others: string[] = [];
  const regexes: RegExp[] = [];
  for (const pattern of patterns) {
    const form = /^\/(.+)\/([a-z]*)$/s.exec(pattern);
    if (form !== null) regexes.push(new RegExp(form[1]!, form[2]!.replace(/[gy]/g, '')));
    else if (/^[ -~]+$/.test(pattern)) literals.push(pattern);
    else others.push(pattern);
  }
  if (others.length > 0) regexes.unshift(literalRegex(others));
  return {
    literals,
    regexes,
    all: () => (literals.length > 0 ? [literalRegex(literals), ...regexes] : regexes),
  };
}

function literalRegex(literals: readonly string[]): RegExp {
  return new RegExp(literals.map((text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'i');
}

/** Calls `found` for each line or unit that holds one of the patterns; it may do so twice. Throws `SlowPattern`. */
export function matchPatterns(searched: Searched, patterns: Patterns, found: (place: number) => void): void {
  const isPlaced =
    searched.kind === 'lines' && patterns.literals.length > 0 && placeLiterals(patterns.literals);
  if (isPlaced) matchLiterals(searched.index, found);
  matchAll(searched, isPlaced ? patterns.regexes : patterns.all(), found);
}

/** False where they are too many for the kernel. */
function placeLiterals(literals: readonly string[]): boolean {
  const text = latin1Bytes(literals.join('\n'));
  return kernel().useLiterals(place(text, 'line'), text.length) !== 0;
}

function matchLiterals(index: LineIndex, found: (line: number) => void): void {
  const { literalChunk, literalLines } = kernel();
  for (const { text } of textChunks(index.source)) {
    literalChunk(place(text), text.length);
    for (let count = LINES; count === LINES;) {
      const out = outAt();
      count = literalLines(out, LINES);
      for (const line of memoryWords().slice(out >> 2, (out >> 2) + count)) found(line);
    }
  }
}

/** Texts that are matched together, under one time limit; the first of them has the number `first`. */
interface Batch {
  readonly first: number;
  readonly texts: readonly string[];
}

/** The lines of an index, without their line ends. */
function* lineBatches(index: LineIndex): Generator<Batch> {
  let first = 0;
  for (const { text } of textChunks(index.source)) {
    const texts = Buffer.from(text.buffer, text.byteOffset, text.length)
      .toString(isUtf8(text) ? 'utf8' : 'latin1')
      .split('\n')
      .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    if (texts.at(-1) === '' && texts.length > 1) texts.pop();
    yield { first, texts };
    first += texts.length;
  }
}

/** The units of a tree, each without the units inside of it. */
function* unitBatches(count: number, textOf: (unit: number) => string): Generator<Batch> {
  let first = 0;
  let texts: string[] = [];
  let size = 0;
  for (let unit = 0; unit < count; unit += 1) {
    const text = textOf(unit);
    texts.push(text);
    size += text.length;
    if (size < BATCH && unit + 1 < count) continue;
    yield { first, texts };
    first = unit + 1;
    texts = [];
    size = 0;
  }
}

const BATCH = 1 << 20;

/** Where keep patterns and queries look: the lines of a text, or the units of a tree. */
export type Searched =
  | { readonly kind: 'lines'; readonly index: LineIndex }
  | { readonly kind: 'units'; readonly count: number; readonly textOf: (unit: number) => string };

/** Calls `found` for each line or unit that one of the regexes matches. Throws `SlowPattern`. */
function matchAll(searched: Searched, regexes: readonly RegExp[], found: (place: number) => void): void {
  if (regexes.length === 0) return;
  const batches =
    searched.kind === 'lines' ? lineBatches(searched.index) : unitBatches(searched.count, searched.textOf);
  for (const { first, texts } of batches) {
    const hits = withinTime(() => {
      const list: number[] = [];
      texts.forEach((text, i) => {
        if (regexes.some((regex) => regex.test(text))) list.push(i);
      });
      return list;
    });
    for (const hit of hits) found(first + hit);
  }
}

const slot = Symbol.for('ctxzip.within-time');
let script: Script | undefined;

/** Runs a regex scan under a time limit: V8 can be stopped in the middle of a match only from a script. */
function withinTime<T>(work: () => T): T {
  const world = globalThis as { [slot]?: () => void };
  let result: { value: T } | undefined;
  world[slot] = () => {
    result = { value: work() };
  };
  const { Script } = process.getBuiltinModule('node:vm');
  script ??= new Script(`globalThis[Symbol.for('ctxzip.within-time')]()`);
  try {
    script.runInThisContext({ timeout: CHUNK_MS });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new SlowPattern(`a keep pattern took over ${CHUNK_MS} ms`);
    }
    throw error;
  } finally {
    delete world[slot];
  }
  return result!.value;
}

/** Places of the matches of `regexes` in a long line. */
export function placesOf(regexes: readonly RegExp[]): Places {
  return (line, limit) => {
    const places: number[] = [];
    for (const regex of regexes) {
      const global = new RegExp(regex.source, `${regex.flags}g`);
      for (let hit = global.exec(line); hit !== null && places.length < limit; hit = global.exec(line)) {
        if (hit[0] === '') global.lastIndex += 1;
        const last = places.at(-1);
        if (last === undefined || hit.index - last > 200) places.push(hit.index);
      }
    }
    return places;
  };
}

/** Words that a question holds beside what it asks for. */
const STOP_WORDS = `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few find for from further get give got had has have having he her here his how
  i if in into is it its just let list look me more most my no nor not now of off on once one only or other our out over
  own please same see she should show so some such tell than that the their them then there these they this those through
  to too under until up use very want was we were what when where which while who why will with would you your`;

/** The terms of a query: words, keys and paths, without stop words. */
export function queryTerms(query: string): string[] {
  const words =
    query.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./:@-]*[\p{L}\p{N}_]|[\p{L}\p{N}_]/gu) ?? [];
  const stop = new Set(STOP_WORDS.split(/\s+/));
  const terms = words.filter((word) => !stop.has(word) && (word.length > 1 || /\d/.test(word)));
  return [...new Set(terms)].slice(0, 32);
}

/** A term as a regex that matches whole words, any case. */
export function termRegex(term: string): RegExp {
  const literal = term.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'iu');
}

/** Lines or units that answer a query, the rarest terms first: at most the larger of 50 and 10 %. */
export function anchorsIn(searched: Searched, query: string): number[] {
  const count = searched.kind === 'lines' ? searched.index.count : searched.count;
  const byTerm = queryTerms(query).map((term) => {
    const places: number[] = [];
    matchAll(searched, [termRegex(term)], (found) => places.push(found));
    return places;
  });
  const most = Math.max(NUMBERS.anchorUnits, Math.floor(count * NUMBERS.anchorShare));
  const chosen = new Set<number>();
  for (const places of byTerm.sort((a, b) => a.length - b.length)) {
    if (places.length * 2 > count && count > 20) continue;
    for (const found of places.slice(0, most - chosen.size)) chosen.add(found);
  }
  return [...chosen].sort((a, b) => a - b);
}
