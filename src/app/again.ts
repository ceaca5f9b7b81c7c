/** A view made again from its original, with the policy that was recorded with it. */
import { compress, type Compressed } from '../core/compress.ts';
import type { Policy } from '../core/model.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';
import { policyDigest } from './compress.ts';
import type { Reader } from '../store/port.ts';
import { outlineSection } from './shapes.ts';
import type { Run } from './ledger.ts';

export interface Again {
  readonly made: Compressed;
  /** Why it may not be what was printed; undefined where it is. */
  readonly doubt?: string;
}

export interface AgainRequest {
  readonly sha: string;
  readonly reader: Reader;
  /** What was recorded when the view was printed, if it was. */
  readonly run: Run | undefined;
  /** The policy of now, where none was recorded. */
  readonly policy: Policy;
  readonly version: string;
}

/** Makes the view of a stored original again. */
export function makeAgain(request: AgainRequest): Again {
  const { sha, reader, run, version } = request;
  const policy = run?.policy === undefined ? request.policy : { ...DEFAULT_POLICY, ...run.policy };
  const source = { length: reader.size, read: (start: number, end: number) => reader.read(start, end) };
  const made = compress(source, policy, () => sha.slice(0, 12), outlineSection);
  const isSame = run?.digest === policyDigest(policy, version);
  const doubt =
    run === undefined
      ? 'nothing is recorded of the run: this is the view under the policy of now'
      : 'the view was printed under another policy or version: this is the one of now';
  return isSame ? { made } : { made, doubt };
}
