// The daemon: requests on its socket, curl against the Node pipe as whole processes, event-loop delay, memory.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logLines } from './inputs.mjs';

const bin = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'ctxzip.js');
const { NODE_EXTRA_CA_CERTS: _, ...cleanEnv } = process.env;

/** Inputs of one size that all differ. */
function* inputs(bytes) {
  const texts = [...Array(20).keys()].map((i) => logLines(bytes, i + 1));
  for (let i = 0; ; i += 1) yield `${i} ${texts[i % texts.length]}`;
}

function ask(agent, socketPath, path, body) {
  return new Promise((resolve, reject) => {
    const from = process.hrtime.bigint();
    const sent = request(
      { socketPath, path, method: body === undefined ? 'GET' : 'POST', agent },
      (response) => {
        let text = '';
        response.setEncoding('latin1');
        response.on('data', (piece) => (text += piece));
        response.on('end', () => {
          const ms = Number(process.hrtime.bigint() - from) / 1e6;
          if (response.statusCode === 200) resolve({ ms, text });
          else reject(new Error(`${path}: ${response.statusCode} ${text}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** Requests of one size over some connections. */
async function rate(socket, bytes, clients, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const source = inputs(bytes);
  // The texts are made with the first one.
  await ask(agent, socket, '/v1/compress', source.next().value);
  const times = [];
  let left = count;
  const from = process.hrtime.bigint();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (; left > 0;) {
        left -= 1;
        times.push((await ask(agent, socket, '/v1/compress', source.next().value)).ms);
      }
    }),
  );
  const seconds = Number(process.hrtime.bigint() - from) / 1e9;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { bytes, clients, perSecond: count / seconds, p50: at(times, 0.5), p99: at(times, 0.99) };
}

/** curl, the pipe and `node -e 0` in turn; medians in ms. */
function wholeProcesses(home, socket, rounds) {
  const file = join(home, 'input');
  const options = { env: { ...cleanEnv, HOME: home, CTXZIP_HOME: join(home, 'store') } };
  const curl = ['-s', '--unix-socket', socket, '--data-binary', `@${file}`, 'http://ctxzip/v1/compress'];
  const cases = [
    { name: 'node -e 0', words: [process.execPath, '-e', '0'] },
    { name: 'ctxzip < file', words: [process.execPath, bin], isFed: true },
    { name: 'curl to the daemon', words: ['curl', ...curl] },
  ];
  const rows = [];
  for (const bytes of [1000, 10_000, 1_000_000]) {
    const times = new Map(cases.map(({ name }) => [name, []]));
    const source = inputs(bytes);
    for (let round = -1; round < rounds; round += 1) {
      for (const { name, words, isFed } of cases) {
        const input = source.next().value;
        writeFileSync(file, input);
        const from = process.hrtime.bigint();
        const { status } = spawnSync(words[0], words.slice(1), { ...options, input: isFed ? input : '' });
        const ms = Number(process.hrtime.bigint() - from) / 1e6;
        if (status !== 0) throw new Error(`${name} ended with ${status}`);
        if (round >= 0) times.get(name).push(ms);
      }
    }
    for (const [name, list] of times)
      rows.push({
        bytes,
        name,
        ms: at(
          list.sort((a, b) => a - b),
          0.5,
        ),
      });
  }
  return rows;
}

// A process that does nothing but look at its clock, as the daemon does: what the machine itself delays.
const IDLER = `
const { createHistogram } = require('node:perf_hooks');
const all = createHistogram();
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  all.record(Math.max(1, Math.round((now - last - 5) * 1000)));
  last = now;
}, 5);
process.on('SIGTERM', () => {
  console.log(JSON.stringify([50, 99, 100].map((p) => (p === 100 ? all.max : all.percentile(p)) / 1000)));
  process.exit();
});`;

/** Does `work` beside a process that does nothing; how late the timers of that one were. */
export async function beside(work) {
  const idler = spawn(process.execPath, ['-e', IDLER], {
    env: cleanEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  idler.stdout.on('data', (piece) => (text += piece));
  const ended = new Promise((resolve) => idler.on('close', resolve));
  const result = await work();
  idler.kill('SIGTERM');
  await ended;
  return { result, delays: JSON.parse(text) };
}

async function metricsOf(socket) {
  const { text } = await ask(new Agent(), socket, '/metrics');
  const value = (name) =>
    Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
  const delay = (quantile) => value(`ctxzip_event_loop_delay_seconds{quantile="${quantile}"}`) * 1000;
  return { mb: value('process_resident_memory_bytes') / 1e6, delays: [delay(0.5), delay(0.99), delay(1)] };
}

/** Starts a daemon, measures it, stops it. */
export async function daemon({ quick = false, folder = tmpdir() } = {}) {
  const home = mkdtempSync(join(folder, 'ctxzip-bench-'));
  const env = { ...cleanEnv, HOME: home, CTXZIP_HOME: join(home, 'store') };
  const control = (word) => {
    const { status, stderr } = spawnSync(process.execPath, [bin, 'daemon', word], { env });
    if (status !== 0) throw new Error(`daemon ${word}: ${stderr}`);
  };
  try {
    control('start');
    const { socket } = JSON.parse(readFileSync(join(home, 'store/daemon/info.json'), 'utf8'));
    const part = quick ? 0.1 : 1;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const idle = await metricsOf(socket);
    const rates = [];
    const { delays: machine } = await beside(async () => {
      for (const [bytes, clients, count] of [
        [1000, 1, 2000],
        [1000, 16, 4000],
        [10_000, 1, 600],
        [10_000, 16, 1200],
        [1_000_000, 1, 60],
        [1_000_000, 4, 120],
      ])
        rates.push(await rate(socket, bytes, clients, Math.ceil(count * part)));
    });
    const loaded = await metricsOf(socket);
    const hasCurl = spawnSync('curl', ['--version']).status === 0;
    const whole = hasCurl ? wholeProcesses(home, socket, quick ? 5 : 21) : [];
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const after = await metricsOf(socket);
    return {
      rates,
      whole,
      hasCurl,
      delays: { daemon: loaded.delays, machine },
      mb: [idle.mb, loaded.mb, after.mb],
    };
  } finally {
    control('stop');
    // A gc may still be at its end.
    rmSync(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

/** Prints what `daemon` has found as tables. */
export function printDaemon({ rates, whole, hasCurl, delays, mb }) {
  console.log('\nDaemon: requests on its socket, each input stored before its answer\n');
  console.log('| bytes | clients | requests/s | p50 ms | p99 ms |\n| --- | --- | --- | --- | --- |');
  for (const { bytes, clients, perSecond, p50, p99 } of rates)
    console.log(
      `| ${bytes} | ${clients} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`,
    );
  console.log('\nWhole processes, interleaved (medians)\n');
  if (!hasCurl) console.log('(skipped: there is no curl)');
  else console.log('| bytes | what | ms |\n| --- | --- | --- |');
  for (const { bytes, name, ms } of whole) console.log(`| ${bytes} | ${name} | ${ms.toFixed(1)} |`);
  console.log(
    '\nHow late timers were under that load, ms (an idle process at the same time: what the machine delays)\n',
  );
  console.log('| whose | p50 | p99 | longest |\n| --- | --- | --- | --- |');
  for (const [name, list] of Object.entries(delays))
    console.log(`| ${name} | ${list.map((ms) => ms.toFixed(1)).join(' | ')} |`);
  console.log(
    `\nResident memory of the daemon, MB: ${mb.map((each) => each.toFixed(0)).join(', ')} (idle, at the end of the load, later)`,
  );
}
