/** JSON documents as text, token by token: every number and string as it is written, any whitespace. */
import * as fc from 'fast-check';

/** How whitespace is put between tokens. */
export type Spacing =
  | {
      readonly kind: 'regular';
      readonly indent: string;
      readonly isSpaced: boolean;
      readonly eol: string;
      readonly end: string;
    }
  | { readonly kind: 'irregular'; readonly blanks: readonly string[] };

export const regular: fc.Arbitrary<Spacing> = fc.record({
  kind: fc.constant('regular' as const),
  indent: fc.constantFrom('', '', ' ', '  ', '    ', '\t', '\t\t'),
  isSpaced: fc.boolean(),
  eol: fc.constantFrom('\n', '\n', '\r\n'),
  end: fc.constantFrom('', 'eol'),
});
export const irregular: fc.Arbitrary<Spacing> = fc.record({
  kind: fc.constant('irregular' as const),
  blanks: fc.array(fc.constantFrom('', '', ' ', '\n', '\r\n', '\t', '  \n '), {
    minLength: 1,
    maxLength: 20,
  }),
});

/** A value: a token, or a list of values or of members in their order. */
export type Node =
  | { readonly token: string }
  | { readonly items: readonly Node[] }
  | { readonly members: ReadonlyArray<readonly [key: string, value: Node]> };

const NUMBERS = [
  '0',
  '-0',
  '1',
  '1.0',
  '1.50',
  '1e5',
  '1E+400',
  '-1.2e-3',
  '12345678901234567890123',
  '0.1',
  '200',
];
const STRINGS = [
  '',
  'a',
  'Running',
  'true',
  'null',
  '1',
  '-1.5e3',
  '007',
  '10.0.0.7',
  '2026-05-01T12:00:00Z',
  'a, b',
  ' blank first',
  'blank last ',
  '=equals',
  '#hash',
  '(round)',
  '[1]',
  '{x}',
  ']',
  'x]',
  '3 rows: a',
  '12 rows',
  'key:value',
  'a=b',
  '\\"quoted\\"',
  'back\\\\slash',
  'line\\nbreak',
  '\\u0000',
  '\\ud800',
  '\\udc00\\ud83d',
  '\\/',
  'é漢😀',
  '__proto__',
  'constructor',
  '<<ctxzip minimal/1 json>>',
  '<<3 lines of json>>',
  'word '.repeat(30).trim(),
];
const token = (text: string): Node => ({ token: text });
const quoted = (text: string): string => `"${text}"`;
const words = fc.oneof(
  { arbitrary: fc.constantFrom(...STRINGS), weight: 4 },
  {
    arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text).slice(1, -1)),
    weight: 1,
  },
  { arbitrary: fc.string({ maxLength: 20 }).map((text) => JSON.stringify(text).slice(1, -1)), weight: 1 },
);
const scalar: fc.Arbitrary<Node> = fc.oneof(
  words.map((text) => token(quoted(text))),
  fc.constantFrom(...NUMBERS, 'true', 'false', 'null').map(token),
);

/** Records of one schema: fields that may be absent, differ in order now and then, or be of another type. */
const records = fc
  .tuple(
    fc.uniqueArray(words, { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.array(scalar, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat()), {
      minLength: 1,
      maxLength: 25,
    }),
    fc.nat(5),
    fc.constantFrom('flat', 'group', 'list', 'dict'),
  )
  .map(([keys, rows, odd, shape]): Node[] =>
    rows.map(([values, skip, turn], n) => {
      let members = keys.map((key, k): readonly [string, Node] => [key, values[k % values.length]!]);
      if (odd > 3 && skip % 5 === 0) members = members.filter((_, k) => k !== skip % keys.length);
      if (odd > 4 && turn % 7 === 0) members.reverse();
      if (odd > 4 && turn % 11 === 0) members.push(...members.slice(0, 1));
      const inner: Node = { members };
      if (odd > 4 && skip % 9 === 0) return values[0]!;
      if (shape === 'flat') return inner;
      const id: readonly [string, Node] = ['id', token(String(n))];
      if (shape === 'group') return { members: [id, ['meta', turn % 6 === 0 ? values[0]! : inner]] };
      if (shape === 'list')
        return { members: [id, ['list', { items: Array.from({ length: turn % 4 }, () => inner) }]] };
      return {
        members: [
          id,
          [
            'map',
            { members: Array.from({ length: turn % 4 }, (_, k) => [`k${k * (skip % 3)}`, inner] as const) },
          ],
        ],
      };
    }),
  );

export const document: fc.Arbitrary<Node> = fc.letrec<{ node: Node; list: Node; object: Node }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, scalar, tie('list'), tie('object')),
  list: fc.oneof(
    fc.array(tie('node'), { maxLength: 4 }).map((items) => ({ items })),
    records.map((items) => ({ items })),
    records.map((items) => ({ members: items.map((item, i) => [`id-${i}`, item] as const) })),
  ),
  object: fc.array(fc.tuple(words, tie('node')), { maxLength: 4 }).map((members) => ({ members })),
})).list;

/** A list of records, for NDJSON. */
export const recordList: fc.Arbitrary<Node[]> = records.map((items) =>
  items.filter((item) => !('token' in item)),
);

/** The text of a document. */
export function textOf(node: Node, spacing: Spacing): string {
  if (spacing.kind === 'irregular') return irregularText(node, spacing.blanks);
  const { indent, isSpaced, eol, end } = spacing;
  const isTight = indent === '' && !isSpaced;
  const comma = indent === '' && isSpaced ? ', ' : ',';
  const write = (value: Node, depth: number): string => {
    if ('token' in value) return value.token;
    const [open, close, parts] =
      'items' in value
        ? ['[', ']', value.items.map((item) => write(item, depth + 1))]
        : [
            '{',
            '}',
            value.members.map(([key, item]) => `"${key}":${isTight ? '' : ' '}${write(item, depth + 1)}`),
          ];
    if (parts.length === 0) return open + close;
    const line = indent === '' ? '' : eol + indent.repeat(depth + 1);
    return `${open}${line}${parts.join(comma + line)}${indent === '' ? '' : eol + indent.repeat(depth)}${close}`;
  };
  return write(node, 0) + (end === '' ? '' : eol);
}

function irregularText(node: Node, blanks: readonly string[]): string {
  let n = 0;
  const blank = (): string => blanks[n++ % blanks.length]!;
  const write = (value: Node): string => {
    if ('token' in value) return value.token;
    if ('items' in value)
      return `[${blank()}${value.items.map(write).join(`${blank()},${blank()}`)}${blank()}]`;
    const members = value.members.map(([key, item]) => `"${key}"${blank()}:${blank()}${write(item)}`);
    return `{${blank()}${members.join(`,${blank()}`)}${blank()}}`;
  };
  return `${blank()}${write(node)}${blank()}`;
}
