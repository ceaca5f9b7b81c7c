import { type CsvBlock, withCsv } from './csv/blocks.ts';
import { diffZones } from './diff/zones.ts';
import { isPrefixed } from './json/prefix.ts';
import { type JsonBlock, jsonBlocks } from './json-blocks.ts';
import { GLANCE, lineBytes, lineText, type LineIndex } from './line-index.ts';
import { areVerdicts, isOfFailure, isTestReport } from './runner/evidence.ts';
import { type SearchForm, searchZones } from './search/zones.ts';
import { headLike, type TableLayout, tableLayout } from './table-layout.ts';

/** A run of lines `[from, to)` that goes to one strategy. */
export type Section =
  | { readonly kind: 'lines'; readonly from: number; readonly to: number }
  | { readonly kind: 'diff'; readonly from: number; readonly to: number }
  | { readonly kind: 'search'; readonly from: number; readonly to: number; readonly form: SearchForm }
  | JsonBlock
  | CsvBlock
  | { readonly kind: 'table'; readonly from: number; readonly to: number; readonly layout: TableLayout };

/** An output with more parts than this is taken as lines from there on. */
const MOST_SECTIONS = 500;
const MOST_ZONES = 2000;
/** A table between time-stamped lines needs so many lines to be cut out of the log. */
const LEAST_IN_LOG = 6;

/** Cuts an output where a reader would: diffs, search results, JSON, CSV, tables, and what is between them. */
export function sectionsOf(index: LineIndex): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const block of blocksOf(index)) {
    sections.push(...between(index, from, block.from), block);
    from = block.to;
  }
  sections.push(...between(index, from, index.count));
  if (sections.length <= MOST_SECTIONS) return sections.flatMap((section) => withoutChatter(index, section));
  const kept = sections.slice(0, MOST_SECTIONS);
  return [...kept, { kind: 'lines', from: kept.at(-1)!.to, to: index.count }];
}

/** What is known by its own marks; JSON in a diff is part of it. */
function blocksOf(index: LineIndex): Section[] {
  const named = namedZones(index);
  const isFree = ({ from, to }: Section): boolean =>
    named.every((zone) => to <= zone.from || from >= zone.to);
  if (named.length === 1 && named[0]!.to - named[0]!.from === index.count) return named;
  return [...named, ...jsonBlocks(index).filter(isFree)].sort((a, b) => a.from - b.from);
}

function namedZones(index: LineIndex): Section[] {
  const diffs = diffZones(index).map((zone) => ({ ...zone, kind: 'diff' as const }));
  const zones =
    diffs.length > 0 ? diffs : searchZones(index).map((zone) => ({ ...zone, kind: 'search' as const }));
  return zones.length > 0 && isTestReport(index) ? zones.filter((zone) => isOfGit(index, zone)) : zones;
}

/** In the report of a test runner places in files and hunks are what failures say. */
function isOfGit(index: LineIndex, { kind, from }: Section): boolean {
  return kind === 'diff' && /^(?:diff |commit |From [0-9a-f]{40})/.test(lineText(index, from, 100));
}

/** The lines `[from, to)` with the CSV and the tables in them. */
function between(index: LineIndex, from: number, to: number): Section[] {
  if (isPrefixed(index, from, to)) return [{ kind: 'lines', from, to }];
  const sections = withCsv<Section>(index, from, to, (first, end) => withTables(index, first, end));
  const isWrong = sections.some(({ kind }) => kind === 'csv') && isTestReport(index);
  return isWrong ? withTables(index, from, to) : sections;
}

/** A text of keys behind a few lines of something else and a blank line is a section of its own. */
function withoutChatter(index: LineIndex, section: Section): Section[] {
  const { kind, from, to } = section;
  if (kind !== 'lines' || to - from < LEAST_KEYED) return [section];
  for (let line = from; line < Math.min(to - LEAST_KEYED, from + MOST_CHATTER); line += 1) {
    const text = lineText(index, line, 300);
    if (line === from && text.startsWith('#')) return [section];
    const isKey = /^(?:---\s*$|[A-Za-z_][\w.-]*:(?:\s|$))/.test(text);
    if (!isKey) continue;
    const isApart =
      line > from && (text.startsWith('---') || (index.glances[line - 1]! & GLANCE.blank) !== 0);
    if (!isApart || !isKeyed(index, line, Math.min(to, line + MOST_CHATTER))) return [section];
    return [
      { kind, from, to: line },
      { kind, from: line, to },
    ];
  }
  return [section];
}

