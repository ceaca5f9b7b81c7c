// Whole processes over large files: time and peak memory of ours and of tools that everybody knows, in the same run.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonRecords, logLines, podTable } from '../inputs.mjs';
import { inFolder, remove } from './folder.mjs';

export const bin = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'ctxzip.js');
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

/** Milliseconds that a process may take. */
const MOST = 600_000;

/** Inputs by shape: whole lines in pieces, with what stands around and between them. */
export const SHAPES = {
  log: { make: logLines },
  table: { make: podTable },
  ndjson: { make: jsonRecords },
  json: { make: jsonRecords, open: '[\n', close: '{}]\n', lineEnd: ',\n' },
};

const PEERS = [
  { name: 'cat', command: ['cat'] },
  { name: 'grep -c', command: ['grep', '-c', 'ERROR'], codes: [0, 1] },
  { name: 'gzip -1', command: ['gzip', '-1'] },
  { name: 'sort -u', command: ['sort', '-u'] },
  { name: 'jq -c .', command: ['jq', '-c', '.'], shapes: ['ndjson', 'json'] },
];

/** Writes about `bytes` bytes of a shape: pieces of 8 MB with seeds of their own. */
export function writeInput(file, bytes, { make, open = '', close = '', lineEnd = '\n' }) {
  const fd = openSync(file, 'w');
  writeSync(fd, open);
  for (let seed = 1, size = 0; size < bytes; seed += 1) {
    const made = make(Math.min(8_000_000, bytes - size + 400), seed);
    const text = made.slice(0, made.lastIndexOf('\n') + 1);
    writeSync(fd, lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd));
    size += text.length;
  }
  writeSync(fd, close);
  closeSync(fd);
}

/** Runs a command on a file; milliseconds, and on Linux those on a processor and the peak of resident megabytes, else 0. */
export function timed([program, ...args], file, { home, codes = [0] } = {}) {
  return new Promise((resolve, reject) => {
    const fd = openSync(file, 'r');
    const start = process.hrtime.bigint();
    const child = spawn(program, args, {
      // A pipe: grep looks whether its output goes to /dev/null, and stops at the first match.
      stdio: [fd, 'pipe', 'ignore'],
      env: { ...environment, LC_ALL: 'C', HOME: home, CTXZIP_HOME: join(home, 'store') },
      timeout: MOST,
    });
    child.stdout.resume();
    let peak = 0;
    let cpu = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid));
      cpu = Math.max(cpu, cpuOf(child.pid));
    }, 5);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      closeSync(fd);
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (codes.includes(code)) resolve({ ms, cpu, peak });
      else reject(new Error(`${program} ended with ${signal ?? code}`));
    });
  });
}

function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Milliseconds on a processor so far, in steps of 10: what a busy machine does not change much. */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Rows of shape, size, command, MB/s and memory; the best of three runs, of one from 1,000 MB on. */
export async function throughput(sizes, shapes = Object.keys(SHAPES), peers = PEERS) {
  const rows = [];
  for (const shape of shapes) {
    for (const megabytes of sizes) {
      await inFolder(megabytes * 3, async (home) => {
        const file = join(home, 'input');
        writeInput(file, megabytes * 1e6, SHAPES[shape]);
        const runs = [{ name: 'ctxzip', command: [process.execPath, bin] }, ...peers];
        for (const { name, command, codes, shapes: only } of runs) {
          if (only !== undefined && !only.includes(shape)) continue;
          if (!isInstalled(command[0])) continue;
          const best = await bestOf(megabytes >= 1000 ? 1 : 3, () => timed(command, file, { home, codes }));
          if (name === 'ctxzip') await settle(home);
          rows.push({ shape, megabytes, name, mbPerSecond: statSync(file).size / 1e3 / best.ms, ...best });
        }
      });
    }
  }
  return rows;
}

/** Waits for the import of large originals that the pipe has started in the background, and forgets them. */
async function settle(home) {
  await timed([process.execPath, bin, 'gc'], '/dev/null', { home, codes: [0, 1] });
  remove(join(home, 'store'));
}

/** The peers that this machine does not have. */
export function missingPeers() {
  return PEERS.filter(({ command }) => !isInstalled(command[0])).map(({ name }) => name);
}

function isInstalled(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

async function bestOf(count, run) {
  const runs = [];
  for (let i = 0; i < count; i += 1) runs.push(await run());
  const best = runs.reduce((a, b) => (a.ms < b.ms ? a : b));
  const cpu = Math.min(...runs.map((each) => each.cpu));
  return { ms: best.ms, cpu, peak: Math.max(...runs.map(({ peak }) => peak)) };
}
