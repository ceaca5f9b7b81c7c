/** The verb of the pipe: reads an input, makes its view, stores the original, and says what is to be printed. */
import { compress, type Compressed, type Outliner } from '../core/compress.ts';
import type { Policy, Source } from '../core/model.ts';
import { memorySource } from '../core/source.ts';
import { isUnavailable, type Facts } from '../store/port.ts';
import type { Spool, SpoolWriter } from '../store/spool.ts';
import { sha256 } from '../store/hash.ts';
import { scrub } from './scrub.ts';

/** Inputs up to this size stay in memory; larger ones go to the spool as they come. */
const IN_MEMORY = 32 << 20;

export interface PipeJob {
  readonly policy: Policy;
  /** Where the store is; undefined: nothing may be stored. */
  readonly storeFolder: string | undefined;
  readonly ttlMs: number;
  readonly maxStoreBytes: number;
  readonly facts: Facts;
  readonly version: string;
  readonly outline: Outliner;
  /** Brings back the original of a view from where the pipe does not look: LMDB. */
  readonly recall: (sha: string) => Uint8Array | undefined;
}

export type Outcome =
  /** The input as it came. `reason` is said on stderr where it is news. */
  | { readonly kind: 'input'; readonly input: Input; readonly reason: string; readonly isNews: boolean }
  | {
      readonly kind: 'view';
      readonly view: Extract<Compressed, { kind: 'view' }>;
      readonly sha: string;
      readonly input: Input;
    };

/** An input: in memory or in a file of the spool; `close` it when it has been printed. */
export class Input {
  readonly source: Source;
  /** Holds the bytes of a large input already. */
  readonly writer: SpoolWriter | undefined;

  constructor(source: Source, writer: SpoolWriter | undefined) {
    this.source = source;
    this.writer = writer;
  }

  *pieces(): Generator<Uint8Array> {
    const { source } = this;
    for (let at = 0; at < source.length; at += 1 << 22)
      yield source.read(at, Math.min(source.length, at + (1 << 22)));
  }

  close(): void {
    this.writer?.close();
  }
}

/** An input that the spool failed under: what was read and what is still to come. */
export interface Unspooled {
  readonly pieces: Iterable<Uint8Array>;
  readonly reason: string;
  /** Is it worth a line on stderr? */
  readonly isNews: boolean;
}

/**
 * Reads all of `pieces`; what can't be held goes to the spool. A large input that is binary, or larger than the store may
 * be, is not waited for.
 */
export function readInput(
  pieces: Iterable<Uint8Array>,
  maxStoreBytes: number,
  openStore: OpenStore,
): Input | Unspooled {
  const held: Uint8Array[] = [];
  const rest = pieces[Symbol.iterator]();
  let size = 0;
  let writer: SpoolWriter | undefined;
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    const piece = next.value;
    size += piece.length;
    if (writer === undefined && size <= IN_MEMORY) {
      held.push(piece);
      continue;
    }
    const isBinary = piece.includes(0) || held.some((each) => each.includes(0));
    try {
      if (isBinary) throw new Error(BINARY);
      if (size > maxStoreBytes) throw new Error('it is larger than the store may grow (max_store_bytes)');
      writer ??= spoolHeld(openStore, held);
      writer.write(piece);
    } catch (error) {
      const all = unspooled(writer, held, piece, rest);
      return { pieces: all, reason: reasonOf(error), isNews: !isBinary };
    }
  }
  if (writer === undefined) {
    return new Input(memorySource(held.length === 1 ? held[0]! : Buffer.concat(held)), undefined);
  }
  const file = writer;
  return new Input({ length: file.size, read: (start, end) => file.read(start, end) }, file);
}

const BINARY = 'binary: it holds NUL bytes';

function spoolHeld(openStore: OpenStore, held: Uint8Array[]): SpoolWriter {
  const spool = openStore();
  if (spool === undefined) throw new Error('there is no store, and the input is too large to hold in memory');
  const writer = filled(spool, held);
  held.length = 0;
  return writer;
}

