/** What the daemon answers: the bytes of the pipe and of `expand`, and what it says of itself. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Recent } from '../../src/daemon/protocol.ts';
import { compressBatch } from '../../src/library.ts';
import { readFixtures } from '../support/fixtures.ts';
import { hashOf, sandbox } from '../support-e2e/command.ts';
import { type DaemonBox, daemonBox, until } from '../support-e2e/daemon.ts';
import { log, pods } from '../support-e2e/inputs.ts';

/** The pipe in another home: what both print depends on no store. */
const pipe = sandbox();

async function started(...flags: string[]): Promise<DaemonBox> {
  const box = daemonBox();
  await box.start(...flags);
  return box;
}

const compress = (box: DaemonBox, body: Uint8Array | string, params = '') =>
  box.ask(`/v1/compress${params}`, { method: 'POST', body });

it('gives the bytes of the pipe, for every fixture and for odd inputs', async () => {
  const box = await started();
  const odd = [
    '',
    'x',
    '\n',
    log(30),
    Buffer.from([0, 1, 2, 255]),
    Buffer.from('\xff\xfe caf\xe9\n'.repeat(900), 'latin1'),
  ];
  const fixtures = readFixtures().filter(
    ({ facts }) => facts.policy === undefined && facts.kind === 'typical',
  );
  for (const input of [...odd, log(4000), pods(), ...fixtures.map((each) => each.input)]) {
    const { out } = await pipe.run([], { input });
    const answer = await compress(box, input);
    expect(answer.status).toBe(200);
    expect(answer.body.equals(out), Buffer.from(input).subarray(0, 80).toString()).toBe(true);
  }
}, 120_000);

const FLAGS = [
  ['?max-tokens=300', ['--max-tokens', '300']],
  ['?budget=300&query=payment%2077', ['--max-tokens', '300', '--query', 'payment 77']],
  ['?level=minimal', ['--level', 'minimal']],
  ['?level=aggressive&markers=full&no-hint', ['--level', 'aggressive', '--markers', 'full', '--no-hint']],
  [
    '?keep=items/7&keep=%2Fid%3D1%5Cd7%2F&hint=false',
    ['--keep', 'items/7', '--keep', '/id=1\\d7/', '--no-hint'],
  ],
  ['?level=none', ['--level', 'none']],
  ['?as=text&tool=journalctl', ['--as', 'text', '--tool', 'journalctl']],
  ['?store=false', ['--no-store']],
  ['?json', ['--json']],
] as const;

it('takes the flags of the pipe as parameters', async () => {
  const box = await started();
  for (const [params, flags] of FLAGS) {
    const { out } = await pipe.run([...flags], { input: log(900) });
    expect((await compress(box, log(900), params)).text, params).toBe(out.toString());
  }
});

it('tells the facts in headers, or all as JSON', async () => {
  const box = await started();
  const { headers, text } = await compress(box, pods());
  expect(headers).toMatchObject({
    'x-ctxzip-kind': 'view',
    'x-ctxzip-shapes': 'table',
    'x-ctxzip-bytes': String(pods().length),
    'x-ctxzip-view-bytes': String(text.length),
  });
  expect(String(headers['x-ctxzip-hash']).slice(0, 12)).toBe(hashOf(text));
  expect(Number(headers['x-ctxzip-tokens-after'])).toBeLessThan(Number(headers['x-ctxzip-tokens-before']));
  const asked = await box.ask('/v1/compress?explain', {
    body: pods(),
    headers: { accept: 'application/json' },
  });
  const json = asked.json<{ kind: string; output: string; explain: string[] }>();
  expect(json).toMatchObject({ kind: 'view', output: text });
  expect(json.explain.join('\n')).toContain('table');
  const small = await compress(box, 'few words\n');
  expect(small.headers).toMatchObject({
    'x-ctxzip-kind': 'passthrough',
    'x-ctxzip-reason': 'under 2048 characters',
  });
});

it('stores before it answers, and records as the pipe does', async () => {
  const box = await started();
  const { text } = await compress(box, log(800), '?tool=journalctl');
  const expanded = await box.run(['expand', hashOf(text)]);
  expect(expanded.text).toBe(log(800));
  expect((await box.run(['restore'], { input: text })).text).toBe(log(800));
  const again = (await compress(box, text, '?json')).json();
  expect(again).toMatchObject({ kind: 'passthrough', reason: 'a view of ctxzip already', output: text });
  const stats = JSON.parse((await box.run(['stats', '--json'])).text) as {
    byTool: Record<string, { runs: number }>;
  };
  expect(stats.byTool['journalctl']?.runs).toBe(1);
  expect((await box.run(['explain', 'last'])).code).toBe(0);
});

