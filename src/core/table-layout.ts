import { latin1 } from './chars.ts';
import { alignedColumns, type Columns, ruledColumns } from './columns.ts';
import { place } from './kernel.ts';
import { GLANCE, lineBytes, type LineIndex } from './line-index.ts';
import { NONE, Row } from './rows.ts';

/** How the lines of a table become cells. */
export interface TableLayout {
  /** `bars`: between `|` or `│`; `columns`: by place; `words`: the n-th word is the n-th cell, the last takes the rest. */
  readonly kind: 'bars' | 'columns' | 'words';
  readonly columns: Columns;
  /** Lines of column heads and rules at the top. */
  readonly headLines: number;
  readonly names: readonly string[];
}

const SAMPLE_ROWS = 300;
/** Share of the sampled rows that must fill two cells and two fifths of the columns. */
const LEAST_FIT = 0.7;
const MOST_COLUMNS = 64;

/** The layout of the lines `[from, to)`; undefined where they are no table. */
export function tableLayout(index: LineIndex, from: number, to: number): TableLayout | undefined {
  const rows = sampleRows(index, from, to);
  if (rows.length < 3) return undefined;
  if (rows.filter((row) => (index.glances[row]! & GLANCE.bars) !== 0).length >= rows.length * 0.6)
    return barLayout(index, from, rows);
  const texts = new Map(rows.map((row) => [row, lineBytes(index, row)]));
  const tabbed = [...texts.values()].filter((text) => text.indexOf(9, text.indexOf(9) + 1) >= 0);
  if (tabbed.length >= rows.length * 0.6) return undefined;
  return ruled(index, from, rows, texts) ?? aligned(from, rows, texts) ?? byWords(from, rows, texts);
}

/** Lines with gaps or bars: the first 150, then spread evenly. */
function sampleRows(index: LineIndex, from: number, to: number): number[] {
  const { glances } = index;
  const wanted = GLANCE.gap | GLANCE.bars;
  let count = 0;
  for (let i = from; i < to; i += 1) if (glances[i]! & wanted) count += 1;
  const half = SAMPLE_ROWS / 2;
  const step = (count - half) / half;
  const rows: number[] = [];
  for (let i = from, n = 0; i < to; i += 1) {
    if ((glances[i]! & wanted) === 0) continue;
    const isNext = n < half || Math.floor((n - half) / step) !== Math.floor((n - half - 1) / step);
    if (isNext || count <= SAMPLE_ROWS) rows.push(i);
    n += 1;
  }
  return rows;
}

function barLayout(index: LineIndex, from: number, rows: readonly number[]): TableLayout | undefined {
  const cells = rows.map((row) => barCells(lineBytes(index, row)));
  const width = mode(cells.map((c) => c.length));
  if (width < 2 || cells.filter((c) => c.length === width).length < rows.length * LEAST_FIT) return undefined;
  let head = rows[0]! - from + 1;
  while (from + head < index.count && index.glances[from + head]! & GLANCE.rule) head += 1;
  const ruledHead = (index.glances[from + head - 1]! & GLANCE.rule) !== 0;
  return {
    kind: 'bars',
    columns: { starts: Array.from({ length: width }, (_, i) => i), ends: [] },
    headLines: ruledHead ? head : 0,
    names: ruledHead ? headCells(index, from, head, width) : Array.from({ length: width }, () => ''),
  };
}

/** The names in the head of a drawn table: its first row of as many cells as the others (a title has one). */
function headCells(index: LineIndex, from: number, head: number, width: number): string[] {
  for (let line = from; line < from + head; line += 1) {
    const cells = barCells(lineBytes(index, line));
    if (cells.length === width && (index.glances[line]! & GLANCE.rule) === 0)
      return cells.map((c) => c.trim());
  }
  return Array.from({ length: width }, () => '');
}

/** Text between bars; the outer bars bound the row, they part nothing. */
export function barCells(line: Uint8Array): string[] {
  const text = latin1(line)
    .trim()
    .replace(/\xe2(?:\x94[\x82\x83]|\x95\x91)/g, '|');
  return text.replace(/^\|/, '').replace(/\|$/, '').split('|');
}

