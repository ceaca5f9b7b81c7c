import { hashMasked } from '../hash.ts';
import type { PoolFacts } from './pools.ts';
import { OBJECT, STRING, type Tape } from './tape.ts';
import { hashKey, type JsonUnits } from './units.ts';

/** Keys of what a record says. */
const MESSAGE_KEYS = new Set('msg message event text log title summary description'.split(' ').map(hashKey));
/** So many words of a message tell what kind it is; what comes behind them names what it is about. */
const WORDS = 4;
const MOST_BYTES = 80;
/** Messages that are told apart beside one level; more of them count as the same. */
const MOST_KINDS = 12;

/** Records that fail by their level fail for what their message says: tells those with another message apart. */
export function tellMessagesApart(tape: Tape, { count, nodes }: JsonUnits, facts: PoolFacts): void {
  const { severity, failureKeys } = facts;
  const kinds = new Map<number, Set<number>>();
  for (let unit = 0; unit < count; unit += 1) {
    if (severity[unit] === 0) continue;
    const message = messageOf(tape, nodes[unit]!);
    if (message === undefined) continue;
    const level = failureKeys[unit]!;
    const hash = hashMasked(message, 0, message.length) % 0xffff_ffff;
    const known = kinds.get(level) ?? new Set();
    kinds.set(level, known);
    if (known.size >= MOST_KINDS && !known.has(hash)) continue;
    known.add(hash);
    failureKeys[unit] = (level ^ hash) >>> 0 || 1;
  }
}

/** The first words of the message of a record. */
function messageOf(tape: Tape, node: number): Uint8Array | undefined {
  const { bytes, kind, start, end, keyHash, next } = tape;
  if (kind[node] !== OBJECT) return undefined;
  for (let n = node + 1; n < next[node]!; n = next[n]!) {
    if (kind[n] !== STRING || !MESSAGE_KEYS.has(keyHash[n]!)) continue;
    const text = bytes.subarray(start[n]!, Math.min(end[n]!, start[n]! + MOST_BYTES));
    let at = -1;
    for (let words = 0; words < WORDS; words += 1) {
      at = text.indexOf(32, at + 1);
      if (at < 0) return text;
    }
    return text.subarray(0, at);
  }
  return undefined;
}