it('answers with originals and parts of them, as expand prints them', async () => {
  const box = await started();
  const hash = hashOf((await compress(box, log(3000))).text);
  const wanted: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['', []],
    ['?address=L3-9', ['L3-9']],
    ['?grep=refused&context=1&line-number', ['--grep', 'refused', '-C', '1', '-n']],
    [
      '?address=L100-400&grep=ITEMS/7&ignore-case&head=2',
      ['L100-400', '--grep', 'ITEMS/7', '-i', '--head', '2'],
    ],
  ];
  for (const round of ['spool', 'lmdb']) {
    for (const [params, words] of wanted) {
      const { out } = await box.run(['expand', hash, ...words]);
      const answer = await box.ask(`/v1/originals/${hash}${params}`);
      expect(answer.status, round).toBe(200);
      expect(answer.text).toBe(out.toString());
    }
    await box.run(['gc']);
    expect(box.spooled()).toEqual([]);
  }
  expect((await box.ask('/v1/originals/abcdef123456')).status).toBe(404);
  expect((await box.ask(`/v1/originals/${hash}?grep=nothingofthekind`)).status).toBe(404);
  expect((await box.ask(`/v1/originals/${hash}?address=L99999999`)).status).toBe(400);
  expect((await box.ask(`/v1/originals/--help`)).status).toBe(400);
  expect((await box.ask(`/v1/originals/${hash}?frobnicate=1`)).json()).toMatchObject({
    error: 'unknown parameter "frobnicate"',
  });
  const expansions = (await box.ask('/v1/recent')).json<Recent>().expansions;
  expect(expansions.filter(({ hit }) => !hit).map((each) => each.hash)).toEqual(['abcdef123456']);
  expect(expansions.find(({ hit }) => hit)?.hash.slice(0, 12)).toBe(hash);
});

it('shares a budget as compressBatch does', async () => {
  const box = await started();
  const inputs = [log(1500, 'a'), pods(400), 'short\n', log(300, 'b')];
  const own = compressBatch(
    inputs.map((input) => ({ input })),
    { totalTokens: 1200 },
  );
  const body = JSON.stringify({ totalTokens: 1200, entries: inputs.map((input) => ({ input })) });
  const { status, json } = await box.ask('/v1/batch', { body });
  expect(status).toBe(200);
  const { results } = json<{ results: Array<{ view: string; kind: string; hash?: string }> }>();
  expect(results.map(({ view }) => view)).toEqual(own.map(({ view }) => Buffer.from(view).toString()));
  for (const [i, { kind, hash }] of results.entries())
    if (kind === 'view') expect((await box.run(['expand', hash!])).text).toBe(inputs[i]);
  const bytes = Buffer.from([200, 10]).toString('base64');
  const binary = await box.ask('/v1/batch', {
    body: JSON.stringify({ totalTokens: 9, entries: [{ inputBase64: bytes }] }),
  });
  expect(binary.json()).toMatchObject({ results: [{ kind: 'passthrough', viewBase64: bytes }] });
});

const BATCHES: ReadonlyArray<readonly [string, RegExp]> = [
  ['{', /the body is no JSON/],
  ['null', /totalTokens/],
  ['{"totalTokens":5}', /entries: give a list/],
  ['{"totalTokens":5,"entries":[{}]}', /entries\[0\]: give input/],
  ['{"totalTokens":5,"entries":[{"input":"x","policy":{"levle":"none"}}]}', /entries\[0\].policy: "levle"/],
  ['{"totalTokens":5,"entries":[{"input":"x","policy":{"level":"most"}}]}', /entries\[0\]: .*level.*"most"/],
];

it('says what is wrong with a batch', async () => {
  const box = await started();
  for (const [body, message] of BATCHES) {
    const answer = await box.ask('/v1/batch', { body });
    expect(answer.status, body).toBe(400);
    expect(String(answer.json()['error'])).toMatch(message);
  }
});

it('finds the configuration of the folder it is given, and changes to it', async () => {
  const box = await started();
  const project = mkdtempSync(join(box.root, 'project-'));
  mkdirSync(join(project, '.git'));
  const here = `?cwd=${encodeURIComponent(project)}`;
  const write = (text: string): void =>
    writeFileSync(join(project, 'forge.yaml'), `compression:\n  ${text}\n`);
  write('keep_patterns: ["id=333 "]');
  const kept = await compress(box, log(2000), here);
  expect(kept.text).toBe((await pipe.run([], { input: log(2000), cwd: project })).text);
  expect(kept.text).toContain('id=333 ');
  expect((await compress(box, log(2000))).text).not.toContain('id=333 ');
  write('level: none');
  expect((await compress(box, log(2000), here)).headers['x-ctxzip-reason']).toBe('level none');
  write('keep_patterns: ["/(/"]');
  const broken = await compress(box, log(2000), here);
  expect(broken.text).toBe(log(2000));
  expect(broken.headers['x-ctxzip-reason']).toMatch(/forge\.yaml:2:.*input passed through unchanged/);
  expect(box.log()).toContain('forge.yaml:2:');
  mkdirSync(join(box.home, '.config/ctxzip'), { recursive: true });
  writeFileSync(join(box.home, '.config/ctxzip/forge.yaml'), 'compression:\n  keep_patterns: ["id=444 "]\n');
  expect((await compress(box, log(2000))).text).toContain('id=444 ');
});

