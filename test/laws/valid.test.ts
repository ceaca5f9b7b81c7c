/** Law 9 of design §2: what parsed still parses. And what is text of another kind is left whole. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { verify } from '../../src/app/verify.ts';
import type { Policy } from '../../src/core/model.ts';
import { Dice, SEED } from '../support-e2e/arbitrary.ts';
import { readerOf, viewOf } from '../support-e2e/law-kit.ts';

type Scalar = string | number | boolean | null;

const WORDS =
  'alpha beta pod failed ERROR ok true 12 api-7 /usr/bin Running 200 503 us-east-1 v1.2.3 10.0.0.1 é漢'.split(
    ' ',
  );

function scalar(dice: Dice): Scalar {
  const text = (): string => `${dice.pick(WORDS)} ${dice.pick(WORDS)} ${dice.below(99)}`;
  const id = (): string => `${dice.pick(WORDS)}-${dice.below(1e9).toString(36)}`;
  return dice.pick<() => Scalar>([
    () => dice.pick(WORDS),
    () => dice.below(1e6),
    () => dice.chance(0.5),
    () => null,
    text,
    () => '',
    id,
  ])();
}

function records(dice: Dice, count: number): Array<Record<string, Scalar>> {
  const keys = ['name', 'id', 'status', 'spec', 'message', 'level', 'time', 'host'].slice(
    0,
    2 + dice.below(6),
  );
  return Array.from({ length: count }, () => Object.fromEntries(keys.map((key) => [key, scalar(dice)])));
}

function tree(dice: Dice, depth: number): unknown {
  if (depth > 4 || dice.chance(0.4)) return scalar(dice);
  if (dice.chance(0.5)) {
    return Array.from({ length: dice.below(30) }, () =>
      dice.chance(0.7) ? records(dice, 1)[0] : tree(dice, depth + 1),
    );
  }
  return Object.fromEntries(
    Array.from({ length: dice.below(8) }, (_, i) => [`k${i}`, tree(dice, depth + 1)]),
  );
}

interface Format {
  readonly make: (dice: Dice, rows: number) => string;
  /** Throws where the text is not of the format. */
  readonly read: (text: string) => unknown;
}

const FORMATS: Readonly<Record<string, Format>> = {
  'JSON records': {
    make: (dice, rows) => JSON.stringify(records(dice, rows), null, dice.pick([0, 1, 2, 4])),
    read: (text) => JSON.parse(text),
  },
  'JSON trees': {
    make: (dice, rows) =>
      JSON.stringify(
        { items: Array.from({ length: rows / 8 }, () => tree(dice, 2)) },
        null,
        dice.pick([0, 2]),
      ),
    read: (text) => JSON.parse(text),
  },
  'JSON scalars': {
    make: (dice, rows) =>
      JSON.stringify(
        Array.from({ length: rows * 5 }, () => scalar(dice)),
        null,
        dice.pick([0, 2]),
      ),
    read: (text) => JSON.parse(text),
  },
  'JSON rows': {
    make: (dice, rows) =>
      `[\n${records(dice, rows)
        .map((record) => JSON.stringify(record))
        .join(',\n')}\n]\n`,
    read: (text) => JSON.parse(text),
  },
  NDJSON: {
    make: (dice, rows) =>
      records(dice, rows)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    read: (text) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
  },
  'YAML records': {
    make: (dice, rows) => stringify(records(dice, rows), { indent: dice.pick([2, 4]) }),
    read: (text) => parse(text) as unknown,
  },
  'YAML trees': {
    make: (dice, rows) =>
      stringify({ apiVersion: 'v1', items: Array.from({ length: rows / 16 }, () => tree(dice, 3)) }),
    read: (text) => parse(text) as unknown,
  },
  'YAML lists': {
    make: (dice, rows) => stringify(Array.from({ length: rows }, () => scalar(dice))),
    read: (text) => parse(text) as unknown,
  },
  'YAML maps': {
    make: (dice, rows) =>
      stringify(Object.fromEntries(Array.from({ length: rows }, (_, i) => [`key${i}`, scalar(dice)]))),
    read: (text) => parse(text) as unknown,
  },
  'YAML documents': {
    make: (dice, rows) =>
      records(dice, rows)
        .map((record) => stringify(record))
        .join('---\n'),
    read: (text) =>
      parseAllDocuments(text).forEach((document) => {
        if (document.errors.length > 0) throw document.errors[0]!;
      }),
  },
  CSV: { make: (dice, rows) => csv(dice, rows, ','), read: (text) => readCsv(text, ',') },
  'CSV with semicolons': { make: (dice, rows) => csv(dice, rows, ';'), read: (text) => readCsv(text, ';') },
  'CSV with bars': { make: (dice, rows) => csv(dice, rows, '|'), read: (text) => readCsv(text, '|') },
  TSV: { make: (dice, rows) => csv(dice, rows, '\t'), read: (text) => readCsv(text, '\t') },
  'CSV in a string of JSON': {
    make: (dice, rows) => JSON.stringify({ ok: true, stdout: csv(dice, rows, dice.pick([',', '\t', '|'])) }),
    read: (text) => {
      const { stdout } = JSON.parse(text) as { stdout: string };
      const head = stdout.slice(0, stdout.search(/[\r\n]/));
      return readCsv(
        stdout,
        [',', '\t', '|'].find((mark) => head.includes(mark))!,
      );
    },
  },
  'Markdown tables': { make: markdown, read: readMarkdown },
};

