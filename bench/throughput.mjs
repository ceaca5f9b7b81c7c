// Throughput and memory of the built command, whole process, by shape and size.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logLines, podTable } from './inputs.mjs';

const bin = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'ctxzip.js');
const { NODE_EXTRA_CA_CERTS: _, ...cleanEnv } = process.env;

/** Writes about `bytes` bytes: pieces of 8 MB with seeds of their own. */
function writeInput(file, bytes, make) {
  const fd = openSync(file, 'w');
  for (let seed = 1, size = 0; size < bytes; seed += 1) {
    const made = make(Math.min(8_000_000, bytes - size + 200), seed);
    const text = made.slice(0, made.lastIndexOf('\n') + 1);
    writeSync(fd, text);
    size += text.length;
  }
  closeSync(fd);
}

/** Runs the pipe on a file; milliseconds and peak resident megabytes. */
function run(file, home) {
  return new Promise((resolve, reject) => {
    const fd = openSync(file, 'r');
    const start = process.hrtime.bigint();
    const child = spawn(process.execPath, [bin], {
      stdio: [fd, 'ignore', 'inherit'],
      env: { ...cleanEnv, HOME: home, CTXZIP_HOME: join(home, 'store') },
    });
    let peak = 0;
    const timer = setInterval(() => {
      try {
        const line = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        peak = Math.max(peak, Number(line?.[1] ?? 0) / 1024);
      } catch {
        // It has ended.
      }
    }, 5);
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      closeSync(fd);
      if (code === 0) resolve({ ms: Number(process.hrtime.bigint() - start) / 1e6, peak });
      else reject(new Error(`ctxzip ended with ${code}`));
    });
  });
}

/** Rows of shape, size, MB/s and memory; the best of three runs. */
export async function throughput(sizes = [1, 10, 100, 1000]) {
  const shapes = { log: logLines, table: (bytes, seed) => podTable(bytes, seed) };
  const rows = [];
  for (const [shape, make] of Object.entries(shapes)) {
    for (const megabytes of sizes) {
      const home = mkdtempSync(join(tmpdir(), 'ctxzip-bench-'));
      try {
        const file = join(home, 'input');
        writeInput(file, megabytes * 1e6, make);
        const { size } = statSync(file);
        const runs = [];
        for (let i = 0; i < (megabytes >= 1000 ? 1 : 3); i += 1) runs.push(await run(file, home));
        const best = runs.reduce((a, b) => (a.ms < b.ms ? a : b));
        rows.push({
          shape,
          megabytes,
          ms: best.ms,
          mbPerSecond: size / 1e3 / best.ms,
          peak: Math.max(...runs.map((r) => r.peak)),
        });
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }
  }
  return rows;
}
