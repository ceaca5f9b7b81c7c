import type { PoolRows } from './pool-grid.ts';

/** A pool with a larger share of all units than one of so many has no list of its own. */
const SHARE = 16;

/** Which units the rows of each pool are. Of the large pools it is told which one each unit is in. */
export class RecordRows {
  private readonly largeOf: Uint8Array;
  private readonly count: number;
  private large = 0;

  constructor(count: number) {
    this.count = count;
    this.largeOf = new Uint8Array(count);
  }

  /** The rows of a pool of so many units, which are added in order. */
  pool(rows: number): PoolRows & { add(unit: number): void } {
    return rows * SHARE > this.count ? this.largePool(rows) : new FewRows(rows);
  }

  private largePool(rows: number): PoolRows & { add(unit: number): void } {
    const { largeOf } = this;
    const pool = (this.large += 1);
    return {
      length: rows,
      add: (unit) => {
        largeOf[unit] = pool;
      },
      forEach: (visit) => {
        let row = 0;
        for (let unit = 0; unit < largeOf.length; unit += 1) if (largeOf[unit] === pool) visit(unit, row++);
      },
    };
  }
}

class FewRows implements PoolRows {
  readonly length: number;
  private readonly units: Uint32Array;
  private filled = 0;

  constructor(rows: number) {
    this.length = rows;
    this.units = new Uint32Array(rows);
  }

  add(unit: number): void {
    this.units[this.filled] = unit;
    this.filled += 1;
  }

  forEach(visit: (unit: number, row: number) => void): void {
    for (let row = 0; row < this.filled; row += 1) visit(this.units[row]!, row);
  }
}
