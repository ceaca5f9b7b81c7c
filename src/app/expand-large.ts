import type { PathAddress } from '../core/address.ts';
import { formatAddress } from '../core/address.ts';
import { LargeJson, type Part } from '../core/json/large.ts';
import { resolvePath, shown } from '../core/json/resolve.ts';
import type { AtPath } from './expand-path.ts';
import type { Original, Range } from './expand-read.ts';

const known = new WeakMap<Original, LargeJson | undefined>();

/** The JSON of an original that is too large for one tape, if it is records. */
export function largeJson(original: Original): LargeJson | undefined {
  if (!known.has(original))
    known.set(original, LargeJson.of({ length: original.size, read: (from, to) => original.read(from, to) }));
  return known.get(original);
}

/** Finds what a path names in it. */
export function atLargePath(json: LargeJson, path: PathAddress): AtPath {
  const { segments, records } = json;
  const { length } = segments;
  const isOfList = segments.every((segment, i) => segment === path.segments[i]);
  const next = path.segments[length];
  if (isOfList && next === undefined && path.range !== undefined) return recordsOf(json, path, path.range);
  if (!isOfList || next === undefined) return json.partOf(undefined, (part) => resolved(part, path, path));
  const record = /^\d+$/.test(next) ? Number(next) : records;
  if (record >= records) return fault(path, `"${shown(next)}" is no element of a list of ${records}`);
  return json.partOf(record, (part) => {
    const inPart = path.segments.with(length, String(record - part.first));
    return resolved(part, { ...path, segments: inPart }, path);
  });
}

/** The records of a range of the list. */
function recordsOf(json: LargeJson, path: PathAddress, { from, to }: { from: number; to: number }): AtPath {
  if (from >= json.records) return fault(path, `there are ${json.records} of them, from 0`);
  const records: Range[] = [];
  json.eachPart(from, to, ({ tape, list, first, placeOf }) => {
    let index = first;
    for (let n = list + 1; n < tape.next[list]!; n = tape.next[n]!, index += 1)
      if (index >= from && index <= to) records.push(range(placeOf(tape.start[n]!), placeOf(tape.end[n]!)));
  });
  const whole = range(records[0]!.start, records.at(-1)!.end);
  return { kind: 'records', records, whole, isObject: false };
}

function resolved({ tape, placeOf }: Part, path: PathAddress, named: PathAddress): AtPath {
  const found = resolvePath({ kind: 'json', tape }, path, named);
  if (found.kind === 'fault') return found;
  const { nodes } = found;
  const [first, last] = [nodes[0]!, nodes.at(-1)!];
  const whole = range(placeOf(tape.fromOf(first)), placeOf(tape.toOf(last)));
  if (path.range === undefined)
    return { kind: 'value', range: range(placeOf(tape.start[first]!), placeOf(tape.end[first]!)), whole };
  const records = nodes.map((node) => range(placeOf(tape.fromOf(node)), placeOf(tape.toOf(node))));
  return { kind: 'records', records, whole, isObject: tape.key[first] !== 0 };
}

function range(start: number, end: number): Range {
  return { start, end, line: undefined };
}

function fault(path: PathAddress, why: string): AtPath {
  return { kind: 'fault', message: `${formatAddress(path)}: ${why}` };
}
