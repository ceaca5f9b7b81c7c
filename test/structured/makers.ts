/** Structured text as no serializer writes it: odd numbers, odd keys, odd blanks; the same one for a seed. */
import { Dice } from '../support-e2e/arbitrary.ts';
import { log, pods } from '../support-e2e/inputs.ts';

const WORDS =
  'alpha beta pod failed ERROR ok true 12 api-7 /usr/bin Running 200 503 us-east-1 v1.2.3 10.0.0.1 é漢 😀'.split(
    ' ',
  );
const NUMBERS =
  '0 -0 7 42 -1 1.0 1.50 0.1 1e-07 1E+3 3e8 12345678901234567890 0.30000000000000004 -2.5e10'.split(' ');
/** Keys as they are written; some read like addresses, some need escapes, one is ours. */
const ODD_KEYS = [
  '',
  'a b',
  'a/b',
  'a>b>>',
  '<<ctxzip 3_lines L1-3>>',
  '5-146',
  '0',
  'L12-48',
  '@1',
  '%41',
  'é漢',
  '\\u0041',
  '\\u0000\\u001f',
  '\\"quoted\\"',
  '\\\\',
  '\\ud800',
  'a:b',
  '#x',
  '_ctxzip',
  '_ctxzip2',
  'k'.repeat(300),
] as const;
const ESCAPED = [
  '\\n',
  '\\t',
  '\\"',
  '\\\\',
  '\\/',
  '\\u0041',
  '\\ud83d\\ude00',
  '\\ud800',
  '\\u001b[31m',
  '}]',
  '{[',
  ',',
  ':',
];

/** A JSON string, raw. */
function string(dice: Dice, words = 1 + dice.below(4)): string {
  const parts = Array.from({ length: words }, () =>
    dice.chance(0.1) ? dice.pick(ESCAPED) : dice.pick(WORDS),
  );
  return `"${parts.join(dice.pick([' ', ' ', '-']))}${dice.chance(0.5) ? dice.below(999) : ''}"`;
}

function scalar(dice: Dice): string {
  if (dice.chance(0.002)) return string(dice, 60 + dice.below(500));
  return dice.pick<() => string>([
    () => string(dice),
    () => string(dice),
    () => String(dice.below(1e6)),
    () => dice.pick(NUMBERS),
    () => dice.pick(['true', 'false', 'null']),
    () => dice.pick(['""', '[]', '{}', '[ ]', '{ }']),
  ])();
}

interface Style {
  /** Between a bracket or comma and what follows it, at a depth. */
  readonly gap: (depth: number) => string;
  readonly colon: string;
}

function style(dice: Dice): Style {
  const eol = dice.pick(['\n', '\n', '\r\n']);
  return dice.pick<Style>([
    { gap: () => '', colon: ':' },
    { gap: (depth) => `${eol}${'  '.repeat(depth)}`, colon: ': ' },
    { gap: (depth) => `${eol}${'\t'.repeat(depth)}`, colon: ' :\t' },
    { gap: (depth) => (depth < 2 ? eol : ' '), colon: ':' },
  ]);
}

function wrapped(
  open: string,
  members: readonly string[],
  close: string,
  { gap }: Style,
  depth: number,
): string {
  if (members.length === 0) return `${open}${close}`;
  return `${open}${gap(depth + 1)}${members.join(`,${gap(depth + 1)}`)}${gap(depth)}${close}`;
}

function object(dice: Dice, keys: readonly string[], how: Style, depth: number): string {
  const members = keys.map((key) => `"${key}"${how.colon}${value(dice, how, depth + 1)}`);
  return wrapped('{', members, '}', how, depth);
}

/** A value of any shape; the deeper, the simpler. */
function value(dice: Dice, how: Style, depth: number): string {
  if (depth > 5 || dice.chance(0.8 + depth * 0.04)) return scalar(dice);
  if (dice.chance(0.5)) return list(dice, how, depth, dice.below(dice.chance(0.1) ? 30 : 5));
  const odd = (): string => (dice.chance(0.15) ? dice.pick(ODD_KEYS) : `k${dice.below(20)}`);
  return object(dice, Array.from({ length: dice.below(6) }, odd), how, depth);
}

