import { latin1 } from '../chars.ts';
import { kernel, place } from '../kernel.ts';
import { Row } from '../rows.ts';
import type { Dialect } from './records.ts';

/** What the beginning of a delimited text is like. */
export interface CsvLook extends Dialect {
  /** Cells of nearly all records. */
  readonly width: number;
  /** Share of the records that have so many. */
  readonly alike: number;
  /** Share with a blank behind a delimiter, as sentences and code have. */
  readonly spaced: number;
  /** The records that have so many cells, up to 200 of them, each with its cells. */
  readonly rows: readonly string[][];
}

const LEAST_RECORDS = 5;
const LEAST_ALIKE = 0.8;
const DELIMITERS = [',', ';', '\t', '|'].map((mark) => mark.charCodeAt(0));
const MOST_ROWS = 200;

/**
 * Is a text CSV, with commas, semicolons, tabs or bars? As many cells in nearly all records. Two columns are CSV only under
 * a head of two names; `least` is how many delimiters a record has else. `isWhole`: the text does not end in the middle of a
 * record.
 */
export function csvLook(text: Uint8Array, least: number, isWhole: boolean): CsvLook | undefined {
  return DELIMITERS.map((delimiter) => lookOf(text, delimiter, isWhole)).find((look) => {
    if (look === undefined) return false;
    const { width, alike, spaced, rows } = look;
    if (width < 2 || width - 1 < least) return width === 2 && least <= 2 && alike >= 0.97 && isHead(rows[0]!);
    return alike >= LEAST_ALIKE && spaced < 0.5;
  });
}

/** With quotes, unless more records are alike without them. */
function lookOf(text: Uint8Array, delimiter: number, isWhole: boolean): CsvLook | undefined {
  if (!text.includes(delimiter)) return undefined;
  const quoted = lookIn(text, { delimiter, isQuoted: true }, isWhole);
  if (quoted?.alike === 1 || !text.includes(QUOTE)) return quoted;
  const plain = lookIn(text, { delimiter, isQuoted: false }, isWhole);
  return plain !== undefined && plain.alike > (quoted?.alike ?? 0) + 0.02 ? plain : quoted;
}

const QUOTE = 34;
/** What stands behind the text; see src/kernel/records.ts. */
const MAY_CLOSE = 0;
const ENDS = 2;

function lookIn(text: Uint8Array, dialect: Dialect, isWhole: boolean): CsvLook | undefined {
  const times = new Map<number, number>();
  let count = 0;
  let spaced = 0;
  const { recordCells, recordFilled, recordSpaced } = kernel();
  cutAll(text, dialect, isWhole, 0, () => {
    if (recordFilled.value === 0) return;
    count += 1;
    times.set(recordCells.value, (times.get(recordCells.value) ?? 0) + 1);
    if (recordSpaced.value) spaced += 1;
  });
  if (count < LEAST_RECORDS) return undefined;
  const [width, alike] = [...times].reduce((top, each) => (each[1] > top[1] ? each : top));
  return {
    ...dialect,
    width,
    alike: alike / count,
    spaced: spaced / count,
    rows: width < 2 || alike < count * LEAST_ALIKE ? [] : rowsOf(text, dialect, isWhole, width),
  };
}

function rowsOf(text: Uint8Array, dialect: Dialect, isWhole: boolean, width: number): string[][] {
  const rows: string[][] = [];
  cutAll(text, dialect, isWhole, width, (row) => {
    if (kernel().recordCells.value !== width || rows.length >= MOST_ROWS) return;
    rows.push(
      Array.from({ length: width }, (_, c) =>
        row.start(c) < 0 ? '' : latin1(text, row.start(c), row.end(c)),
      ),
    );
  });
  return rows;
}

/** Cuts a text into records of `width` cells that are read. */
// oxlint-disable-next-line max-params -- of one inner loop
function cutAll(
  text: Uint8Array,
  { delimiter, isQuoted }: Dialect,
  isWhole: boolean,
  width: number,
  act: (row: Row) => void,
): void {
  const { cutRecord, recordsStart } = kernel();
  const row = new Row({ starts: Array.from({ length: width }, () => 0), ends: [] });
  const placed = place(text);
  recordsStart(placed, delimiter, isQuoted);
  for (let at = 0; at < text.length;) {
    const next = cutRecord(placed + at, placed + text.length, isWhole ? ENDS : MAY_CLOSE);
    if (next === 0) return;
    act(row);
    at = next - placed;
  }
}

/** Names: words without numbers first, no sentence. */
export function isHead(cells: readonly string[]): boolean {
  return cells.every((cell) => NAME.test(cell) && cell.split(' ').length <= 4);
}

const NAME = /^[A-Za-z_\x80-\xff][\w\x80-\xff .()/%-]{0,40}$/;
