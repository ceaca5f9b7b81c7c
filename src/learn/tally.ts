/** What expansions add up to: how often each word was wanted, and which words are worth a suggestion. */
import { isSecretWord } from './secrets.ts';

/** One expansion, as it was recorded. */
export interface Expansion {
  readonly at: number;
  /** SHA-256 of the original, or what was asked for where there was none. */
  readonly hash: string;
  readonly hit: boolean;
  readonly bytes: number;
  /** Estimated tokens of what was printed. */
  readonly tokens: number;
  readonly tool?: string;
  readonly words?: readonly string[];
}

/** What was said of a word: it was shown as a suggestion, written into a configuration, or is not wanted. */
export interface Decision {
  readonly at: number;
  readonly word: string;
  readonly what: 'suggested' | 'applied' | 'dismissed';
  /** Who said it: of several at once the first counts. */
  readonly by: string;
}

export interface Candidate {
  readonly word: string;
  /** Expansions that printed it, and how many originals those were of. */
  readonly expansions: number;
  readonly originals: number;
  /** Originals, each worth half as much for every 30 days since it was last expanded. */
  readonly count: number;
  readonly tools: readonly string[];
  readonly lastMs: number;
  /** It was wanted in three originals. */
  readonly isSuggested: boolean;
}

/** Originals that make a suggestion. */
const ENOUGH = 3;
const HALF_LIFE_MS = 30 * 86_400_000;
const MOST_CANDIDATES = 512;
const MOST_TOOLS = 5;
/** What is worth less than half an original that was expanded a year ago is forgotten. */
const LEAST_COUNT = 1 / 4096;

interface Heap {
  word: string;
  expansions: number;
  readonly originals: Map<string, number>;
  readonly tools: Set<string>;
  lastMs: number;
}

/**
 * The candidates, the most wanted first: words in any case are one, with the writing that was seen first. Words that were
 * dismissed or applied since are left out. At most 512: of the least wanted the oldest go.
 */
export function tally(
  expansions: readonly Expansion[],
  decisions: readonly Decision[],
  nowMs: number,
): Candidate[] {
  const heaps = new Map<string, Heap>();
  const over = new Set(
    decisions.filter(({ what }) => what !== 'suggested').map(({ word }) => word.toLowerCase()),
  );
  for (const expansion of expansions) {
    for (const word of expansion.words ?? []) {
      const key = word.toLowerCase();
      if (!over.has(key) && !isSecretWord(word)) add(heaps, key, word, expansion);
    }
  }
  return [...heaps.values()]
    .map((heap) => candidateOf(heap, nowMs))
    .filter(({ count }) => count >= LEAST_COUNT)
    .sort(byCount)
    .slice(0, MOST_CANDIDATES);
}

function add(heaps: Map<string, Heap>, key: string, word: string, { at, hash, tool }: Expansion): void {
  const heap = heaps.get(key) ?? { word, expansions: 0, originals: new Map(), tools: new Set(), lastMs: at };
  heaps.set(key, heap);
  heap.expansions += 1;
  heap.originals.set(hash, Math.max(at, heap.originals.get(hash) ?? at));
  heap.lastMs = Math.max(heap.lastMs, at);
  if (tool !== undefined && heap.tools.size < MOST_TOOLS) heap.tools.add(tool);
}

function candidateOf({ word, expansions, originals, tools, lastMs }: Heap, nowMs: number): Candidate {
  let count = 0;
  for (const at of originals.values()) count += 0.5 ** Math.floor(Math.max(0, nowMs - at) / HALF_LIFE_MS);
  return {
    word,
    expansions,
    originals: originals.size,
    count,
    tools: [...tools].sort(),
    lastMs,
    isSuggested: count >= ENOUGH,
  };
}

function byCount(a: Candidate, b: Candidate): number {
  return b.count - a.count || b.lastMs - a.lastMs || (a.word < b.word ? -1 : 1);
}

/** Which of `words` are said for the first time by `by`: nobody was earlier. */
export function firstSaid(words: readonly string[], decisions: readonly Decision[], by: string): string[] {
  const first = new Map<string, string>();
  for (const decision of decisions) {
    const key = decision.word.toLowerCase();
    if (!first.has(key)) first.set(key, decision.by);
  }
  return words.filter((word) => first.get(word.toLowerCase()) === by);
}
