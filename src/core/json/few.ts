import { WHOLE } from '../outline.ts';
import { ARRAY, OBJECT, type Tape } from './tape.ts';
import { hashKey, type JsonUnits } from './units.ts';

/** A list with at most so many records shows them all, each of at most so many tokens. */
const FEW_RECORDS = 12;
const MOST_TOKENS = 250;
/** … if they are no more than this share of all. */
const MOST_SHARE = 0.25;

/** Who wrote which field of a Kubernetes object: its records say nothing of how it is. */
const BOOKKEEPING = hashKey('managedFields');

function isFew({ keyHash, size }: Tape, list: number): boolean {
  return keyHash[list] !== BOOKKEEPING && size[list]! <= FEW_RECORDS;
}

/** Records of a list that has only a few, and is in no other: what each of them is called stays. `whole`: tokens of all units. */
export function keepFew(
  tape: Tape,
  units: JsonUnits,
  costs: Float32Array,
  flags: Uint8Array,
  whole = sumOf(costs),
): void {
  for (const list of fewRecords(tape, units, costs)) {
    const tokens = list.reduce((sum, unit) => sum + costs[unit]!, 0);
    if (tokens <= whole * MOST_SHARE) for (const unit of list) flags[unit]! |= WHOLE;
  }
}

/** The records of each list that has only a few small ones. */
function fewRecords(tape: Tape, units: JsonUnits, costs: Float32Array): Iterable<readonly number[]> {
  const { count, nodes, parents } = units;
  const { kind, parent } = tape;
  const isRecord = new Uint8Array(count);
  const lists = new Map<number, number[]>();
  for (let unit = 1; unit < count; unit += 1) {
    const node = nodes[unit]!;
    const isElement = kind[parent[node]!] === ARRAY;
    isRecord[unit] = isElement ? 1 : isRecord[parents[unit]!]!;
    if (!isElement || isRecord[parents[unit]!] === 1 || kind[node] !== OBJECT) continue;
    const list = parent[node]!;
    if (isFew(tape, list) && costs[unit]! <= MOST_TOKENS) lists.set(list, [...(lists.get(list) ?? []), unit]);
  }
  return lists.values();
}

export function sumOf(costs: Float32Array): number {
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/** Records one after the other, or in a list that is all there is; 0 where it is one value. */
export function topRecords({ kind, size }: Tape): number {
  return kind[0] === ARRAY ? size[0]! : 0;
}

/**
 * An envelope of few records keeps all that is small beside its outputs, if that is no more than a share of the `whole`
 * (tokens): answers, questions, names.
 */
export function keepSmall(records: number, costs: Float32Array, flags: Uint8Array, whole: number): void {
  if (records > FEW_RECORDS) return;
  let tokens = 0;
  for (let unit = 1; unit < flags.length; unit += 1) if (costs[unit]! <= MOST_TOKENS) tokens += costs[unit]!;
  if (tokens > whole * MOST_SHARE) return;
  for (let unit = 1; unit < flags.length; unit += 1) if (costs[unit]! <= MOST_TOKENS) flags[unit]! |= WHOLE;
}