function isKeyed(index: LineIndex, from: number, to: number): boolean {
  let lines = 0;
  let keyed = 0;
  for (let line = from; line < to; line += 1) {
    const glance = index.glances[line]!;
    if (glance & GLANCE.blank) continue;
    lines += 1;
    const isDeeper = (glance & GLANCE.indented) !== 0;
    if (isDeeper || /^(?:[\w."'/-]+:(?:\s|$)|- |#|---)/.test(lineText(index, line, 300))) keyed += 1;
  }
  return keyed >= lines * 0.9;
}

const LEAST_KEYED = 8;
const MOST_CHATTER = 30;

/** The lines `[from, to)` with the tables in them. */
function withTables(index: LineIndex, from: number, to: number): Section[] {
  const sections: Section[] = [];
  let open = from;
  let zones = 0;
  const take = (section: Section): void => {
    if (section.from > open) sections.push({ kind: 'lines', from: open, to: section.from });
    sections.push(section);
    open = section.to;
  };
  for (let i = from; i < to && zones < MOST_ZONES;) {
    if (!isGapped(index.glances[i]!)) {
      i += 1;
      continue;
    }
    const end = zoneEnd(index, i, to);
    zones += 1;
    const inLog = isStamped(index, i - 1, from, to) && isStamped(index, end, from, to);
    if (end - i >= (inLog ? LEAST_IN_LOG : 3)) for (const table of tablesIn(index, i, end)) take(table);
    i = end;
  }
  if (open < to) sections.push({ kind: 'lines', from: open, to });
  return sections;
}

function isGapped(glance: number): boolean {
  return (glance & (GLANCE.gap | GLANCE.bars | GLANCE.rule)) !== 0;
}

function isStamped(index: LineIndex, line: number, from: number, to: number): boolean {
  return line >= from && line < to && (index.glances[line]! & GLANCE.stamped) !== 0;
}

/** A zone goes on over a few lines without gaps (two-line rows) and over blank lines, as long as gaps follow. */
function zoneEnd(index: LineIndex, from: number, to: number): number {
  let end = from + 1;
  let gapped = 1;
  for (let i = from + 1; i < to && i < end + 4; i += 1) {
    const glance = index.glances[i]!;
    if (glance & GLANCE.stamped) break;
    if (!isGapped(glance)) continue;
    if ((gapped + 1) * 4 < i - from) break;
    gapped += 1;
    end = i + 1;
  }
  return end;
}

/** The tables of a zone: a new one starts behind a blank line with column heads, and under `Events:` at its end. */
function tablesIn(index: LineIndex, from: number, to: number): Section[] {
  const cuts = [from];
  for (let i = from + 1; i < to; i += 1) {
    const afterBlank = (index.glances[i - 1]! & GLANCE.blank) !== 0;
    if (afterBlank && isGapped(index.glances[i]!) && headLike(lineBytes(index, i, 1000))) cuts.push(i);
  }
  const last = lastHeaded(index, cuts.at(-1)!, to);
  if (last !== undefined) cuts.push(last);
  return cuts.flatMap((start, n) => tableOrParts(index, start, trimmed(index, start, cuts[n + 1] ?? to)));
}

/** The heads of a table under a heading with a colon that all the rest of a report belongs to. */
function lastHeaded(index: LineIndex, from: number, to: number): number | undefined {
  for (let i = to - LEAST_HEADED; i > from; i -= 1) {
    const isRule = (index.glances[i + 1]! & GLANCE.rule) !== 0;
    if (isRule && lineBytes(index, i - 1, 1000).at(-1) === COLON && headLike(lineBytes(index, i, 1000)))
      return i;
    if ((index.glances[i]! & GLANCE.indented) === 0) return undefined;
  }
  return undefined;
}

const COLON = 58;
const LEAST_HEADED = 8;

function tableOrParts(index: LineIndex, from: number, to: number): Section[] {
  const layout = tableLayout(index, from, to);
  if (layout?.kind === 'bars' && isOfPage(index, from, to)) return [];
  if (layout !== undefined) return isOfTests(index, from, to) ? [] : [{ kind: 'table', from, to, layout }];
  const parts: Section[] = [];
  let start = from;
  for (let i = from; i <= to; i += 1) {
    if (i < to && (index.glances[i]! & GLANCE.blank) === 0) continue;
    if (i - start >= 3 && (start > from || i < to)) parts.push(...tablePart(index, start, i));
    start = i + 1;
  }
  return parts;
}

function tablePart(index: LineIndex, from: number, to: number): Section[] {
  const layout = tableLayout(index, from, to);
  return layout === undefined || isOfTests(index, from, to) ? [] : [{ kind: 'table', from, to, layout }];
}

/** Rows of verdicts, and what a failed test printed, belong to the report around them. */
function isOfTests(index: LineIndex, from: number, to: number): boolean {
  return areVerdicts(index, from, to) || isOfFailure(index, from, to);
}

/** Is it the table of a Markdown page? That is prose; the table of a report may stand between plain lines. */
function isOfPage(index: LineIndex, from: number, to: number): boolean {
  const says = (line: number, pattern: RegExp): boolean => pattern.test(lineText(index, line, 200));
  if (from + 1 >= to || !says(from + 1, /^\s*\|?\s*:?-{3,}/)) return false;
  for (let line = Math.max(0, from - PAGE); line < Math.min(index.count, to + PAGE); line += 1) {
    if ((line < from || line >= to) && says(line, /^#{1,6} \S|^```/)) return true;
  }
  return false;
}

/** Lines around a table that are looked at for the headings of a page. */
const PAGE = 40;

function trimmed(index: LineIndex, from: number, to: number): number {
  let end = to;
  while (end > from && (index.glances[end - 1]! & GLANCE.blank) !== 0) end -= 1;
  return end;
}
