import { Field } from '../fields.ts';
import { Grid, type GridFacts } from '../grid.ts';
import { kernel, place } from '../kernel.ts';
import { mostRare, ODD, type Odd, rareValue, rareValues } from '../odd.ts';
import { Row } from '../rows.ts';
import { Dates } from './dates.ts';
import type { JsonUnits } from './units.ts';
import { Verdicts } from './verdicts.ts';
import { NUMBER, STRING, type Tape, WORD } from './tape.ts';

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

/** Failures whose texts begin alike say the same. */
const TELLING_BYTES = 64;

interface Pool {
  readonly units: number[];
  readonly columns: Map<number, number>;
  readonly names: string[];
}

/** Gathers the units into pools, compares them field by field, and judges what they say. */
export function poolsOf(tape: Tape, units: JsonUnits): PoolFacts {
  return new PoolReader(tape, units).read();
}

class PoolReader {
  private readonly tape: Tape;
  private readonly units: JsonUnits;
  private readonly kind: Uint32Array;
  private readonly severity: Uint8Array;
  private readonly failureKeys: Uint32Array;
  private readonly stateOf: Uint8Array;
  private readonly stateNames: string[] = [];
  private readonly coarse: number[] = [];
  private readonly middle: number[] = [];
  private readonly odd: Odd[] = [];
  private readonly verdicts: Verdicts;
  /** The cells of the row at hand. */
  private readonly starts = new Int32Array(MOST_COLUMNS);
  private readonly ends = new Int32Array(MOST_COLUMNS);
  /** Where the text lies in the kernel. */
  private readonly placed: number;
  private readonly filled: Uint32Array;
  /** Fields of the pool at hand that only a few units have; and has the unit at hand one? */
  private readonly sparse = new Set<number>();
  private hasSparse = false;
  private profiles = 0;

  constructor(tape: Tape, units: JsonUnits) {
    this.tape = tape;
    this.units = units;
    this.placed = place(tape.bytes);
    this.verdicts = new Verdicts(tape, units, this.placed);
    this.kind = new Uint32Array(units.count);
    this.severity = new Uint8Array(units.count);
    this.failureKeys = new Uint32Array(units.count);
    this.stateOf = new Uint8Array(units.count).fill(255);
    this.filled = new Uint32Array(units.trie.count);
  }

  read(): PoolFacts {
    const { units } = this;
    const pools = new Map<number, number[]>();
    for (let u = 0; u < units.count; u += 1) {
      const path = units.paths[units.nodes[u]!]!;
      const pool = pools.get(path);
      if (pool === undefined) pools.set(path, [u]);
      else pool.push(u);
    }
    for (const members of pools.values()) this.pool({ units: members, columns: new Map(), names: [] });
    return {
      kind: this.kind,
      coarse: Uint32Array.from(this.coarse),
      middle: Uint32Array.from(this.middle),
      severity: this.severity,
      failureKeys: this.failureKeys,
      odd: this.odd,
      states: { of: this.stateOf, names: this.stateNames },
    };
  }

  private pool(pool: Pool): void {
    this.columnsOf(pool);
    const sparse: number[] = [];
    const grid = new Grid(pool.names, pool.units.length);
    const cells = new Row({ starts: pool.names.map((_, c) => c), ends: [] });
    const structures = new Field();
    const known = new Map<number, number>();
    const dates = new Dates();
    pool.units.forEach((unit, row) => {
      this.hasSparse = false;
      const structure = this.row(pool, unit, cells);
      cells.read(this.placed);
      grid.row(this.tape.bytes, cells);
      if (this.hasSparse) sparse.push(row);
      for (let c = 0; c < pool.names.length; c += 1)
        if (this.starts[c]! >= 0) dates.add(c, row, this.tape.bytes, this.starts[c]!, this.ends[c]!);
      let id = known.get(structure);
      if (id === undefined) known.set(structure, (id = known.size));
      structures.word(id, row);
    });
    this.take(pool, grid.finish(), [
      ...rareValues(structures),
      ...fewRows(sparse, pool.units.length),
      ...dates.odd(),
    ]);
  }

  /** Makes a row of a unit; the result tells which fields it has. */
  private row({ columns, names }: Pool, unit: number, cells: Row): number {
    const { tape, units, placed, verdicts } = this;
    const { kind, start, end } = tape;
    const { starts, ends } = this;
    starts.fill(-1, 0, names.length);
    let structure = 0;
    this.eachScalar(unit, (node) => {
      const path = units.paths[node]!;
      structure =
        (structure +
          Math.imul(path ^ Math.imul(kind[node]! === WORD ? NUMBER : kind[node]!, 0x9e3779b1), 0x85ebca6b)) |
        0;
      const quote = kind[node] === STRING ? tape.quote : 0;
      const column = columns.get(path);
      if (column === undefined) this.hasSparse ||= this.sparse.has(path);
      else if (starts[column]! < 0 && end[node]! - start[node]! > 2 * quote) {
        starts[column] = start[node]! + quote;
        ends[column] = end[node]! - quote;
      }
      const severity = verdicts.of(node);
      if (severity <= this.severity[unit]!) return;
      this.severity[unit] = severity;
      // Another exit code or status is another failure.
      const { hashBytes, hashMasked } = kernel();
      const hash = kind[node] === NUMBER ? hashBytes : hashMasked;
      const until = Math.min(end[node]!, start[node]! + TELLING_BYTES);
      this.failureKeys[unit] = (hash(placed + start[node]!, placed + until) ^ path) >>> 0 || 1;
    });
    for (let c = 0; c < names.length; c += 1) cells.set(c, starts[c]!, ends[c]!);
    return structure;
  }

  /** The fields of a pool; those that only a few units have are no columns. */
  private columnsOf(pool: Pool): void {
    const { filled, units, sparse } = this;
    const rows = pool.units.length;
    const firsts: number[] = [];
    for (const unit of pool.units) {
      this.eachScalar(unit, (node) => {
        const path = units.paths[node]!;
        if (filled[path] === 0) firsts.push(node);
        filled[path]! += 1;
      });
    }
    sparse.clear();
    for (const node of firsts) {
      const path = units.paths[node]!;
      const isSparse = rows >= ODD.rareFrom && filled[path]! <= mostRare(rows, rows);
      filled[path] = 0;
      if (isSparse) sparse.add(path);
      else if (pool.names.length < MOST_COLUMNS) {
        pool.columns.set(path, pool.names.length);
        pool.names.push(this.nameOf(node));
      }
    }
  }

  /** The key of a value; of an element that of the list it is in. */
  private nameOf(node: number): string {
    const { keyHash, parent } = this.tape;
    for (let n = node; n >= 0; n = parent[n]!) if (keyHash[n] !== 0) return this.tape.keyOf(n);
    return '';
  }

  /** The scalars of a unit that are in none of the units inside of it. */
  private eachScalar(unit: number, act: (node: number) => void): void {
    const { kind, next } = this.tape;
    const { owners, nodes } = this.units;
    const first = nodes[unit]!;
    for (let n = first; n < next[first]!;) {
      if (owners[n] !== unit) n = next[n]!;
      else {
        if (kind[n]! >= STRING) act(n);
        n += 1;
      }
    }
  }

  private take({ units }: Pool, facts: GridFacts, more: readonly Odd[]): void {
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
