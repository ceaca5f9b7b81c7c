import type { Address, PathAddress } from '../core/address.ts';
import { formatAddress } from '../core/address.ts';
import { decodeString } from '../core/json/decode.ts';
import { resolvePath, type Structure, structureOf } from '../core/json/resolve.ts';
import { STRING, TEXT } from '../core/json/tape.ts';
import { atLargePath, largeJson } from './expand-large.ts';
import { openOriginal, type Original, type Range } from './expand-read.ts';
import { formatSize } from './expand-words.ts';

/** Larger originals are read in windows. */
const LARGEST = 256 << 20;

/** What stands at a path. */
export type AtPath =
  /** One value: its bytes, and in `whole` with its key. */
  | { readonly kind: 'value'; readonly range: Range; readonly whole: Range }
  /** Several: each with its bytes; in JSON with what makes one text of them. */
  | {
      readonly kind: 'records';
      readonly records: readonly Range[];
      readonly whole: Range;
      readonly isObject: boolean;
    }
  /** Several, in YAML: whole lines. */
  | { readonly kind: 'lines'; readonly whole: Range }
  | { readonly kind: 'fault'; readonly message: string };

const structures = new WeakMap<Original, Structure | undefined>();

function structureIn(original: Original): Structure | undefined {
  if (!structures.has(original)) structures.set(original, structureOf(original.read(0, original.size)));
  return structures.get(original);
}

/** Finds what a path names. */
export function atPath(original: Original, path: PathAddress): AtPath {
  if (original.size > LARGEST) return inLarge(original, path);
  const structure = structureIn(original);
  if (structure === undefined) return { kind: 'fault', message: noPath(path) };
  const resolved = resolvePath(structure, path);
  if (resolved.kind === 'fault') return resolved;
  const { tape } = structure;
  const { nodes } = resolved;
  const first = nodes[0]!;
  const last = nodes.at(-1)!;
  const whole = rangeOf(tape.fromOf(first), tape.toOf(last));
  if (structure.kind === 'yaml') return { kind: 'lines', whole };
  if (path.range === undefined)
    return { kind: 'value', range: rangeOf(tape.start[first]!, tape.end[first]!), whole };
  const records = nodes.map((node) => rangeOf(tape.fromOf(node), tape.toOf(node)));
  return { kind: 'records', records, whole, isObject: tape.key[first] !== 0 };
}

function inLarge(original: Original, path: PathAddress): AtPath {
  const json = path.document === undefined ? largeJson(original) : undefined;
  if (json !== undefined) return atLargePath(json, path);
  const size = formatSize(original.size);
  return {
    kind: 'fault',
    message: `an original of ${size} that is no records has no paths: name lines or bytes`,
  };
}

/** The decoded text of the string at a path as an original of its own, and the place of its bytes in the one around it. */
export function insideString(
  original: Original,
  path: PathAddress,
): { readonly original: Original; readonly placeOf: (offset: number) => number } | string {
  const found = atPath(original, path);
  if (found.kind === 'fault') return found.message;
  const isJson = original.size > LARGEST || structureIn(original)!.kind === 'json';
  if (found.kind !== 'value' || !isJson) return `${formatAddress(path)} is no string`;
  const { start, end } = found.range;
  const bytes = original.read(start, end);
  if (bytes[0] !== 34) return `${formatAddress(path)} is no string`;
  const isClosed = bytes.length > 1 && bytes.at(-1) === 34;
  const decoded = decodeString(bytes, 1, isClosed ? bytes.length - 1 : bytes.length);
  const reader = {
    size: decoded.bytes.length,
    read: (from: number, to: number) => decoded.bytes.subarray(from, to),
    close: () => undefined,
  };
  const placeOf = (offset: number): number => start + decoded.placeOf(offset);
  return { original: openOriginal(reader, original.blockSize), placeOf };
}

/** Is the record a line that is no JSON? It is printed as a string. */
export function isTextLine(original: Original, record: Range): boolean {
  if (original.size > LARGEST) return isTextIn(original, record);
  const tape = structureIn(original)?.tape;
  if (tape === undefined) return false;
  for (let n = 1; n < tape.count; n = tape.next[n]!) {
    if (tape.start[n] === record.start)
      return tape.kind[n] === TEXT || (tape.kind[n]! >= STRING && tape.quote === 0);
  }
  return false;
}

function isTextIn(original: Original, { start }: Range): boolean {
  const first = original.read(start, start + 1)[0];
  return largeJson(original)?.areLines === true && first !== BRACE && first !== BRACKET;
}

const [BRACKET, BRACE] = [91, 123];

function rangeOf(start: number, end: number): Range {
  return { start, end, line: undefined };
}

function noPath(address: Address): string {
  const text = formatAddress(address);
  const lines = /^[lL]?\d+(?:-\d+)?$/.test(text) ? `. Did you mean L${text.replace(/^l/i, '')}?` : '';
  return `"${text}" is a path, and this original is no JSON or YAML: it takes lines (L3-90), characters of a line (L12:c1-9000) and bytes (B0-4096)${lines}`;
}
