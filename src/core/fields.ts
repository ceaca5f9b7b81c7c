/**
 * What is known of the values of one field: a number of a log template, a column of a table, a path in records.
 *
 * Everything is gathered in one pass and bounded: the largest and the smallest values with their units, a sample for
 * the median, and the distinct values as long as there are few.
 */

/** Most distinct values of a categorical field; design §5. */
export const MOST_CATEGORIES = 40;
/** Units remembered for one value. */
const MOST_PLACES = 64;
/** Values kept for the median; every second one goes when it is full. */
const SAMPLE = 256;

export interface Category {
  count: number;
  /** Units with this value: both ends of each run of it. */
  readonly places: number[];
}

export class Field {
  count = 0;
  /** Some value had a decimal or a unit of measure. */
  measure = false;
  /** Values by number (or by the id of a word); undefined when there were too many. */
  categories: Map<number, Category> | undefined = new Map();
  /** Largest first. */
  readonly highest: Array<{ value: number; unit: number }> = [];
  readonly lowest: Array<{ value: number; unit: number }> = [];
  private readonly most: number;
  private sample: number[] = [];
  private stride = 1;
  private last = NaN;
  private lastUnit = -1;
  private lastCategory: Category | undefined;

  constructor(most: number = MOST_CATEGORIES) {
    this.most = most;
  }

  /** A number at `unit`; units come in ascending order. */
  number(value: number, unit: number): void {
    this.category(value, unit);
    if (this.count % this.stride === 0) this.remember(value);
    const { highest, lowest } = this;
    if (highest.length < 4 || value > highest[3]!.value) insert(highest, value, unit, 4, 1);
    if (lowest.length < 2 || value < lowest[1]!.value) insert(lowest, value, unit, 2, -1);
    this.count += 1;
  }

  /** A word, by its id, at `unit`. */
  word(id: number, unit: number): void {
    this.category(id, unit);
    this.count += 1;
  }

  /** Sorted sample of the numbers. */
  sorted(): number[] {
    return this.sample.toSorted((a, b) => a - b);
  }

  /** Closes the run that is open, so that `places` are complete. */
  finish(): void {
    const category = this.lastCategory;
    if (category && category.places.at(-1) !== this.lastUnit && category.places.length < MOST_PLACES) {
      category.places.push(this.lastUnit);
    }
    this.lastCategory = undefined;
  }

  private category(value: number, unit: number): void {
    const { categories } = this;
    if (categories === undefined) return;
    if (value === this.last && this.lastCategory !== undefined) {
      this.lastCategory.count += 1;
      this.lastUnit = unit;
      return;
    }
    this.finish();
    let category = categories.get(value);
    if (category === undefined) {
      if (categories.size >= this.most) {
        this.categories = undefined;
        return;
      }
      category = { count: 0, places: [] };
      categories.set(value, category);
    }
    category.count += 1;
    if (category.places.length < MOST_PLACES) category.places.push(unit);
    this.last = value;
    this.lastUnit = unit;
    this.lastCategory = category;
  }

  private remember(value: number): void {
    if (this.sample.length >= SAMPLE) {
      this.sample = this.sample.filter((_, i) => i % 2 === 0);
      this.stride *= 2;
      if (this.count % this.stride !== 0) return;
    }
    this.sample.push(value);
  }
}

function insert(
  list: Array<{ value: number; unit: number }>,
  value: number,
  unit: number,
  most: number,
  sign: 1 | -1,
): void {
  let at = list.length;
  while (at > 0 && sign * (value - list[at - 1]!.value) > 0) at -= 1;
  list.splice(at, 0, { value, unit });
  if (list.length > most) list.pop();
}
