import { codeSeverity, holdsCodes, measureCounts } from './data-columns.ts';
import { Exceptions, isPlaceholder } from './exceptions.ts';
import { failureOf } from './failures.ts';
import { Field } from './fields.ts';
import { Labels } from './labels.ts';
import { type Feature, firstRows, joined } from './joined.ts';
import { categorical, type Odd, oddOf, rareValues } from './odd.ts';
import {
  CELL_FLOATS,
  CELL_WORDS,
  COUNT,
  DURATION,
  END,
  HASH,
  KIND,
  MASKED,
  MEASURE,
  NONE,
  ORDER,
  RATIO,
  type Row,
  START,
  VALUE,
} from './rows.ts';
import { ENDED, READY_NAME, STATE_NAMES, STATE_TEXT, STATE_WORD, type States } from './states.ts';
import { ByteColumn, NO_VALUE, Values } from './values.ts';

/** What the rows of a table say. Indexes are row numbers from 0. */
export interface GridFacts {
  /** Profiles, finest first; see `Outline`. */
  readonly kind: Uint32Array;
  readonly coarse: Uint32Array;
  readonly middle: Uint32Array;
  readonly odd: readonly Odd[];
  /** What the cells of few values say; long text is judged by the caller. */
  readonly severity: Uint8Array;
  readonly states?: States;
}

interface Column {
  readonly name: string;
  readonly values: Values;
  /** Long text and names with their ids masked. */
  readonly templates: Values;
  readonly numbers: Field;
  /** Of `n/m`: 0 where n < m, 1 where they are equal, 2 where n > m. */
  readonly orders: ByteColumn;
  readonly labels: Labels;
  /** Cells without a value, cells of text, and counts that are not those of the column before. */
  readonly blanks: Exceptions;
  readonly words: Exceptions;
  readonly unequal: Exceptions;
  filled: number;
  numeric: number;
  ratios: number;
  durations: number;
}

/** Cells of more bytes may hold labels. */
const LEAST_LABELS = 16;

/** Gathers the rows of a table and compares them column by column. */
export class Grid {
  private readonly columns: readonly Column[];
  private readonly isData: boolean;
  private rows = 0;

  /** `most` is how many rows may come; in `data` whole numbers are quantities, unless they name something or count up. */
  constructor(names: readonly string[], most: number, isData = false) {
    this.isData = isData;
    this.columns = names.map((name) => ({
      name,
      values: new Values(most),
      templates: new Values(most),
      numbers: new Field(),
      orders: new ByteColumn(most),
      labels: new Labels(),
      blanks: new Exceptions(),
      words: new Exceptions(),
      unequal: new Exceptions(),
      filled: 0,
      numeric: 0,
      ratios: 0,
      durations: 0,
    }));
  }

  /** Adds a row that was cut from the text `b` and read. */
  row(b: Uint8Array, row: Row): void {
    let count = NaN;
    for (let c = 0; c < this.columns.length; c += 1) {
      const column = this.columns[c]!;
      if (row.words.length === 0) row.refresh();
      const number = row.floats[c * CELL_FLOATS + VALUE]!;
      const isCount = this.cell(column, b, row, c) === COUNT;
      const value = isCount ? number : NaN;
      if (isCount && value !== count && !Number.isNaN(count)) column.unequal.add(this.rows);
      count = value;
    }
    this.rows += 1;
  }

  private cell(column: Column, b: Uint8Array, { words, floats }: Row, c: number): number {
    const { rows: row } = this;
    const at = c * CELL_WORDS;
    const from = words[at + START]!;
    const hash = floats[c * CELL_FLOATS + HASH]!;
    if (from < 0) {
      column.values.add(row, hash, b, 0, 0);
      column.blanks.add(row);
      return NONE;
    }
    const to = words[at + END]!;
    const kind = words[at + KIND]!;
    const order = words[at + ORDER]!;
    const masked = floats[c * CELL_FLOATS + MASKED]!;
    const value = floats[c * CELL_FLOATS + VALUE]!;
    column.values.add(row, hash, b, from, to);
    column.filled += 1;
    if (kind === NONE) {
      column.templates.add(row, masked, b, from, to);
      column.words.add(row);
      if (isPlaceholder(b, from, to)) column.blanks.add(row);
      else if (to - from > LEAST_LABELS && order === 1) column.labels.add(row, b, from, to);
      return NONE;
    }
    column.numeric += 1;
    if (kind === RATIO) {
      column.ratios += 1;
      column.orders.set(row, order + 1);
    } else if (kind === DURATION) {
      column.durations += 1;
      column.numbers.measure = true;
    } else if (kind === MEASURE) column.numbers.measure = true;
    column.numbers.number(value, row);
    return kind;
  }

