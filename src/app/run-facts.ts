/** What is recorded of a run, so that its view can be made again and be compared with what was asked for later. */
import type { Policy } from '../core/model.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';
import type { Outcome } from './compress.ts';
import type { Run } from './ledger.ts';
import { scrub } from './scrub.ts';

/** What is recorded of an outcome beside its time. */
export function runOf(outcome: Outcome, policy: Policy): Omit<Run, 'at' | 'ms'> {
  const bytes = outcome.input.source.length;
  if (outcome.kind === 'input') return { bytes, reason: outcome.reason };
  const { view, sha, digest, minimal } = outcome;
  const tokens = { bytes, before: Math.round(view.tokensBefore), after: Math.round(view.tokensAfter) };
  // It holds all of the input, and nothing of it is stored.
  if (minimal !== undefined) return { ...tokens, shapes: [minimal] };
  const own = ownPolicy(policy);
  return {
    ...tokens,
    shapes: [...new Set(view.kept.map(({ outline }) => outline.shape))],
    hash: sha,
    ...(digest !== undefined && { digest }),
    ...(own !== undefined && { policy: own }),
    gaps: packed(view.gaps.map((gap) => gap.bytes)),
  };
}

/** What of a policy is not the default; undefined where a question holds a credential, which is kept nowhere. */
function ownPolicy(policy: Policy): Partial<Policy> | undefined {
  if (policy.query !== undefined && scrub(policy.query) !== policy.query) return undefined;
  return Object.fromEntries(Object.entries(policy).filter(isOwn));
}

function packed(gaps: ReadonlyArray<readonly [number, number]>): number[] {
  let last = 0;
  return gaps.flatMap(([start, end]) => {
    const pair = [start - last, end - start];
    last = end;
    return pair;
  });
}

function isOwn([name, value]: readonly [string, unknown]): boolean {
  return JSON.stringify(value) !== JSON.stringify(DEFAULT_POLICY[name as keyof Policy]);
}