function ruled(
  index: LineIndex,
  from: number,
  rows: readonly number[],
  texts: ReadonlyMap<number, Uint8Array>,
): TableLayout | undefined {
  for (let line = from; line < Math.min(from + 6, index.count); line += 1) {
    if ((index.glances[line]! & GLANCE.rule) === 0) continue;
    const columns = ruledColumns(lineBytes(index, line));
    if (columns === undefined) return undefined;
    const body = rows.filter((row) => row > line).map((row) => texts.get(row)!);
    if (body.length < 3 || !fits(body, columns)) return undefined;
    const heads = rows.filter((row) => row < line).map((row) => texts.get(row)!);
    return { kind: 'columns', columns, headLines: line - from + 1, names: namesOf(heads, columns) };
  }
  return undefined;
}

function aligned(
  from: number,
  rows: readonly number[],
  texts: ReadonlyMap<number, Uint8Array>,
): TableLayout | undefined {
  const bytes = rows.map((row) => texts.get(row)!);
  const mayBeHead = rows[0] === from && bytes.length > 3;
  const columns = mayBeHead ? alignedColumns(bytes.slice(1)) : undefined;
  const headed = columns !== undefined && (headLike(bytes[0]!) || isPlainHead(bytes, columns));
  if (!headed) return unheaded(bytes);
  if (!fits(bytes.slice(1), columns)) return undefined;
  return { kind: 'columns', ...joinNameless(columns, namesOf([bytes[0]!], columns)), headLines: 1 };
}

function unheaded(rows: readonly Uint8Array[]): TableLayout | undefined {
  const columns = alignedColumns(rows);
  if (columns === undefined || !fits(rows, columns) || !tabular(rows, columns)) return undefined;
  return { kind: 'columns', columns, headLines: 0, names: columns.starts.map(() => '') };
}