function list(dice: Dice, how: Style, depth: number, rows: number): string {
  const keys = ['name', 'id', 'status', 'spec', 'message', 'error', 'conditions', dice.pick(ODD_KEYS)].slice(
    dice.below(6),
  );
  const kind = dice.below(4);
  const rowOf = (): string => {
    if (kind === 0) return scalar(dice);
    if (kind === 1 && dice.chance(0.3)) return value(dice, how, depth + 1);
    return object(dice, dice.chance(0.05) ? [...keys, 'extra', keys[0] ?? 'x'] : keys, how, depth + 1);
  };
  return wrapped('[', Array.from({ length: rows }, rowOf), ']', how, depth);
}

/** A list of `rows` with objects around it, whose other members are anything. */
export function listInside(dice: Dice, rows: number): string {
  const how = style(dice);
  const levels = 1 + dice.below(3);
  const around = (depth: number): string => {
    const member = (): string => {
      const key = dice.chance(0.1) ? dice.pick(ODD_KEYS) : dice.pick(AROUND);
      const few = dice.chance(0.2) ? list(dice, how, depth + 1, 2 + dice.below(14)) : undefined;
      return `"${key}"${how.colon}${few ?? value(dice, how, depth + 1)}`;
    };
    const key = dice.chance(0.1) ? dice.pick(ODD_KEYS) : dice.pick(LISTS);
    const inner = depth + 1 < levels ? around(depth + 1) : list(dice, how, depth + 1, rows);
    const before = Array.from({ length: dice.below(5) }, member);
    const behind = Array.from({ length: dice.below(5) }, member);
    return wrapped('{', [...before, `"${key}"${how.colon}${inner}`, ...behind], '}', how, depth);
  };
  const blanks = dice.pick(['', '\n', '\r\n', ' \n\n']);
  return `${dice.chance(0.1) ? '\ufeff' : ''}${around(0)}${blanks}`;
}

const LISTS = ['items', 'data', 'result', 'results', 'errors', 'hits', 'logs'];
const AROUND = ['kind', 'metadata', 'status', 'stdout', 'next', 'error', 'events', 'took', 'content'];

/** One JSON value. */
export function json(dice: Dice, rows: number): string {
  const how = style(dice);
  const head = dice.chance(0.05) ? '\ufeff' : '';
  const whole = dice.pick<() => string>([
    () => list(dice, how, 0, rows),
    () =>
      `{${how.gap(1)}"kind"${how.colon}"List",${how.gap(1)}"items"${how.colon}${list(dice, how, 1, rows)}${how.gap(0)}}`,
    () =>
      object(
        dice,
        Array.from({ length: rows }, (_, i) => (dice.chance(0.05) ? dice.pick(ODD_KEYS) : `id-${i}`)),
        how,
        0,
      ),
    () => object(dice, ['metadata', 'spec', 'status', 'items', 'data', 'x'].slice(dice.below(3)), how, 0),
    () => {
      const record = `{"phase":${string(dice)},"conditions":[{"type":"Ready","status":${dice.pick(['"True"', '"True"', '"False"'])}}]}`;
      return wrapped(
        '[',
        Array.from({ length: rows }, () => `{"name":${string(dice)},"status":${record}}`),
        ']',
        how,
        0,
      );
    },
  ])();
  return `${head}${whole}${dice.pick(['', '\n', '\r\n', '\n\n'])}`;
}

/** Records a line: behind a prefix, with text between them, several on a line. */
export function ndjson(dice: Dice, rows: number): string {
  const keys = ['time', 'level', 'msg', 'status', 'error', dice.pick(ODD_KEYS), 'x'].slice(dice.below(5));
  const flat: Style = { gap: () => '', colon: ':' };
  const prefix = dice.chance(0.2) ? dice.pick(['pod-1 | ', '[web] ', 'api-7 > ']) : '';
  const hasText = dice.chance(0.2);
  const hasSeveral = dice.chance(0.2);
  const line = (): string => {
    if (hasText && dice.chance(0.1))
      return dice.pick(['listening on :8080', 'ERROR out of band', '', '   ', 'a {b} c']);
    if (dice.chance(0.03)) return `${prefix}[${scalar(dice)},${scalar(dice)}]`;
    const record = (): string => object(dice, keys, flat, 2);
    const first = `${prefix}${record()}`;
    return hasSeveral && dice.chance(0.3) ? `${first}${dice.pick(['', ' '])}${record()}` : first;
  };
  const whole = Array.from({ length: rows }, line).join(dice.pick(['\n', '\n', '\r\n']));
  return dice.chance(0.15) ? whole.slice(0, whole.length - 1 - dice.below(30)) : `${whole}\n`;
}