  finish(): GridFacts {
    const { rows } = this;
    if (this.isData) for (const { name, numbers } of this.columns) measureCounts(name, numbers, rows);
    const features = this.columns
      .flatMap((column) => this.feature(column))
      .sort((a, b) => a.distinct - b.distinct);
    const kind = joined(
      features.map(({ ids }) => ids),
      rows,
      rows,
    );
    // Rows of one exact profile are alike in all features, so one of each tells its coarser profiles.
    const firsts = firstRows(kind);
    const samples = features.map(({ ids }) => Uint8Array.from(firsts, (row) => ids[row]!));
    const states = this.states();
    return {
      kind,
      coarse: joined(samples, firsts.length, Math.max(4, Math.floor(rows * 0.08))),
      middle: joined(samples, firsts.length, Math.max(8, Math.floor(rows * 0.25))),
      odd: this.columns.flatMap((column) => oddOfColumn(column, rows)),
      severity: this.severity(states),
      ...(states === undefined ? {} : { states }),
    };
  }

  /** Ids a row of what makes rows alike. Numbers count as zero or not, `n/m` as equal or not, durations not at all. */
  private feature(column: Column): Feature[] {
    const { rows } = this;
    if (isNumeric(column)) {
      if (column.ratios * 2 > column.numeric) return [{ ids: column.orders.of(rows), distinct: 2 }];
      if (column.durations * 2 > column.numeric) return [];
      return this.zeroOrNot(column.values);
    }
    for (const { texts, ids } of [column.values, column.templates].map((v) => ({
      texts: v.texts,
      ids: v.ids(rows),
    }))) {
      if (ids !== undefined && texts.length > 1 && categorical(texts.length, rows))
        return [{ ids, distinct: texts.length }];
    }
    return [];
  }

  private zeroOrNot(values: Values): Feature[] {
    const ids = values.ids(this.rows);
    if (ids === undefined) return [];
    const zero = values.texts.map((text) => (/^[-+]?0+(?:\.0+)?(?!\.?\d)/.test(text) ? 0 : 1));
    if (new Set(zero).size < 2) return [];
    return [{ ids: ids.map((id) => zero[id] ?? NO_VALUE), distinct: 2 }];
  }

  /** The worst that the cells of a row say; `0/1` where most are complete, unless the row has come to its end. */
  private severity(states: States | undefined): Uint8Array {
    const { rows } = this;
    const severity = new Uint8Array(rows);
    for (const column of this.columns) {
      const ids = column.values.ids(rows);
      const isCode = this.isCode(column);
      if (ids !== undefined && (isCode || !isNumeric(column))) {
        const verdicts = column.values.texts.map((text) => (isCode ? codeSeverity(text) : failureOf(text)));
        if (verdicts.some((v) => v > 0)) raise(severity, (r) => verdicts[ids[r]!] ?? 0);
      }
      if (column.ratios * 2 <= column.filled) continue;
      const orders = column.orders.of(rows);
      const short = orders.reduce((n, order) => n + (order === 0 ? 1 : 0), 0);
      const ended = states?.names.map((name) => ENDED.test(name));
      if (short * 2 < rows || READY_NAME.test(column.name))
        raise(severity, (r) => (orders[r] === 0 && ended?.[states!.of[r]!] !== true ? 2 : 0));
    }
    return severity;
  }

  private isCode({ name, values }: Column): boolean {
    return this.isData && values.few && holdsCodes(name, values.texts);
  }

  private states(): States | undefined {
    const usable = this.columns.filter(
      (c) => c.values.few && (!isNumeric(c) || this.isCode(c)) && c.values.texts.length <= 16 && c.filled > 0,
    );
    const named = STATE_NAMES.map((name) => usable.find((c) => name.test(c.name))).find(
      (c) => c !== undefined,
    );
    const word = this.isData ? STATE_WORD : STATE_TEXT;
    const nameless = usable.filter(
      ({ name, values: { texts } }) => name === '' && texts.length > 1 && texts.every((t) => word.test(t)),
    );
    if (this.isData) nameless.sort((a, b) => b.values.texts.length - a.values.texts.length);
    const column = named ?? nameless.at(-1);
    return column === undefined
      ? undefined
      : { of: column.values.ids(this.rows)!, names: column.values.texts };
  }
}

function isNumeric(column: Column): boolean {
  return column.numeric * 2 > column.filled;
}

function oddOfColumn(column: Column, rows: number): Odd[] {
  const { values, templates, numbers } = column;
  if (isNumeric(column)) return [...oddOf(numbers), ...column.words.odd(rows), ...column.unequal.odd(rows)];
  if (values.few) return rareValues(values.field);
  return [...rareValues(templates.field), ...column.blanks.odd(rows), ...column.labels.odd()];
}

function raise(severity: Uint8Array, verdict: (row: number) => number): void {
  for (let r = 0; r < severity.length; r += 1) severity[r] = Math.max(severity[r]!, verdict(r));
}
