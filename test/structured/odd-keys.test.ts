/** Keys that no address is made for, keys that come twice, keys that are ours: gaps still have a name, and open. */
import { describe, expect, it } from 'vitest';
import { type Compressed, expand, openStore } from '../../src/library.ts';
import { prove, provesView } from './prove.ts';
import { difference, readTree } from './tree.ts';

type View = Extract<Compressed, { kind: 'view' }>;

const controls = Array.from({ length: 32 }, (_, i) => `\\u${i.toString(16).padStart(4, '0')}`).join('');

/** Raw keys, as they stand between quotes. */
const KEYS: Readonly<Record<string, string>> = {
  'every control character': `a${controls}z`,
  'characters that end a marker': 'a>b>>c<<ctxzip d',
  'a whole marker': '<<ctxzip:ac998fea694b 3_lines_offloaded L1-3>>',
  blanks: '  a b   c ',
  'no-break spaces': '\u00a0\u2028\u3000',
  'ten thousand letters': 'k'.repeat(10_000),
  slashes: 'a/b//c/',
  colons: 'stdout:L3-90',
  'a range': '5-146',
  bytes: 'B4096-9000',
  'a document': '@1',
  percents: '%41%zz%',
  nothing: '',
  quotes: 'a\\"b\\\\',
  'a lone surrogate': '\\ud800',
  'an emoji': '😀',
  'an escaped emoji': '\\ud83d\\ude00',
  dots: '../..',
  'a prototype': '__proto__',
  'new lines': 'a\\nb\\r\\nc',
  'a terminal sequence': '\\u001b]52;c;AAAA\\u0007',
  'delete and C1': '\\u007f\\u009b31m\u007f',
};

const items = Array.from(
  { length: 90 },
  (_, i) => `{"id":${i},"state":"${i === 50 ? 'stranded' : 'moored'}"}`,
);

/** Each gap opens, and what comes are bytes of the gap. */
async function opens(input: string, made: View): Promise<void> {
  const store = openStore();
  const bytes = Buffer.from(input);
  await store.put(bytes, made);
  for (const gap of made.gaps) {
    const { exit, bytes: got, notes } = await expand(store, made.hash, { address: gap.address, raw: true });
    expect({ exit, notes, address: gap.address }).toEqual({ exit: 0, notes: [], address: gap.address });
    const hidden = bytes.subarray(...gap.bytes).toString('utf8');
    const raw = Buffer.from(got).toString('utf8').replace(/\n$/, '').trim();
    const decoded =
      gap.unit === 'lines' && !/^B\d/.test(gap.address) ? (JSON.parse(`"${hidden}"`) as string) : hidden;
    expect(decoded).toContain(raw);
    expect(raw.length).toBeGreaterThan(decoded.length / 2);
  }
}

function plainMarkers(made: View): void {
  const view = Buffer.from(made.view);
  for (const gap of made.gaps) {
    const marker = view.subarray(...gap.view).toString('latin1');
    expect(marker.length).toBeLessThan(260);
    expect(marker).toMatch(/^[\t\r\n -~]*$/);
    expect(marker.match(/>>/g)).toHaveLength(1);
  }
}

describe.each(Object.entries(KEYS))('a key of %s', (_, key) => {
  it.each([
    ['over a list', `{"${key}":[${items.join(',')}]}`],
    ['two levels over a list', `{"x":{"${key}":{"${key}y":[${items.join(',')}]}}}`],
    ['of each member', `{${items.map((item, i) => `"${key}${i}":${item}`).join(',')}}`],
    [
      'in records',
      `[${items.map((item, i) => (i < 5 ? item.replace('}', `,"${key}":1}`) : item)).join(',')}]`,
    ],
    ['over a long text', `{"${key}":"${'moored at the quay, '.repeat(300)}"}`],
    ['over output', `{"${key}":"${'INFO all is well at the quay\\n'.repeat(300)}"}`],
  ])('%s', async (_place, input) => {
    const { made, text } = await prove(input);
    expect(difference(readTree(text), readTree(input))).toBeUndefined();
    // Texts that read like markers are floor: what is full of them may pass through.
    if (made.kind === 'passthrough') return expect(key).toContain('<<ctxzip');
    plainMarkers(made);
    await opens(input, made);
  });
});

