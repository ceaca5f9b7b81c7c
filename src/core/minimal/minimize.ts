/** The level `minimal`: a view that holds all of its input, if it saves enough. */
import { beginInput } from '../kernel.ts';
import type { Policy, Shape, Source } from '../model.ts';
import { NUMBERS } from '../policy.ts';
import { memorySource } from '../source.ts';
import { estimateSource, estimateTokens } from '../tokens.ts';
import { type Kind, writeMinimal } from './index.ts';

export type Minimal =
  | { readonly kind: 'passthrough'; readonly reason: string; readonly tokensBefore?: number }
  | {
      readonly kind: 'view';
      readonly of: Kind;
      readonly bytes: Uint8Array;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    };

/** Makes the view; all of the input is held in memory. */
export function minimize(source: Source, policy: Policy): Minimal {
  if (source.length < policy.minChars && !policy.budgetAsked)
    return { kind: 'passthrough', reason: `under ${policy.minChars} characters` };
  beginInput();
  const bytes = source.read(0, source.length);
  const view = writeMinimal(bytes, kindsOf(policy.as));
  const tokensBefore = countTokens(bytes);
  const tokensAfter = view === undefined ? Infinity : countTokens(view.bytes);
  const saved = tokensBefore - tokensAfter;
  if (view === undefined || saved < NUMBERS.leastSaved || saved < NUMBERS.leastShare * tokensBefore)
    return { kind: 'passthrough', reason: 'a minimal view would save too little', tokensBefore };
  return { kind: 'view', of: view.kind, bytes: view.bytes, tokensBefore, tokensAfter };
}

function kindsOf(as: Shape | undefined): readonly Kind[] | undefined {
  if (as === undefined) return undefined;
  if (as === 'ndjson') return ['ndjson', 'text'];
  return as === 'json' || as === 'envelope' ? ['json', 'text'] : ['text'];
}

/** Up to here all of a text is estimated, above it samples. */
const COUNTED = 1 << 23;
const PIECE = 1 << 16;

function countTokens(bytes: Uint8Array): number {
  if (bytes.length > COUNTED) return estimateSource(memorySource(bytes));
  let tokens = 0;
  for (let at = 0; at < bytes.length; at += PIECE)
    tokens += estimateTokens(bytes, at, Math.min(bytes.length, at + PIECE));
  return tokens;
}
