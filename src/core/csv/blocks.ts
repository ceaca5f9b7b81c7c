import { GLANCE, lineBytes, lineText, type LineIndex } from '../line-index.ts';
import { latin1 } from '../chars.ts';
import { type CsvLook, csvLook, isHead } from './look.ts';
import { markSize } from '../source.ts';
import { type CsvRecord, type Dialect, eachRecord } from './records.ts';

/** How the records of a section are written, and what they are called. */
export interface CsvLayout extends Dialect {
  readonly width: number;
  /** Names of the columns; empty where there is no head. */
  readonly names: readonly string[];
  /** Lines at the top that are comments and the head. */
  readonly headLines: number;
}

/** Lines `[from, to)` of delimited text. */
export interface CsvBlock {
  readonly kind: 'csv';
  readonly from: number;
  readonly to: number;
  readonly layout: CsvLayout;
}

/** Bytes that are read to see what it is. */
const HEAD = 1 << 16;
/** So many first lines may be a command's chatter; behind them a block starts after a blank line or where stamps end. */
const CHATTER = 24;
/** Comments before the first record: `#fields`, `# exported by`. */
const MOST_COMMENTS = 20;
/** Pairs of lines that are compared, and looks at what may be a block, in one text. */
const MOST_PAIRS = 10_000;
const MOST_LOOKS = 200;
/** So many records one after the other that are not like the others end a block. */
const MOST_STRAY = 5;

/** The lines `[from, to)` with the blocks of delimited text in them; `others` cuts what is between. */
export function withCsv<T>(
  index: LineIndex,
  from: number,
  to: number,
  others: (from: number, to: number) => T[],
): Array<T | CsvBlock> {
  const sections: Array<T | CsvBlock> = [];
  let open = from;
  let looks = 0;
  let pairs = 0;
  for (let line = from; line < to && looks < MOST_LOOKS && pairs < MOST_PAIRS; line += 1) {
    if (!mayBegin(index, line, open)) continue;
    pairs += 1;
    const first = firstRecord(index, line, to);
    if (isComment(index, first) || !isAlike(index, first, to)) continue;
    looks += 1;
    const block = blockAt(index, line, first, to);
    if (block === undefined) continue;
    if (line > open) sections.push(...others(open, line));
    sections.push(block);
    open = block.to;
    line = open - 1;
  }
  if (open < to) sections.push(...others(open, to));
  return sections;
}

function mayBegin({ glances }: LineIndex, line: number, open: number): boolean {
  const glance = glances[line]!;
  if (glance & (GLANCE.blank | GLANCE.opens | GLANCE.rule)) return false;
  if (line - open < CHATTER) return true;
  const before = glances[line - 1]!;
  return (before & GLANCE.blank) !== 0 || ((before ^ glance) & GLANCE.stamped) !== 0;
}

/** The first line that is no comment. */
function firstRecord(index: LineIndex, line: number, to: number): number {
  let first = line;
  while (first < Math.min(to - 1, line + MOST_COMMENTS) && isComment(index, first)) first += 1;
  return first;
}

function isComment({ source, starts }: LineIndex, line: number): boolean {
  return source.read(starts[line]!, starts[line]! + 1)[0] === 35;
}

/** Have the line and the next one as many of some delimiter? Or quotes, which hide some. Stamped records have three at least. */
function isAlike(index: LineIndex, line: number, to: number): boolean {
  if (line + 2 >= to) return false;
  const least = (index.glances[line + 1]! & GLANCE.stamped) === 0 ? 1 : 3;
  const [one, two] = [line, line + 1].map((at) => lineBytes(index, at, 2000));
  return [44, 59, 9, 124].some((mark) => {
    const count = countOf(one!, mark);
    return count >= least && (count === countOf(two!, mark) || one!.includes(34) || two!.includes(34));
  });
}

