/**
 * The library: `import { compress, expand, restore, verify } from 'ctxzip'`. All public types are in this file, so that
 * its declarations stand alone.
 */
import { join } from 'node:path';
import { expandHandle } from './app/expand-handle.ts';
import { provideFiles } from './app/files.ts';
import { minimalInput, minimalProof, policyOf, viewOf } from './app/pure.ts';
import { restore as restoreVerb } from './app/restore.ts';
import { verify as verifyVerb } from './app/verify.ts';
import { shares } from './app/shares.ts';
import { watchGc } from './store/gc-watch.ts';
import { sha256 } from './store/hash.ts';
import { openHome } from './store/home.ts';
import { memoryStore } from './store/memory.ts';
import type { Store as StorePort } from './store/port.ts';
import { outlineSection } from './app/shapes.ts';
import { now, VERSION } from './wire.ts';

provideFiles();

/** How a view is made. What is absent has the default of the command. */
export interface Policy {
  /** `none` passes the input through; `minimal` hides nothing and writes it shorter, and needs no store. */
  readonly level?: 'none' | 'minimal' | 'normal' | 'aggressive';
  /** Literals (any case) or `/regex/flags`; every line or record that matches one stays. */
  readonly keepPatterns?: readonly string[];
  /** Inputs of fewer characters pass through; 2,048 by default. */
  readonly minChars?: number;
  /** Budget of the view in estimated tokens; it also binds small inputs. */
  readonly maxTokens?: number;
  /** Are control sequences (colours) left out of the view (`strip`, the default) or kept? */
  readonly escapes?: 'strip' | 'keep';
  /** The first marker shows the command that opens it; true by default. */
  readonly hint?: boolean;
  /** `full`: every marker carries the hash. */
  readonly markers?: 'short' | 'full';
  /** What the reader wants to know; what answers it stays. */
  readonly query?: string;
  /** The shape is given, not detected. */
  readonly as?:
    | 'envelope'
    | 'json'
    | 'ndjson'
    | 'diff'
    | 'search'
    | 'test'
    | 'trace'
    | 'yaml'
    | 'describe'
    | 'table'
    | 'csv'
    | 'log'
    | 'code'
    | 'text';
}

/** A run of neighbouring units that went, and the marker in its place. */
export interface Gap {
  /** Where it was, as `expand` takes it: `L12-48`, `items/5-146`, `stdout:L3-90`, `B4096-9000`. */
  readonly address: string;
  /** `[start, end)` in the input, in bytes. */
  readonly bytes: readonly [start: number, end: number];
  /** `[start, end)` in the view, in bytes. */
  readonly view: readonly [start: number, end: number];
  readonly count: number;
  readonly unit: string;
  readonly values: ReadonlyArray<readonly [value: string, count: number]>;
  readonly failures: number;
}

export interface View {
  readonly kind: 'view';
  readonly view: Uint8Array;
  /** SHA-256 of the input, 64 hex digits. Markers carry the first 12. */
  readonly hash: string;
  readonly gaps: readonly Gap[];
  /** The content shapes that were seen. */
  readonly shapes: readonly string[];
  /** Estimated o200k tokens of the input and of the view. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What a budget hid that would have stayed. */
  readonly notes: readonly string[];
}

