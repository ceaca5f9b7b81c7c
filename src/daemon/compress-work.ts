/** `POST /v1/compress` in a worker: the view, with its facts in headers or as JSON. */
import type { Outcome } from '../app/compress.ts';
import { explain, jsonPieces } from '../cli/report.ts';
import type { Engine, Made } from './engine.ts';
import { asHeader, type CompressWork, type Done, fault, type Reply } from './work.ts';

/** After an input of more bytes a worker is replaced: the memory that it took does not come back otherwise. */
const LARGE_BYTES = 8 << 20;

/** Does the work; the original is durable when this returns. */
export async function compressWork(engine: Engine, work: CompressWork): Promise<Done> {
  const bytes = whole(work.blocks);
  const made = await engine.make({ ...work, bytes });
  const isSpent = bytes.length > LARGE_BYTES;
  if (made.kind === 'wrong') return doneWith(engine, fault(400, made.message), [], isSpent);
  const { outcome, request, warning } = made;
  try {
    const { flags } = work;
    const reply = flags.json
      ? jsonReply(outcome, flags.explain ? (request?.ruleNotes ?? []) : undefined)
      : plainReply(made, bytes);
    engine.record(made);
    return { ...doneWith(engine, reply, [made], isSpent), ...(warning !== undefined && { warning }) };
  } finally {
    outcome.input.close();
  }
}

/** What is told beside a reply. */
export function doneWith(engine: Engine, reply: Reply, all: readonly Made[], isSpent: boolean): Done {
  const made = all.filter((each) => each.kind === 'made');
  const home = made.find(({ request }) => request?.wire.world.cwd === '')?.request;
  return {
    reply,
    isSpent,
    ...(home?.storeFolder !== undefined && {
      home: { folder: home.storeFolder, capBytes: home.maxStoreBytes },
    }),
    uses: [...engine.times].map(([name, ms]) => ({ name, ms })),
    stored: made.flatMap(({ outcome, request }) => {
      const isStored = outcome.kind === 'view' && outcome.minimal === undefined;
      if (!isStored || request?.storeFolder === undefined) return [];
      const { length: bytes } = outcome.input.source;
      return { folder: request.storeFolder, cwd: request.wire.world.cwd, bytes };
    }),
    views: made.map(({ outcome }) => ({
      kind: outcome.kind === 'view' ? 'view' : 'passthrough',
      before: outcome.kind === 'view' ? outcome.view.tokensBefore : 0,
      after: outcome.kind === 'view' ? outcome.view.tokensAfter : 0,
    })),
  };
}

function plainReply({ outcome, warning }: Extract<Made, { kind: 'made' }>, bytes: Uint8Array): Reply {
  const body = outcome.kind === 'view' ? joined(outcome.view.chunks) : bytes;
  return { status: 200, headers: headersOf(outcome, warning), body };
}

/** The facts of an outcome. A passthrough has its reason, and no hash. */
function headersOf(outcome: Outcome, warning: string | undefined): Record<string, string> {
  const bytes = String(outcome.input.source.length);
  const all = { 'content-type': 'application/octet-stream', 'x-ctxzip-bytes': bytes };
  if (outcome.kind === 'input') {
    const reason = asHeader(outcome.reason);
    return { ...all, 'x-ctxzip-kind': 'passthrough', 'x-ctxzip-reason': reason, ...noted(given(warning)) };
  }
  const { view, sha, minimal } = outcome;
  const shapes = minimal ?? [...new Set(view.kept.map(({ outline }) => outline.shape))].join(',');
  return {
    ...all,
    'x-ctxzip-kind': 'view',
    'x-ctxzip-hash': sha,
    'x-ctxzip-view-bytes': String(view.size),
    'x-ctxzip-tokens-before': String(Math.round(view.tokensBefore)),
    'x-ctxzip-tokens-after': String(Math.round(view.tokensAfter)),
    'x-ctxzip-shapes': shapes,
    'x-ctxzip-gaps': String(view.gaps.length),
    ...noted([...view.notes, ...given(warning)]),
  };
}

function noted(texts: readonly string[]): object {
  return texts.length === 0 ? {} : { 'x-ctxzip-note': asHeader(texts.join('; ')) };
}

function given(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

/** What `--json` prints; with `explain` what goes to stderr there. */
function jsonReply(outcome: Outcome, ruleNotes: readonly string[] | undefined): Reply {
  const more = ruleNotes === undefined ? {} : { explain: [...ruleNotes, ...explain(outcome)] };
  const pieces = [...jsonPieces(outcome, more)].map((piece) => Buffer.from(piece));
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: joined([...pieces, Buffer.from('\n')]),
  };
}

/** The whole of a body. */
export function whole(blocks: readonly Uint8Array[]): Uint8Array {
  return blocks.length === 1 ? blocks[0]! : joined(blocks);
}

/** One array with a buffer of its own, which can be handed over. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
