import { Field, MOST_CATEGORIES } from '../fields.ts';
import { Grid, type GridFacts } from '../grid.ts';
import { type Ids, wide } from '../joined.ts';
import { kernel } from '../kernel.ts';
import { mostRare, ODD, type Odd, rareValue, rareValues } from '../odd.ts';
import { oddDates } from './dates.ts';

/** What is known of the units of a tape, compared pool by pool: a pool is the units of one path. */
export interface PoolFacts {
  readonly kind: Ids;
  readonly coarse: Uint32Array;
  readonly middle: Uint32Array;
  readonly severity: Uint8Array;
  /** Failures of one number say the same at the same place; 0 where there is none. */
  readonly failureKeys: Uint32Array;
  readonly odd: readonly Odd[];
  readonly states: { readonly of: Uint8Array; readonly names: readonly string[] };
}

/** The scalars of one path in a pool: the first of them, how many units have it, how deep it is. */
export interface PoolField {
  readonly path: number;
  readonly node: number;
  readonly times: number;
  readonly depth: number;
}

const MOST_COLUMNS = 400;
/** State names that are told apart in all pools together. */
const MOST_STATES = 250;

/** What the kernel is told of a path that only a few units have. */
const SPARSE = -2;

/** The fields of a pool as the columns of a grid; those that only a few units have are none. */
export class PoolGrid {
  /** The column of each path. */
  readonly columns = new Map<number, number>();
  /** Where the kernel has the grid, and the field of its structures. */
  readonly at: number;
  readonly structures: number;
  private readonly names: string[] = [];
  private readonly depths: number[] = [];
  private readonly sparse: number[] = [];

  constructor(fields: Iterable<PoolField>, rows: number, nameOf: (node: number) => string) {
    for (const { path, node, times, depth } of fields) {
      if (rows >= ODD.rareFrom && times <= mostRare(rows, rows)) this.columns.set(path, SPARSE);
      else if (this.names.length < MOST_COLUMNS) {
        this.columns.set(path, this.names.length);
        this.names.push(nameOf(node));
        this.depths.push(depth);
      }
    }
    this.at = kernel().newGrid(this.names.length);
    this.structures = kernel().newField(MOST_CATEGORIES);
  }

  /** Rows that have a field which only a few have. */
  addSparse(rows: Iterable<number>): void {
    for (const row of rows) this.sparse.push(row);
  }

  /** What `rows` rows say. */
  finish(rows: number): { readonly facts: GridFacts; readonly odd: readonly Odd[] } {
    const facts = new Grid(this.names, { at: this.at, depths: this.depths }).finish();
    const odd = [
      ...facts.odd,
      ...rareValues(new Field(MOST_CATEGORIES, this.structures)),
      ...fewRows(this.sparse, rows),
      ...facts.dates.flatMap(oddDates),
    ];
    return { facts, odd };
  }
}

/** Units that have a field which hardly any other has, if those are few themselves. */
function fewRows(rows: readonly number[], count: number): Odd[] {
  if (rows.length > Math.max(2, ODD.rareTogether * count)) return [];
  return rows.map((row) => rareValue(row, rows, rows.length, count));
}

/** The units that are the rows of a pool, in order. */
export interface PoolRows {
  readonly length: number;
  forEach(visit: (unit: number, row: number) => void): void;
}

/** The units of some rows. */
function unitsAt(units: PoolRows, rows: readonly number[]): ReadonlyMap<number, number> {
  const wanted = [...new Set(rows)].sort((a, b) => a - b);
  const found = new Map<number, number>();
  if (wanted.length === 0) return found;
  units.forEach((unit, row) => {
    if (row === wanted[found.size]) found.set(row, unit);
  });
  return found;
}

/** Brings what pools say together to what is said of `count` units. */
export class PoolResults {
  private kind: Ids;
  private readonly stateOf: Uint8Array;
  private readonly stateNames: string[] = [];
  private readonly coarse: number[] = [];
  private readonly middle: number[] = [];
  private readonly odd: Odd[] = [];

  constructor(count: number) {
    this.kind = new Uint8Array(count);
    this.stateOf = new Uint8Array(count).fill(255);
  }

  /** Takes a pool, whose rows are these units. */
  take(units: PoolRows, grid: PoolGrid): void {
    const { facts, odd: rows } = grid.finish(units.length);
    const first = this.coarse.length;
    const kind = wide(this.kind, first + facts.coarse.length);
    this.kind = kind;
    units.forEach((unit, row) => {
      kind[unit] = first + facts.kind[row]!;
    });
    for (let k = 0; k < facts.coarse.length; k += 1) {
      this.coarse.push(first + facts.coarse[k]!);
      this.middle.push(first + facts.middle[k]!);
    }
    const unitOf = unitsAt(
      units,
      rows.map(({ unit }) => unit),
    );
    for (const odd of rows) this.odd.push({ ...odd, unit: unitOf.get(odd.unit)! });
    if (facts.states === undefined || units.length < 3) return;
    const { of, names } = facts.states;
    if (this.stateNames.length + names.length > MOST_STATES) return;
    const offset = this.stateNames.length;
    this.stateNames.push(...names);
    units.forEach((unit, row) => {
      if (of[row] !== 255) this.stateOf[unit] = offset + of[row]!;
    });
  }

  facts(): Omit<PoolFacts, 'severity' | 'failureKeys'> {
    return {
      kind: this.kind,
      coarse: Uint32Array.from(this.coarse),
      middle: Uint32Array.from(this.middle),
      odd: this.odd,
      states: { of: this.stateOf, names: this.stateNames },
    };
  }
}
