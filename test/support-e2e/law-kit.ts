/** What the laws share: a view of some bytes, and the original that comes of it. */
import { createHash } from 'node:crypto';
import { compress, type Outliner } from '../../src/core/compress.ts';
import { stripEscapes } from '../../src/core/escapes.ts';
import type { Gap, Policy } from '../../src/core/model.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { memorySource } from '../../src/core/source.ts';
import type { Reader } from '../../src/store/port.ts';
import { outlineSection } from '../../src/app/shapes.ts';

export interface View {
  readonly bytes: Buffer;
  readonly gaps: readonly Gap[];
  readonly before: number;
  readonly after: number;
  readonly notes: readonly string[];
}

export function sha(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function policyOf(over: Partial<Policy> = {}): Policy {
  return { ...DEFAULT_POLICY, ...over };
}

/** The view, or undefined where the input passes through. */
export function viewOf(
  bytes: Uint8Array,
  over: Partial<Policy> = {},
  outline: Outliner = outlineSection,
): View | undefined {
  const hash = (): string => sha(bytes).slice(0, 12);
  const made = compress(memorySource(bytes), policyOf(over), hash, outline);
  if (made.kind === 'passthrough') return undefined;
  const { chunks, gaps, tokensBefore, tokensAfter, notes } = made;
  return { bytes: Buffer.concat(chunks), gaps, before: tokensBefore, after: tokensAfter, notes };
}

/** The pieces of the input that a view shows, and those of the view: they are the same but for control sequences. */
export function shownPieces(
  input: Uint8Array,
  { bytes, gaps }: View,
): Array<{ input: Buffer; view: Buffer }> {
  const original = Buffer.from(input);
  const pieces: Array<{ input: Buffer; view: Buffer }> = [];
  let at = 0;
  let viewAt = 0;
  for (const gap of gaps) {
    pieces.push({ input: original.subarray(at, gap.bytes[0]), view: bytes.subarray(viewAt, gap.view[0]) });
    at = gap.bytes[1];
    viewAt = gap.view[1];
  }
  return [...pieces, { input: original.subarray(at), view: bytes.subarray(viewAt) }];
}

export function plain(bytes: Uint8Array): Buffer {
  return Buffer.from(stripEscapes(bytes));
}

/** The view without its markers; a line end in the place of each. */
export function shownText(view: View): string {
  let at = 0;
  const parts = view.gaps.map((gap) => {
    const part = view.bytes.subarray(at, gap.view[0]);
    at = gap.view[1];
    return part.toString('latin1');
  });
  return [...parts, view.bytes.subarray(at).toString('latin1')].join('\n');
}

export function readerOf(bytes: Uint8Array): Reader {
  return {
    size: bytes.length,
    read: (start, end) => bytes.subarray(start, end),
    close: () => undefined,
  };
}

/** Policies that change what a view is like. */
export const POLICIES: ReadonlyArray<Partial<Policy>> = [
  {},
  { escapes: 'keep' },
  { maxTokens: 400, budgetAsked: true },
  { maxTokens: 60, budgetAsked: true },
  { maxTokens: 900 },
  { minChars: 0, keepPatterns: ['alpha', '/\\b4\\d\\d\\b/'] },
  { minChars: 0, query: 'why did the request of node 漢字 fail with 503?' },
  { minChars: 0, as: 'table' },
  { minChars: 0, as: 'log' },
  { minChars: 0, as: 'text' },
  { minChars: 0, markers: 'full', hint: false },
];
