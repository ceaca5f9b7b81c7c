/** `POST /v1/batch` in a worker: several inputs that share one budget, as `compressBatch` of the library. */
import { isUtf8 } from 'node:buffer';
import { shares } from '../app/shares.ts';
import type { PipeFlags } from '../cli/flags.ts';
import { type Shape, SHAPES } from '../core/model.ts';
import { estimateSource } from '../core/tokens.ts';
import { doneWith, joined, whole } from './compress-work.ts';
import type { Call, Engine, Made } from './engine.ts';
import { type BatchWork, type Done, fault } from './work.ts';

/** Inputs of one request. */
const MOST_ENTRIES = 1000;
const POLICY_KEYS = [
  'level',
  'keepPatterns',
  'minChars',
  'maxTokens',
  'escapes',
  'hint',
  'markers',
  'query',
  'as',
];

interface Batch {
  readonly totalTokens: number;
  readonly calls: readonly Call[];
}

type Whole = Extract<Made, { kind: 'made' }>;

/** Makes all views, then those again whose share is smaller than what they take. */
export async function batchWork(engine: Engine, work: BatchWork): Promise<Done> {
  const bytes = whole(work.blocks);
  const batch = readBatch(bytes, work.cwd);
  if (typeof batch === 'string') return doneWith(engine, fault(400, batch), [], false);
  const made: Whole[] = [];
  try {
    for (const [i, call] of batch.calls.entries()) {
      const one = await engine.make(call);
      if (one.kind === 'wrong')
        return doneWith(engine, fault(400, `entries[${i}]: ${one.message}`), [], false);
      made.push(one);
    }
    await share(engine, batch, made);
    for (const one of made) engine.record(one);
    const results = made.map(resultOf);
    const body = joined([Buffer.from(`${JSON.stringify({ results })}\n`)]);
    const reply = { status: 200, headers: { 'content-type': 'application/json' }, body };
    return doneWith(engine, reply, made, bytes.length > 8 << 20);
  } finally {
    for (const { outcome } of made) outcome.input.close();
  }
}

async function share(engine: Engine, { totalTokens, calls }: Batch, made: Whole[]): Promise<void> {
  const needs = made.map((one) => Math.ceil(tokensOf(one)));
  const given = shares(needs, totalTokens);
  for (const [i, call] of calls.entries()) {
    if (given[i]! >= needs[i]!) continue;
    const config = { ...call.flags.config, maxTokens: String(Math.max(1, given[i]!)) };
    const again = await engine.make({ ...call, flags: { ...call.flags, config } });
    if (again.kind === 'wrong') continue;
    made[i]!.outcome.input.close();
    made[i] = again;
  }
}

/** Estimated tokens of what is handed back. */
function tokensOf({ outcome }: Whole): number {
  return outcome.kind === 'view' ? outcome.view.tokensAfter : estimateSource(outcome.input.source);
}

function resultOf(made: Whole): object {
  const { outcome } = made;
  if (outcome.kind === 'input') {
    const tokens = Math.round(tokensOf(made));
    const view = textOf(joined([...outcome.input.pieces()]));
    return {
      kind: 'passthrough',
      ...view,
      reason: outcome.reason,
      tokensBefore: tokens,
      tokensAfter: tokens,
    };
  }
  const { view, sha, minimal } = outcome;
  return {
    kind: 'view',
    ...textOf(joined(view.chunks)),
    hash: sha,
    gaps: view.gaps,
    shapes: minimal === undefined ? [...new Set(view.kept.map(({ outline }) => outline.shape))] : [minimal],
    tokensBefore: Math.round(view.tokensBefore),
    tokensAfter: Math.round(view.tokensAfter),
    notes: view.notes,
  };
}

/** Bytes that are no text come as they went: in base 64. */
function textOf(bytes: Uint8Array): { readonly view: string } | { readonly viewBase64: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return isUtf8(buffer) ? { view: buffer.toString() } : { viewBase64: buffer.toString('base64') };
}

/** What the body asks for, or what is wrong with it. */
function readBatch(bytes: Uint8Array, cwd: string): Batch | string {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch (error) {
    return `the body is no JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`;
  }
  const { totalTokens, entries } = (value ?? {}) as Record<string, unknown>;
  if (typeof totalTokens !== 'number' || !(totalTokens > 0)) return 'totalTokens: give a number over 0';
  if (!Array.isArray(entries) || entries.length > MOST_ENTRIES)
    return `entries: give a list of at most ${MOST_ENTRIES}`;
  const calls = entries.map((entry: unknown) => readEntry(entry, cwd));
  const at = calls.findIndex((call) => typeof call === 'string');
  return at < 0 ? { totalTokens, calls: calls as Call[] } : `entries[${at}]${String(calls[at])}`;
}

function readEntry(entry: unknown, cwd: string): Call | string {
  const { input, inputBase64, policy = {}, tool } = (entry ?? {}) as Record<string, unknown>;
  const isText = typeof input === 'string';
  if (isText === (typeof inputBase64 === 'string')) return ': give input, or inputBase64';
  if (tool !== undefined && typeof tool !== 'string') return '.tool: give a text';
  if (typeof policy !== 'object' || policy === null) return '.policy: give an object';
  const unknown = Object.keys(policy).find((key) => !POLICY_KEYS.includes(key));
  if (unknown !== undefined)
    return `.policy: ${JSON.stringify(unknown)} is none of ${POLICY_KEYS.join(', ')}`;
  const flags = flagsOf(policy as Record<string, unknown>, tool);
  if (typeof flags === 'string') return flags;
  const bytes = isText ? Buffer.from(input) : Buffer.from(String(inputBase64), 'base64');
  return { bytes, flags, cwd };
}

/** A policy of the library as the flags that say the same; their values are checked where flags are. */
function flagsOf(policy: Record<string, unknown>, tool: string | undefined): PipeFlags | string {
  const { keepPatterns, query, as } = policy;
  if (keepPatterns !== undefined && !isTexts(keepPatterns))
    return '.policy.keepPatterns: give a list of texts';
  if (query !== undefined && typeof query !== 'string') return '.policy.query: give a text';
  const shape = as === undefined ? undefined : SHAPES.find((each) => each === as);
  if (as !== undefined && shape === undefined) return `.policy.as: the shapes are ${SHAPES.join(', ')}`;
  const text = (name: string): object | undefined =>
    policy[name] === undefined
      ? undefined
      : { [name === 'minChars' ? 'minToolOutputChars' : name]: String(policy[name]) };
  return {
    config: {
      ...(isTexts(keepPatterns) && { keepPatterns }),
      ...text('level'),
      ...text('minChars'),
      ...text('maxTokens'),
      ...text('escapes'),
      ...text('hint'),
      ...text('markers'),
    },
    store: true,
    explain: false,
    json: false,
    ...(query !== undefined && { query }),
    ...(shape !== undefined && { as: shape satisfies Shape }),
    ...(tool !== undefined && { tool }),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
