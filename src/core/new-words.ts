import { memoryWords } from './kernel.ts';
import type { Outline } from './outline.ts';
import { NUMBERS } from './policy.ts';
import type { Words } from './shapes.ts';

/** A common template in which so many words are rare is taken for one with a parameter, which any word may be. */
const PARAMETER = 8;

/** What is known of the rare words of a log, whatever is shown of it. */
interface RareWords {
  readonly count: number;
  /** Numbers of the rare words of each kind of line. */
  readonly of: ReadonlyArray<readonly number[]>;
  /** What a word is worth in each coarse template, from 0 to 1. */
  readonly worths: Float64Array;
}

/** How many lines each kind and each coarse template has. */
interface Counts {
  readonly exact: Uint32Array;
  readonly coarse: Uint32Array;
}

const found = new WeakMap<Outline, RareWords>();

/**
 * The rare words of a log, and which of them a view shows. A line that is new for nothing but its combination of words that are
 * known is hardly news; one with a word that few lines have is. Only words count that at most `NUMBERS.rareUnits` lines have.
 */
export class NewWords {
  private readonly rare: RareWords;
  private readonly shown: Uint8Array;

  private constructor(rare: RareWords) {
    this.rare = rare;
    this.shown = new Uint8Array(rare.count);
  }

  /** Those of an outline, none of them shown; undefined where its units are no lines of a log. */
  static of(outline: Outline, counts: Counts): NewWords | undefined {
    const { words, coarse } = outline;
    if (words === undefined) return undefined;
    let rare = found.get(outline);
    if (rare === undefined) found.set(outline, (rare = rareWords(words, coarse, counts)));
    return new NewWords(rare);
  }

  /** A line of this kind is in the view. */
  show(kind: number): void {
    this.rare.of[kind]?.forEach((id) => (this.shown[id] = 1));
  }

  /** What the rare words of a kind are worth that the view does not show yet, from 0 to 1; 0 where there are none. */
  worth(kind: number, coarse: number): number {
    const isNews = this.rare.of[kind]?.some((id) => this.shown[id] === 0) === true;
    return isNews ? this.rare.worths[coarse]! : 0;
  }
}

function rareWords(kinds: readonly Words[], coarse: Uint32Array, counts: Counts): RareWords {
  const lines = linesOf(kinds, counts.exact);
  const words = memoryWords();
  const ids = new Map<number, number>();
  // Loops by number: iterators of so many words are garbage enough for a collection.
  const of = kinds.map(({ at, count }): number[] => {
    const rare: number[] = [];
    for (let i = at; i < at + count; i += 1) {
      const word = words[i]!;
      if (lines.get(word)! > NUMBERS.rareUnits) continue;
      let id = ids.get(word);
      if (id === undefined) ids.set(word, (id = ids.size));
      rare.push(id);
    }
    return rare;
  });
  const sizes = new Uint32Array(counts.coarse.length);
  const pairs = new Set<number>();
  of.forEach((rare, kind) => {
    const template = coarse[kind]!;
    for (const id of rare) {
      const pair = template * ids.size + id;
      if (pairs.has(pair)) continue;
      pairs.add(pair);
      sizes[template]! += 1;
    }
  });
  const worths = Float64Array.from(sizes, (size, template) =>
    counts.coarse[template]! <= NUMBERS.rareUnits ? 1 : 1 / (1 + size / PARAMETER),
  );
  return { count: ids.size, of, worths };
}

/** How many lines have each word. */
function linesOf(kinds: readonly Words[], exact: Uint32Array): Map<number, number> {
  const lines = new Map<number, number>();
  const words = memoryWords();
  for (let kind = 0; kind < kinds.length; kind += 1) {
    const { at, count } = kinds[kind]!;
    for (let i = at; i < at + count; i += 1) {
      if (words.indexOf(words[i]!, at) === i)
        lines.set(words[i]!, (lines.get(words[i]!) ?? 0) + exact[kind]!);
    }
  }
  return lines;
}
