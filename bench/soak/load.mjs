// Many clients with mixed requests: the mix, and what comes back.
import { at } from './box.mjs';
import { bodyOf, CLASSES, numbers } from './bodies.mjs';

/** One input in so many is new; the others have been sent before. */
const RARITY = 12;
const SAMPLES = 60;

const compress = (size, { params = '', isUsual = params === '', rarity = RARITY } = {}) =>
  async function send({ box, ledger, next }) {
    const input = ledger.pick(size, next, rarity);
    const path = `/v1/compress${typeof params === 'string' ? params : params(next)}`;
    const answer = await box.ask(path, { body: input.body });
    if (answer.status === 200) ledger.answered(input, answer, isUsual);
    return [answer, 200];
  };

async function asJson({ box, ledger, next }) {
  const input = ledger.pick('small', next, RARITY);
  const answer = await box.ask('/v1/compress?json=1', { body: input.body });
  if (answer.status === 200) ledger.note(JSON.parse(answer.body).view ?? '', input);
  return [answer, 200];
}

async function batch({ box, ledger, next }) {
  const inputs = ['small', '10 KB', 'small'].map((size) => ledger.pick(size, next, RARITY));
  const entries = inputs.map(({ body }) => ({ input: body.toString() }));
  const body = JSON.stringify({ totalTokens: 500 + next(5000), entries });
  const answer = await box.ask('/v1/batch', { body });
  if (answer.status === 200) {
    for (const [i, { view }] of JSON.parse(answer.body).results.entries()) ledger.note(view, inputs[i]);
  }
  return [answer, 200];
}

/** A hash that was printed, and its input. */
function somePrinted({ ledger, next }) {
  const { size } = ledger.printed;
  if (size === 0) return undefined;
  const [hash, input] = ledger.hashes[next(ledger.hashes.length)];
  return { hash, body: bodyOf(input.kind, input.number) };
}

const original = (params, isRight) =>
  async function send(all) {
    const one = somePrinted(all);
    if (one === undefined) return [await all.box.ask('/healthz'), 200];
    const answer = await all.box.ask(`/v1/originals/${one.hash}${params}`);
    if (answer.status === 200 && !isRight(answer.body, one.body))
      all.ledger.fault(`originals/${one.hash}${params}: not what the input has there`);
    return [answer, 200];
  };

const get =
  (path, status = 200) =>
  async ({ box }) => [await box.ask(path), status];

const isWhole = (got, body) => got.equals(body);
const isFirstLine = (got, body) => got.equals(body.subarray(0, body.indexOf(10) + 1));
const isFound = (got) => got.includes('soak') || got.includes('number');

const BAD = [
  { path: '/v1/compress?level=loud', body: 'x', status: 400 },
  { path: '/v1/compress?explain=1', body: 'x', status: 400 },
  { path: '/v1/batch', body: '{"totalTokens":', status: 400 },
  { path: '/v1/batch', body: '{"totalTokens": 5, "entries": [{}]}', status: 400 },
  { path: '/v1/originals/ffffffffffff', status: 404 },
  { path: '/v1/originals/xyz', status: 400 },
  { path: '/v1/recent?limit=many', status: 400 },
  { path: '/v2/compress', body: 'x', status: 404 },
  { path: '/v1/stats', method: 'POST', body: 'x', status: 405 },
];

async function bad({ box, next }) {
  const { path, status, ...options } = BAD[next(BAD.length)];
  return [await box.ask(path, options), status];
}

/** Into a store that keeps its originals for seconds: what sweeps have to do. */
async function shortLived({ box, next, project }) {
  const kind = CLASSES.findIndex(({ size, shape }) => size === 'small' && shape === 'log');
  const body = bodyOf(kind, 1_000_000 + next(1_000_000));
  return [await box.ask(`/v1/compress?cwd=${encodeURIComponent(project)}`, { body }), 200];
}

const FLAGS = ['?query=slow+query&max-tokens=300', '?level=aggressive', '?keep=kafka', '?markers=full'];

/** What is asked, and how many in 1000 of it. */
export const MIX = [
  ['compress, under 2 KB', 170, compress('tiny')],
  ['compress, 4 KB', 190, compress('small')],
  ['compress, 10 KB', 200, compress('10 KB')],
  ['compress, 60 KB', 20, compress('medium')],
  ['compress, 1 MB', 4, compress('1 MB', { rarity: 40 })],
  [
    'compress, 10 KB, with flags',
    36,
    compress('10 KB', { params: (next) => FLAGS[next(4)], isUsual: false }),
  ],
  ['compress, 4 KB, as JSON', 30, asJson],
  ['compress, 4 KB, kept for seconds', 20, shortLived],
  ['batch of 3', 30, batch],
  ['original, all of it', 50, original('', isWhole)],
  ['original, a line', 40, original('?address=L1', isFirstLine)],
  ['original, grep', 30, original('?grep=soak%7Cnumber&head=3', isFound)],
  ['stats', 40, get('/v1/stats')],
  ['recent', 30, get('/v1/recent?limit=100')],
  ['healthz', 50, get('/healthz')],
  ['metrics', 20, get('/metrics')],
  ['bad ones', 40, bad],
];

const SUGGESTIONS = ['suggestions', 0, get('/v1/suggestions')];
/** They read all that was expanded, in a process of their own. */
const SUGGESTIONS_EVERY = 10_000;
const WHOLE = MIX.reduce((sum, [, share]) => sum + share, 0);

function choose(next) {
  let left = next(WHOLE);
  return MIX.find(([, share]) => (left -= share) < 0);
}

/** Sends all requests; times by name, what was not expected by name, and the samples that `look` takes at even distances. */
export async function load(box, ledger, { requests, clients, project, look }) {
  const times = new Map([...MIX, SUGGESTIONS].map(([name]) => [name, []]));
  const unexpected = new Map();
  const samples = [];
  let sent = 0;
  const client = async (seed) => {
    const next = numbers(seed);
    while (sent < requests) {
      sent += 1;
      const [name, , send] = sent % SUGGESTIONS_EVERY === SUGGESTIONS_EVERY / 2 ? SUGGESTIONS : choose(next);
      if (sent % Math.ceil(requests / SAMPLES) === 0) samples.push(await look(sent));
      const [{ status, ms, body }, wanted] = await send({ box, ledger, next, project }).catch((error) => [
        { status: String(error.code ?? error.message), ms: NaN, body: '' },
      ]);
      times.get(name).push(ms);
      if (status === wanted) continue;
      const what = `${name}: ${status} ${String(body).slice(0, 120).trim()}`;
      unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i + 1)));
  return { times, unexpected, samples, seconds: (performance.now() - from) / 1000 };
}

/** How many, the median and the 99th percentile of times, in ms. */
export function summary(times) {
  const sorted = times.filter((ms) => ms === ms).sort((a, b) => a - b);
  return { count: times.length, p50: at(sorted, 0.5), p99: at(sorted, 0.99), longest: sorted.at(-1) ?? NaN };
}