function csv(dice: Dice, rows: number, delimiter: string): string {
  const width = 2 + dice.below(7);
  const eol = dice.pick(['\n', '\r\n']);
  const quoted = (cell: Scalar): string => {
    const text = String(cell ?? '');
    return /[,;|\t"\n]/.test(text) || dice.chance(0.1) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const cell = (): Scalar => {
    if (dice.chance(0.05)) return `a${delimiter} b c`;
    return dice.chance(0.03) ? `says "no",${eol}and ${eol}leaves` : scalar(dice);
  };
  const head = Array.from({ length: width }, (_, i) => `column${i}`);
  const body = Array.from({ length: rows }, () => Array.from({ length: width }, cell));
  return [head, ...body].map((row) => `${row.map(quoted).join(delimiter)}${eol}`).join('');
}

function markdown(dice: Dice, rows: number): string {
  const width = 2 + dice.below(5);
  const row = (cell: () => Scalar): string =>
    `| ${Array.from({ length: width }, () => String(cell() ?? '').replace(/[|\n]/g, ' ')).join(' | ')} |`;
  const body = Array.from({ length: rows }, () => row(() => scalar(dice)));
  return `${[row(() => dice.pick(['Name', 'State', 'Zone'])), row(() => '---'), ...body].join('\n')}\n`;
}

/** Rows of equal width, each between bars. */
function readMarkdown(text: string): number {
  const widths = new Set(
    text
      .trimEnd()
      .split('\n')
      .map((line) => (/^\|.*\|$/.test(line) ? line.split('|').length : 0)),
  );
  if (widths.size > 1) throw new Error(`rows of ${[...widths].join(', ')} cells`);
  return widths.size;
}

/** Rows of equal width, quotes closed. */
function readCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i]!;
    if (isQuoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[(i += 1)]!;
      else isQuoted = false;
    } else if (c === '"' && cell === '') isQuoted = true;
    else if (c === delimiter || c === '\n') {
      row.push(cell.replace(/\r$/, ''));
      cell = '';
      if (c === '\n') {
        rows.push(row);
        row = [];
      }
    } else cell += c;
  }
  if (isQuoted || row.length > 0 || cell !== '') throw new Error('the last row is open');
  const ragged = rows.find((each) => each.length !== rows[0]!.length);
  if (ragged) throw new Error(`a row of ${ragged.length} cells among ${rows[0]!.length}: ${ragged[0]}`);
  return rows;
}

const WISHES: ReadonlyArray<Partial<Policy>> = [
  {},
  { maxTokens: 300, budgetAsked: true },
  { maxTokens: 500 },
  { query: 'why is api-7 503?' },
  { keepPatterns: ['us-east-1'] },
  { escapes: 'keep' },
];

describe('law 9: valid stays valid', () => {
  for (const [name, { make, read }] of Object.entries(FORMATS)) {
    it(name, () => {
      fc.assert(
        fc.property(
          fc.nat(),
          fc.integer({ min: 5, max: 250 }),
          fc.constantFrom(...WISHES),
          (seed, rows, over) => {
            const text = make(new Dice(seed), rows);
            const view = viewOf(Buffer.from(text), over);
            if (view === undefined) return;
            read(text);
            expect(() => read(view.bytes.toString())).not.toThrow();
            if (seed % 4 > 0) return;
            expect(verify(view.bytes, readerOf(Buffer.from(text)))).toMatchObject({ kind: 'proven' });
          },
        ),
        { seed: SEED, numRuns: 80, endOnFailure: true },
      );
    });
  }
});
