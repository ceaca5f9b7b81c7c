import { kernel, memory, memoryWords, place, scoped } from '../kernel.ts';
import { type PoolFacts, PoolResults, type PoolField, PoolGrid } from './pool-grid.ts';
import type { Tape } from './tape.ts';
import type { JsonUnits } from './units.ts';
import { Verdicts } from './verdicts.ts';

/** What the kernel is told of a path that is no column. */
const NO_COLUMN = -1;

/** Members of the kernel's record (src/kernel/pools.ts), by their offset in 32-bit words. */
const MEMBER = {
  count: 3,
  firsts: 4,
  members: 5,
  severity: 6,
  failureKeys: 7,
  rules: 8,
  columns: 9,
  filled: 10,
  fields: 11,
  sparse: 14,
  sparseCount: 15,
} as const;

/** Gathers the units into pools, compares them field by field, and judges what they say. */
export function poolsOf(tape: Tape, units: JsonUnits): PoolFacts {
  return scoped(() => {
    const pools = new Pools(tape, units);
    const results = new PoolResults(units.count);
    for (let pool = 0; pool < pools.count; pool += 1) {
      scoped(() => {
        const members = pools.unitsOf(pool);
        const grid = new PoolGrid(pools.fieldsOf(pool), members.length, (node) => pools.nameOf(node));
        pools.read(grid);
        results.take(members, grid);
      });
    }
    return { ...results.facts(), severity: pools.severity(), failureKeys: pools.failureKeys() };
  });
}

/** The units of a tape by their paths, in the kernel's memory. */
export class Pools {
  readonly count: number;
  private readonly tape: Tape;
  private readonly units: JsonUnits;
  private readonly verdicts: Verdicts;
  private readonly at: number;

  constructor(tape: Tape, units: JsonUnits) {
    const placed = place(tape.bytes);
    this.tape = tape;
    this.units = units;
    this.at = kernel().newPools(units.at, placed, tape.quote) >> 2;
    this.count = this.member('count');
    this.verdicts = new Verdicts(tape, units, placed, this.member('rules'));
  }

  /** The units of a pool. */
  unitsOf(pool: number): Uint32Array {
    const [first, last] = this.words('firsts', pool, pool + 2);
    return this.words('members', first!, last!);
  }

  /** The fields that the units of a pool have, in the order in which they come; what is read next is this pool. */
  fieldsOf(pool: number): PoolField[] {
    const count = kernel().poolFields(pool);
    const filled = this.member('filled') >> 2;
    return Array.from(this.words('fields', 0, count), (node) => {
      const path = this.units.pathOf(node);
      const times = memoryWords()[filled + path]!;
      memoryWords()[filled + path] = 0;
      return { path, node, times, depth: this.depthOf(node) };
    });
  }

  /** Reads the rows of the pool whose fields were asked for last into its grid. */
  read(grid: PoolGrid): void {
    const { poolStart, poolRows, poolVerdict } = kernel();
    for (const [path, column] of grid.columns) this.setColumn(path, column);
    poolStart(grid.at, grid.structures);
    for (let node = poolRows(); node >= 0; node = poolRows()) poolVerdict(this.verdicts.of(node));
    grid.addSparse(this.words('sparse', 0, this.member('sparseCount')));
    for (const path of grid.columns.keys()) this.setColumn(path, NO_COLUMN);
  }

  /** Of each unit. */
  severity(): Uint8Array {
    const at = this.member('severity');
    return memory().slice(at, at + this.units.count);
  }

  failureKeys(): Uint32Array {
    return this.words('failureKeys', 0, this.units.count);
  }

  /** The key of a value; of an element that of the list it is in. */
  nameOf(node: number): string {
    const { keyHash, parent } = this.tape;
    for (let n = node; n >= 0; n = parent[n]!) if (keyHash[n] !== 0) return this.tape.keyOf(n);
    return '';
  }

  private depthOf(node: number): number {
    const { parent } = this.tape;
    let depth = 0;
    for (let n = node; n >= 0; n = parent[n]!) depth += 1;
    return depth;
  }

  private setColumn(path: number, column: number): void {
    memoryWords()[(this.member('columns') >> 2) + path] = column;
  }

  private member(name: keyof typeof MEMBER): number {
    return memoryWords()[this.at + MEMBER[name]]!;
  }

  /** A copy of some words of a column. */
  private words(name: keyof typeof MEMBER, from: number, to: number): Uint32Array {
    const at = this.member(name) >> 2;
    return memoryWords().slice(at + from, at + to);
  }
}