function countOf(bytes: Uint8Array, mark: number): number {
  let count = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** What the records from `first` on look like: all of the head, or as much of it as stands before something else. */
function lookAt(
  { source, starts, glances }: LineIndex,
  first: number,
  to: number,
  head: Uint8Array,
): CsvLook | undefined {
  const skip = first === 0 ? markSize(source) : 0;
  const least = (glances[first + 1]! & GLANCE.stamped) === 0 ? 2 : 3;
  const whole = csvLook(head.subarray(skip), least, starts[first]! + head.length === starts[to]);
  if (whole !== undefined) return whole;
  const blank = glances.subarray(first, to).findIndex((glance) => (glance & GLANCE.blank) !== 0);
  for (const lines of [blank, FEW_LINES]) {
    const size = starts[Math.min(to, first + lines)]! - starts[first]!;
    const look =
      lines < 0 || size >= head.length ? undefined : csvLook(head.subarray(skip, size), least, false);
    if (look !== undefined) return look;
  }
  return undefined;
}

const FEW_LINES = 16;

/** The block whose comments start at `line` and whose records at `first`. */
function blockAt(index: LineIndex, line: number, first: number, to: number): CsvBlock | undefined {
  const start = index.starts[first]!;
  const end = index.starts[to]!;
  const head = index.source.read(start, Math.min(end, start + HEAD));
  if (head.includes(27)) return undefined;
  const look = lookAt(index, first, to, head);
  if (look === undefined) return undefined;
  const names = namesIn(index, line, first, look);
  if (!isData(look, names !== undefined)) return undefined;
  const last = endOf(index, first, to, look);
  if (last - first < LEAST_LINES) return undefined;
  const { delimiter, isQuoted, width } = look;
  const isFirst = names !== undefined && names === look.rows[0];
  return {
    kind: 'csv',
    from: line,
    to: last,
    layout: {
      delimiter,
      isQuoted,
      width,
      names: names ?? Array.from({ length: width }, () => ''),
      headLines: first - line + (isFirst ? 1 : 0),
    },
  };
}

const LEAST_LINES = 5;

/** What the columns are called: in the first record, or in a comment above it, behind its first word. */
function namesIn(
  index: LineIndex,
  line: number,
  first: number,
  look: CsvLook,
): readonly string[] | undefined {
  const mark = String.fromCharCode(look.delimiter);
  for (let at = line; at < first; at += 1) {
    const cells = lineText(index, at, 10_000).replace(/^#\s*/, '').split(mark);
    const names = cells.slice(cells.length - look.width);
    if (cells.length - look.width <= 1 && names.length === look.width) return names;
  }
  const cells = look.rows[0]!;
  const isNamed = look.width === 2 ? isHead(cells) : mayBeHead(cells, look.rows);
  return isNamed ? cells : undefined;
}

/** All names but perhaps one (the index of a data frame), none twice, none a number; where numbers stand below, none above. */
function mayBeHead(cells: readonly string[], rows: readonly string[][]): boolean {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length < cells.length * 0.8 || new Set(filled).size < filled.length) return false;
  if (filled.some((cell) => cell.length > 80 || /^[-+$]?\d[\d.,:/-]*$|^(?:true|false|null)$/i.test(cell)))
    return false;
  return (
    isHead(filled) ||
    cells.some((_, c) => rows.slice(1).every((row) => /\d/.test(row[c]!) && !/\d/.test(cells[c]!)))
  );
}

/**
 * Is it data? Under a head nearly everything is. Without one the records are alike, a column holds nothing but numbers,
 * dates or ids, and they are neither statements, nor data in code, nor `key=value` pairs, nor lines that tabs indent.
 */
function isData({ width, rows, spaced, alike, delimiter }: CsvLook, isHeaded: boolean): boolean {
  const share = (is: (row: string[]) => boolean): number => rows.filter(is).length / rows.length;
  if (share((row) => row[0] === '' && (width < 4 || row[1] === '')) > (delimiter === 9 ? 0.4 : 0.9))
    return false;
  if (share((row) => CODE_START.test(row[0]!) && row.at(-1) === '') > 0.3) return false;
  if (isHeaded) return true;
  if (share((row) => /:\d\d$/.test(row[0]!) && /^\d{3}\b/.test(row[1]!)) > 0.5) return false;
  if (width < 3 || alike < 0.9 || spaced > 0.1) return false;
  if (share((row) => row.join('').includes('{') && row.at(-1)!.endsWith('}')) > 0.3) return false;
  if (share((row) => row.at(-1) === '' || CODE_START.test(row[0]!)) > 0.5) return false;
  if (share((row) => row.filter((cell) => /^[\w.-]+=/.test(cell)).length * 2 > width) > 0.3) return false;
  return rows[0]!.some((_, c) => share((row) => /^[^\s]*\d[^\s]*$|^\d[\d: .-]+$/.test(row[c]!)) > 0.8);
}

const CODE_START = /^\s*[[({'"`<]|^0x/;

/** The first line behind the records that belong together. */
function endOf(index: LineIndex, from: number, to: number, look: CsvLook): number {
  let last = from;
  let stray = 0;
  let isParted = false;
  eachRecord(index, { from, to }, look, (record) => {
    if (record.cells === 1 && record.filled === 0) {
      isParted = true;
      return true;
    }
    if (record.cells !== look.width) stray += 1;
    else if (isParted && isHeadAt(record, look)) return false;
    else {
      last = record.nextLine;
      stray = 0;
    }
    isParted = false;
    return stray < MOST_STRAY;
  });
  return last;
}

/** Is the record a head? Behind a blank line another table starts there. */
function isHeadAt({ text, start, end }: CsvRecord, { delimiter }: Dialect): boolean {
  const line = latin1(text, start, end).trimEnd().replaceAll('"', '');
  return isHead(line.split(String.fromCharCode(delimiter)));
}

/** The layout of lines that are said to be CSV; where they don't look like it, a line is one cell. */
export function layoutOf(index: LineIndex, from: number, to: number): CsvLayout {
  const first = firstRecord(index, from, to);
  const found = blockAt(index, from, first, to)?.layout;
  return found ?? { delimiter: 44, isQuoted: true, width: 1, names: [''], headLines: 0 };
}
