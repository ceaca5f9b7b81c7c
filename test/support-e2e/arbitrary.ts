/** Inputs for the laws: pieces of logs, tables, JSON, prose and rubbish, put together in any order. */
import * as fc from 'fast-check';
import { seeded } from './inputs.ts';

/** The laws run the same inputs every time; a failure prints the seed and the path to repeat it with. */
export const SEED = 20_260_501;

const WORDS =
  'alpha beta gamma pod node request failed ERROR error panic timeout ok warn INFO null true 0 1/1 0/1 Running Pending CrashLoopBackOff 503 200 exit code 1 /usr/bin a=b key: é 漢字 😀 \u0301 "quoted" {x} [y] -'.split(
    ' ',
  );
const ESCAPES = [
  '\u001b[31m',
  '\u001b[0m',
  '\u001b]0;title\u0007',
  '\u001b]52;c;AAAA\u0007',
  '\u001b[',
  '\u001b]open',
  '\u001bP',
  '\u001b',
  '\u009b31m',
  '\u001b[2K\r',
  '\r',
];
const MARKERS = [
  '<<ctxzip 41_lines L50-90 Running:41>>',
  '<<ctxzip:ac998fea694b 88_lines_offloaded L3-90 Running:88>>',
  '<<ctxzip:ac998fea694b 1_lines_offloaded L1 expand: ctxzip expand ac998fea694b L1>>',
];

/** What a piece may be made of; each draws from the numbers of its seed. */
export class Dice {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  word(): string {
    return this.chance(0.2) ? this.below(1e6).toString(this.pick([10, 16, 36])) : this.pick(WORDS);
  }

  line(): string {
    const words = Array.from({ length: this.below(12) }, () => this.word());
    return words.join(this.pick([' ', ' ', '  ', '\t', ', ']));
  }
}

const KINDS: Readonly<Record<string, (dice: Dice, rows: number, eol: string) => string>> = {
  log: (dice, rows, eol) => {
    const message = dice.line();
    return Array.from({ length: rows }, (_, i) => {
      const level = dice.chance(0.02) ? 'ERROR' : dice.pick(['INFO', 'INFO', 'DEBUG']);
      const stamp = `2026-05-01T12:00:${String(i % 60).padStart(2, '0')}Z`;
      const noise = dice.chance(0.02) ? dice.pick(ESCAPES) : '';
      const trace = dice.chance(0.02) ? `    at foo.bar(x.js:${i})${eol}` : '';
      return `${stamp} ${level} ${dice.chance(0.85) ? `${message} ${i}` : dice.line()}${noise}${eol}${trace}`;
    }).join('');
  },
  table: (dice, rows, eol) => {
    const widths = Array.from({ length: 2 + dice.below(7) }, () => 4 + dice.below(20));
    const values = widths.map(() => Array.from({ length: 1 + dice.below(5) }, () => dice.word()));
    const row = (cell: (c: number) => string): string =>
      `${widths.map((width, c) => cell(c).padEnd(width)).join('  ')}${eol}`;
    const head = row((c) => `COL${c}`);
    const body = Array.from({ length: rows }, () =>
      row((c) => (dice.chance(0.1) ? '' : dice.chance(0.2) ? dice.word() : dice.pick(values[c]!))).slice(
        dice.chance(0.02) ? dice.below(20) : 0,
      ),
    );
    return head + body.join('');
  },
  prose: (dice, rows, eol) =>
    Array.from({ length: rows }, () => `${' '.repeat(dice.below(8))}${dice.line()}${eol}`).join(''),
  equal: (dice, rows, eol) => `${dice.line()}${eol}`.repeat(rows),
  json: (dice, rows, eol) => {
    const records = Array.from({ length: rows }, (_, i) => ({
      id: i,
      status: dice.word(),
      note: dice.line(),
    }));
    return `${JSON.stringify(records, null, dice.pick([0, 2]))}${eol}`;
  },
  ndjson: (dice, rows, eol) =>
    Array.from({ length: rows }, (_, i) => `${JSON.stringify({ id: i, m: dice.line() })}${eol}`).join(''),
  long: (dice, rows, eol) => `${Array.from({ length: rows * 5 }, () => dice.word()).join(' ')}${eol}`,
  progress: (dice, rows, eol) =>
    `${Array.from({ length: rows }, (_, i) => `${dice.pick(WORDS)} ${i} %`).join('\r')}${eol}`,
  blank: (dice, rows) => dice.pick(['\n', '\r\n', '  \n', '\t\n']).repeat(rows),
  marker: (dice, _, eol) => `${dice.pick(MARKERS)}${eol}`,
  escape: (dice) => dice.pick(ESCAPES),
};

interface Piece {
  readonly kind: string;
  readonly rows: number;
  readonly seed: number;
  readonly crlf: boolean;
}

const piece: fc.Arbitrary<Piece> = fc.record({
  kind: fc.constantFrom(...Object.keys(KINDS), 'log', 'table', 'rubbish'),
  rows: fc.integer({ min: 0, max: 150 }),
  seed: fc.nat(),
  crlf: fc.boolean(),
});

function bytesOf({ kind, rows, seed, crlf }: Piece): Buffer {
  const dice = new Dice(seed);
  if (kind === 'rubbish') return Buffer.from(Array.from({ length: rows * 8 }, () => 1 + dice.below(255)));
  return Buffer.from(KINDS[kind]!(dice, rows, crlf ? '\r\n' : '\n'));
}

/** Several pieces, sometimes torn at the end. */
export const mixed: fc.Arbitrary<Buffer> = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 40 }))
  .map(([pieces, torn]) => {
    const bytes = Buffer.concat(pieces.map(bytesOf));
    return torn < 30 ? bytes : bytes.subarray(0, Math.floor((bytes.length * torn) / 40));
  });

/** Bytes of all kinds, text of all kinds. */
export const random: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 6000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 200 })
    .map((lines) => Buffer.from(lines.join('\n'))),
  fc.array(fc.string({ maxLength: 40 }), { maxLength: 200 }).map((lines) => Buffer.from(lines.join('\n'))),
);

export const anything: fc.Arbitrary<Buffer> = fc.oneof(
  { arbitrary: mixed, weight: 5 },
  { arbitrary: random, weight: 1 },
);
