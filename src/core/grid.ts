import { codeSeverity, holdsCodes, measureCounts } from './data-columns.ts';
import { failureOf } from './failures.ts';
import type { Field } from './fields.ts';
import { type Column, readColumn } from './grid-columns.ts';
import { type Feature, firstRows, type Ids, joined } from './joined.ts';
import { kernel, memoryWords } from './kernel.ts';
import { categorical, type Odd, oddOf, rareValues } from './odd.ts';
import { ENDED, READY_NAME, STATE_NAMES, STATE_TEXT, STATE_WORD, type States } from './states.ts';
import { twinRows } from './twins.ts';
import { NO_VALUE, type Values } from './values.ts';

/** What the rows of a table say. Indexes are row numbers from 0. */
export interface GridFacts {
  /** Profiles, finest first; see `Outline`. */
  readonly kind: Ids;
  readonly coarse: Ids;
  readonly middle: Ids;
  readonly odd: readonly Odd[];
  /** What the cells of few values say; long text is judged by the caller. */
  readonly severity: () => Uint8Array;
  /** The dates in its columns. */
  readonly dates: readonly Field[];
  readonly states?: States;
}

interface GridOptions {
  /** Whole numbers are quantities, unless they name something or count up. */
  readonly isData?: boolean;
  /** Where the kernel has made it already. */
  readonly at?: number;
  /** How deep in its record the value of each column is. */
  readonly depths?: readonly number[];
}

/** The rows of a table, which are compared column by column; the kernel gathers them (src/kernel/grid.ts). */
export class Grid {
  private readonly names: readonly string[];
  private readonly isData: boolean;
  private readonly at: number;
  private readonly depths: readonly number[];

  constructor(
    names: readonly string[],
    { isData = false, at = kernel().newGrid(names.length), depths = [] }: GridOptions = {},
  ) {
    this.names = names;
    this.isData = isData;
    this.at = at;
    this.depths = depths;
  }

  /** Adds the row that was cut last, of the text that lies at `placed`. */
  row(placed: number): void {
    kernel().gridRow(this.at, placed);
  }

  finish(): GridFacts {
    const rows = memoryWords()[(this.at >> 2) + ROWS]!;
    const columns = this.names.map((name, c) => readColumn(this.at, c, name, rows));
    if (this.isData) for (const { name, numbers } of columns) measureCounts(name, numbers, rows);
    return new GridReader(columns, rows, { isData: this.isData, depths: this.depths }).read();
  }
}

/** A member of the kernel's record. */
const ROWS = 2;

class GridReader {
  /** The ids of one feature after the other lie here. */
  private readonly room: Uint8Array;
  private readonly columns: readonly Column[];
  private readonly rows: number;
  private readonly isData: boolean;
  private readonly depths: readonly number[];

  constructor(
    columns: readonly Column[],
    rows: number,
    { isData, depths }: { readonly isData: boolean; readonly depths: readonly number[] },
  ) {
    this.columns = columns;
    this.rows = rows;
    this.room = new Uint8Array(rows);
    this.isData = isData;
    this.depths = depths;
  }

  read(): GridFacts {
    const { rows } = this;
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
    const samples = features.map(({ ids }) => {
      const all = ids();
      const sample = Uint8Array.from(firsts, (row) => all[row]!);
      return () => sample;
    });
    const states = this.states();
    return {
      kind,
      coarse: joined(samples, firsts.length, Math.max(4, Math.floor(rows * 0.08))),
      middle: joined(samples, firsts.length, Math.max(8, Math.floor(rows * 0.25))),
      odd: this.columns.flatMap((column) => oddOfColumn(column, rows)),
      severity: () => this.severity(states),
      dates: this.dates(),
      ...(states === undefined ? {} : { states }),
    };
  }

  private dates(): Field[] {
    return this.columns
      .filter(({ dates }) => dates !== undefined)
      .sort((a, b) => a.dateRow - b.dateRow)
      .map(({ dates }) => dates!);
  }

