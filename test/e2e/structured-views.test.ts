/** The built command over structured text: what reads the input reads the view, and every marker of a view opens. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { hasTool, hashOf, projectFolder, sandbox } from '../support-e2e/command.ts';
import { log } from '../support-e2e/inputs.ts';

const box = sandbox();

function fixture(path: string): string {
  return readFileSync(join(projectFolder, 'fixtures', path, 'input'), 'utf8');
}

interface Gap {
  readonly address: string;
  readonly bytes: readonly [number, number];
  readonly view: readonly [number, number];
}

async function viewOf(input: string, ...args: string[]): Promise<string> {
  const { text, code, err } = await box.run(args, { input });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(text.length).toBeLessThan(input.length);
  return text;
}

describe('a list of kubectl', () => {
  const input = fixture('json/pods-list-needle');

  it('parses, and `.items[].metadata.name` runs over it', async () => {
    const view = JSON.parse(await viewOf(input)) as { items: Array<{ metadata?: { name?: string } }> };
    const names = view.items.map((item) => item.metadata?.name ?? null);
    expect(names).toContain('gull-cache-b02decaf0-zbgrj');
    expect(names.filter((name) => name !== null).length).toBeGreaterThan(2);
  });

  it.runIf(hasTool('jq'))('with jq itself', async () => {
    const { text, code } = await box.shell(
      `$CZ | jq -r '.items[].metadata.name, .items[].status.phase, (.items[].spec.containers | length)'`,
      { input },
    );
    expect(code).toBe(0);
    expect(text).toContain('gull-cache-b02decaf0-zbgrj\n');
  });

  it('in YAML', async () => {
    const view = parse(await viewOf(fixture('yaml/pods-list'))) as {
      items: Array<{ metadata: { name: string } }>;
    };
    expect(view.items.every((item) => typeof item.metadata.name === 'string')).toBe(true);
  });

  it('the command in its first marker runs', async () => {
    const view = await viewOf(input);
    const words = /expand: ctxzip (expand [0-9a-f]{12} \S+?)>>/.exec(view)![1]!.split(' ');
    const { code, text } = await box.run(words);
    expect(code).toBe(0);
    JSON.parse(text);
  });
});

/** Fixtures speak of the same things, so that expansions of several may suggest a word. */
const SUGGESTION = /^ctxzip: .*: wanted in three outputs that hid it; .*\n/;

describe('every fixture', () => {
  const cases = ['json', 'ndjson', 'envelope', 'yaml', 'describe'].flatMap((shape) =>
    readdirSync(join(projectFolder, 'fixtures', shape))
      .map((name) => `${shape}/${name}`)
      .filter((_, i) => i % 4 === 0),
  );

  it.each(cases)('%s: markers open, restore and verify agree', async (path) => {
    const input = fixture(path);
    const { out } = await box.run([], { input });
    if (out.toString() === input) return;
    const back = await box.run(['restore'], { input: out });
    expect({ same: back.text === input, code: back.code }).toEqual({ same: true, code: 0 });
    const proof = await box.run(['verify'], { input: out });
    expect(proof.code, proof.text + proof.err).toBe(0);
    const { gaps } = JSON.parse((await box.run(['--json'], { input })).text) as { gaps: Gap[] };
    for (const { address } of [gaps[0]!, gaps.at(-1)!]) {
      const opened = await box.run(['expand', hashOf(out), address]);
      const err = opened.err.replace(SUGGESTION, '');
      expect({ address, code: opened.code, err }).toEqual({ address, code: 0, err: '' });
      expect(opened.out.length).toBeGreaterThan(10);
    }
  });
});

describe('a view that is compressed again', () => {
  it.each([
    'json/pods-list-needle',
    'ndjson/zap',
    'envelope/mcp-content',
    'yaml/list-needle',
    'describe/node',
  ])('%s comes out as it is', async (path) => {
    const view = await viewOf(fixture(path));
    expect((await box.run([], { input: view })).text).toBe(view);
  });
});

describe('options', () => {
  const records = Array.from({ length: 200 }, (_, i) => ({
    id: i,
    state: i === 150 ? 'stranded' : 'moored',
  }));
  const input = JSON.stringify({ records });

  it('--keep', async () => {
    const view = JSON.parse(await viewOf(input, '--keep', '"id":44')) as { records: Array<{ id?: number }> };
    expect(view.records.map(({ id }) => id)).toEqual(expect.arrayContaining([44, 150]));
  });

  it('--max-tokens', async () => {
    const view = await viewOf(input, '--max-tokens', '300');
    expect(view.length).toBeLessThan(900);
    expect(view).toContain('stranded');
    JSON.parse(view);
  });

  // The view of 300 tokens has about 95; that of 200 has 27, and says nothing.
  it('--max-tokens 200 is used', async () => {
    expect(await viewOf(input, '--max-tokens', '200')).toContain('stranded');
  });

  it.each(['json', 'log', 'text', 'yaml', 'describe', 'ndjson', 'envelope', 'table'])(
    '--as %s loses nothing',
    async (shape) => {
      const { out, code } = await box.run(['--as', shape], { input });
      expect(code).toBe(0);
      if (out.toString() === input) return;
      expect((await box.run(['restore'], { input: out })).text).toBe(input);
      expect((await box.run(['verify'], { input: out })).code).toBe(0);
    },
  );

  it('--explain says what was seen', async () => {
    const { err } = await box.run(['--explain'], { input });
    expect(err).toMatch(/json: one JSON value/);
  });

  it('--json splices', async () => {
    const bytes = Buffer.from(input);
    const { gaps } = JSON.parse((await box.run(['--json'], { input })).text) as { gaps: Gap[] };
    const shown = (await box.run([], { input })).out;
    let at = 0;
    const parts = gaps.map((gap) => {
      const part = Buffer.concat([shown.subarray(at, gap.view[0]), bytes.subarray(...gap.bytes)]);
      at = gap.view[1];
      return part;
    });
    expect(Buffer.concat([...parts, shown.subarray(at)]).toString()).toBe(input);
  });
});

describe('bad input in the pipe', () => {
  it.each([
    ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      'a string of 10 MB',
      JSON.stringify({ id: 1, value: 'moored at the quay '.repeat(550_000), state: 'x' }),
    ],
    ['a million keys', `{${Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":${i % 7}`).join(',')}}`],
    ['cut in the middle', JSON.stringify({ stdout: log(900) }).slice(0, 40_000)],
  ])('%s', async (_, input) => {
    const { out, code, err, ms } = await box.run([], { input });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(ms).toBeLessThan(10_000);
    if (out.toString() === input) return;
    expect((await box.run(['restore'], { input: out })).text === input).toBe(true);
    expect((await box.run(['verify'], { input: out })).code).toBe(0);
  });

  it('documents of YAML still parse', async () => {
    const view = await viewOf(fixture('yaml/many-documents'));
    for (const each of parseAllDocuments(view)) expect(each.errors).toEqual([]);
  });
});
