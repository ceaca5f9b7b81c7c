// npm run soak: a daemon under mixed load, and what goes wrong around one. Ends with 1 where a promise is broken, with 2 for a
// flag that there is not.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { beside } from './daemon.mjs';
import { at, Box, pause, until } from './soak/box.mjs';
import { scenes } from './soak/faults.mjs';
import { expandAll, expandByCommand, Ledger } from './soak/ledger.mjs';
import { load, summary } from './soak/load.mjs';

const HELP = `npm run soak -- [flags]

  --requests N   of the load (100,000; 500 with --quick)
  --clients N    at once (16)
  --quick        small scenes, in seconds
  --no-faults    only the load`;

const values = flags();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const isQuick = values.quick;
const requests = Number(values.requests ?? (isQuick ? 500 : 100_000));
const clients = Number(values.clients);

function flags() {
  const options = {
    requests: { type: 'string' },
    clients: { type: 'string', default: '16' },
    quick: { type: 'boolean', default: false },
    'no-faults': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    return process.exit(2);
  }
}

/** Memory may grow by so much after the first tenth of the requests; a short load proves nothing. */
const FLAT = 0.1;
const LEAST_REQUESTS = 20_000;
/** The event loop may work for so long at a time. */
const BUSY_MS = 20;
const SHORT_TTL_MS = 10_000;

const round = (n) => n.toFixed(1);
const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
const median = (list) =>
  at(
    list.toSorted((a, b) => a - b),
    0.5,
  );

/** Growth by the line of least squares through samples at even distances, over their mean. */
function slopeOf(list) {
  const middle = (list.length - 1) / 2;
  const all = mean(list);
  let over = 0;
  let under = 0;
  for (const [i, value] of list.entries()) {
    over += (i - middle) * (value - all);
    under += (i - middle) ** 2;
  }
  return ((over / under) * (list.length - 1)) / all;
}

/** A project whose store keeps originals for seconds. */
function makeProject(box) {
  const project = join(box.root, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'forge.yaml'), 'compression:\n  store_path: ./store\n  ttl: 10s\n');
  return project;
}

async function sampleOf(box, sent) {
  const value = await box.metrics();
  const pid = box.pid();
  const files = readdirSync(`/proc/${pid}/fd`).length;
  return { sent, mb: value('process_resident_memory_bytes') / 1e6, files };
}

function judgeMemory(samples, faults) {
  const warm = samples.slice(Math.ceil(samples.length / 10));
  const mbs = warm.map(({ mb }) => mb);
  const part = Math.max(1, Math.round(mbs.length / 6));
  const [first, last] = [median(mbs.slice(0, part)), median(mbs.slice(-part))];
  const growth = last / first - 1;
  const slope = slopeOf(mbs);
  if (requests >= LEAST_REQUESTS && growth > FLAT)
    faults.push(`memory grew by ${(100 * growth).toFixed(0)} %: ${mbs.map((mb) => mb.toFixed(0)).join(' ')}`);
  const [few, many] = [warm[0]?.files ?? 0, warm.at(-1)?.files ?? 0];
  if (many > few + clients) faults.push(`open files grew from ${few} to ${many}`);
  return { idle: samples[0], first, last, most: Math.max(...mbs), growth, slope, files: [few, many] };
}

/** What nobody asks for any more is not held, and nothing had to be replaced. */
async function judgeRest(box, faults) {
  const isLetGo = await until(async () => {
    const value = await box.metrics();
    return value('ctxzip_requests_in_flight') === 1 && value('ctxzip_held_bytes') === 0;
  });
  if (!isLetGo) faults.push('requests or bytes are held though nobody asks');
  const value = await box.metrics();
  const replaced = value('ctxzip_workers_replaced');
  if (replaced > 0) faults.push(`${replaced} workers were replaced: ${box.log().slice(-500)}`);
}

/** What was kept for seconds goes, also while nobody stores anything there. */
async function judgeSweep(box, project, faults) {
  const { headers } = await box.ask(`/v1/compress?cwd=${encodeURIComponent(project)}`, {
    body: 'a line that expires soon, and once more\n'.repeat(400),
  });
  const path = `/v1/originals/${headers['x-ctxzip-hash']}?cwd=${encodeURIComponent(project)}`;
  const before = (await box.ask(path)).status;
  await pause(SHORT_TTL_MS);
  const after = (await box.ask(path)).status;
  if (before !== 200 || after !== 410) faults.push(`a short-lived original: ${before}, later ${after}`);
}