/** Heads in lower case: a word in each column, over columns of which one holds numbers only. */
function isPlainHead([head, ...body]: readonly Uint8Array[], columns: Columns): boolean {
  const names = namesOf([head!], columns);
  if (!names.every((name) => /^[A-Za-z][\w%#()/.-]*$/.test(name))) return false;
  const numbers = columns.starts.map(() => 0);
  eachRow(body, columns, (_, cells, __, placed) => {
    cells.read(placed);
    for (let c = 0; c < numbers.length; c += 1) if (cells.kind(c) !== NONE) numbers[c]! += 1;
  });
  return body.length >= 5 && numbers.some((n) => n >= body.length * 0.95);
}

/** A column without a head that one blank parts from the column before is the rest of its sentence. */
function joinNameless(columns: Columns, names: readonly string[]): Pick<TableLayout, 'columns' | 'names'> {
  const kept = names.flatMap((name, c) =>
    c > 0 && name === '' && columns.starts[c]! - columns.ends[c - 1]! < 2 ? [] : [c],
  );
  const ends = kept.map((_, n) => columns.ends[(kept[n + 1] ?? names.length) - 1]!);
  return {
    columns: { starts: kept.map((c) => columns.starts[c]!), ends },
    names: kept.map((c) => names[c]!),
  };
}

/** Rows of equally many words under a head of as many: `ps`, `wc`, tables that overflow their columns. */
function byWords(
  from: number,
  rows: readonly number[],
  texts: ReadonlyMap<number, Uint8Array>,
): TableLayout | undefined {
  if (rows[0] !== from || rows.length < 5) return undefined;
  const split = rows.map((row) => latin1(texts.get(row)!).trim().split(/\s+/));
  const names = split[0]!;
  if (names.length < 3 || names.length > MOST_COLUMNS || !headLike(texts.get(rows[0])!)) return undefined;
  const body = split.slice(1);
  if (body.filter((words) => words.length >= names.length).length < body.length * 0.95) return undefined;
  return { kind: 'words', columns: { starts: names.map((_, i) => i), ends: [] }, headLines: 1, names };
}

function fits(rows: readonly Uint8Array[], columns: Columns): boolean {
  const { length } = columns.starts;
  if (length < 2 || length > MOST_COLUMNS) return false;
  const least = Math.max(2, Math.ceil(length * 0.4));
  let keyed = 0;
  let full = 0;
  eachRow(rows, columns, (row, cells, filled) => {
    if (isKey(row, cells.end(0))) keyed += 1;
    if (filled >= least) full += 1;
  });
  return keyed * 2 <= rows.length && full >= rows.length * LEAST_FIT;
}

/** Is there a `:` or `=` at the end of the first cell, or behind the blanks that follow it? */
function isKey(row: Uint8Array, end: number): boolean {
  if (end <= 0) return false;
  const isSign = (at: number): boolean => row[at] === 58 || row[at] === 61;
  let next = end;
  while (row[next] === 32) next += 1;
  return isSign(end - 1) || isSign(next);
}

/**
 * Without heads the cells must look like cells: no statements, no `key=value` pairs, no lines of a diff; the first column
 * is filled, and columns of single words part the rows (two columns: one of them of numbers).
 */
function tabular(rows: readonly Uint8Array[], columns: Columns): boolean {
  const texts = rows.map((row) => latin1(row));
  const share = (pattern: RegExp): number => texts.filter((text) => pattern.test(text)).length / texts.length;
  if (
    share(/[;{},]$/) > 0.2 ||
    share(/\w=\S.*\s\w+=/) > 0.5 ||
    share(/^[+-](?:\s|$)/) > 0.4 ||
    share(/\s\|\s+\d+ [+-]*$/) > 0.5
  )
    return false;
  const cells = columns.starts.map(() => ({ filled: 0, single: 0, numbers: 0 }));
  eachRow(rows, columns, (row, read, _, placed) => {
    read.read(placed);
    cells.forEach((cell, c) => {
      const from = read.start(c);
      if (from < 0) return;
      cell.filled += 1;
      if (!row.subarray(from, read.end(c)).includes(32)) cell.single += 1;
      if (read.kind(c) !== NONE) cell.numbers += 1;
    });
  });
  if (cells[0]!.filled < rows.length * 0.6) return false;
  if (cells.length === 2) return rows.length >= 8 && cells.some((c) => c.numbers > c.filled * 0.7);
  return cells.slice(0, -1).filter((c) => c.filled > 0 && c.single >= c.filled * 0.85).length >= 2;
}

function eachRow(
  rows: readonly Uint8Array[],
  columns: Columns,
  act: (row: Uint8Array, cells: Row, filled: number, placed: number) => void,
): void {
  const cells = new Row(columns);
  for (const row of rows) {
    const placed = place(row, 'line');
    act(row, cells, cells.cut(placed, 0, row.length), placed);
  }
}

function namesOf(heads: readonly Uint8Array[], columns: Columns): string[] {
  const names = columns.starts.map(() => '');
  eachRow(heads, columns, (head, cells) => {
    for (let c = 0; c < names.length; c += 1) {
      if (cells.start(c) >= 0) names[c] = `${names[c]} ${latin1(head, cells.start(c), cells.end(c))}`.trim();
    }
  });
  return names;
}

/** A line of column heads: words that start with a capital or a sign, none a number or a path. */
export function headLike(line: Uint8Array): boolean {
  const words = latin1(line).trim().split(/\s+/);
  if (words.length < 2) return false;
  const heads = words.filter((word) => /^[A-Z%#(*][A-Za-z%#()/*._-]*$/.test(word)).length;
  const data = words.filter((word) => /^[-+$]?\d[\d.,:%/]*\w{0,3}$|[/=@]|^\d|\d{3}/.test(word)).length;
  if (data > 0) return data * 6 <= words.length && heads * 10 >= words.length * 8;
  return heads * 10 >= words.length * 7;
}

function mode(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const n of numbers) counts.set(n, (counts.get(n) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}
