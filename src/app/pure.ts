/** The verb of the library: a view of bytes in memory, without a store. */
import { compress, type Outliner } from '../core/compress.ts';
import { beginsMinimal } from '../core/minimal/index.ts';
import { minimize } from '../core/minimal/minimize.ts';
import type { Gap, Policy } from '../core/model.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';
import { memorySource } from '../core/source.ts';
import { estimateSource } from '../core/tokens.ts';
import { sha256 } from '../store/hash.ts';
import { decodeMinimal } from './restore.ts';
import { verifyDecoded } from './verify.ts';

type Made =
  | {
      readonly kind: 'view';
      readonly view: Uint8Array;
      readonly hash: string;
      readonly gaps: readonly Gap[];
      readonly shapes: readonly string[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'passthrough';
      readonly view: Uint8Array;
      readonly reason: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    };

type Asked = Partial<Omit<Policy, 'budgetAsked'>>;

/** The whole policy of what was asked for. */
export function policyOf(asked: Asked): Policy {
  return { ...DEFAULT_POLICY, ...asked, budgetAsked: asked.maxTokens !== undefined && asked.maxTokens > 0 };
}

/** Makes the view. */
export function viewOf(input: Uint8Array, policy: Policy, outline: Outliner): Made {
  let sha: string | undefined;
  const hash = (): string => (sha ??= sha256().update(input).digest('hex'));
  const pass = (reason: string, tokens: number): Made => ({
    kind: 'passthrough',
    view: input,
    reason,
    tokensBefore: tokens,
    tokensAfter: tokens,
  });
  if (input.includes(0)) return pass('binary: it holds NUL bytes', tokensOf(input));
  if (beginsMinimal(input)) return pass('a view of ctxzip already', tokensOf(input));
  if (policy.level === 'minimal') {
    const made = minimize(memorySource(input), policy);
    if (made.kind === 'passthrough') return pass(made.reason, made.tokensBefore ?? tokensOf(input));
    const { bytes: view, of, tokensBefore, tokensAfter } = made;
    return { kind: 'view', view, hash: hash(), gaps: [], shapes: [of], tokensBefore, tokensAfter, notes: [] };
  }
  const made = compress(memorySource(input), policy, () => hash().slice(0, 12), outline);
  if (made.kind === 'passthrough') return pass(made.reason, made.tokensBefore ?? tokensOf(input));
  const { gaps, kept, tokensBefore, tokensAfter, notes } = made;
  return {
    kind: 'view',
    view: Buffer.concat(made.chunks),
    hash: hash(),
    gaps,
    shapes: [...new Set(kept.map(({ outline: { shape } }) => shape))],
    tokensBefore,
    tokensAfter,
    notes,
  };
}

function tokensOf(input: Uint8Array): number {
  return estimateSource(memorySource(input));
}

/** What a minimal view holds; undefined where the text is none, or damaged. */
export function minimalInput(view: Uint8Array): Uint8Array | undefined {
  const decoded = decodeMinimal([view]);
  return decoded !== undefined && 'bytes' in decoded ? Uint8Array.from(decoded.bytes) : undefined;
}

/** The proof of a minimal view; undefined where the text does not begin as one. */
export function minimalProof(view: Uint8Array) {
  const decoded = decodeMinimal([view]);
  if (decoded === undefined) return undefined;
  if ('damage' in decoded) return { kind: 'broken', reason: decoded.damage } as const;
  const { gaps: _, ...proven } = verifyDecoded(decoded.bytes);
  return proven;
}
