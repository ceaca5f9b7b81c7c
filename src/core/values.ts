import { latin1 } from './chars.ts';
import { Field, MOST_CATEGORIES } from './fields.ts';
import { kernel, memory, memoryWords } from './kernel.ts';

/** The id of no value, and of one beyond those that are told apart. */
export const NO_VALUE = 255;

/** Members of the kernel's record, by their offset in 32-bit words. */
const TEXTS = 0;
const COUNT = 1;
const IS_MANY = 2;
const FIELD = 3;
const IDS = 4;

/** Distinct values of a column with their ids a row, given up beyond 40; the kernel gathers them (src/kernel/values.ts). */
export class Values {
  private readonly at: number;
  private known: readonly string[] | undefined;

  constructor(at: number) {
    this.at = at;
  }

  /** Were there few values? */
  get few(): boolean {
    return this.member(IS_MANY) === 0;
  }

  /** One character a byte, the first 200. */
  get texts(): readonly string[] {
    this.known ??= Array.from({ length: this.member(COUNT) }, (_, id) => {
      const text = (this.member(TEXTS) >> 2) + 2 * id;
      const from = memoryWords()[text]!;
      return latin1(memory(), from, from + memoryWords()[text + 1]!);
    });
    return this.known;
  }

  get field(): Field {
    kernel().flushValues(this.at);
    return new Field(MOST_CATEGORIES, this.member(FIELD));
  }

  /** The ids of `rows` rows; undefined where there were too many values. They are written to `into`. */
  ids(rows: number, into?: Uint8Array): Uint8Array | undefined {
    return this.few ? rowBytes(this.member(IDS), rows, into) : undefined;
  }

  private member(offset: number): number {
    return memoryWords()[(this.at >> 2) + offset]!;
  }
}

/** The bytes of `rows` rows that the kernel has at `at`; those that nothing was set for are `NO_VALUE`. They are written to `bytes`. */
export function rowBytes(at: number, rows: number, bytes: Uint8Array = new Uint8Array(rows)): Uint8Array {
  kernel().bytesUntil(at, rows);
  const blocks = memoryWords()[at >> 2]! >> 2;
  for (let row = 0; row < rows; row += BLOCK) {
    const from = memoryWords()[blocks + row / BLOCK]!;
    bytes.set(memory().subarray(from, from + Math.min(BLOCK, rows - row)), row);
  }
  return bytes;
}

/** Rows of a block of the kernel. */
const BLOCK = 1 << 16;
