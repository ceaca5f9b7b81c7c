/** The entry of a worker thread: one work at a time. A chunk of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { provideFiles } from '../app/files.ts';
import { compress } from '../core/compress.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';
import { memorySource } from '../core/source.ts';
import { outlineSection } from '../app/shapes.ts';
import { makeFolder } from '../store/folder.ts';
import { wire as readWire, type Wire } from '../wire.ts';
import { batchWork } from './batch.ts';
import { compressWork, doneWith } from './compress-work.ts';
import { Engine } from './engine.ts';
import type { ThreadData } from './servants.ts';
import { type Done, fault, type Work } from './work.ts';

const { self, home, mark, limitMs } = workerData as ThreadData;

/** The process, as a thread of it can't see by itself. */
function wireOfThread(): Wire {
  const wire = readWire((state) => void makeFolder(state));
  const env = home === undefined ? wire.env : { ...wire.env, CTXZIP_HOME: home };
  return { ...wire, env, self, world: { ...wire.world, env } };
}

async function handle(wire: Wire, work: Work): Promise<Done> {
  const engine = new Engine(wire, mark, limitMs);
  engine.off = work.off;
  Atomics.store(mark, 0, 0);
  try {
    return work.kind === 'compress' ? await compressWork(engine, work) : await batchWork(engine, work);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return doneWith(engine, fault(500, message), [], true);
  }
}

/** What is compiled now, the first request need not wait for. */
function warm(): void {
  const lines = Array.from({ length: 120 }, (_, i) => `2026-01-01T00:00:${String(i % 60).padStart(2, '0')}Z`);
  const samples = [
    lines
      .map((stamp, i) => `${stamp} ${i % 40 === 7 ? 'ERROR refused' : 'INFO request done'} ms=${i}`)
      .join('\n'),
    ['NAME      READY  STATUS', ...lines.map((_, i) => `pod-${100 + i}   1/1    Running`)].join('\n'),
    JSON.stringify(
      { items: lines.map((stamp, i) => ({ stamp, name: `item-${i}`, ready: i !== 9 })) },
      undefined,
      1,
    ),
  ];
  for (let round = 0; round < 8; round += 1) {
    for (const sample of samples)
      compress(memorySource(Buffer.from(sample)), DEFAULT_POLICY, () => '000000000000', outlineSection);
  }
}

provideFiles();
warm();
const wire = wireOfThread();
const port = parentPort!;
port.on('message', async (work: Work) => {
  const done = await handle(wire, work);
  const { body } = done.reply;
  const isOwn = typeof body !== 'string' && body.byteLength === body.buffer.byteLength;
  port.postMessage(done, isOwn ? [body.buffer as ArrayBuffer] : []);
});
port.postMessage('ready', []);
