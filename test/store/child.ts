/**
 * The program that the fault tests run, kill and stop: `node child.cjs VERB JSON`. It is bundled like the product, so that
 * what is tested is what is shipped. Says what it did on stdout, a line each.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync, readSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { findFolder } from '../../src/store/folder.ts';
import { runGc } from '../../src/store/gc.ts';
import { runGcWorker, watchGc } from '../../src/store/gc-watch.ts';
import { openHome } from '../../src/store/home.ts';
import { loadLmdb } from '../../src/store/load-lmdb.ts';
import { takeLock } from '../../src/store/lock.ts';
import { openSpool } from '../../src/store/spool.ts';

const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};
const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const timed = (work: () => string): object => {
  const startMs = performance.now();
  const found = work();
  return { found, ms: Math.round((performance.now() - startMs) * 100) / 100 };
};

/** Not dead, and not dead but unburied either. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Marks the mutexes in a lock file as `pthread_mutex_destroy` of glibc does; returns how many there are. */
function removeLocks(path: string): number {
  // Robust and shared between processes.
  const kind = 0x90;
  const bytes = Buffer.alloc(1024);
  // Never closed: that would give up what the process has locked in it.
  const fd = openSync(path, 'r+');
  readSync(fd, bytes, 0, bytes.length, 0);
  let count = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    if (bytes.readInt32LE(at) !== kind) continue;
    writeSync(fd, Buffer.from([255, 255, 255, 255]), 0, 4, at);
    count += 1;
  }
  return count;
}

interface Job {
  readonly root: string;
  readonly nowMs: number;
  readonly [key: string]: unknown;
}

export type Verb = keyof typeof verbs;

