import { place } from '../core/kernel.ts';
import { latin1 } from '../core/chars.ts';

import type { Frame } from '../core/frame.ts';

import { GLANCE, lineText, type LineIndex, measureLine, textChunks } from '../core/line-index.ts';
import { lineUnits } from '../core/line-units.ts';
import { isForeignMarker } from '../core/marker.ts';

import { EMPTY, HEAD, type Outline, PINNED } from '../core/outline.ts';
import { oddRemarks } from '../core/remarks.ts';
import { type Splitter, splitterOf } from '../core/row-splitter.ts';
import { tableLayout, type TableLayout } from '../core/table-layout.ts';
import {
  ATTACHED,
  attach,
  BLANK,
  ROW,
  RULED,
  tableUnits,
  type TableUnits,
  unitFacts,
} from '../core/table-units.ts';
import type { Section } from '../core/sections.ts';
import type { Strategy } from '../core/strategy.ts';
import { severityAt } from '../core/failures.ts';
import { densityOf } from '../core/tokens.ts';

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
  const units = unitFacts(lines, facts);
  markFeet(index, from, to, units.flags, lines.what);
  const told = { severity: lines.severity, states: units.states };
  const placed = lineUnits(index, from, to, { facts: told, frame });
  return {
    shape: 'table',
    ...(isMarkdown(index, from, layout) ? inMarkdown(placed, layout.names.length) : placed),
    ...units,
    severity: lines.severity,
    costs: lines.costs,
    odd: [...units.odd, ...oddRemarks(index, from, lines.closed, lines.what.length)],
    measure: (unit) => measureLine(index, from + unit),
    failures: { first: 10, last: 0, allUpTo: 24 },
    hasContext: false,
    reason,
  };
}

/** Bars bound the rows, and a rule of Markdown stands under the head: a line without bars would end the table. */
function isMarkdown(index: LineIndex, from: number, { kind, headLines }: TableLayout): boolean {
  const rule = lineText(index, from + headLines - 1, 2000);
  return kind === 'bars' && headLines > 0 && /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(rule);
}

/** There a marker is a row, its text in the first cell. */
function inMarkdown<T extends Pick<Outline, 'hole' | 'wrapping'>>(placed: T, width: number): T {
  return {
    ...placed,
    wrapping: width + 1,
    hole: (run, gaps) => {
      const { before, after, ...hole } = placed.hole(run, gaps);
      return { ...hole, before: `${before}| `, after: `${' |'.repeat(width)}${after}` };
    },
  };
}

interface Lines extends TableUnits {
  /** Rows that end with a bracket. */
  readonly closed: number[];
  /** Tokens a byte. */
  readonly density: number;
}

function readLines(index: LineIndex, from: number, to: number, layout: TableLayout): Lines {
  const count = to - from;
  const lines: Lines = {
    ...tableUnits(layout.names, count),
    closed: [],
    density: densityOf(index.source, index.starts[from]!, index.starts[to]!),
  };
  const splitter = splitterOf(layout);
  let unit = 0;
  for (const { text } of textChunks(index.source, index.starts[from], index.starts[to])) {
    const line: LineAt = { at: 0, end: 0, head: false, splitter, placed: place(text) };
    for (; line.at < text.length && unit < count; unit += 1) {
      line.end = text.indexOf(10, line.at);
      if (line.end < 0) line.end = text.length;
      line.head = unit < layout.headLines;
      readLine(lines, unit, index.glances[from + unit]!, text, line);
      line.at = line.end + 1;
    }
  }
  return lines;
}

/** `)` */
const CLOSING = 41;

/** One for all lines of a text: what is made for each is garbage. */
interface LineAt {
  at: number;
  end: number;
  head: boolean;
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
    lines.grid.row(placed);
  } else attach(lines, unit, text, at, end);
  lines.severity[unit] = severityAt(text, at, end, at, placed);
  if (text[end - 1] === CLOSING) lines.closed.push(unit);
  if (text[at] === 60 && isForeignMarker(latin1(text, at, end))) lines.flags[unit]! |= PINNED;
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
