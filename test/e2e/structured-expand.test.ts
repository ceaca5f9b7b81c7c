/** `ctxzip expand` by paths: records, members, documents, and lines of strings; in one stored original of each shape. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Ended, hashOf, sandbox } from '../support-e2e/command.ts';
import { FAILURE, log, logLines } from '../support-e2e/inputs.ts';

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: number };
  readonly spec: { readonly containers: ReadonlyArray<{ readonly image: string }> };
  readonly status: { readonly phase: string };
}

const box = sandbox();
const pods = Array.from({ length: 150 }, (_, i): Pod => {
  const phase = i === 77 ? 'Failed' : 'Running';
  return {
    metadata: { name: `berth-${i}`, uid: i },
    spec: { containers: [{ image: `registry.local/berth:${i}` }] },
    status: { phase },
  };
});
const list = { apiVersion: 'v1', items: pods, kind: 'List', 'odd key/é': [1, 2] };
const inputs = {
  json: JSON.stringify(list),
  pretty: JSON.stringify(list, null, 2),
  ndjson: pods.map((pod) => `${JSON.stringify(pod)}\n`).join(''),
  prefixed: pods.map((pod) => `api-1: ${JSON.stringify(pod)}\n`).join(''),
  envelope: JSON.stringify({ stdout: log(300), stderr: 'one\n', code: 3 }),
  nested: JSON.stringify({
    id: 1,
    result: { content: [{ text: JSON.stringify({ stdout: log(300) }, null, 1) }] },
  }),
  yaml: `berths:\n${pods.map((_, i) => `- name: berth-${i}\n  state: ${i === 77 ? 'Failed' : 'Running'}\n`).join('')}last: x\n`,
  documents: pods
    .map((_, i) => `---\nmetadata:\n  name: berth-${i}\n  uid: ${i}\nspec:\n  replicas: 2\n`)
    .join(''),
};
type Name = keyof typeof inputs;
const hashes = new Map<Name, string>();

beforeAll(async () => {
  for (const name of Object.keys(inputs) as Name[]) {
    hashes.set(name, hashOf((await box.run([], { input: inputs[name] })).text));
  }
});

function run(name: Name, ...args: string[]): Promise<Ended> {
  return box.run(['expand', hashes.get(name)!, ...args]);
}

async function text(name: Name, ...args: string[]): Promise<string> {
  const ended = await run(name, ...args);
  expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' });
  return ended.text;
}

describe('records', () => {
  it.each<Name>(['json', 'pretty'])('a range is a JSON array: %s', async (name) => {
    expect(JSON.parse(await text(name, 'items/5-146'))).toEqual(pods.slice(5, 147));
    expect(JSON.parse(await text(name, 'items/7-7'))).toEqual([pods[7]]);
    expect(JSON.parse(await text(name, 'items/0-149'))).toEqual(pods);
  });

  it.each<Name>(['ndjson', 'prefixed'])('a range of lines that are records: %s', async (name) => {
    const whole = inputs[name].split(/(?<=\n)/);
    expect(await text(name, 'L6-147')).toBe(whole.slice(5, 147).join(''));
  });

  it('a range of NDJSON by number', async () => {
    expect(JSON.parse(await text('ndjson', '5-146'))).toEqual(pods.slice(5, 147));
    expect(JSON.parse(await text('ndjson', '7/metadata'))).toEqual(pods[7]!.metadata);
  });

  it.each<Name>(['json', 'pretty'])('--raw is the bytes of the range: %s', async (name) => {
    const raw = await text(name, 'items/5-146', '--raw');
    expect(inputs[name]).toContain(raw);
    expect(JSON.parse(`[${raw}]`)).toEqual(pods.slice(5, 147));
  });

  it('--grep chooses records', async () => {
    expect(JSON.parse(await text('pretty', 'items/0-149', '--grep', 'Failed'))).toEqual([pods[77]]);
    expect(JSON.parse(await text('pretty', 'items/5-146', '--grep', '"berth-1[23]"'))).toEqual([
      pods[12],
      pods[13],
    ]);
    expect(JSON.parse(await text('ndjson', '0-149', '--grep', 'Failed'))).toEqual([pods[77]]);
    const { code, text: none, err } = await run('json', 'items/5-9', '--grep', 'Failed');
    expect({ code, none }).toEqual({ code: 1, none: '' });
    expect(err).toMatch(/no record matches/);
  });

  it('--head and --tail count records', async () => {
    expect(JSON.parse(await text('pretty', 'items/5-146', '--head', '2'))).toEqual(pods.slice(5, 7));
    expect(JSON.parse(await text('pretty', 'items/5-146', '--tail', '2'))).toEqual(pods.slice(145, 147));
    expect(JSON.parse(await text('json', 'items/5-146', '--head', '0'))).toEqual([]);
  });

  it('an end beyond the end means the end', async () => {
    const { code, text: printed } = await run('json', 'items/140-999');
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toEqual(pods.slice(140));
  });
});

describe('values', () => {
  it.each<[string, unknown]>([
    ['items/3/spec/containers/0', pods[3]!.spec.containers[0]],
    ['items/3/spec/containers/0/image', 'registry.local/berth:3'],
    ['items/3/metadata/uid', 3],
    ['items/3', pods[3]],
    ['kind', 'List'],
    ['odd%20key%2F%C3%A9/1', 2],
    ['odd%20key%2F%C3%A9', [1, 2]],
    ['items', pods],
  ])('%s', async (path, value) => {
    expect(JSON.parse(await text('json', path))).toEqual(value);
    expect(JSON.parse(await text('pretty', path))).toEqual(value);
  });

  it('a range of members is an object', async () => {
    expect(JSON.parse(await text('pretty', 'items/3/0-1'))).toEqual({
      metadata: pods[3]!.metadata,
      spec: pods[3]!.spec,
    });
  });
});

describe('YAML', () => {
  it('documents', async () => {
    expect(await text('documents', '@1/metadata')).toBe('metadata:\n  name: berth-1\n  uid: 1\n');
    expect(await text('documents', '@149/metadata/name')).toBe('  name: berth-149\n');
    expect(await text('documents', '@77')).toBe(
      '---\nmetadata:\n  name: berth-77\n  uid: 77\nspec:\n  replicas: 2\n',
    );
  });

  it('items are their lines', async () => {
    expect(await text('yaml', 'berths/77')).toBe('- name: berth-77\n  state: Failed\n');
    const lines = inputs.yaml.split(/(?<=\n)/);
    expect(await text('yaml', 'berths/5-146')).toBe(lines.slice(11, 295).join(''));
  });
});

describe('lines of strings', () => {
  it('are decoded', async () => {
    const lines = logLines(300);
    const expected = `${lines.slice(11, 48).join('\n')}\n`;
    expect(await text('envelope', 'stdout:L12-48')).toBe(expected);
    expect(await text('nested', 'result/content/0/text:stdout:L12-48')).toBe(expected);
    expect(await text('envelope', 'stderr:L1')).toBe('one\n');
    expect(await text('envelope', 'stdout:L12:c1-10')).toBe(lines[11]!.slice(0, 10));
  });

  it('--grep, -n, --head and --raw', async () => {
    expect(await text('envelope', 'stdout:L1-300', '--grep', 'ERROR', '-n')).toBe(
      `151:2026-05-01T12:02:30Z ${FAILURE}\n`,
    );
    expect(await text('envelope', 'stdout:L12-48', '--head', '1')).toBe(`${logLines(300)[11]!}\n`);
    expect(await text('envelope', 'stdout:L12-13', '--raw')).toBe(
      `${logLines(300).slice(11, 13).join('\n')}\n`,
    );
  });

  it('the string as a whole is JSON', async () => {
    expect(JSON.parse(await text('envelope', 'stdout'))).toBe(log(300));
  });
});

describe('what can not be', () => {
  it.each<[Name, string, RegExp]>([
    ['json', 'items/150', /"150" is no element of a list of 150/],
    ['json', 'items/x', /"x" is no element/],
    ['json', 'items/-1', /./],
    ['json', 'items/9-5', /end comes before its start/],
    ['json', 'nope', /there is no "nope"; there is apiVersion, items/],
    ['json', 'items/0/metadata/name/x', /./],
    ['json', 'items/0/nope/x', /there is no "nope"/],
    ['json', 'items//0', /no empty part/],
    ['json', '/items', /./],
    ['json', 'items/', /./],
    ['json', 'odd key', /./],
    ['json', '%zz', /./],
    ['json', '@1/items', /only YAML has documents/],
    ['json', 'items:L1', /items is no string/],
    ['json', 'items/150-160', /./],
    ['envelope', 'stdout:L301', /beyond the end: the original has 300 lines/],
    ['envelope', 'stdout:L0', /./],
    ['envelope', 'code:L1', /code is no string/],
    ['envelope', 'stdout:nope', /./],
    ['documents', '@150', /there are 150 documents/],
    ['documents', 'metadata', /begin with @0/],
    ['documents', '@1/nope', /there is no "nope"/],
    ['documents', '@x', /./],
    ['yaml', 'berths/150', /./],
    ['ndjson', '150', /./],
    ['ndjson', 'items/0', /./],
  ])('%s: %s', async (name, address, message) => {
    const { out, err, code } = await run(name, address);
    expect({ out: out.length, code }).toEqual({ out: 0, code: 2 });
    expect(err).toMatch(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('a path in a log', async () => {
    const hash = hashOf((await box.run([], { input: log(300) })).text);
    const { err, code } = await box.run(['expand', hash, 'items/5-146']);
    expect(code).toBe(2);
    expect(err).toMatch(/is a path, and this original is no JSON or YAML/);
  });
});
