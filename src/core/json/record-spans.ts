import type { UnitSpans } from './body.ts';
import { SmallNumbers } from './small-numbers.ts';

/** Where the units of records in windows are, and which are in which: some 9 bytes a unit. */
export class RecordSpans implements UnitSpans {
  readonly count: number;
  private readonly list: number;
  private readonly starts: Uint32Array;
  private readonly sizes: SmallNumbers;
  /** By how much its parent comes before a unit; 0 of records and of the root. */
  private readonly under: SmallNumbers;
  /** How many units are inside of each. */
  private readonly inside: SmallNumbers;
  /** 1: something else than a comma is between it and the unit before it, or it is the first one. */
  private readonly isApart: Uint8Array;

  /** The records are in the unit `list`. */
  constructor(count: number, list: number) {
    this.count = count;
    this.list = list;
    this.under = new SmallNumbers(count, 1);
    this.starts = new Uint32Array(count);
    this.sizes = new SmallNumbers(count, 2);
    this.inside = new SmallNumbers(count, 1);
    this.isApart = new Uint8Array(count);
  }

  readonly startOf = (unit: number): number => this.starts[unit]!;

  readonly endOf = (unit: number): number => this.starts[unit]! + this.sizes.get(unit);

  readonly afterOf = (unit: number): number => unit + 1 + this.inside.get(unit);

  /** The one before it ends with the unit before, and has the same parent. */
  readonly beforeOf = (unit: number): number => {
    if (this.isApart[unit] === 1) return -1;
    const parent = this.parentOf(unit);
    for (let before = unit - 1; ;) {
      const above = this.parentOf(before);
      if (above === parent) return before;
      before = above;
    }
  };

  readonly parentOf = (unit: number): number => {
    const under = this.under.get(unit);
    return under > 0 ? unit - under : unit === 0 ? -1 : this.list;
  };

  setPlace(unit: number, start: number, end: number): void {
    this.starts[unit] = start;
    this.sizes.set(unit, end - start);
  }

  /** What is 0 is not written: pages of an array that were never written to take no memory. */
  setTree(unit: number, parent: number, inside: number, isApart: boolean): void {
    if (parent >= 0 && parent !== this.list) this.under.set(unit, unit - parent);
    this.inside.set(unit, inside);
    if (isApart) this.isApart[unit] = 1;
  }

  /** Units that were taken for the first in their parents come behind others. */
  join(unit: number): void {
    this.isApart[unit] = 0;
  }

  /** So many more units are inside of this one, and of what it is in. */
  addInside(unit: number, more: number): void {
    for (let at = unit; at >= 0; at = this.parentOf(at)) this.inside.set(at, this.inside.get(at) + more);
  }
}
