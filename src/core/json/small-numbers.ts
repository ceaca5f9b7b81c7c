/**
 * Numbers by their index, nearly all of which are small: each has a byte or two, the few others are beside them, or in an array of
 * their own once they are many. Nothing is written where a number is 0: pages that were never written to take no memory.
 */
export class SmallNumbers {
  private readonly small: Uint8Array | Uint16Array;
  /** Stands for a number that is not small. */
  private readonly mark: number;
  private large: Map<number, number> | Uint32Array = new Map();

  constructor(count: number, bytes: 1 | 2) {
    this.small = bytes === 1 ? new Uint8Array(count) : new Uint16Array(count);
    this.mark = 256 ** bytes - 1;
  }

  get(index: number): number {
    const small = this.small[index]!;
    if (small !== this.mark) return small;
    return this.large instanceof Map ? this.large.get(index)! : this.large[index]!;
  }

  set(index: number, value: number): void {
    const small = Math.min(value, this.mark);
    if (small !== this.small[index]) this.small[index] = small;
    if (small !== this.mark) return;
    if (!(this.large instanceof Map)) this.large[index] = value;
    else if (this.large.set(index, value).size > MOST + this.small.length / SHARE) this.large = this.spread();
  }

  private spread(): Uint32Array {
    const all = new Uint32Array(this.small.length);
    for (const [index, value] of this.large as Map<number, number>) all[index] = value;
    return all;
  }
}

/** An entry of a map takes some ten times what one of an array does. */
const SHARE = 16;
const MOST = 1024;
