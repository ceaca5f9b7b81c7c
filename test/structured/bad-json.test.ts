/** JSON that no serializer should write: each view comes soon, is proven, and parses where its input did. */
import { describe, expect, it } from 'vitest';
import { prove, provesView } from './prove.ts';
import { difference, readTree } from './tree.ts';

const states = ['moored', 'moored', 'moored', 'leaving'];

function record(i: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const state = i === 70 ? 'stranded' : states[i % 4];
  return { id: 700 + i, vessel: `V${1000 + i}`, state, zone: 'north', ...more };
}

const records = Array.from({ length: 120 }, (_, i) => record(i));
const json = JSON.stringify({ quay: 3, berths: records });
const pretty = JSON.stringify({ quay: 3, berths: records }, null, 2);

/** The view says nothing that its input does not, and names what it leaves out. */
function sameTree(view: string, input: string): void {
  expect(difference(readTree(view), readTree(input))).toBeUndefined();
}

describe('deep', () => {
  it.each([
    ['lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['lists, cut off', '['.repeat(100_000)],
    ['objects with members around', `${'{"a":1,"b":'.repeat(100_000)}2${',"c":3}'.repeat(100_000)}`],
    ['a list among records', `${json.slice(0, -2)},${'['.repeat(100_000)}${']'.repeat(100_000)}]}`],
    [
      'a line of NDJSON',
      `${JSON.stringify(record(1))}\n${'['.repeat(100_000)}${']'.repeat(100_000)}\n`.repeat(3),
    ],
    ['in a string', JSON.stringify({ stdout: `${'[\n'.repeat(100_000)}${']'.repeat(100_000)}`, exit: 1 })],
  ])('100,000 levels: %s', async (_, input) => {
    await prove(input, { most: 5000 });
  });

  it('400 levels around records', async () => {
    const input = `${'{"a":['.repeat(200)}${json}${']}'.repeat(200)}`;
    const { text } = await provesView(input);
    sameTree(text, input);
    expect(text).toContain('stranded');
  });
});

describe('a byte order mark', () => {
  it.each([
    ['JSON', json, (text: string) => sameTree(text, json)],
    ['indented JSON', pretty, (text: string) => sameTree(text, pretty)],
    [
      'NDJSON',
      records.map((each) => `${JSON.stringify(each)}\n`).join(''),
      (text: string) =>
        text
          .trim()
          .split('\n')
          .forEach((line) => JSON.parse(line) as unknown),
    ],
  ])('before %s stays', async (_, input, parses) => {
    const { text } = await provesView(`\ufeff${input}`);
    expect(text.startsWith('\ufeff')).toBe(true);
    parses(text.slice(1));
    expect(text).toContain('stranded');
  });
});

describe('what is not JSON, and nearly is', () => {
  it.each([
    ['NaN', json.replaceAll('"north"', 'NaN'), (text: string) => text.replaceAll('NaN', 'null')],
    [
      'Infinity',
      json.replaceAll('"north"', '-Infinity'),
      (text: string) => text.replaceAll('-Infinity', '0'),
    ],
    [
      'words of Python',
      json.replaceAll('"north"', 'None'),
      (text: string) => text.replaceAll('None', 'null'),
    ],
    ['a trailing comma', json.replaceAll('}]', '},]'), (text: string) => text.replaceAll(',]', ']')],
    [
      'trailing commas',
      pretty.replaceAll('"north"', '"north",'),
      (text: string) => text.replaceAll(/,(?=\s*[}\]])/g, ''),
    ],
    [
      'line comments',
      pretty.replaceAll('"north"', '"north" // which'),
      (text: string) => text.replaceAll('// which', ''),
    ],
    [
      'comments',
      json.replaceAll('"north"', '/* { */ "north"'),
      (text: string) => text.replaceAll('/* { */', ''),
    ],
    [
      'single quotes',
      json.replaceAll('"', "'"),
      (text: string) => text.replaceAll('"', '\\"').replaceAll("'", '"'),
    ],
    [
      'hexadecimal numbers',
      json.replaceAll('"north"', '0xff'),
      (text: string) => text.replaceAll('0xff', '0'),
    ],
    ['leading zeros', json.replaceAll('"north"', '007'), (text: string) => text.replaceAll('007', '7')],
    [
      'bare line ends in strings',
      json.replaceAll('north', 'no\nrth'),
      (text: string) => text.replaceAll('no\nrth', 'x'),
    ],
  ])('%s', async (_, input, repaired) => {
    const { text, made } = await prove(input);
    // What a lenient parser reads, it still reads.
    JSON.parse(repaired(input));
    if (made.kind === 'view' && made.shapes.includes('json')) JSON.parse(repaired(text));
  });

  it.each([
    ['on one line', json],
    ['indented', pretty],
    [
      'with an envelope',
      JSON.stringify({ code: 0, stdout: `${records.map((r) => JSON.stringify(r)).join('\n')}\n` }),
    ],
  ])('cut in the middle, %s', async (_, input) => {
    for (let share = 1; share <= 40; share += 1) await prove(input.slice(0, (input.length * share) / 41));
    for (let less = 1; less <= 40; less += 1) await prove(input.slice(0, input.length - less));
  });

  it('cut at the front', async () => {
    for (let more = 1; more <= 60; more += 1) await prove(pretty.slice(more));
  });

  it('cut in an escape, in a character', async () => {
    const bytes = Buffer.from(json.replaceAll('north', '\\u00e9 漢 😀'));
    for (let less = 1; less <= 60; less += 1) await prove(bytes.subarray(0, bytes.length - less));
  });

  it('brackets that close what was not opened', async () => {
    await prove(json.replaceAll('}', ']'));
    await prove(`${json}]]]}}}`);
    await prove(pretty.replace('"berths": [', '"berths": {'));
  });
});
