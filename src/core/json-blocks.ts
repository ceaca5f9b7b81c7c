import { latin1 } from './chars.ts';
import { jsonEnd, UNFINISHED } from './json-end.ts';
import { GLANCE, lineAt, lineBytes, type LineIndex } from './line-index.ts';
import { markSize } from './source.ts';

/** Lines `[from, to)` that are JSON. */
export interface JsonBlock {
  readonly kind: 'json';
  readonly from: number;
  to: number;
}

/** Neighbouring lines that are JSON, alone or over several lines. */
export function jsonBlocks(index: LineIndex): JsonBlock[] {
  const blocks: JsonBlock[] = [];
  let records = 0;
  let budget = 4 * index.source.length + 65_536;
  for (let i = 0; i < index.count && budget > 0; i += 1) {
    const start = jsonStart(index, i);
    if (start < 0) continue;
    const end = endOfJson(index, start);
    budget -= end.scanned;
    if (end.line < 0) continue;
    if (end.line === i) records += 1;
    const last = blocks.at(-1);
    if (last !== undefined && last.to === i) last.to = end.line + 1;
    else blocks.push({ kind: 'json', from: i, to: end.line + 1 });
    i = end.line;
  }
  const whole = mixed(blocks, records);
  return (whole === undefined ? blocks : [whole]).filter(
    (block) => index.starts[block.to]! - index.starts[block.from]! > 200,
  );
}

/** Where JSON may begin in a line; -1 where none does. */
function jsonStart(index: LineIndex, line: number): number {
  const glance = index.glances[line]!;
  if ((glance & GLANCE.opens) === 0) return -1;
  if ((glance & GLANCE.indented) !== 0 && isUnderKey(index, line)) return -1;
  const start = index.starts[line]! + (line === 0 ? markSize(index.source) : 0);
  const head = latin1(index.source.read(start, Math.min(start + 200, index.source.length)));
  return JSON_HEAD.test(head) ? start + head.search(/\S/) : -1;
}

const JSON_HEAD = /^\s*[{[]\s*(?:["{[\]}]|-?\d|true|false|null|$)/;

/** JSON under a key of YAML is part of that: `config: |`, `annotation: >-`. */
function isUnderKey(index: LineIndex, line: number): boolean {
  return line > 0 && /:\s*(?:[|>][-+\d]*)?\s*$/.test(latin1(lineBytes(index, line - 1, 1000)));
}

/** Records a line with other lines between them, as services print them: one section, from the first to the last. */
function mixed(blocks: ReadonlyArray<{ from: number; to: number }>, records: number): JsonBlock | undefined {
  const first = blocks[0];
  const last = blocks.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  if (records < LEAST_RECORDS || records * 2 < last.to - first.from) return undefined;
  return { kind: 'json', from: first.from, to: last.to };
}

/** Records from which on the lines between them belong to them. */
const LEAST_RECORDS = 5;

/** The line on which a JSON value ends, if nothing but others follows it there; -1 where it is none. */
function endOfJson(index: LineIndex, start: number): { line: number; scanned: number } {
  for (let from = start; ;) {
    const { end, scanned } = valueEnd(index, from, index.starts[lineAt(index, from) + 1]! - from);
    // Cut off on its way here: the rest of it is the rest of the text.
    if (end === UNFINISHED && index.source.length - start >= LEAST_TORN)
      return { line: index.count - 1, scanned: from + scanned - start };
    if (end < 0) return { line: -1, scanned: from + scanned - start };
    const line = lineAt(index, end - 1);
    const rest = latin1(index.source.read(end, Math.min(end + 64, index.starts[line + 1]!)));
    const next = rest.search(/\S/);
    if (next < 0) return { line, scanned: end - start };
    if (rest[next] !== '{' && rest[next] !== '[') return { line: -1, scanned: end - start };
    from = end + next;
  }
}

/** A shorter text that does not end is left as it is. */
const LEAST_TORN = 1000;

/** Most values end on their line: `least` bytes are looked at first. */
function valueEnd(index: LineIndex, start: number, least: number): { end: number; scanned: number } {
  for (let size = least; ; size = Math.max(1 << 16, size * 8)) {
    const stop = Math.min(index.source.length, start + size);
    const bytes = index.source.read(start, stop);
    const end = jsonEnd(bytes, 0);
    if (end === UNFINISHED && stop < index.source.length && size < 1 << 28) continue;
    return { end: end < 0 ? end : start + end, scanned: end < 0 ? bytes.length : end };
  }
}
