/** The tape of JSON: keys that are like those before them, and nearly so, with blanks anywhere; and JSON that is none. */
import { expect, it } from 'vitest';
import { ARRAY, NUMBER, OBJECT, readTape, STRING } from '../../src/core/json/tape.ts';
import { hashKey } from '../../src/core/json/units.ts';

type Choice = <T>(from: readonly T[]) => T;
interface Value {
  readonly kind: number;
  readonly start: number;
  end: number;
  readonly key: string;
  readonly parent: number;
}

/** The same numbers for the same seed. */
function picker(seed: number): Choice {
  let state = seed;
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)]!;
  };
}

const KEYS = [
  '',
  'a',
  'ab',
  'id',
  'é',
  ...[13, 14, 15, 16, 26, 27, 28, 29, 30, 31, 40].map((n) => 'k'.repeat(n)),
];
const BLANKS = ['', '', '', ' ', '  ', '\n', '\r\n\t', ' '.repeat(17)];
const SCALARS = [
  '1',
  '-0.5e+3',
  '12345678901234567890',
  '"x"',
  '""',
  `"${'y'.repeat(40)}"`,
  '"{[,:]}"',
  'true',
];
const kindOf = (text: string): number => (text[0] === '"' ? STRING : text === 'true' ? 5 : NUMBER);

/** Text and the values in it. */
class Writer {
  text = '';
  readonly values: Value[] = [];
  private readonly pick: Choice;
  private readonly blanks: readonly string[];

  constructor(pick: Choice) {
    this.pick = pick;
    this.blanks = pick([[''], [' '], BLANKS]);
  }

  list(records: number): void {
    const keys = Array.from({ length: 6 }, () => this.pick(KEYS));
    this.inside(ARRAY, { key: '', parent: -1 }, records, (parent) =>
      this.value(keys, { key: '', parent }, 0),
    );
  }

  private value(keys: readonly string[], at: Place, depth: number): void {
    const kind = depth < 3 ? this.pick([OBJECT, OBJECT, ARRAY, 0, 0]) : 0;
    if (kind === 0) return this.scalar(at);
    const count = this.pick([0, 1, 3, 6]);
    this.inside(kind, at, count, (parent, i) => {
      const key = kind === ARRAY ? '' : this.pick([keys[i]!, keys[i]!, keys[i]!, this.pick(KEYS)]);
      const from = Buffer.byteLength(this.text);
      if (kind === OBJECT) this.write(`"${key}"`, ':');
      this.value(keys, { key: kind === OBJECT ? `${from}:${key}` : '', parent }, depth + 1);
    });
  }

  private scalar({ key, parent }: Place): void {
    const text = this.pick(SCALARS);
    const start = Buffer.byteLength(this.text);
    this.values.push({ kind: kindOf(text), start, end: start + text.length, key, parent });
    this.write(text);
  }

  private inside(
    kind: number,
    { key, parent }: Place,
    count: number,
    one: (of: number, i: number) => void,
  ): void {
    const start = Buffer.byteLength(this.text);
    const value: Value = { kind, start, end: 0, key, parent };
    const node = this.values.push(value) - 1;
    this.write(kind === OBJECT ? '{' : '[');
    for (let i = 0; i < count; i += 1) {
      if (i > 0) this.write(',');
      one(node, i);
    }
    this.text += kind === OBJECT ? '}' : ']';
    value.end = Buffer.byteLength(this.text);
    this.write();
  }

  /** Each with blanks behind it. */
  private write(...tokens: string[]): void {
    if (tokens.length === 0) this.text += this.pick(this.blanks);
    for (const token of tokens) this.text += token + this.pick(this.blanks);
  }
}
type Place = { readonly key: string; readonly parent: number };

function written(seed: number, records: number): Writer {
  const writer = new Writer(picker(seed));
  writer.list(records);
  return writer;
}

it('has every value with its bytes, its key and its parent', () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const { text, values } = written(seed, 12);
    const bytes = Buffer.from(text);
    const tape = readTape(bytes, 0, bytes.length)!;
    const got = Array.from({ length: tape.count }, (_, n) => ({
      kind: tape.kind[n],
      start: tape.start[n],
      end: tape.end[n],
      key: tape.key[n] === 0 ? '' : `${tape.key[n]}:${Buffer.from(tape.keyOf(n), 'latin1').toString()}`,
      parent: tape.parent[n],
    }));
    expect(got).toEqual(values);
    const hashes = values.map(({ key }) => (key === '' ? 0 : hashKey(key.slice(key.indexOf(':') + 1))));
    expect([...tape.keyHash]).toEqual(hashes);
  }
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it('is there for what is JSON, and for nothing else', () => {
  const marks = ['', '"', ',', ':', '{', '}', '[', ']', ' ', '1', 'e', '-', '.'];
  let broken = 0;
  for (let seed = 1; seed <= 2000; seed += 1) {
    const pick = picker(seed * 7919);
    const { text } = written(seed, 3);
    const at = pick(Array.from(text, (_, i) => i));
    const other = text.slice(0, at) + pick(marks) + text.slice(at + 1);
    const bytes = Buffer.from(other);
    const isJson = parses(other);
    if (!isJson) broken += 1;
    expect({ other, isTape: readTape(bytes, 0, bytes.length) !== undefined }).toEqual({
      other,
      isTape: isJson,
    });
  }
  expect(broken).toBeGreaterThan(500);
});
