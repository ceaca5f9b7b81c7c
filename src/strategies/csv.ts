import { latin1 } from '../core/chars.ts';
import { type CsvLayout, layoutOf } from '../core/csv/blocks.ts';
import { type CsvRecord, eachRecord } from '../core/csv/records.ts';
import { recordUnits } from '../core/csv/units.ts';
import { failureOf, severityAt } from '../core/failures.ts';
import { countFailures } from '../core/line-units.ts';
import { isForeignMarker } from '../core/marker.ts';
import { ODD } from '../core/odd.ts';
import { EMPTY, HEAD, type Outline, PINNED } from '../core/outline.ts';
import { Row } from '../core/rows.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { attach, BLANK, RULED, tableUnits, type TableUnits, unitFacts } from '../core/table-units.ts';
import { densityOf } from '../core/tokens.ts';

export const csv: Strategy = {
  name: 'csv',
  describe:
    'CSV, TSV, values parted by semicolons or bars, compared column by column; the head stays, markers are records',
  fits: ({ section }) => (section.kind === 'csv' ? 'records of equally many cells' : undefined),
  outline: ({ index, section, frame }, reason) => {
    const { from, to } = section;
    const layout = section.kind === 'csv' ? section.layout : layoutOf(index, from, to);
    const { units, lineOf } = readRecords({ index, section }, layout);
    const facts = units.grid.finish();
    const told = unitFacts(units, facts);

    const { costs } = units;
    const severity = judged(units.severity, told.states);
    const cost = costs.reduce((sum, each) => sum + each, 0) / Math.max(1, costs.length);
    const failing = countFailures(severity, 0, severity.length);
    const first = few(failing * 2 > severity.length ? 3 : 10, cost);
    return {
      shape: 'csv',
      ...recordUnits(index, { lineOf, severity, states: told.states }, layout, frame),
      ...told,
      severity,
      costs,
      failures: { first, last: 0, allUpTo: few(24, cost) },
      hasContext: false,
      reason,
    } satisfies Outline;
  },
};

/** So many failures stay; of large records fewer. */
function few(most: number, cost: number): number {
  return Math.max(2, Math.min(most, Math.round((most * CHEAP) / cost)));
}

/** Tokens of a record that is not large. */
const CHEAP = 40;

/**
 * Where a column says how each record went, its words decide: `pass` beside a title that speaks of failures is none. What
 * the other cells say counts where few records say it.
 */
function judged(severity: Uint8Array, states: Outline['states']): Uint8Array {
  if (states === undefined) return severity;
  const verdicts = states.names.map((name) => failureOf(name));
  const failing = verdicts.filter((verdict) => verdict > 1).length;
  if (failing === 0 || failing === verdicts.length) return severity;
  const said = states.of.map((state) => verdicts[state] ?? 0);
  const more = severity.reduce((count, each, unit) => count + (each > 1 && said[unit]! < 2 ? 1 : 0), 0);
  return more > ODD.rareTogether * severity.length ? said : severity;
}

interface Records {
  readonly units: TableUnits;
  readonly lineOf: Uint32Array;
}

/** A unit a record. Those of another width stand under the one above. */
function readRecords(
  { index, section: { from, to } }: Pick<SectionView, 'index' | 'section'>,
  layout: CsvLayout,
): Records {
  const units = tableUnits(layout.names, to - from, true);
  const lineOf = new Uint32Array(to - from + 1);
  const row = new Row({ starts: layout.names.map(() => 0), ends: [] });
  const density = densityOf(index.source, index.starts[from]!, index.starts[to]!);
  const known: { chunk: Uint8Array; isMarked: boolean } = { chunk: new Uint8Array(0), isMarked: false };
  let count = 0;
  eachRecord(index, { from, to }, layout, (record) => {
    lineOf[count] = record.line;
    units.costs[count] = density * (record.end - record.start);
    if (record.text !== known.chunk) {
      known.chunk = record.text;
      known.isMarked = mayHoldMarkers(record.text) && isForeignMarker(latin1(record.text));
    }
    readRecord(units, count, record, { row, isHead: record.line < from + layout.headLines });
    if (known.isMarked && isForeignMarker(latin1(record.text, record.start, record.end)))
      units.flags[count]! |= PINNED;
    count += 1;
    return true;
  });
  lineOf[count] = to;
  return { units: cut(units, count), lineOf: lineOf.subarray(0, count + 1) };
}

function mayHoldMarkers(text: Uint8Array): boolean {
  return text.includes(60) || text.includes(91);
}

function readRecord(
  units: TableUnits,
  unit: number,
  record: CsvRecord,
  { row, isHead }: { readonly row: Row; readonly isHead: boolean },
): void {
  const { text, placed, start, end } = record;
  if (isHead) {
    units.what[unit] = RULED;
    units.flags[unit] = PINNED | HEAD;
    return;
  }
  if (record.cells === 1 && record.filled === 0) {
    units.what[unit] = BLANK;
    units.flags[unit] = EMPTY;
    return;
  }
  if (record.cells === row.width) units.grid.row(placed);
  else attach(units, unit, text, start, end);
  units.severity[unit] = severityAt(text, start, end, start, placed);
}

/** The units that there are. */
function cut(units: TableUnits, count: number): TableUnits {
  const { what, severity, costs, flags } = units;
  return {
    ...units,
    what: what.subarray(0, count),
    severity: severity.subarray(0, count),
    costs: costs.subarray(0, count),
    flags: flags.subarray(0, count),
  };
}
