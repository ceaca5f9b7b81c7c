import type { PoolFacts } from './pool-grid.ts';
import { OBJECT, STRING, type Tape } from './tape.ts';
import { hashKey, type JsonUnits } from './units.ts';

/** Keys of what a record says. */
const MESSAGE_KEYS = Uint32Array.from(
  'msg message event text log title summary description'.split(' '),
  hashKey,
);
/** So many words of a message tell what kind it is; what comes behind them names what it is about. */
const WORDS = 4;
const MOST_BYTES = 80;
/** Messages that are told apart beside one level; more of them count as the same. */
const MOST_KINDS = 12;

/**
 * Records that fail by their level fail for what their message says: tells those with another message apart. `kinds` has the
 * messages seen so far beside each level.
 */
export function tellMessagesApart(
  tape: Tape,
  { nodes }: JsonUnits,
  facts: Pick<PoolFacts, 'severity' | 'failureKeys'>,
  kinds: Map<number, Set<number>> = new Map(),
): void {
  const { severity, failureKeys } = facts;
  const { bytes, kind, start, end } = tape;
  for (let unit = 0; unit < severity.length; unit += 1) {
    if (severity[unit] === 0 || kind[nodes[unit]!] !== OBJECT) continue;
    const n = messageOf(tape, nodes[unit]!);
    if (n < 0) continue;
    const level = failureKeys[unit]!;
    const hash = hashOf(bytes, start[n]!, Math.min(end[n]!, start[n]! + MOST_BYTES));
    let known = kinds.get(level);
    if (known === undefined) kinds.set(level, (known = new Set()));
    if (!known.has(hash)) {
      if (known.size >= MOST_KINDS) continue;
      known.add(hash);
    }
    failureKeys[unit] = (level ^ hash) >>> 0 || 1;
  }
}

/** The value that says what a record says; -1. */
function messageOf({ kind, keyHash, next }: Tape, record: number): number {
  for (let n = record + 1; n < next[record]!; n = next[n]!)
    if (kind[n] === STRING && MESSAGE_KEYS.includes(keyHash[n]!)) return n;
  return -1;
}

/** The first words of a text, all digits alike. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  let words = 0;
  for (let at = from; at < to && words < WORDS; at += 1) {
    const c = bytes[at]!;
    if (c === 32) words += 1;
    const isDigit = c >= 48 && c <= 57;
    // A run of digits counts once.
    if (isDigit && bytes[at - 1]! >= 48 && bytes[at - 1]! <= 57) continue;
    hash = Math.imul(hash ^ (isDigit ? 48 : c), 0x01000193);
  }
  return hash >>> 0;
}
