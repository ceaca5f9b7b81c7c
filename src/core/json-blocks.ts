import { latin1 } from './chars.ts';
import { stripEscapes } from './escapes.ts';
import { kernel, place } from './kernel.ts';
import { GLANCE, lineAt, lineText, type LineIndex } from './line-index.ts';
import { markSize } from './source.ts';

/** Lines `[from, to)` that are JSON. */
export interface JsonBlock {
  readonly kind: 'json';
  readonly from: number;
  readonly to: number;
  /** Where the value is in its one line, which says something before it: `[start, end)` in the input. */
  readonly span?: readonly [number, number];
}

/** What the kernel says of the end of a value (src/kernel/json-end.ts): there is none, or the bytes end before it. */
const UNFINISHED = -2;

/** Neighbouring lines that are JSON, alone or over several lines. */
export function jsonBlocks(index: LineIndex): JsonBlock[] {
  const blocks: Array<{ kind: 'json'; from: number; to: number; span?: readonly [number, number] }> = [];
  const lines = new RecordLines(index);
  let records = 0;
  const inline = new InlineValues(index);
  let budget = 4 * index.source.length + 65_536;
  const take = (from: number, to: number): void => {
    const last = blocks.at(-1);
    if (last !== undefined && last.to === from && last.span === undefined) last.to = to;
    else blocks.push({ kind: 'json', from, to });
  };
  for (let i = 0; i < index.count && budget > 0; i += 1) {
    if ((index.glances[i]! & GLANCE.opens) === 0) {
      inline.take(i, blocks);
      continue;
    }
    const { count, bytes } = budget > index.source.length ? lines.from(i) : NONE;
    budget -= bytes;
    records += count;
    if (count > 0) take(i, i + count);
    i += count;
    const start = i < index.count ? valueStart(index, i) : -1;
    if (start < 0) continue;
    const end = endOfJson(index, start);
    budget -= end.scanned;
    if (end.line < 0) continue;
    if (end.line === i) records += 1;
    take(i, end.line + 1);
    i = end.line;
  }
  const whole = inline.isEmpty ? mixed(blocks, records) : undefined;
  return (whole === undefined ? blocks : [whole]).filter(
    (block) => index.starts[block.to]! - index.starts[block.from]! > 200,
  );
}

/** Lines of fewer bytes are left whole: what they end with is read with them. */
const LEAST_INLINE = 4000;
const MOST_INLINE = 100;

/** The JSON that very long lines end with: `changed: [web-1] => {…}`. */
class InlineValues {
  private readonly index: LineIndex;
  private count = 0;