describe('duplicate keys', () => {
  it.each([
    ['all the same', `{${items.map((item) => `"a":${item}`).join(',')}}`],
    ['in pairs', `{${items.map((item, i) => `"k${i >> 1}":${item}`).join(',')}}`],
    [
      'before and behind a gap',
      `{"a":1,${items.map((item, i) => `"k${i}":${item}`).join(',')},"k5":2,"a":3}`,
    ],
    ['over the list that has the gap', `{"a":[${items.join(',')}],"a":[${items.toReversed().join(',')}]}`],
    ['written in two ways', `{${items.map((item, i) => `"${i % 2 ? 'b' : '\\u0062'}":${item}`).join(',')}}`],
    ['in records', `[${items.map((item) => item.replace('}', ',"id":-1,"id":-2}')).join(',')}]`],
  ])('%s', async (_, input) => {
    const { made, text } = await provesView(input);
    expect(difference(readTree(text), readTree(input))).toBeUndefined();
    await opens(input, made);
  });
});

describe('a map that contains _ctxzip', () => {
  const marker = '<<ctxzip:ac998fea694b 88_lines_offloaded L3-90 Running:88>>';
  it.each([
    ['as its first key', `{"_ctxzip":1,${items.map((item, i) => `"k${i}":${item}`).join(',')}}`],
    ['as its last key', `{${items.map((item, i) => `"k${i}":${item}`).join(',')},"_ctxzip":"${marker}"}`],
    [
      'and _ctxzip2',
      `{"_ctxzip":1,"_ctxzip2":2,${items.map((item, i) => `"k${i}":${item}`).join(',')},"_ctxzip4":4}`,
    ],
    ['in every record', `[${items.map((item) => item.replace('}', ',"_ctxzip":true}')).join(',')}]`],
    [
      'as records that are markers',
      `[${items.map((item, i) => (i % 9 === 4 ? `{"_ctxzip":"${marker}"}` : item)).join(',')}]`,
    ],
    [
      'as strings that are markers',
      `[${items.map((_item, i) => (i % 9 === 4 ? `"${marker}"` : `"berth ${i}"`)).join(',')},${items.map(() => '"moored"').join(',')}]`,
    ],
    ['over a list', `{"_ctxzip":[${items.join(',')}]}`],
  ])('%s', async (_, input) => {
    const { made, text } = await provesView(input);
    expect(difference(readTree(text), readTree(input))).toBeUndefined();
    expect(Object.keys(JSON.parse(text) as object).length).toBe(keysOf(text));
    await opens(input, made);
  });

  // The marker's key is `_ctxzip` as well: who parses the view loses the member.
  it('written with an escape', async () => {
    const { text } = await provesView(
      `{"\\u005fctxzip":1,${items.map((item, i) => `"k${i}":${item}`).join(',')}}`,
    );
    expect(Object.keys(JSON.parse(text) as object).length).toBe(keysOf(text));
  });

  it('in NDJSON', async () => {
    const input = items.map((item, i) => (i % 30 === 4 ? `{"_ctxzip":"${marker}"}\n` : `${item}\n`)).join('');
    const { made, text } = await provesView(input);
    for (const line of text.trim().split('\n')) JSON.parse(line);
    expect(text.split(marker)).toHaveLength(4);
    await opens(input, made);
  });
});

/** Members or elements of the outermost value, as they are written: none hides another one. */
function keysOf(text: string): number {
  const tree = readTree(text);
  return tree.kind === 'object' ? tree.members.length : tree.kind === 'list' ? tree.items.length : 0;
}
