import { latin1 } from './chars.ts';
import { Field, MOST_CATEGORIES } from './fields.ts';

/** The id of no value, and of one beyond those that are told apart. */
export const NO_VALUE = 255;

/** A byte a row; rows that nothing was set for hold `NO_VALUE`. */
export class ByteColumn {
  private bytes = new Uint8Array(256).fill(NO_VALUE);
  private readonly most: number;

  /** `most` is how many rows may come. */
  constructor(most: number) {
    this.most = most;
  }

  set(row: number, value: number): void {
    if (row >= this.bytes.length) {
      const larger = new Uint8Array(Math.max(row + 1, Math.min(this.most, row * 2))).fill(NO_VALUE);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[row] = value;
  }

  /** The bytes of `rows` rows. */
  of(rows: number): Uint8Array {
    if (rows > this.bytes.length) this.set(rows - 1, NO_VALUE);
    return this.bytes.subarray(0, rows);
  }
}

/** Distinct values of a column with their ids a row; given up beyond 40. */
export class Values {
  readonly texts: string[] = [];
  private readonly own = new Field(MOST_CATEGORIES);
  /** The run of one value that has not come to the field yet. */
  private runFirst = 0;
  private runLast = 0;
  private runSize = 0;
  private isFew = true;
  private rows: ByteColumn | undefined;
  private readonly known = new Map<number, number>();
  private lastHash = NaN;
  private lastId = 0;

  /** `most` is how many rows may come; with 0 the ids of rows are not kept. */
  constructor(most: number) {
    this.rows = most === 0 ? undefined : new ByteColumn(most);
  }

  /** Were there few values? */
  get few(): boolean {
    return this.isFew;
  }

  get field(): Field {
    this.flush();
    return this.own;
  }

  private flush(): void {
    if (this.runSize > 0) this.own.run(this.lastId, this.runFirst, this.runLast, this.runSize);
    this.runSize = 0;
  }

  ids(rows: number): Uint8Array | undefined {
    return this.rows?.of(rows);
  }

  /** The cell `[from, to)`; `hash` tells which cells are equal. */
  // oxlint-disable-next-line max-params -- a row of the inner loop
  add(row: number, hash: number, b: Uint8Array, from: number, to: number): void {
    if (!this.isFew) return;
    if (hash !== this.lastHash) {
      const id = this.known.get(hash) ?? this.learn(hash, b, from, to);
      if (id === NO_VALUE) return;
      this.flush();
      this.lastHash = hash;
      this.lastId = id;
      this.runFirst = row;
    }
    this.rows?.set(row, this.lastId);
    this.runLast = row;
    this.runSize += 1;
  }

  private learn(hash: number, b: Uint8Array, from: number, to: number): number {
    const id = this.texts.length;
    if (id >= MOST_CATEGORIES) {
      this.isFew = false;
      this.rows = undefined;
      return NO_VALUE;
    }
    this.known.set(hash, id);
    this.texts.push(latin1(b, from, Math.min(to, from + 200)));
    return id;
  }
}
