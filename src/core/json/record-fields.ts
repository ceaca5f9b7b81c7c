import type { PoolField } from './pool-grid.ts';
import type { Pools } from './pools.ts';

const MOST_POOLS = 512;

/** What is known of a pool before its rows are read. */
export interface PoolPlan {
  rows: number;
  /** The first node is the place of the name in `names`. */
  readonly fields: Map<number, PoolField>;
}

/** The pools of records in windows, with their fields. */
export class RecordFields {
  /** By path, in the order of their first units. */
  readonly byPath = new Map<number, PoolPlan>();
  readonly names: string[] = [];

  /** Adds those of a window that are to be taken; false where there are too many, or one has units of several parts. */
  add(
    pools: Pools,
    pathOf: (unit: number) => number,
    partOf: (unit: number) => number,
    takes: (unit: number) => boolean,
  ): boolean {
    for (let pool = 0; pool < pools.count; pool += 1) {
      const members = pools.unitsOf(pool);
      const [first, last] = [members[0]!, members.at(-1)!];
      if (partOf(first) !== partOf(last)) return false;
      if (!takes(first)) continue;
      const path = pathOf(first);
      let plan = this.byPath.get(path);
      if (plan === undefined) this.byPath.set(path, (plan = { rows: 0, fields: new Map() }));
      plan.rows += members.length;
      for (const field of pools.fieldsOf(pool)) this.addField(plan, field, pools);
    }
    return this.byPath.size <= MOST_POOLS;
  }

  private addField({ fields }: PoolPlan, field: PoolField, pools: Pools): void {
    const known = fields.get(field.path);
    if (known !== undefined) {
      fields.set(field.path, { ...known, times: known.times + field.times });
      return;
    }
    fields.set(field.path, { ...field, node: this.names.length });
    this.names.push(pools.nameOf(field.node));
  }
}
