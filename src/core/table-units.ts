import { type Ids, wide } from './joined.ts';
import { latin1 } from './chars.ts';
import { Field } from './fields.ts';
import { Grid, type GridFacts } from './grid.ts';
import { hashMasked } from './hash.ts';
import { type Odd, rareValues } from './odd.ts';
import type { Outline } from './outline.ts';

/** What a unit of a table is: a row; a line that fills no columns and stands under the row above; a head or rule; blank. */
export const ROW = 0;
export const ATTACHED = 1;
export const RULED = 2;
export const BLANK = 3;

/** The units of a table as they are read. */
export interface TableUnits {
  readonly grid: Grid;
  readonly what: Uint8Array;
  readonly severity: Uint8Array;
  readonly costs: Float32Array;
  readonly flags: Uint8Array;
  /** Attached lines by their text with ids masked; a field for each first character (`[svchost.exe]`, `RpcSs`). */
  readonly attached: Map<string, Field>;
  readonly attachedKinds: Map<number, number>;
  readonly kindOfAttached: Map<number, number>;
}

/** Room for `count` units under columns of these names; see `Grid` for `isData`. */
export function tableUnits(names: readonly string[], count: number, isData = false): TableUnits {
  return {
    grid: new Grid(names, { isData }),
    what: new Uint8Array(count),
    severity: new Uint8Array(count),
    costs: new Float32Array(count),
    flags: new Uint8Array(count),
    attached: new Map(),
    attachedKinds: new Map(),
    kindOfAttached: new Map(),
  };
}

/** The unit is the line `[at, end)` that fills no columns. */
// oxlint-disable-next-line max-params -- a row of the inner loop
export function attach(units: TableUnits, unit: number, text: Uint8Array, at: number, end: number): void {
  units.what[unit] = ATTACHED;
  const hash = hashMasked(text, at, end);
  let id = units.attachedKinds.get(hash);
  if (id === undefined) {
    id = units.attachedKinds.size;
    units.attachedKinds.set(hash, id);
  }
  units.kindOfAttached.set(unit, id);
  const first = latin1(text, at, end).trim().slice(0, 1).replace(/\w/, 'a');
  let field = units.attached.get(first);
  if (field === undefined) {
    field = new Field();
    units.attached.set(first, field);
  }
  field.word(id, unit);
}

type UnitFacts = Pick<Outline, 'kind' | 'coarse' | 'middle' | 'flags' | 'odd' | 'states' | 'parents'>;

/** From rows to lines: every line gets a profile; attached lines get the row above as their parent. */
export function unitFacts(units: TableUnits, facts: GridFacts): UnitFacts {
  const { what, flags } = units;
  const count = what.length;
  const rowKinds = facts.coarse.length;
  const severity = facts.severity();
  const kind = wide(new Uint8Array(count), rowKinds + 2 + units.attachedKinds.size);
  let parents: Int32Array | undefined;
  const states = facts.states === undefined ? undefined : new Uint8Array(count).fill(255);
  let row = 0;
  let last = -1;
  for (let i = 0; i < count; i += 1) {
    if (what[i] === ROW) {
      kind[i] = facts.kind[row]!;
      units.severity[i] = Math.max(units.severity[i]!, severity[row]!);
      if (states !== undefined) states[i] = facts.states!.of[row]!;
      row += 1;
      last = i;
    } else if (what[i] === ATTACHED) {
      kind[i] = rowKinds + 2 + units.kindOfAttached.get(i)!;
      if (row > 0) {
        parents ??= new Int32Array(count).fill(-1);
        parents[i] = last;
      }
    } else kind[i] = rowKinds + (what[i] === RULED ? 0 : 1);
  }
  const others = 2 + units.attachedKinds.size;
  const lineOf = linesOfRows(what, new Set(facts.odd.map(({ unit }) => unit)));
  const odd: Odd[] = facts.odd.map((o) => ({ ...o, unit: lineOf.get(o.unit)! }));
  return {
    kind,
    coarse: extended(facts.coarse, others, units.attachedKinds.size * 4 > row),
    middle: extended(facts.middle, others, false),
    flags,
    odd: [...odd, ...[...units.attached.values()].flatMap(rareValues)],
    ...(states === undefined ? {} : { states: { of: states, names: facts.states!.names } }),
    ...(parents === undefined ? {} : { parents }),
  };
}

/** The lines of some rows. */
function linesOfRows(what: Uint8Array, rows: ReadonlySet<number>): Map<number, number> {
  const lines = new Map<number, number>();
  for (let i = 0, row = 0; i < what.length && lines.size < rows.size; i += 1) {
    if (what[i] !== ROW) continue;
    if (rows.has(row)) lines.set(row, i);
    row += 1;
  }
  return lines;
}

/** Room for rules, blank lines and attached lines behind the profiles of rows; attached lines share a coarse one. */
function extended(ids: Ids, others: number, shared: boolean): Uint32Array {
  let base = 0;
  for (const id of ids) base = Math.max(base, id + 1);
  const out = new Uint32Array(ids.length + others);
  out.set(ids);
  for (let i = 0; i < others; i += 1) out[ids.length + i] = base + (shared ? Math.min(i, 2) : i);
  return out;
}
