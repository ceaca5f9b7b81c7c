import { place } from '../core/kernel.ts';
import { latin1 } from '../core/chars.ts';
import { Field } from '../core/fields.ts';
import type { Frame } from '../core/frame.ts';
import { Grid, type GridFacts } from '../core/grid.ts';
import { hashMasked } from '../core/hash.ts';
import { GLANCE, type LineIndex, measureLine, textChunks } from '../core/line-index.ts';
import { lineUnits } from '../core/line-units.ts';
import { isForeignMarker } from '../core/marker.ts';
import { rareValues, type Odd } from '../core/odd.ts';
import { EMPTY, HEAD, type Outline, PINNED } from '../core/outline.ts';
import { type Splitter, splitterOf } from '../core/row-splitter.ts';
import { tableLayout, type TableLayout } from '../core/table-layout.ts';
import type { Section } from '../core/sections.ts';
import type { Strategy } from '../core/strategy.ts';
import { severityAt } from '../core/failures.ts';
import { densityOf } from '../core/tokens.ts';

/** What a line of a table is. */
const ROW = 0;
const ATTACHED = 1;
const RULED = 2;
const BLANK = 3;

/** Lines behind the last row, such as totals, that stay. */
const MOST_FOOT_LINES = 6;

export const table: Strategy = {
  name: 'table',
  describe: 'Rows in columns, drawn or aligned, compared column by column; heads and totals stay',
  fits: ({ section }) => (section.kind === 'table' ? 'columns line up' : undefined),
  outline: ({ index, section, frame }, reason) => {
    const { from, to } = section;
    const layout = section.kind === 'table' ? section.layout : tableLayout(index, from, to);
    return tableOutline(index, section, layout ?? ONE_COLUMN, { reason, frame });
  },
};

/** Where a table was asked for and none is seen: each line is one cell. */
const ONE_COLUMN: TableLayout = {
  kind: 'words',
  columns: { starts: [0], ends: [] },
  headLines: 0,
  names: [''],
};

/**
 * The outline of a table: a row a line, compared column by column. Heads stay. A line that fills no columns (a second
 * line of a row, a group's title) stands under the row above it.
 */
function tableOutline(
  index: LineIndex,
  { from, to }: Section,
  layout: TableLayout,
  { reason, frame }: { readonly reason: string; readonly frame: Frame | undefined },
): Outline {
  const lines = readLines(index, from, to, layout);
  const facts = lines.grid.finish();
  const units = unitsOf(lines, facts);
  markFeet(index, from, to, units.flags, lines.what);
  return {
    shape: 'table',
    ...lineUnits(index, from, to, { facts: { severity: lines.severity, states: units.states }, frame }),
    ...units,
    severity: lines.severity,
    costs: lines.costs,
    measure: (unit) => measureLine(index, from + unit),
    failures: { first: 10, last: 0, allUpTo: 24 },
    hasContext: false,
    reason,
  };
}

interface Lines {
  readonly grid: Grid;
  readonly what: Uint8Array;
  readonly severity: Uint8Array;
  readonly costs: Float32Array;
  readonly flags: Uint8Array;
  /** Attached lines by their text with ids masked; a field for each first character (`[svchost.exe]`, `RpcSs`). */
  readonly attached: Map<string, Field>;
  readonly attachedKinds: Map<number, number>;
  readonly kindOfAttached: Map<number, number>;
  /** Tokens a byte. */
  readonly density: number;
}

function readLines(index: LineIndex, from: number, to: number, layout: TableLayout): Lines {
  const count = to - from;
  const lines: Lines = {
    grid: new Grid(layout.names, count),
    what: new Uint8Array(count),
    severity: new Uint8Array(count),
    costs: new Float32Array(count),
    flags: new Uint8Array(count),
    attached: new Map(),
    attachedKinds: new Map(),
    kindOfAttached: new Map(),
    density: densityOf(index.source, index.starts[from]!, index.starts[to]!),
  };
  const splitter = splitterOf(layout);
  let unit = 0;
  for (const { text } of textChunks(index.source, index.starts[from], index.starts[to])) {
    const placed = place(text);
    for (let at = 0; at < text.length && unit < count; unit += 1) {
      let end = text.indexOf(10, at);
      if (end < 0) end = text.length;
      readLine(lines, unit, index.glances[from + unit]!, text, {
        at,
        end,
        head: unit < layout.headLines,
        splitter,
        placed,
      });
      at = end + 1;
    }
  }
  return lines;
}

interface LineAt {
  readonly at: number;
  readonly end: number;
  readonly head: boolean;
  readonly splitter: Splitter;
  /** Where the text lies in the kernel's memory. */
  readonly placed: number;
}

