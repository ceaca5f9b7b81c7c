/** The verb of the pipe: reads an input, makes its view, stores the original, and says what is to be printed. */
import { compress, type Compressed, type Outliner } from '../core/compress.ts';
import { holds, latin1, searchable } from '../core/chars.ts';
import { beginsMinimal } from '../core/minimal/head.ts';
import type { Minimal } from '../core/minimal/minimize.ts';
import type { Policy, Source } from '../core/model.ts';
import { memorySource } from '../core/source.ts';
import { isUnavailable, type Facts, type ViewRecord } from '../store/port.ts';
import type { Spool, SpoolWriter } from '../store/spool.ts';
import { sha256 } from '../store/hash.ts';
import { BINARY, IN_MEMORY, IN_MEMORY_ONLY, Input, type OpenStore, Original, reasonOf } from './input.ts';
import { scrub } from './scrub.ts';

export interface PipeJob {
  readonly policy: Policy;
  /** Where the store is; undefined: nothing may be stored. */
  readonly storeFolder: string | undefined;
  readonly ttlMs: number;
  readonly maxStoreBytes: number;
  readonly facts: Facts;
  readonly version: string;
  readonly outline: Outliner;
  /** Makes a view that needs no store. */
  readonly minimize: (source: Source, policy: Policy) => Minimal;
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
      /** Of what it depends on beside its input; absent where nothing is stored. See `policyDigest`. */
      readonly digest?: string;
      /** A minimal view, which holds all of the input: nothing is stored. It is of this. */
      readonly minimal?: string;
    };

/** Makes the view of an input and stores the original, or says why the input is to be printed. Never throws. */
export function compressInput(input: Input, job: PipeJob, openStore: OpenStore): Outcome {
  try {
    return attempt(input, job, openStore);
  } catch (error) {
    return { kind: 'input', input, reason: reasonOf(error), isNews: true };
  }
}

function attempt(input: Input, job: PipeJob, openStore: OpenStore): Outcome {
  const pass = (reason: string): Outcome => ({ kind: 'input', input, reason, isNews: false });
  if (hasNul(input.source)) return pass(BINARY);
  if (beginsMinimal(input.source.read(0, Math.min(64, input.source.length)))) return pass(SEEN);
  const seen = recorded(input, job, openStore);
  if (seen?.kind === 'same') return pass(SEEN);
  const origin = seen?.kind === 'other' ? new Input(memorySource(seen.original), undefined) : input;
  if (job.policy.level === 'minimal') return minimal(origin, input, job);
  if (job.storeFolder === undefined)
    return minimal(origin, input, job, 'there is no store to keep the original in');
  try {
    const stored = normal(origin, input, job, openStore);
    return stored.kind === 'full' ? minimal(origin, input, job, stored.reason) : stored;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return minimal(origin, input, job, error.message);
  }
}

const SEEN = 'a view of ctxzip already';

/** The store takes no more. */
interface Full {
  readonly kind: 'full';
  readonly reason: string;
}

/** The view with markers, its original stored. */
function normal(origin: Input, input: Input, job: PipeJob, openStore: OpenStore): Outcome | Full {
  const pass = (reason: string) => ({ kind: 'input', input, reason, isNews: false }) as const;
  const original = new Original(origin, openStore);
  try {
    const view = compress(origin.source, job.policy, () => original.seal().slice(0, 12), job.outline);
    if (view.kind === 'passthrough') return { ...pass(view.reason), isNews: view.isOver === true };
    const sha = original.seal();
    const viewSha = hashOf(view.chunks);
    if (view.gaps.length === 0 && isAmbiguous(openStore()!, viewSha, sha))
      return pass('another original has the same view');
    const digest = policyDigest(job.policy, job.version);
    const refused = commit(original.writer!, { viewSha, policy: digest }, job);
    if (refused === undefined) return { kind: 'view', view, sha, input, digest };
    return refused.kind === 'full' ? refused : { kind: 'input', input, reason: refused.reason, isNews: true };
  } finally {
    original.close();
  }
}

/** Without a marker nothing in a view says whose it is: two that differ in their colours only have the same. */
function isAmbiguous(store: Spool, viewSha: string, sha: string): boolean {
  const known = store.view(viewSha);
  return known !== undefined && known.sha !== sha;
}

/** The view that needs no store; `why`: it takes the place of one that does. */
function minimal(origin: Input, input: Input, job: PipeJob, why?: string): Outcome {
  const pass = (reason: string): Outcome => ({
    kind: 'input',
    input,
    reason: why ?? reason,
    isNews: why !== undefined,
  });
  if (origin.source.length > IN_MEMORY_ONLY) return pass('over 256 MB, which is too much for level minimal');
  if (job.storeFolder === undefined && mayBeView(origin)) return pass(SEEN);
  const made = job.minimize(origin.source, job.policy);
  if (made.kind === 'passthrough') return pass(made.reason);
  const { of, bytes, tokensBefore, tokensAfter } = made;
  const notes = why === undefined ? [] : [`${why}; level minimal instead: nothing is hidden, nothing stored`];
  return {
    kind: 'view',
    view: {
      kind: 'view',
      chunks: [bytes],
      size: bytes.length,
      gaps: [],
      kept: [],
      tokensBefore,
      tokensAfter,
      notes,
    },
    sha: hashOf([...origin.pieces()]),
    input,
    minimal: of,
  };
}

/** Without a store nothing tells whose a marker is: what ctxzip printed must not be compressed again. */
function mayBeView({ source }: Input): boolean {
  const bytes = source.read(0, source.length);
  return holds(bytes, '<<ctxzip:') && /<<ctxzip:[0-9a-f]{12} \d+_/.test(latin1(bytes));
}

/** Makes the original and its view durable, or says why they can't be. */
function commit(
  writer: SpoolWriter,
  view: ViewRecord,
  job: PipeJob,
): Full | { readonly kind: 'taken'; readonly reason: string } | undefined {
  const { ttlMs, maxStoreBytes } = job;
  const { tool } = job.facts;
  const facts = tool === undefined ? job.facts : { ...job.facts, tool: scrub(tool) };
  const result = writer.commit({ facts, ttlMs, nowMs: facts.createdMs, maxBytes: maxStoreBytes, view });
  if (result.kind === 'stored') return undefined;
  if (result.kind === 'full') return result;
  return { kind: 'taken', reason: `its hash begins as that of another original, ${result.other}` };
}

function hashOf(chunks: readonly Uint8Array[]): string {
  const hash = sha256(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
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
  if (!holds(bytes, '<<ctxzip')) return undefined;
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
    if (searchable(source.read(at, Math.min(source.length, at + (1 << 24)))).includes(0)) return true;
  }
  return false;
}
