import type { PathAddress, Span } from '../address.ts';
import { formatAddress, printable } from '../address.ts';
import type { TextTape } from '../indent/nodes.ts';
import { readYaml } from '../indent/yaml.ts';
import { decodeString } from './decode.ts';
import { ARRAY, OBJECT, readTape, STRING, type Tape, TEXT } from './tape.ts';

/** Structured text that paths lead into. */
export type Structure =
  | { readonly kind: 'json'; readonly tape: Tape }
  | { readonly kind: 'yaml'; readonly tape: TextTape };

/** Neighbouring values that a path names, or why it names none. */
export type Resolved =
  | { readonly kind: 'nodes'; readonly nodes: readonly number[] }
  | { readonly kind: 'fault'; readonly message: string };

/** The structure of a whole text: JSON, JSON values one after the other, or YAML. */
export function structureOf(bytes: Uint8Array): Structure | undefined {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const json =
    readTape(bytes, from, bytes.length) ??
    manyOf(bytes, from, { mixed: true }) ??
    manyOf(bytes, from, { mixed: true, prefixed: true }) ??
    readTape(bytes, from, bytes.length, { mayBeTorn: true });
  if (json !== undefined && json.kind[0]! < STRING) return { kind: 'json', tape: json };
  const yaml = readYaml(bytes, lineStarts(bytes));
  return yaml && { kind: 'yaml', tape: yaml };
}

function manyOf(
  bytes: Uint8Array,
  from: number,
  options: { mixed: boolean; prefixed?: boolean },
): Tape | undefined {
  const tape = readTape(bytes, from, bytes.length, { many: true, ...options });
  if (tape === undefined) return undefined;
  let records = 0;
  for (let n = 1; n < tape.count; n = tape.next[n]!) if (tape.kind[n] !== TEXT) records += 1;
  return records * 2 >= tape.size[0]! && records > 1 ? tape : undefined;
}

function lineStarts(bytes: Uint8Array): Uint32Array {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1))
    starts.push(at + 1);
  return Uint32Array.from([...starts, bytes.length]);
}

/** Follows a path, which a fault calls `named`; a key that stands twice, or that is not there, is a fault that says what is. */
export function resolvePath(
  { kind, tape }: Structure,
  path: PathAddress,
  named: PathAddress = path,
): Resolved {
  let node = 0;
  if (path.document !== undefined) {
    const count = documentCount(tape);
    if (kind !== 'yaml') return fault(named, 'only YAML has documents');
    if (path.document >= count)
      return fault(named, `there ${count === 1 ? 'is 1 document' : `are ${count} documents`}, from @0`);
    if (isStream(tape)) node = childAt(tape, 0, path.document)!;
  } else if (kind === 'yaml' && isStream(tape))
    return fault(named, `there are ${documentCount(tape)} documents: begin with @0`);
  for (const segment of path.segments) {
    const found = step(tape, node, segment);
    if (typeof found === 'string') return fault(named, found);
    node = found;
  }
  return path.range === undefined ? { kind: 'nodes', nodes: [node] } : rangeOf(tape, node, named, path.range);
}

/** The path of a list that only objects are around. */
export function pathTo(tape: Tape, list: number): string[] {
  const segments: string[] = [];
  for (let node = list; tape.parent[node]! >= 0; node = tape.parent[node]!)
    segments.unshift(keyText(tape, node));
  return segments;
}

function step(tape: Tape, node: number, segment: string): number | string {
  if (tape.kind[node] === ARRAY) {
    const index = /^\d+$/.test(segment) ? Number(segment) : -1;
    const found = index < 0 ? undefined : childAt(tape, node, index);
    return found ?? `"${shown(segment)}" is no element of a list of ${tape.size[node]}`;
  }
  if (tape.kind[node] !== OBJECT) return `there is nothing under "${shown(segment)}"`;
  const found = [...members(tape, node)].filter((child) => keyText(tape, child) === segment);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) return `"${shown(segment)}" stands ${found.length} times; name the bytes`;
  const keys = [...members(tape, node)].slice(0, 12).map((child) => shown(keyText(tape, child)));
  return `there is no "${shown(segment)}"; there is ${keys.join(', ')}${tape.size[node]! > 12 ? ' …' : ''}`;
}

/** Elements of a list, or members of an object by their place. */
function rangeOf(tape: Tape, node: number, path: PathAddress, { from, to }: Span): Resolved {
  if (tape.kind[node]! >= STRING) return fault(path, 'a range needs a list');
  const children = [...members(tape, node)];
  if (from >= children.length) return fault(path, `there are ${children.length} of them, from 0`);
  return { kind: 'nodes', nodes: children.slice(from, to + 1) };
}

function* members(tape: Tape, node: number): Generator<number> {
  for (let c = node + 1; c < tape.next[node]!; c = tape.next[c]!) if (!isGluedText(tape, c)) yield c;
}

/** `---` and the like, which a tape of text has as values. */
function isGluedText(tape: Tape, node: number): boolean {
  return (
    tape.quote === 0 &&
    tape.key[node] === 0 &&
    tape.keyHash[node] === 0 &&
    tape.kind[tape.parent[node]!] === OBJECT
  );
}

function childAt(tape: Tape, node: number, index: number): number | undefined {
  let at = 0;
  for (const child of members(tape, node)) {
    if (at === index) return child;
    at += 1;
  }
  return undefined;
}

/** Is it YAML of several documents? */
function isStream(tape: Tape): boolean {
  return (
    tape.kind[0] === ARRAY &&
    tape.count > 1 &&
    tape.kind[1] === OBJECT &&
    tape.bytes[tape.start[2] ?? 0] === 45 &&
    tape.bytes[(tape.start[2] ?? 0) + 1] === 45
  );
}

function documentCount(tape: Tape): number {
  return isStream(tape) ? tape.size[0]! : 1;
}

function keyText(tape: Tape, node: number): string {
  const raw = Buffer.from(tape.keyOf(node), 'latin1');
  if (tape.quote === 0) return raw.toString('utf8');
  return Buffer.from(decodeString(raw, 0, raw.length).bytes).toString('utf8');
}

/** Text of an original in a message. */
export function shown(text: string): string {
  return printable(text.length > 40 ? `${text.slice(0, 37)}…` : text);
}

function fault(path: PathAddress, why: string): Resolved {
  return { kind: 'fault', message: `${formatAddress(path)}: ${why}` };
}