/** What a tool printed. */
function output(dice: Dice, rows: number): string {
  return dice.pick<() => string>([
    () => log(rows, String(dice.below(9))),
    () => pods(rows),
    () => json(dice, rows),
    () => ndjson(dice, rows),
    () => log(rows).replaceAll('\n', '\r\n').replaceAll('INFO', '\u001b[32mINFO\u001b[0m'),
    () => `${dice.line()}\n`.repeat(rows),
    () => yaml(dice, rows),
  ])();
}

/** JSON around outputs, in one or several layers. */
export function envelope(dice: Dice, rows: number, depth = 0): string {
  const text = depth < 3 && dice.chance(0.3) ? envelope(dice, rows, depth + 1) : output(dice, rows);
  const space = dice.pick([0, 2]);
  const key = dice.pick(['stdout', 'output', 'content', 'text', 'result', 'note', 'odd key/é']);
  const made = dice.pick<() => unknown>([
    () => ({ [key]: text, exit_code: dice.below(2), stderr: dice.pick(['', 'warning: x\n']) }),
    () => ({
      content: [
        { type: 'text', text },
        { type: 'text', text: dice.chance(0.5) ? output(dice, rows) : 'ok' },
      ],
      isError: false,
    }),
    () => [
      { role: 'tool', content: text },
      { role: 'user', content: 'go on' },
    ],
    () => ({ id: 1, result: { content: [{ type: 'text', text }] } }),
    () => ({ stdout: text, stderr: output(dice, 5 + dice.below(rows)), code: 0 }),
  ])();
  let whole = JSON.stringify(made, null, space);
  if (dice.chance(0.1)) whole = whole.replaceAll('/', '\\/');
  if (dice.chance(0.1)) whole = whole.replaceAll('e', '\\u0065').replaceAll('"cont\\u0065nt"', '"content"');
  if (dice.chance(0.1)) whole = whole.slice(0, Math.floor(whole.length * (0.5 + dice.below(50) / 100)));
  return `${whole}${dice.pick(['', '\n'])}`;
}

function yamlScalar(dice: Dice): string {
  return dice.pick<() => string>([
    () => dice.pick(WORDS.slice(0, -2)),
    () => String(dice.below(1e6)),
    () => dice.pick(['true', 'null', '~', '""', "''", '{}', '[]', '1.0', '0o17', '2026-05-01']),
    () => `"${dice.pick(WORDS)} ${dice.pick(['\\n', ': ', '# ', ''])}${dice.below(99)}"`,
    () => `'it''s ${dice.below(99)}'`,
    () => `{a: ${dice.below(9)}, b: [x, "y: z"]}`,
    () => `[${dice.below(9)}, ${dice.pick(WORDS.slice(0, 3))}]`,
    () => `${dice.pick(WORDS.slice(0, 3))} ${dice.below(99)} # why`,
    () => `!!str ${dice.below(99)}`,
    () => `a:b ${dice.below(99)}`,
    () => `http://h/${dice.below(99)}#x`,
  ])();
}

class YamlWriter {
  private readonly anchors: string[] = [];
  private count = 0;
  private readonly dice: Dice;

  constructor(dice: Dice) {
    this.dice = dice;
  }

  forget(): void {
    this.anchors.length = 0;
  }

  /** What stands behind a key or a dash that is at `indent`, with its line end. */
  value(indent: number, depth: number): string {
    const { dice } = this;
    const pad = ' '.repeat(indent);
    if (dice.chance(0.03))
      return `\n${this.comment(indent + 2)}${pad}  folded ${dice.below(99)}\n${pad}  goes on\n`;
    if (dice.chance(0.05)) return this.block(indent);
    if (dice.chance(0.03) && this.anchors.length > 0) return `*${dice.pick(this.anchors)}\n`;
    if (depth > 4 || dice.chance(0.6)) return `${this.anchor()}${yamlScalar(dice)}\n`;
    const anchor = this.anchor().trimEnd();
    if (dice.chance(0.5))
      return `${anchor}\n${this.list(dice.pick([indent, indent + 2]), depth + 1, 1 + dice.below(5))}`;
    const keys = Array.from({ length: 1 + dice.below(5) }, (_, i) => `k${i}`);
    return `${anchor}\n${this.map(indent + 2, depth + 1, keys)}`;
  }

