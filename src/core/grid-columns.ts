import { Exceptions } from './exceptions.ts';
import { Field, MOST_CATEGORIES } from './fields.ts';
import { kernel, memoryWords } from './kernel.ts';
import { rowBytes, Values } from './values.ts';

/** What the kernel has gathered of a column (src/kernel/grid.ts). */
export interface Column {
  readonly name: string;
  readonly values: Values;
  /** Long text and names with their ids masked. */
  readonly templates: () => Values;
  readonly numbers: Field;
  /** Of `n/m` a row: 0 where n < m, 1 where they are equal, 2 where n > m. */
  readonly orders: (into?: Uint8Array) => Uint8Array;
  /** The values of each key of `key=value` pairs. */
  readonly labels: readonly Values[];
  /** Cells without a value, cells of text, and counts that are not those of the column before. */
  readonly blanks: Exceptions;
  readonly words: Exceptions;
  readonly unequal: Exceptions;
  readonly filled: number;
  readonly numeric: number;
  readonly ratios: number;
  readonly durations: number;
  /** Cells that are dates, and the row of the first of them. */
  readonly dates: Field | undefined;
  readonly dateRow: number;
  /** Where the kernel has the ids that come twice (twins.ts). */
  readonly twins: number;
  /** Names with letters beyond ASCII. */
  readonly foreign: Exceptions;
}

/** Members of the kernel's record, in their order. */
const MEMBERS = 17;
const LABEL_WORDS = 4;

export function readColumn(grid: number, c: number, name: string, rows: number): Column {
  const at = kernel().columnAt(grid, c) >> 2;
  const [values, , numbers, orders, labels, labelCount, blanks, words, unequal, ...counts] =
    memoryWords().slice(at, at + MEMBERS) as unknown as number[];
  const [filled, numeric, ratios, durations, dates, dateRow, twins, foreign] = counts;
  return {
    name,
    values: new Values(values!),
    templates: () => new Values(kernel().templatesOf(at << 2)),
    numbers: new Field(MOST_CATEGORIES, numbers!),
    orders: (into) => rowBytes(orders!, rows, into),
    labels: Array.from(
      { length: labelCount! },
      (_, n) => new Values(memoryWords()[(labels! >> 2) + n * LABEL_WORDS + 2]!),
    ),
    blanks: new Exceptions(blanks!),
    words: new Exceptions(words!),
    unequal: new Exceptions(unequal!),
    filled: filled!,
    numeric: numeric!,
    ratios: ratios!,
    durations: durations!,
    dates: dates === 0 ? undefined : new Field(MOST_CATEGORIES, dates!),
    dateRow: dateRow!,
    twins: twins!,
    foreign: new Exceptions(foreign!),
  };
}
