import { Field, MOST_CATEGORIES } from '../fields.ts';
import { Grid, type GridFacts } from '../grid.ts';
import { kernel, memory, memoryWords, place, scoped } from '../kernel.ts';
import { mostRare, ODD, type Odd, rareValue, rareValues } from '../odd.ts';
import { oddDates } from './dates.ts';
import type { Tape } from './tape.ts';
import type { JsonUnits } from './units.ts';
import { Verdicts } from './verdicts.ts';

/** What is known of the units of a tape, compared pool by pool: a pool is the units of one path. */
export interface PoolFacts {
  readonly kind: Uint32Array;
  readonly coarse: Uint32Array;
  readonly middle: Uint32Array;
  readonly severity: Uint8Array;
  /** Failures of one number say the same at the same place; 0 where there is none. */
  readonly failureKeys: Uint32Array;
  readonly odd: readonly Odd[];
  readonly states: { readonly of: Uint8Array; readonly names: readonly string[] };
}

const MOST_COLUMNS = 400;
/** State names that are told apart in all pools together. */
const MOST_STATES = 250;

/** What the kernel is told of a path that is no column: nothing, or that only a few units have it. */
const NO_COLUMN = -1;
const SPARSE = -2;

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
  grid: 12,
  structures: 13,
  sparse: 14,
  sparseCount: 15,
} as const;

/** Gathers the units into pools, compares them field by field, and judges what they say. */
export function poolsOf(tape: Tape, units: JsonUnits): PoolFacts {
  return scoped(() => new PoolReader(tape, units).read());
}

class PoolReader {
  private readonly tape: Tape;
  private readonly units: JsonUnits;
  private readonly kind: Uint32Array;
  private readonly stateOf: Uint8Array;
  private readonly stateNames: string[] = [];
  private readonly coarse: number[] = [];
  private readonly middle: number[] = [];
  private readonly odd: Odd[] = [];
  private readonly verdicts: Verdicts;
  /** Where the kernel has the pools. */
  private readonly at: number;
  private profiles = 0;

  constructor(tape: Tape, units: JsonUnits) {
    const placed = place(tape.bytes);
    this.tape = tape;
    this.units = units;
    this.at = kernel().newPools(units.at, placed, tape.quote) >> 2;
    this.verdicts = new Verdicts(tape, units, placed, this.member('rules'));
    this.kind = new Uint32Array(units.count);
    this.stateOf = new Uint8Array(units.count).fill(255);
  }

  read(): PoolFacts {
    const { count } = this.units;
    const pools = this.member('count');
    for (let pool = 0; pool < pools; pool += 1) scoped(() => this.pool(pool));
    const severity = this.member('severity');
    return {
      kind: this.kind,
      coarse: Uint32Array.from(this.coarse),
      middle: Uint32Array.from(this.middle),
      severity: memory().slice(severity, severity + count),
      failureKeys: this.words('failureKeys', 0, count),
      odd: this.odd,
      states: { of: this.stateOf, names: this.stateNames },
    };
  }

  private pool(pool: number): void {
    const { poolStart, poolRows, poolVerdict } = kernel();
    const [first, last] = this.words('firsts', pool, pool + 2);
    const units = this.words('members', first!, last!);
    const { names, paths, depths } = this.columnsOf(pool, units.length);
    poolStart(names.length);
    for (let node = poolRows(); node >= 0; node = poolRows()) poolVerdict(this.verdicts.of(node));
    const facts = new Grid(names, { at: this.member('grid'), depths }).finish();
    const sparse = this.words('sparse', 0, this.member('sparseCount'));
    this.take(units, facts, [
      ...rareValues(new Field(MOST_CATEGORIES, this.member('structures'))),
      ...fewRows([...sparse], units.length),
      ...facts.dates.flatMap(oddDates),
    ]);
    for (const path of paths) this.setColumn(path, NO_COLUMN);
  }

  /** Finds the fields of a pool; those that only a few units have are no columns. */
  private columnsOf(pool: number, rows: number): Record<'paths' | 'depths', number[]> & { names: string[] } {
    const names: string[] = [];
    const depths: number[] = [];
    const paths: number[] = [];
    const count = kernel().poolFields(pool);
    const filled = this.member('filled') >> 2;
    for (const node of this.words('fields', 0, count)) {
      const path = this.units.pathOf(node);
      const times = memoryWords()[filled + path]!;
      memoryWords()[filled + path] = 0;
      paths.push(path);
      if (rows >= ODD.rareFrom && times <= mostRare(rows, rows)) this.setColumn(path, SPARSE);
      else if (names.length < MOST_COLUMNS) {
        this.setColumn(path, names.length);
        names.push(this.nameOf(node));
        depths.push(this.depthOf(node));
      }
    }
    return { names, paths, depths };
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

  /** The key of a value; of an element that of the list it is in. */
  private nameOf(node: number): string {
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

  private take(units: Uint32Array, facts: GridFacts, more: readonly Odd[]): void {
    const first = this.profiles;
    units.forEach((unit, row) => {
      this.kind[unit] = first + facts.kind[row]!;
    });
    const coarseFirst = this.coarse.length;
    for (let k = 0; k < facts.coarse.length; k += 1) {
      this.coarse.push(coarseFirst + facts.coarse[k]!);
      this.middle.push(coarseFirst + facts.middle[k]!);
    }
    this.profiles += facts.coarse.length;
    for (const odd of [...facts.odd, ...more]) this.odd.push({ ...odd, unit: units[odd.unit]! });
    if (facts.states === undefined || units.length < 3) return;
    const { of, names } = facts.states;
    if (this.stateNames.length + names.length > MOST_STATES) return;
    const offset = this.stateNames.length;
    this.stateNames.push(...names);
    units.forEach((unit, row) => {
      if (of[row] !== 255) this.stateOf[unit] = offset + of[row]!;
    });
  }
}

/** Units that have a field which hardly any other has, if those are few themselves. */
function fewRows(rows: readonly number[], count: number): Odd[] {
  if (rows.length > Math.max(2, ODD.rareTogether * count)) return [];
  return rows.map((row) => rareValue(row, rows, rows.length, count));
}