  /** Ids a row of what makes rows alike. Numbers count as zero or not, `n/m` as equal or not, durations not at all. */
  private feature(column: Column): Feature[] {
    const { rows } = this;
    if (isNumeric(column)) {
      if (column.ratios * 2 > column.numeric) return [{ ids: () => column.orders(this.room), distinct: 2 }];
      if (column.durations * 2 > column.numeric) return [];
      return this.zeroOrNot(column.values);
    }
    for (const values of [() => column.values, column.templates]) {
      const { few, texts } = values();
      if (few && texts.length > 1 && categorical(texts.length, rows))
        return [{ ids: () => values().ids(rows, this.room)!, distinct: texts.length }];
    }
    return [];
  }

  private zeroOrNot(values: Values): Feature[] {
    if (!values.few) return [];
    const zero = values.texts.map((text) => (/^[-+]?0+(?:\.0+)?(?!\.?\d)/.test(text) ? 0 : 1));
    if (new Set(zero).size < 2) return [];
    const ids = (): Uint8Array => {
      const all = values.ids(this.rows, this.room)!;
      for (let row = 0; row < all.length; row += 1) all[row] = zero[all[row]!] ?? NO_VALUE;
      return all;
    };
    return [{ ids, distinct: 2 }];
  }

  /** The worst that the cells of a row say; `0/1` where most are complete, unless the row has come to its end. */
  private severity(states: States | undefined): Uint8Array {
    const { rows } = this;
    const severity = new Uint8Array(rows);
    for (const column of this.columns) {
      // One after the other in the same room: first the values, then the orders.
      const ids = column.values.ids(rows, this.room);
      const isCode = this.isCode(column);
      if (ids !== undefined && (isCode || !isNumeric(column))) {
        const verdicts = column.values.texts.map((text) => (isCode ? codeSeverity(text) : failureOf(text)));
        if (verdicts.some((v) => v > 0)) raise(severity, (r) => verdicts[ids[r]!] ?? 0);
      }
      if (column.ratios * 2 <= column.filled) continue;
      const orders = column.orders(this.room);
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

  /** The state of the thing itself comes before that of its parts; then the better name. */
  private bestNamed(usable: readonly Column[]): Column | undefined {
    const ranked = usable.flatMap((column) => {
      const name = STATE_NAMES.findIndex((each) => each.test(column.name));
      if (name < 0) return [];
      const depth = this.depths[this.columns.indexOf(column)] ?? 0;
      return [{ column, rank: [Math.max(name, PLAIN_NAMES), depth, name] }];
    });
    return ranked.sort((a, b) => compare(a.rank, b.rank))[0]?.column;
  }

  private states(): States | undefined {
    const usable = this.columns.filter(
      (c) => c.values.few && (!isNumeric(c) || this.isCode(c)) && c.values.texts.length <= 16 && c.filled > 0,
    );
    const named = this.bestNamed(usable);
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
  const isId = column.dates === undefined && (!isNumeric(column) || ID_NAME.test(column.name));
  return [...oddCells(column, rows), ...(isId ? twinRows(column.twins, column.filled) : [])];
}

/** Whole numbers that name one thing each. */
const ID_NAME = /(?:^|[^a-z])u?u?id$|[a-z]I[dD]$/i;

function oddCells(column: Column, rows: number): Odd[] {
  const { values, templates, numbers } = column;
  if (isNumeric(column)) return [...oddOf(numbers), ...column.words.odd(rows), ...column.unequal.odd(rows)];
  if (values.few) return rareValues(values.field);
  const labels = column.labels.flatMap(({ few, field }) => (few ? rareValues(field) : []));
  return [
    ...rareValues(templates().field),
    ...column.blanks.odd(rows),
    ...column.foreign.odd(rows),
    ...labels,
  ];
}

function raise(severity: Uint8Array, verdict: (row: number) => number): void {
  for (let r = 0; r < severity.length; r += 1) severity[r] = Math.max(severity[r]!, verdict(r));
}

/** The names up to this one are as good as each other. */
const PLAIN_NAMES = 1;

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((n, i) => n !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