/** Starts the daemon with a probe in it, which looks at work, not at what else the machine does meanwhile. */
async function probed(box) {
  const path = join(box.root, 'probe.json');
  const probe = join(dirname(fileURLToPath(import.meta.url)), 'soak', 'probe.cjs');
  Object.assign(box.env, { NODE_OPTIONS: `--require "${probe}"`, CTXZIP_SOAK_PROBE: path });
  const pid = await box.start();
  for (const name of ['NODE_OPTIONS', 'CTXZIP_SOAK_PROBE']) delete box.env[name];
  process.kill(pid, 'SIGUSR2');
  return async (faults) => {
    await box.run(['daemon', 'stop']);
    if (!existsSync(path)) return undefined;
    const seen = JSON.parse(readFileSync(path, 'utf8'));
    if (seen.run > BUSY_MS) faults.push(`the event loop worked for ${round(seen.run)} ms at a time`);
    return seen;
  };
}

async function soak() {
  const box = new Box();
  const ledger = new Ledger();
  const { faults } = ledger;
  try {
    const seenBy = await probed(box);
    const project = makeProject(box);
    const look = (sent) => sampleOf(box, sent);
    const { result: loaded, delays: machine } = await beside(() =>
      load(box, ledger, { requests, clients, project, look }),
    );
    for (const [what, count] of loaded.unexpected) faults.push(`${count} × ${what}`);
    const value = await box.metrics();
    const delays = [0.5, 0.99, 1].map(
      (q) => 1000 * value(`ctxzip_event_loop_delay_seconds{quantile="${q}"}`),
    );
    const memory = judgeMemory(loaded.samples, faults);
    await judgeRest(box, faults);
    if (!isQuick) await judgeSweep(box, project, faults);
    const whole = await expandAll(box, ledger);
    const byCommand = await expandByCommand(box, ledger, isQuick ? 10 : 200);
    const { store, spool } = JSON.parse((await box.ask('/v1/stats')).body);
    const busy = await seenBy(faults);
    return { ...loaded, box, memory, delays, machine, busy, ledger, whole, byCommand, store, spool };
  } finally {
    faults.push(...(await box.close()));
  }
}

function print({ times, seconds, memory, delays, machine, busy, ...rest }) {
  const { ledger, whole, byCommand, store, spool, box } = rest;
  console.log(
    `Soak: ${requests} requests of ${clients} clients in ${seconds.toFixed(0)} s, ${(requests / seconds).toFixed(0)}/s; the store is in ${box.root.startsWith('/dev/shm') ? 'memory (/dev/shm)' : 'the temporary folder'}\n`,
  );
  console.log('| request | count | p50 ms | p99 ms | longest ms |\n| --- | --- | --- | --- | --- |');
  for (const [name, list] of times) {
    const { count, p50, p99, longest } = summary(list);
    if (count > 0) console.log(`| ${name} | ${count} | ${round(p50)} | ${round(p99)} | ${round(longest)} |`);
  }
  const { first, last, most, growth, slope, files } = memory;
  console.log(`
Resident memory, MB: ${first.toFixed(0)} after the first tenth, ${last.toFixed(0)} at the end (${(100 * growth).toFixed(1)} %; slope ${(100 * slope).toFixed(1)} %), ${most.toFixed(0)} at most; open files ${files.join(', then ')}
Timers late, ms (p50, p99, longest): daemon ${delays.map(round).join(', ')}; an idle process beside it ${machine.map(round).join(', ')}
The event loop, longest at a time, ms: ${busy === undefined ? '(not measured here)' : `${round(busy.run)} at work, ${round(busy.busy)} at work or blocked, ${round(busy.late)} with waiting for a processor`}
Originals: ${ledger.printed.size} hashes printed, ${whole} came back whole from the daemon, ${byCommand} of a sample from ctxzip expand; ${store.originals - spool.files} in LMDB, ${spool.files} in the spool`);
}

const result = await soak();
print(result);
const faults = [...result.ledger.faults];
if (!values['no-faults']) {
  console.log('\n| scene | what came of it | seconds |\n| --- | --- | --- |');
  for (const scene of scenes) {
    const from = performance.now();
    const { said, faults: found } = await scene.run({ isQuick });
    faults.push(...found.map((each) => `${scene.name}: ${each}`));
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`| ${scene.name} | ${found.length > 0 ? 'BROKEN' : said} | ${seconds} |`);
  }
}
console.log(faults.length === 0 ? '\nAll promises kept.' : `\nBROKEN:\n- ${faults.join('\n- ')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