const WRONG: ReadonlyArray<readonly [string, string, number, RegExp]> = [
  ['POST', '/v1/compress?qurey=x', 400, /unknown parameter qurey; did you mean query\?/],
  ['POST', '/v1/compress?level=most', 400, /"most" is not known/],
  ['POST', '/v1/compress?max-tokens=many', 400, /many/],
  ['POST', '/v1/compress?as=poem', 400, /the shapes are/],
  ['POST', '/v1/compress?json=perhaps', 400, /give true or false/],
  ['POST', '/v1/compress?cwd=relative', 400, /absolute path/],
  ['POST', '/v1/compress?explain', 400, /explain goes with json/],
  ['POST', '/v1/compress?help', 400, /unknown parameter help/],
  ['GET', '/v1/compress', 405, /takes POST/],
  ['DELETE', '/healthz', 405, /takes GET/],
  ['GET', '/v2', 404, /there is POST \/v1\/compress/],
  ['GET', '/v1/recent?limit=many', 400, /limit/],
  ['GET', '/v1/suggestions?cwd=/no/such/folder', 400, /no such folder/],
];

it('says what is wrong with a request', async () => {
  const box = await started();
  for (const [method, path, status, message] of WRONG) {
    const answer = await box.ask(path, { method, ...(method === 'POST' && { body: 'x' }) });
    expect(answer.status, path).toBe(status);
    expect(String(answer.json()['error'])).toMatch(message);
  }
});

it('says what it has done: stats, recent, metrics, suggestions, health', async () => {
  const box = await started();
  await compress(box, log(700), '?tool=journalctl');
  await box.run(['--tool', 'kubectl get pods'], { input: pods() });
  await compress(box, 'small\n');
  const stats = await box.stats();
  expect(stats).toMatchObject({
    pid: box.pid(),
    socket: box.socket,
    today: { runs: 3, views: 2, expansions: 0 },
    store: { path: box.store, originals: 2, capBytes: 2 ** 30 },
    spool: { files: 2, mostFiles: 64 },
    breakers: [],
  });
  expect(stats.today.byTool.map(({ name }) => name).sort()).toEqual(['-', 'journalctl', 'kubectl get pods']);
  expect(stats.today.byShape.map(({ name }) => name).sort()).toEqual(['-', 'log', 'table']);
  expect(stats.today.tokensAfter).toBeLessThan(stats.today.tokensBefore);
  expect(stats.latencyMs.p50).toBeGreaterThan(0);
  const { compressions } = (await box.ask('/v1/recent?limit=2')).json<Recent>();
  expect(compressions).toHaveLength(2);
  expect(compressions[0]).toMatchObject({ bytes: 6, reason: 'under 2048 characters' });
  expect(compressions[1]).toMatchObject({ tool: 'kubectl get pods', shapes: ['table'] });
  const metrics = (await box.ask('/metrics')).text;
  expect(metrics).toContain('ctxzip_requests_total{route="/v1/compress",status="200"} 2');
  expect(metrics).toMatch(/ctxzip_event_loop_delay_seconds\{quantile="0.99"\} \d/);
  expect((await box.ask('/v1/suggestions')).json()).toMatchObject({ candidates: [] });
  expect((await box.ask('/healthz')).json()).toMatchObject({ status: 'ok', name: 'ctxzip', pid: box.pid() });
});

it('brings the spool into LMDB while requests go on', async () => {
  const box = await started();
  const hashes: string[] = [];
  for (let i = 0; i < 70; i += 1) hashes.push(hashOf((await compress(box, log(300, `-${i}-`))).text));
  await until(
    () => box.spooled().length < 65 && readdirSync(box.store).includes('lmdb'),
    'gc brings them in',
  );
  for (const i of [0, 35, 69])
    expect((await box.ask(`/v1/originals/${hashes[i]}`)).text).toBe(log(300, `-${i}-`));
  await until(async () => (await box.stats()).store.originals === 70, 'all are counted');
}, 90_000);

it('passes everything through under the kill switch', async () => {
  const box = daemonBox();
  await box.run(['daemon', 'start'], { env: { CTXZIP_DISABLE: '1' } });
  const { text, headers } = await compress(box, log(700));
  expect(text).toBe(log(700));
  expect(headers['x-ctxzip-reason']).toBe('CTXZIP_DISABLE is set');
});

it('logs what audit events are made of, with its own seam', async () => {
  const box = await started();
  const events = join(box.root, 'events');
  await compress(box, log(700), `?events=${encodeURIComponent(events)}`);
  expect(JSON.parse(readFileSync(events, 'utf8'))).toMatchObject({
    event: 'context_compressed',
    seam: 'daemon',
  });
});