function* unspooled(
  writer: SpoolWriter | undefined,
  held: readonly Uint8Array[],
  piece: Uint8Array,
  rest: Iterator<Uint8Array>,
): Generator<Uint8Array> {
  if (writer !== undefined) {
    for (let at = 0; at < writer.size; at += 1 << 20)
      yield writer.read(at, Math.min(writer.size, at + (1 << 20)));
    writer.close();
  }
  yield* held;
  yield piece;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

/** Opens the store once it is needed; undefined where there is none. Throws `StoreUnavailable`. */
type OpenStore = () => Spool | undefined;

/** Makes the view of an input and stores the original, or says why the input is to be printed. Never throws. */
export function compressInput(input: Input, job: PipeJob, openStore: OpenStore): Outcome {
  try {
    return attempt(input, job, openStore);
  } catch (error) {
    return { kind: 'input', input, reason: reasonOf(error), isNews: true };
  }
}

function attempt(input: Input, job: PipeJob, openStore: OpenStore): Outcome {
  const pass = (reason: string, isNews = false): Outcome => ({ kind: 'input', input, reason, isNews });
  if (hasNul(input.source)) return pass(BINARY);
  const seen = recorded(input, job, openStore);
  if (seen?.kind === 'same') return pass('a view of ctxzip already');
  const origin = seen?.kind === 'other' ? new Input(memorySource(seen.original), undefined) : input;
  if (job.storeFolder === undefined) return pass('there is no store to keep the original in', true);
  let writer: SpoolWriter | undefined;
  const sealed = (): string => {
    writer ??= writerOf(origin, openStore);
    return writer.seal();
  };
  try {
    const view = compress(origin.source, job.policy, () => sealed().slice(0, 12), job.outline);
    if (view.kind === 'passthrough') return pass(view.reason);
    const sha = sealed();
    const viewSha = hashOf(view.chunks);
    // Without a marker nothing in the view says whose it is: two that differ in their colours only have the same.
    if (view.gaps.length === 0 && (openStore()!.view(viewSha)?.sha ?? sha) !== sha)
      return pass('another original has the same view');
    const refused = commit(writer!, viewSha, job);
    return refused === undefined ? { kind: 'view', view, sha, input } : pass(refused, true);
  } finally {
    if (writer !== origin.writer) writer?.close();
  }
}

/** Makes the original and its view durable, or says why they can't be. */
function commit(writer: SpoolWriter, viewSha: string, job: PipeJob): string | undefined {
  const view = { viewSha, policy: policyDigest(job.policy, job.version) };
  const { ttlMs, maxStoreBytes } = job;
  const { tool } = job.facts;
  const facts = tool === undefined ? job.facts : { ...job.facts, tool: scrub(tool) };
  const result = writer.commit({ facts, ttlMs, nowMs: facts.createdMs, maxBytes: maxStoreBytes, view });
  if (result.kind === 'stored') return undefined;
  if (result.kind === 'full') return result.reason;
  return `its hash begins as that of another original, ${result.other}`;
}

/** The writer that holds the input already, or a new one with all of it. */
function writerOf(input: Input, openStore: OpenStore): SpoolWriter {
  if (input.writer !== undefined) return input.writer;
  return filled(openStore()!, input.pieces(), input.source.length);
}

function hashOf(chunks: readonly Uint8Array[]): string {
  const hash = sha256(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** A writer that holds `pieces`; where the disk is full, nothing of it stays. */
function filled(spool: Spool, pieces: Iterable<Uint8Array>, size?: number): SpoolWriter {
  const writer = spool.begin(size);
  try {
    for (const piece of pieces) writer.write(piece);
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Is the input a view that this store has recorded, and was it made by this policy? */
function recorded(
  input: Input,
  job: PipeJob,
  openStore: OpenStore,
): { readonly kind: 'same' } | { readonly kind: 'other'; readonly original: Uint8Array } | undefined {
  const { source } = input;
  if (source.length > IN_MEMORY || job.storeFolder === undefined) return undefined;
  const bytes = source.read(0, source.length);
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('<<ctxzip')) return undefined;
  const origin = openStore()?.view(sha256(bytes.length).update(bytes).digest('hex'));
  if (origin === undefined) return undefined;
  if (origin.policy === policyDigest(job.policy, job.version)) return { kind: 'same' };
  const original = job.recall(origin.sha);
  return original === undefined ? { kind: 'same' } : { kind: 'other', original };
}

/** What a view depends on beside its input, in 14 hex digits. */
export function policyDigest(policy: Policy, version: string): string {
  const text = JSON.stringify([version, ...Object.entries(policy).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return sha256(3 * text.length)
    .update(text)
    .digest('hex')
    .slice(0, 16);
}

function hasNul(source: Source): boolean {
  for (let at = 0; at < source.length; at += 1 << 24) {
    if (source.read(at, Math.min(source.length, at + (1 << 24))).includes(0)) return true;
  }
  return false;
}

function reasonOf(error: unknown): string {
  if (isUnavailable(error)) return error.message;
  return error instanceof Error
    ? `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}`
    : String(error);
}