  private anchor(): string {
    if (!this.dice.chance(0.04)) return '';
    this.count += 1;
    this.anchors.push(`a${this.count}`);
    return `&a${this.count} `;
  }

  private comment(indent: number): string {
    return this.dice.chance(0.2) ? `${' '.repeat(indent)}# ${this.dice.pick(WORDS)}\n` : '';
  }

  private block(indent: number): string {
    const { dice } = this;
    const pad = ' '.repeat(indent + 2);
    const line = (): string =>
      dice.chance(0.1)
        ? ''
        : `${pad}${dice.chance(0.2) ? '  ' : ''}line ${dice.below(999)} of ${dice.pick(WORDS)}: x`;
    const lines = [`${pad}first`, ...Array.from({ length: dice.below(30) }, line)];
    return `${dice.pick(['|', '>-', '|+', '|-'])}\n${lines.join('\n')}\n`;
  }

  map(indent: number, depth: number, keys: readonly string[]): string {
    const pad = ' '.repeat(indent);
    return keys.map((key) => `${this.comment(indent)}${pad}${key}: ${this.value(indent, depth)}`).join('');
  }

  list(indent: number, depth: number, rows: number): string {
    const { dice } = this;
    const pad = ' '.repeat(indent);
    const keys = ['name', 'value', 'status', '"odd key"', "'it''s'"].slice(dice.below(3), 3 + dice.below(3));
    const isFlat = dice.chance(0.3);
    return Array.from({ length: rows }, () => {
      const comment = this.comment(indent);
      if (isFlat) return `${comment}${pad}- ${yamlScalar(dice)}\n`;
      return `${comment}${pad}- ${this.map(indent + 2, depth + 1, keys).replace(/^(?: *#[^\n]*\n)* +/, '')}`;
    }).join('');
  }
}

/** YAML as people write it. */
export function yaml(dice: Dice, rows: number): string {
  const writer = new YamlWriter(dice);
  const one = (count: number): string => {
    writer.forget();
    return dice.pick<() => string>([
      () => writer.list(0, 0, count),
      () =>
        writer.map(
          0,
          0,
          Array.from({ length: count }, (_, i) => `key${i}`),
        ),
      () => `apiVersion: v1\nitems:\n${writer.list(dice.pick([0, 2]), 1, count)}`,
    ])();
  };
  const several = dice.chance(0.25);
  const text = several
    ? Array.from({ length: 3 + dice.below(8) }, () => `---\n${one(Math.ceil(rows / 8))}`).join('')
    : `${dice.chance(0.1) ? '%YAML 1.2\n---\n' : ''}${one(rows)}`;
  return dice.chance(0.1) ? text.replaceAll('\n', '\r\n') : text;
}

/** A report by indentation. */
export function describeText(dice: Dice, rows: number): string {
  const field = (indent: number): string => {
    const key = dice.pick([
      'Name',
      'State',
      'Last State',
      'Exit Code',
      'Image',
      'Ready',
      'Rx Packets',
      'MTU',
      'Serial Number',
      'Env',
    ]);
    return `${' '.repeat(indent)}${`${key}:`.padEnd(18)} ${dice.pick(WORDS)} ${dice.chance(0.4) ? dice.below(1e5) : ''}`.trimEnd();
  };
  const section = (i: number): string => {
    const body = Array.from({ length: 1 + dice.below(8) }, () => field(2 + 2 * dice.below(2)));
    if (dice.chance(0.2)) body.push('  Warning  BackOff  3m  kubelet  Back-off restarting failed container');
    return [dice.pick([`Section ${i}:`, `eth${i} is up`, `Handle 0x${i}, DMI type 17`]), ...body].join('\n');
  };
  const head = Array.from({ length: 4 + dice.below(8) }, () => field(0));
  const between = dice.pick(['\n', '\n\n']);
  return `${[head.join('\n'), ...Array.from({ length: rows / 4 }, (_, i) => section(i))].join(between)}\n`;
}