function readLine(lines: Lines, unit: number, glance: number, text: Uint8Array, line: LineAt): void {
  const { at, end, splitter, placed } = line;
  lines.costs[unit] = lines.density * (end + 1 - at);
  if (line.head) lines.flags[unit] = PINNED | HEAD;
  if (glance & GLANCE.blank) {
    lines.what[unit] = BLANK;
    lines.flags[unit] = EMPTY;
    return;
  }
  if (glance & GLANCE.rule || line.head) {
    lines.what[unit] = RULED;
    return;
  }
  const filled = splitter.split(text, at, end, placed);
  const isSpread = (glance & (GLANCE.gap | GLANCE.bars)) !== 0 || filled * 10 >= splitter.row.width * 6;
  if (filled >= splitter.least && isSpread) {
    splitter.row.read(placed);
    lines.grid.row(text, splitter.row);
  } else attach(lines, unit, text, line);
  lines.severity[unit] = severityAt(text, at, end, at, placed);
  if (text[at] === 60 && isForeignMarker(latin1(text, at, end))) lines.flags[unit]! |= PINNED;
}

function attach(lines: Lines, unit: number, text: Uint8Array, { at, end }: LineAt): void {
  lines.what[unit] = ATTACHED;
  const hash = hashMasked(text, at, end);
  let id = lines.attachedKinds.get(hash);
  if (id === undefined) {
    id = lines.attachedKinds.size;
    lines.attachedKinds.set(hash, id);
  }
  lines.kindOfAttached.set(unit, id);
  const first = latin1(text, at, end).trim().slice(0, 1).replace(/\w/, 'a');
  let field = lines.attached.get(first);
  if (field === undefined) {
    field = new Field();
    lines.attached.set(first, field);
  }
  field.word(id, unit);
}

type Units = Pick<Outline, 'kind' | 'coarse' | 'middle' | 'flags' | 'odd' | 'states' | 'parents'>;

/** From rows to lines: every line gets a profile; attached lines get the row above as their parent. */
function unitsOf(lines: Lines, facts: GridFacts): Units {
  const { what, flags } = lines;
  const count = what.length;
  const rowKinds = facts.coarse.length;
  const kind = new Uint32Array(count);
  let parents: Int32Array | undefined;
  const states = facts.states === undefined ? undefined : new Uint8Array(count).fill(255);
  let row = 0;
  let last = -1;
  for (let i = 0; i < count; i += 1) {
    if (what[i] === ROW) {
      kind[i] = facts.kind[row]!;
      lines.severity[i] = Math.max(lines.severity[i]!, facts.severity[row]!);
      if (states !== undefined) states[i] = facts.states!.of[row]!;
      row += 1;
      last = i;
    } else if (what[i] === ATTACHED) {
      kind[i] = rowKinds + 2 + lines.kindOfAttached.get(i)!;
      if (row > 0) {
        parents ??= new Int32Array(count).fill(-1);
        parents[i] = last;
      }
    } else kind[i] = rowKinds + (what[i] === RULED ? 0 : 1);
  }
  const others = 2 + lines.attachedKinds.size;
  const lineOf = linesOfRows(what, new Set(facts.odd.map(({ unit }) => unit)));
  const odd: Odd[] = facts.odd.map((o) => ({ ...o, unit: lineOf.get(o.unit)! }));
  return {
    kind,
    coarse: extended(facts.coarse, others, lines.attachedKinds.size * 4 > row),
    middle: extended(facts.middle, others, false),
    flags,
    odd: [...odd, ...[...lines.attached.values()].flatMap(rareValues)],
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
function extended(ids: Uint32Array, others: number, shared: boolean): Uint32Array {
  const base = ids.reduce((top, id) => Math.max(top, id + 1), 0);
  const out = new Uint32Array(ids.length + others);
  out.set(ids);
  for (let i = 0; i < others; i += 1) out[ids.length + i] = base + (shared ? Math.min(i, 2) : i);
  return out;
}

/** Totals and remarks behind the last row stay. */
function markFeet(index: LineIndex, from: number, to: number, flags: Uint8Array, what: Uint8Array): void {
  let rows = what.length;
  while (rows > 0 && what[rows - 1] !== ROW) rows -= 1;
  if (what.length - rows > MOST_FOOT_LINES || rows === 0) return;
  const attached = what.slice(rows).some((w) => w === ATTACHED);
  if (!attached || index.starts[to]! - index.starts[from + rows]! > 600) return;
  for (let i = rows; i < what.length; i += 1) if (what[i] === ATTACHED) flags[i]! |= PINNED;
}
