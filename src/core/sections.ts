import { latin1 } from './chars.ts';
import { jsonEnd, UNFINISHED } from './json-end.ts';
import { GLANCE, lineAt, lineBytes, type LineIndex } from './line-index.ts';
import type { Source } from './model.ts';
import { headLike, type TableLayout, tableLayout } from './table-layout.ts';

/** A run of lines `[from, to)` that goes to one strategy. */
export type Section =
  | { readonly kind: 'lines'; readonly from: number; readonly to: number }
  | { readonly kind: 'json'; readonly from: number; readonly to: number }
  | { readonly kind: 'table'; readonly from: number; readonly to: number; readonly layout: TableLayout };

/** An output with more parts than this is taken as lines from there on. */
const MOST_SECTIONS = 500;
const MOST_ZONES = 2000;
/** A table between time-stamped lines needs so many lines to be cut out of the log. */
const LEAST_IN_LOG = 6;

/** Cuts an output where a reader would: JSON, tables, and what is between them. */
export function sectionsOf(index: LineIndex): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const block of jsonBlocks(index)) {
    sections.push(...withTables(index, from, block.from), block);
    from = block.to;
  }
  sections.push(...withTables(index, from, index.count));
  if (sections.length <= MOST_SECTIONS) return sections;
  const kept = sections.slice(0, MOST_SECTIONS);
  return [...kept, { kind: 'lines', from: kept.at(-1)!.to, to: index.count }];
}

/** Neighbouring lines that are JSON, alone or over several lines. */
function jsonBlocks(index: LineIndex): Section[] {
  const blocks: Array<{ kind: 'json'; from: number; to: number }> = [];
  let records = 0;
  let budget = 4 * index.source.length + 65_536;
  for (let i = 0; i < index.count && budget > 0; i += 1) {
    const start = jsonStart(index, i);
    if (start < 0) continue;
    const end = endOfJson(index, start);
    budget -= end.scanned;
    if (end.line < 0) continue;
    if (end.line === i) records += 1;
    const last = blocks.at(-1);
    if (last !== undefined && last.to === i) last.to = end.line + 1;
    else blocks.push({ kind: 'json', from: i, to: end.line + 1 });
    i = end.line;
  }
  const whole = mixed(blocks, records);
  return (whole === undefined ? blocks : [whole]).filter(
    (block) => index.starts[block.to]! - index.starts[block.from]! > 200,
  );
}

/** Where JSON may begin in a line; -1 where none does. */
function jsonStart(index: LineIndex, line: number): number {
  const glance = index.glances[line]!;
  if ((glance & GLANCE.opens) === 0) return -1;
  if ((glance & GLANCE.indented) !== 0 && isUnderKey(index, line)) return -1;
  const start = index.starts[line]! + (line === 0 ? markSize(index.source) : 0);
  const head = latin1(index.source.read(start, Math.min(start + 200, index.source.length)));
  return JSON_HEAD.test(head) ? start + head.search(/\S/) : -1;
}

const JSON_HEAD = /^\s*[{[]\s*(?:["{[\]}]|-?\d|true|false|null|$)/;

/** JSON under a key of YAML is part of that: `config: |`, `annotation: >-`. */
function isUnderKey(index: LineIndex, line: number): boolean {
  return line > 0 && /:\s*(?:[|>][-+\d]*)?\s*$/.test(latin1(lineBytes(index, line - 1, 1000)));
}

/** Bytes of a byte order mark. */
function markSize(source: Source): number {
  const head = source.read(0, Math.min(3, source.length));
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
}

/** Records a line with other lines between them, as services print them: one section, from the first to the last. */
function mixed(blocks: ReadonlyArray<{ from: number; to: number }>, records: number): Section | undefined {
  const first = blocks[0];
  const last = blocks.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  if (records < LEAST_RECORDS || records * 2 < last.to - first.from) return undefined;
  return { kind: 'json', from: first.from, to: last.to };
}

/** Records from which on the lines between them belong to them. */
const LEAST_RECORDS = 5;

/** The line on which a JSON value ends, if nothing but others follows it there; -1 where it is none. */
function endOfJson(index: LineIndex, start: number): { line: number; scanned: number } {
  for (let from = start; ;) {
    const { end, scanned } = valueEnd(index, from, index.starts[lineAt(index, from) + 1]! - from);
    // Cut off on its way here: the rest of it is the rest of the text.
    if (end === UNFINISHED && index.source.length - start >= LEAST_TORN)
      return { line: index.count - 1, scanned: from + scanned - start };
    if (end < 0) return { line: -1, scanned: from + scanned - start };
    const line = lineAt(index, end - 1);
    const rest = latin1(index.source.read(end, Math.min(end + 64, index.starts[line + 1]!)));
    const next = rest.search(/\S/);
    if (next < 0) return { line, scanned: end - start };
    if (rest[next] !== '{' && rest[next] !== '[') return { line: -1, scanned: end - start };
    from = end + next;
  }
}

/** A shorter text that does not end is left as it is. */
const LEAST_TORN = 1000;

/** Most values end on their line: `least` bytes are looked at first. */
function valueEnd(index: LineIndex, start: number, least: number): { end: number; scanned: number } {
  for (let size = least; ; size = Math.max(1 << 16, size * 8)) {
    const stop = Math.min(index.source.length, start + size);
    const bytes = index.source.read(start, stop);
    const end = jsonEnd(bytes, 0);
    if (end === UNFINISHED && stop < index.source.length && size < 1 << 28) continue;
    return { end: end < 0 ? end : start + end, scanned: end < 0 ? bytes.length : end };
  }
}

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
  if (layout !== undefined) return [{ kind: 'table', from, to, layout }];
  const parts: Section[] = [];
  let start = from;
  for (let i = from; i <= to; i += 1) {
    if (i < to && (index.glances[i]! & GLANCE.blank) === 0) continue;
    const part = i - start >= 3 && (start > from || i < to) ? tableLayout(index, start, i) : undefined;
    if (part !== undefined) parts.push({ kind: 'table', from: start, to: i, layout: part });
    start = i + 1;
  }
  return parts;
}

/** Is it the table of a Markdown page? That is prose; the table of a report may stand between plain lines. */
function isOfPage(index: LineIndex, from: number, to: number): boolean {
  const says = (line: number, pattern: RegExp): boolean => pattern.test(latin1(lineBytes(index, line, 200)));
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