/** The input is the view: it is small, binary, or nothing in it repeats. */
export interface Passthrough {
  readonly kind: 'passthrough';
  readonly view: Uint8Array;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export type Compressed = View | Passthrough;

/** Makes the view of an input. Pure: it touches no disk and stores nothing. Throws for a pattern that is none. */
export function compress(input: string | Uint8Array, policy: Policy = {}): Compressed {
  return viewOf(bytesOf(input), policyOf(policy), outlineSection);
}

/**
 * Makes the views of several inputs that share one budget. Small inputs keep what they need; the largest give way first,
 * down to the next largest, and so on; what can't be shared evenly goes to the lower index. An input whose share makes no
 * view of it stays whole. The results are in the order of the entries.
 */
export function compressBatch(
  entries: ReadonlyArray<{ readonly input: string | Uint8Array; readonly policy?: Policy }>,
  options: { readonly totalTokens: number },
): Compressed[] {
  const first = entries.map(({ input, policy }) => compress(input, policy));
  const given = shares(
    first.map(({ tokensAfter }) => Math.ceil(tokensAfter)),
    options.totalTokens,
  );
  return entries.map(({ input, policy }, i) => {
    const made = first[i]!;
    return given[i]! >= Math.ceil(made.tokensAfter)
      ? made
      : compress(input, { ...policy, maxTokens: Math.max(1, given[i]!) });
  });
}

/** A store that the caller has opened, and closes. */
export interface Store {
  /** Stores an input, so that the markers of its view can be opened. A passthrough needs none and is left out. */
  put(input: string | Uint8Array, made: Compressed, facts?: Facts): Promise<void>;
  close(): Promise<void>;
}

export interface Facts {
  /** What made the input, without credentials. */
  readonly command?: string;
  /** How long it is kept; 7 days by default. */
  readonly ttlMs?: number;
}

/** Opens the store in a folder, which is made when something is put; without a folder a store in memory. */
export function openStore(folder?: string): Store {
  const self = [process.execPath, join(__dirname, '..', 'bin', 'ctxzip.js'), 'gc', '--worker'] as const;
  const port: StorePort =
    folder === undefined
      ? memoryStore()
      : openHome(folder, (job) => watchGc(job, { command: self, silenceMs: 60_000 }));
  const store: Store = {
    put: async (input, made, facts) => {
      if (made.kind === 'view') await put(port, bytesOf(input), made, facts ?? {});
    },
    close: () => port.close(),
  };
  ports.set(store, port);
  return store;
}

export interface ExpandOptions {
  /** `L12-48`, `items/5-146`, …; absent: that of the marker, else all of it. */
  readonly address?: string;
  /** A regular expression: only lines (or records) that match. */
  readonly grep?: string;
  readonly ignoreCase?: boolean;
  readonly before?: number;
  readonly after?: number;
  /** The first and the last lines (or records) of what is left. */
  readonly head?: number;
  readonly tail?: number;
  /** A range of records as its bytes are, not as a JSON array. */
  readonly raw?: boolean;
}

export interface Expanded {
  readonly bytes: Uint8Array;
  /** 0 printed; 1 unknown, damaged, or nothing matched; 2 no such place; 3 expired. */
  readonly exit: 0 | 1 | 2 | 3;
  /** What is wrong, and what to do. */
  readonly notes: readonly string[];
}

/** Brings back what a marker stands for. `handle` is a hash (6 digits or more) or a whole marker. */
export async function expand(store: Store, handle: string, options: ExpandOptions = {}): Promise<Expanded> {
  return await expandHandle(portOf(store), handle, options, now());
}

/** The input of a view, byte for byte; undefined where it is not known. A view of level `minimal` needs no store. */
export async function restore(
  store: Store | undefined,
  view: string | Uint8Array,
): Promise<Uint8Array | undefined> {
  const own = minimalInput(bytesOf(view));
  if (own !== undefined || store === undefined) return own;
  const found = await restoreVerb([bytesOf(view)], portOf(store), now());
  if (found.kind !== 'original') return undefined;
  const bytes = Uint8Array.from(found.reader.read(0, found.reader.size));
  found.reader.close();
  return bytes;
}

export type Verified =
  | {
      readonly kind: 'proven';
      /** Bytes of the input, of what is hidden in gaps, and of the control sequences that were left out. */
      readonly size: number;
      readonly hiddenBytes: number;
      readonly strippedBytes: number;
      readonly failures: { readonly visible: number; readonly all: number };
    }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'unknown' };

/** Proves that a view is its input with the gaps cut out; one of level `minimal`, that it decodes. */
export async function verify(store: Store | undefined, view: string | Uint8Array): Promise<Verified> {
  const own = minimalProof(bytesOf(view));
  if (own?.kind === 'proven' || store === undefined) return own ?? { kind: 'unknown' };
  const found = await restoreVerb([bytesOf(view)], portOf(store), now());
  if (found.kind !== 'original') return own ?? { kind: 'unknown' };
  const proof = verifyVerb(bytesOf(view), found.reader);
  found.reader.close();
  if (proof.kind === 'broken') return proof;
  const { kind, size, hiddenBytes, strippedBytes, failures } = proof;
  return { kind, size, hiddenBytes, strippedBytes, failures };
}

const ports = new WeakMap<Store, StorePort>();

function portOf(store: Store): StorePort {
  const port = ports.get(store);
  if (port === undefined) throw new TypeError('this is no store of openStore()');
  return port;
}

const WEEK_MS = 7 * 86_400_000;

async function put(port: StorePort, bytes: Uint8Array, made: View, facts: Facts): Promise<void> {
  const { command, ttlMs = WEEK_MS } = facts;
  const viewSha = sha256().update(made.view).digest('hex');
  const nowMs = now();
  await port.put({
    sha: made.hash,
    size: bytes.length,
    chunks: [bytes],
    facts: { createdMs: nowMs, ...(command !== undefined && { command }) },
    nowMs,
    ttlMs,
    view: { viewSha, policy: `library ${VERSION}` },
  });
}

function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === 'string' ? Buffer.from(input) : input;
}
