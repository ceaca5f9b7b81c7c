// A home of its own with a daemon in it, and those who ask it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const bin = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'ctxzip.js');
const { NODE_EXTRA_CA_CERTS: _, ...cleanEnv } = process.env;
/** A home takes less. */
const ROOM_BYTES = 2 << 30;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something is true; false where it never was. */
export async function until(is, ms = 30_000) {
  for (const end = Date.now() + ms; Date.now() < end; await pause(20)) if (await is()) return true;
  return false;
}

export const at = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;

/** Memory where there is room, so that the load and not the disk is what is tested; else the temporary folder. */
export function placeOf() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (process.env['TMPDIR'] === undefined && bavail * bsize > ROOM_BYTES) return '/dev/shm';
  } catch {
    // There is none.
  }
  return tmpdir();
}

/** One request; `ms` from its start to the end of the answer. */
export function ask(agent, socketPath, path, { body, method = body ? 'POST' : 'GET', headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const sent = request({ socketPath, path, method, agent, headers }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(pieces),
          ms: performance.now() - from,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export class Box {
  constructor(place = placeOf()) {
    this.root = mkdtempSync(join(place, 'ctxzip-soak-'));
    this.home = join(this.root, 'state');
    this.socket = '';
    this.env = { ...cleanEnv, HOME: this.root, CTXZIP_HOME: this.home };
    this.agent = new Agent({ keepAlive: true, maxSockets: 64 });
    this.pids = new Set();
  }

  /** Runs a command of ctxzip to its end. */
  run(words, { input = '', ms = 60_000 } = {}) {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [bin, ...words], { cwd: this.root, env: this.env });
      const out = [];
      let err = '';
      child.stdout.on('data', (piece) => out.push(piece));
      child.stderr.on('data', (piece) => (err += piece));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      const timer = setTimeout(() => child.kill('SIGKILL'), ms);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        resolve({ code: code ?? signal, out: Buffer.concat(out), err });
      });
    });
  }

  async start(...flags) {
    const { code, err } = await this.run(['daemon', 'start', ...flags]);
    if (code !== 0) throw new Error(`daemon start ended with ${code}: ${err}`);
    return this.pid();
  }

  pid() {
    const { pid, socket } = JSON.parse(readFileSync(join(this.home, 'daemon', 'info.json'), 'utf8'));
    this.pids.add(pid);
    this.socket = socket;
    return pid;
  }

  log() {
    const path = join(this.home, 'daemon', 'log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  ask(path, options) {
    return ask(this.agent, this.socket, path, options);
  }

  /** A function that looks numbers up in the metrics of this moment. */
  async metrics() {
    const text = (await this.ask('/metrics')).body.toString();
    return (name) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length + 1) ?? NaN,
      );
  }

  remove() {
    try {
      rmSync(this.root, { recursive: true, force: true });
    } catch {
      return false;
    }
    return !existsSync(this.root);
  }

  /** Ends the daemon and removes all; what is wrong with that. */
  async close() {
    this.agent.destroy();
    const faults = [];
    const { code, err } = await this.run(['daemon', 'stop']);
    if (code !== 0) faults.push(`daemon stop ended with ${code}: ${err.trim()}`);
    for (const pid of this.pids) if (isAlive(pid)) faults.push(`process ${pid} is still there`);
    // A gc that was at work ends by itself, and writes until then.
    const isFree = await until(async () => {
      const { out } = await this.run(['gc', '--json']);
      return !out.includes('"busy"') && out.length > 0;
    });
    if (!isFree) faults.push('a gc does not end');
    if (!(await until(() => this.remove()))) faults.push(`${this.root} is still there`);
    return faults;
  }
}

export function isAlive(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}