  constructor(index: LineIndex) {
    this.index = index;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Adds that of a line to `blocks`, where it has some. */
  take(line: number, blocks: JsonBlock[]): void {
    const { starts } = this.index;
    if (starts[line + 1]! - starts[line]! < LEAST_INLINE || this.count >= MOST_INLINE) return;
    const span = this.spanIn(starts[line]!, starts[line + 1]!);
    if (span === undefined) return;
    this.count += 1;
    blocks.push({ kind: 'json', from: line, to: line + 1, span });
  }

  private spanIn(from: number, to: number): readonly [number, number] | undefined {
    const { index } = this;
    const head = latin1(index.source.read(from, from + 400));
    const at = head.search(/(?<=\s|[=:>|])(?:\{\s*"|\[\s*[{"[])/);
    if (at < 0) return undefined;
    const { end } = valueEnd(index, from + at, to - from - at);
    if (end < 0 || end > to || to - end > 200) return undefined;
    const rest = stripEscapes(index.source.read(end, to));
    return latin1(rest).trim() === '' ? [from + at, end] : undefined;
  }
}

/** Where the JSON value starts that a line may begin with; -1 where it begins with none. */
function valueStart(index: LineIndex, line: number): number {
  if ((index.glances[line]! & GLANCE.opens) === 0) return -1;
  if ((index.glances[line]! & GLANCE.indented) !== 0 && isUnderKey(index, line)) return -1;
  const start = index.starts[line]! + (line === 0 ? markSize(index.source) : 0);
  const head = latin1(index.source.read(start, Math.min(start + 200, index.source.length)));
  if (!/^\s*[{[]\s*(?:["{[\]}]|-?\d|true|false|null|$)/.test(head)) return -1;
  return start + head.search(/\S/);
}

/** JSON under a key of YAML is part of that: `config: |`, `annotation: >-`. */
function isUnderKey(index: LineIndex, line: number): boolean {
  return line > 0 && /:\s*(?:[|>][-+\d]*)?\s*$/.test(lineText(index, line - 1, 1000));
}

/** Records a line with other lines between them, as services print them: one section, from the first to the last. */
function mixed(blocks: readonly JsonBlock[], records: number): JsonBlock | undefined {
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
export function valueEnd(
  index: Pick<LineIndex, 'source'>,
  start: number,
  least: number,
): { end: number; scanned: number } {
  for (let size = least; ; size = Math.max(1 << 16, size * 8)) {
    const stop = Math.min(index.source.length, start + size);
    const end = endWithin(index, start, stop);
    if (end === UNFINISHED && stop < index.source.length && size < 1 << 28) continue;
    return { end: end < 0 ? end : start + end, scanned: end < 0 ? stop - start : end };
  }
}

/** Pieces of a value that are read at once; up to so many bytes lie in the kernel for who reads the value next. */
const PIECE = 8 << 20;
const AT_ONCE = 32 << 20;

/** Where the value ends that starts at `start`, counted from there, if it does before `stop`. */
function endWithin({ source }: Pick<LineIndex, 'source'>, start: number, stop: number): number {
  const { jsonEnd, jsonEndOn } = kernel();
  const most = stop - start > AT_ONCE ? PIECE : AT_ONCE;
  for (let at = start; ;) {
    const next = Math.min(stop, at + most);
    const placed = place(source.read(at, next));
    const end = (at === start ? jsonEnd : jsonEndOn)(placed, placed + next - at);
    if (end !== UNFINISHED || next === stop) return end < 0 ? end : at - start + end;
    at = next;
  }
}

/** Is a line one JSON value and nothing else? Values that begin in an unusual way are not told. */
export function isRecordLine({ source, starts }: LineIndex, line: number): boolean {
  const bytes = source.read(starts[line]!, starts[line + 1]!);
  const at = place(bytes, 'line');
  return kernel().recordLines(at, at + bytes.length) === 1;
}

const NONE = { count: 0, bytes: 0 };
const CHUNK = 1 << 20;
const LONGEST = 1 << 23;

/** Finds lines that are one JSON value each, many at once; what it does not find may be JSON all the same. */
class RecordLines {
  private readonly index: LineIndex;
  /** The lines that were read last. */
  private first = 0;
  private last = 0;
  private bytes: Uint8Array = new Uint8Array(0);

  constructor(index: LineIndex) {
    this.index = index;
  }

  /** How many there are from `line` on, and the bytes of their values. */
  from(line: number): { readonly count: number; readonly bytes: number } {
    const { starts } = this.index;
    if (line >= this.last) this.readFrom(line);
    if (line >= this.last) return NONE;
    const { recordLines, recordBytes } = kernel();
    const base = place(this.bytes, 'raw') - starts[this.first]!;
    const count = recordLines(base + starts[line]!, base + starts[this.last]!);
    return { count, bytes: recordBytes.value };
  }

  private readFrom(line: number): void {
    const { starts, glances, count, source } = this.index;
    const isOpen = (at: number): boolean =>
      (glances[at]! & (GLANCE.opens | GLANCE.indented)) === GLANCE.opens;
    let last = line;
    while (last < count && isOpen(last) && (last === line || starts[last + 1]! - starts[line]! <= CHUNK))
      last += 1;
    // A very long one is read in pieces.
    if (starts[last]! - starts[line]! > LONGEST) last = line;
    this.first = line;
    this.last = last;
    if (last > line) this.bytes = source.read(starts[line]!, starts[last]!);
  }
}
