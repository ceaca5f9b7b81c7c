/** The words of an expansion that a view should perhaps have kept. */
import { failureOf } from '../core/failures.ts';
import { compilePatterns, matchPatterns } from '../core/match.ts';
import { hasSecretColumn, isSecretWord, namesSecret, withoutSecrets } from './secrets.ts';
import { domainWords, isRandomWord, searchedWords } from './words.ts';

/** A part of the original. */
export interface SampledText {
  /** One character a byte, so that places are offsets. */
  readonly text: string;
  readonly start: number;
}

export interface MineRequest {
  /** What was printed. */
  readonly printed: string;
  /** Parts of the original, its start first; all of it where it is small. */
  readonly sample: readonly SampledText[];
  /** `[start, end)` of what the view left out, in order; undefined where that is not known. */
  readonly gaps: ReadonlyArray<readonly [number, number]> | undefined;
  /** Keep patterns: what one of them matches is in every view. */
  readonly keepPatterns: readonly string[];
  /** The pattern of `--grep`, where it hit. */
  readonly grep?: { readonly pattern: string; readonly ignoreCase: boolean };
}

/** Words of one expansion at most. */
const MOST_WORDS = 20;

/** At most 20 words: what was searched for, then what the view left out, the rarest in the original first. */
export function mine(request: MineRequest): string[] {
  const heads = request.sample[0]?.text.split('\n', HEAD_LINES) ?? [];
  if (namesSecret(heads.join('\n')) && heads.some(hasSecretColumn)) return [];
  // Most outputs have none, and then nothing else needs to be looked at.
  if (request.grep === undefined && !request.printed.split('\n').some((line) => domainWords(line).length > 0))
    return [];
  const text = withoutSecrets(request.printed);
  const isKept = keeper(request.keepPatterns);
  const words = wordsOf(text.split('\n'), isKept).filter((word) => !isKept(word) && isSound(word));
  const counts = countIn(request, words);
  words.sort(
    (a, b) => counts.shown(a) - counts.shown(b) || counts.all(a) - counts.all(b) || (a < b ? -1 : 1),
  );
  const asked = searched(request, text).filter((word) => !isKept(word) && isSound(word));
  return onceInAnyCase([...asked, ...words]).slice(0, MOST_WORDS);
}

/** Words whose expansion is looked at: more than are kept, as the rarest of them count. */
const MOST_SEEN = 200;
const HEAD_LINES = 40;

/** The domain words of lines that neither report a failure nor match a keep pattern: the floor shows what does. */
function wordsOf(lines: readonly string[], isKept: (text: string) => boolean): string[] {
  const words = new Set<string>();
  for (const line of lines) {
    const more = domainWords(line, words);
    if (more.length === 0 || failureOf(line) > 1 || isKept(line)) continue;
    for (const word of more) words.add(word);
    if (words.size >= MOST_SEEN) break;
  }
  return [...words];
}

function isSound(word: string): boolean {
  return !isRandomWord(word) && !isSecretWord(word) && failureOf(word) === 0;
}

/** Says whether a text matches a keep pattern; one that takes too long matches all. */
function keeper(keepPatterns: readonly string[]): (text: string) => boolean {
  const { literals, regexes } = compilePatterns(keepPatterns);
  const lower = literals.map((text) => text.toLowerCase());
  return (text) => {
    const folded = text.toLowerCase();
    if (lower.some((literal) => folded.includes(literal))) return true;
    if (regexes.length === 0) return false;
    let isHit = false;
    try {
      const units = { kind: 'units', count: 1, textOf: () => text } as const;
      matchPatterns(units, { literals: [], regexes, all: () => [...regexes] }, () => {
        isHit = true;
      });
    } catch {
      return true;
    }
    return isHit;
  };
}

/** What was searched for, as far as it was printed in a line that holds no secret. */
function searched({ grep }: MineRequest, clean: string): string[] {
  if (grep === undefined) return [];
  const fold = (text: string): string => (grep.ignoreCase ? text.toLowerCase() : text);
  const text = fold(clean);
  return searchedWords(grep.pattern).filter((word) => text.includes(fold(word)));
}

function onceInAnyCase(words: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const word of words) if (!first.has(word.toLowerCase())) first.set(word.toLowerCase(), word);
  return [...first.values()];
}

interface WordCounts {
  all(word: string): number;
  /** 1 where the view shows it, else 0. */
  shown(word: string): number;
}

/** How often words are in the original, and whether they are in view. */
function countIn({ sample, gaps }: MineRequest, words: readonly string[]): WordCounts {
  const counts = new Map(words.map((word) => [word, { all: 0, isShown: gaps === undefined }]));
  for (const { text, start } of sample) {
    for (const [word, count] of counts) {
      let gap = 0;
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        if (isInWord(text, at - 1) || isInWord(text, at + word.length)) continue;
        count.all += 1;
        if (gaps === undefined || count.isShown) continue;
        while (gap < gaps.length && gaps[gap]![1] <= start + at) gap += 1;
        count.isShown = gap === gaps.length || gaps[gap]![0] > start + at;
      }
    }
  }
  const of = (word: string): { all: number; isShown: boolean } => counts.get(word)!;
  return {
    all: (word) => of(word).all,
    shown: (word) => (of(word).isShown ? 1 : 0),
  };
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[A-Za-z0-9_]/.test(text[at]!);
}