const verbs = {
  /** Commits `count` originals with names of their own (`seed`), `size` bytes each; prints each hash after its commit. */
  commit({ root, nowMs, count = 1, size = 2000, seed = 'a', policy = 'p', same = false }) {
    for (let n = 0; n < Number(count); n += 1) {
      const name = same ? `same ${n}` : `${String(seed)} ${n}`;
      const line = Buffer.from(`${name} ${shaOf(Buffer.from(name))}\n`);
      const bytes = Buffer.alloc(Math.max(line.length, Number(size)), line);
      const writer = openSpool(root).begin();
      try {
        for (let at = 0; at < bytes.length; at += 65_536) writer.write(bytes.subarray(at, at + 65_536));
        const viewSha = shaOf(Buffer.from(`view of ${name} under ${String(policy)}`));
        const view = { viewSha, policy: String(policy) };
        const result = writer.commit({ facts: { createdMs: nowMs }, ttlMs: 7 * 86_400_000, nowMs, view });
        say(result.kind === 'stored' ? `${result.sha} ${viewSha}` : JSON.stringify(result));
      } finally {
        writer.close();
      }
    }
  },
  /** Runs `rounds` gcs one after the other, in this process. */
  async gc({ root, nowMs, maxBytes, rounds = 1 }) {
    for (let n = 0; n < Number(rounds); n += 1) {
      const cap = maxBytes === undefined ? {} : { maxBytes: Number(maxBytes) };
      say(JSON.stringify(await runGc({ root, nowMs, ...cap })));
    }
  },
  worker: () => runGcWorker(readFileSync(0, 'utf8'), (text) => void writeSync(1, text)),
  /** A worker that crashes before it comes to LMDB. */
  stillborn: () => process.abort(),
  /** A worker that crashes when it has done its work. */
  async doomed() {
    await runGcWorker(readFileSync(0, 'utf8'), (text) => void writeSync(1, text));
    process.abort();
  },
  /** A worker that crashes while it has LMDB open. */
  async crashing() {
    const job = readFileSync(0, 'utf8');
    await runGcWorker(job, (text) => {
      writeSync(1, text);
      if (text === 'in\n' && !job.includes('"survey"')) process.abort();
    });
  },
  async watch(job) {
    const silenceMs = Number(job['silenceMs'] ?? 3000);
    const worker = String(job['worker'] ?? 'worker');
    say(JSON.stringify(await watchGc(job, { command: [process.execPath, __filename, worker], silenceMs })));
  },
  /** Looks each of `shas` up; prints `found`, with the hash of what was read, or the kind and the reason. */
  async read({ root, nowMs, shas }) {
    const home = openHome(root, runGc);
    for (const sha of shas as string[]) {
      try {
        const lookup = await home.open(sha, nowMs);
        if (lookup.kind !== 'found') {
          say(JSON.stringify(lookup));
          continue;
        }
        const hash = createHash('sha256');
        for (let at = 0; at < lookup.reader.size; at += 1 << 20)
          hash.update(lookup.reader.read(at, at + (1 << 20)));
        say(JSON.stringify({ kind: 'found', hash: hash.digest('hex'), where: lookup.entry.where }));
        lookup.reader.close();
      } catch (error) {
        say(
          JSON.stringify({ kind: 'threw', name: (error as Error).name, message: (error as Error).message }),
        );
      }
    }
    const trouble = await home.trouble();
    say(JSON.stringify({ trouble: trouble?.trouble ?? null, message: trouble?.message }));
    await home.close();
  },
  /** Puts straight into LMDB, for as long as it lives. */
  async put({ root, nowMs, size = 3_000_000 }) {
    const store = (await loadLmdb()).openLmdb(root, { nowMs });
    for (let n = 0; ; n += 1) {
      const bytes = randomBytes(Number(size));
      const sha = shaOf(bytes);
      await store.put({
        sha,
        size: bytes.length,
        chunks: [bytes],
        facts: { createdMs: nowMs },
        ttlMs: 86_400_000,
        nowMs,
      });
      say(sha);
    }
  },
  /** Commits `mib` MiB of log lines as a pipe does, without ever holding them. */
  big({ root, nowMs, mib }) {
    const writer = openSpool(root).begin();
    let line = 0;
    while (writer.size < Number(mib) * 1_048_576) {
      let text = '';
      for (; text.length < 1_000_000; line += 1) {
        text += `2025-06-01T12:00:00.${line % 1000}Z INFO handled request ${line} in ${(line * 7919) % 997}ms by worker-${line % 13}\n`;
      }
      writer.write(Buffer.from(text));
    }
    const result = writer.commit({ facts: { createdMs: nowMs }, ttlMs: 7 * 86_400_000, nowMs });
    say(JSON.stringify({ ...result, size: writer.size, lines: line }));
    writer.close();
  },
  /** Reads `ranges` of bytes and the start of `line`, and says how long each took. */
  async ranges({ root, nowMs, sha, ranges, line }) {
    const home = openHome(root, runGc);
    const lookup = await home.open(String(sha), nowMs);
    if (lookup.kind !== 'found') return say(JSON.stringify(lookup));
    const { reader } = lookup;
    const text = (from: number, to: number): string => Buffer.from(reader.read(from, to)).toString('latin1');
    const read = (ranges as [number, number][]).map(([from, to]) => timed(() => text(from, to)));
    const atLine = timed(() => {
      const { byte } = reader.lineStart?.(Number(line)) ?? { byte: 0 };
      return text(byte, byte + 200).split('\n')[0] ?? '';
    });
    say(JSON.stringify({ read, atLine, where: lookup.entry.where }));
    reader.close();
    await home.close();
  },
  /** Stops itself in the middle of a write transaction, as Ctrl-Z could. */
  async hold({ root }) {
    const { open } = await import('lmdb');
    const env = open({ path: `${root}/lmdb`, encoding: 'binary', maxDbs: 3 });
    env.transactionSync(() => {
      say('holding');
      process.kill(process.pid, 'SIGSTOP');
    });
    say('went on');
    await env.close();
  },
  /** Has LMDB open with useless locks, as one has that waited while another process closed it, for `ms` milliseconds. */
  async useless({ root, ms }) {
    const { open } = await import('lmdb');
    const env = open({ path: `${root}/lmdb`, encoding: 'binary', maxDbs: 3, readOnly: true });
    say(`removed ${removeLocks(`${root}/lmdb/lock.mdb`)}`);
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    await env.close();
  },
  /** Takes the maintenance lock `rounds` times, and says `violation` if another live process has it too. */
  locks({ root, nowMs, rounds }) {
    const folder = findFolder(root);
    if (!folder) return say('no store');
    const mark = `${root}/holder`;
    let held = 0;
    for (let n = 0; n < Number(rounds); n += 1) {
      const lock = takeLock(folder, nowMs);
      if (lock.kind === 'busy') continue;
      held += 1;
      const other = existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : 0;
      if (other > 0 && other !== process.pid && isRunning(other)) say(`violation by ${other}`);
      writeFileSync(mark, String(process.pid));
      const until = performance.now() + 2;
      while (performance.now() < until);
      if (readFileSync(mark, 'utf8') !== String(process.pid)) say('violation after');
      unlinkSync(mark);
      lock.release();
    }
    say(`held ${held}`);
  },
} satisfies Record<string, (job: Job) => Promise<void> | void>;

const [verb = '', text = '{}'] = process.argv.slice(2);
void (async () => {
  const job = JSON.parse(text) as Job;
  await (verbs as Record<string, (job: Job) => Promise<void> | void>)[verb]?.(job);
  if (job['rss'] === true) say(JSON.stringify({ rssMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
})();
