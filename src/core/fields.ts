import { kernel, memoryFloats, memoryWords } from './kernel.ts';

/**
 * What is known of the values of one field: a number of a log template, a column of a table, a path in records.
 *
 * Everything is gathered in one pass and bounded: the largest and the smallest values with their units, a sample for
 * the median, and the distinct values as long as there are few. The kernel does it (src/kernel/fields.ts).
 */

/** Most distinct values of a categorical field; design §5. */
export const MOST_CATEGORIES = 40;

export interface Category {
  readonly count: number;
  /** Units with this value: both ends of each run of it. */
  readonly places: readonly number[];
}

interface Extreme {
  readonly value: number;
  readonly unit: number;
}

/** Members of the kernel's records, by their offset in 32-bit words. */
const COUNT = 2;
const MEASURE = 3;
const IS_WIDE = 4;
const CATEGORY_COUNT = 5;
const CATEGORIES = 6;
const HIGH_COUNT = 7;
const LOW_COUNT = 8;
const SAMPLE_COUNT = 9;
const SAMPLE = 10;
const HIGHEST = 11;
const LOWEST = 12;
/** Of a category. */
const CATEGORY_WORDS = 6;
const CATEGORY_UNITS = 2;
const PLACE_COUNT = 3;
const CATEGORY_PLACES = 4;

/** Holds until the next input begins. */
export class Field {
  private readonly at: number;

  /** `at` is where the kernel has made it already. */
  constructor(most: number = MOST_CATEGORIES, at: number = kernel().newField(most)) {
    this.at = at;
  }

  get count(): number {
    return this.member(COUNT);
  }

  /** Some value had a decimal or a unit of measure. */
  get measure(): boolean {
    return this.member(MEASURE) !== 0;
  }

  set measure(value: boolean) {
    memoryWords()[(this.at >> 2) + MEASURE] = value ? 1 : 0;
  }

  /** A number at `unit`; units come in ascending order. */
  number(value: number, unit: number): void {
    kernel().addNumber(this.at, value, unit);
  }

  /** A word, by its id, at `unit`. */
  word(id: number, unit: number): void {
    kernel().addWord(this.at, id, unit);
  }

  /** The same word at `size` units, from `first` to `last`. */
  run(id: number, first: number, last: number, size: number): void {
    kernel().addRun(this.at, id, first, last, size);
  }

  /** Closes the run that is open, so that `places` are complete. */
  finish(): void {
    kernel().finishField(this.at);
  }

  /** How many values there are; undefined when there were too many. */
  get distinct(): number | undefined {
    return this.member(IS_WIDE) !== 0 ? undefined : this.member(CATEGORY_COUNT);
  }

  /** How many units have the commonest of its values. */
  get commonest(): number {
    const words = memoryWords();
    const first = this.member(CATEGORIES) >> 2;
    let most = 0;
    for (let at = first + CATEGORY_UNITS; at < first + this.categoryWords; at += CATEGORY_WORDS) {
      if (words[at]! > most) most = words[at]!;
    }
    return most;
  }

  /** The values that at most `most` units have. */
  rare(most: number): Category[] {
    const words = memoryWords();
    const rare: Category[] = [];
    const first = this.member(CATEGORIES) >> 2;
    for (let at = first; at < first + this.categoryWords; at += CATEGORY_WORDS) {
      const count = words[at + CATEGORY_UNITS]!;
      if (count > most) continue;
      const places = words[at + CATEGORY_PLACES]! >> 2;
      rare.push({ count, places: Array.from(words.subarray(places, places + words[at + PLACE_COUNT]!)) });
    }
    return rare;
  }

  /** Largest first, at most `most` of them. */
  highest(most = Infinity): Extreme[] {
    return this.extremes(HIGHEST, HIGH_COUNT, most);
  }

  lowest(most = Infinity): Extreme[] {
    return this.extremes(LOWEST, LOW_COUNT, most);
  }

  /** Sorted sample of the numbers. */
  sorted(): Float64Array {
    const from = this.member(SAMPLE) >> 3;
    return memoryFloats()
      .slice(from, from + this.member(SAMPLE_COUNT))
      .sort();
  }

  private extremes(list: number, count: number, most: number): Extreme[] {
    const floats = memoryFloats();
    const from = this.member(list) >> 3;
    const extremes: Extreme[] = [];
    for (let i = 0; i < Math.min(most, this.member(count)); i += 1) {
      extremes.push({ value: floats[from + 2 * i]!, unit: floats[from + 2 * i + 1]! });
    }
    return extremes;
  }

  private get categoryWords(): number {
    return (this.distinct ?? 0) * CATEGORY_WORDS;
  }

  private member(offset: number): number {
    return memoryWords()[(this.at >> 2) + offset]!;
  }
}
