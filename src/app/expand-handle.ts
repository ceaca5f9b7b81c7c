/** `expand` for programs: a handle and options in, bytes out. */
import { parseAddress } from '../core/address.ts';
import { parseHandle } from '../core/marker.ts';
import type { Store } from '../store/port.ts';
import { expand, type ExpandRequest } from './expand.ts';
import { lookupMessage } from './expand-words.ts';

interface Options {
  readonly address?: string;
  readonly grep?: string;
  readonly ignoreCase?: boolean;
  readonly before?: number;
  readonly after?: number;
  readonly head?: number;
  readonly tail?: number;
  readonly raw?: boolean;
}

interface Result {
  readonly bytes: Uint8Array;
  readonly exit: 0 | 1 | 2 | 3;
  readonly notes: readonly string[];
}

/** Looks a handle up and expands it. */
export async function expandHandle(
  store: Store,
  handle: string,
  options: Options,
  nowMs: number,
): Promise<Result> {
  const fault = (exit: Result['exit'], ...notes: string[]): Result => ({
    bytes: new Uint8Array(0),
    exit,
    notes,
  });
  const parsed = parseHandle([handle]);
  if (parsed.kind !== 'handle') return fault(parsed.kind === 'documentation' ? 1 : 2, parsed.message);
  const asked = options.address === undefined ? undefined : parseAddress(options.address);
  if (asked?.kind === 'invalid') return fault(2, asked.message);
  const lookup = await store.open(parsed.hash, nowMs);
  if (lookup.kind !== 'found') {
    const { exit, notes } = lookupMessage(lookup, parsed.hash);
    return fault(exit, ...notes);
  }
  const chunks: Uint8Array[] = [];
  try {
    const address = asked?.address ?? parsed.address;
    const request = requestOf(options, lookup.entry.sha.slice(0, 12));
    const { exit, notes } = expand(
      lookup.reader,
      { ...request, ...(address !== undefined && { address }) },
      (chunk) => chunks.push(Uint8Array.from(chunk)),
    );
    return { bytes: Buffer.concat(chunks), exit, notes };
  } finally {
    lookup.reader.close();
  }
}

function requestOf(
  { grep, ignoreCase, before, after, head, tail, raw }: Options,
  hash: string,
): ExpandRequest {
  return {
    hash,
    ...(grep !== undefined && {
      grep: {
        pattern: grep,
        ...(ignoreCase !== undefined && { ignoreCase }),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
    }),
    ...(head !== undefined && { head }),
    ...(tail !== undefined && { tail }),
    ...(raw !== undefined && { raw }),
  };
}
