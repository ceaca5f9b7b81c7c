import { joined } from '../chars.ts';
import { valueEnd } from '../json-blocks.ts';
import { scoped } from '../kernel.ts';
import type { LineIndex } from '../line-index.ts';
import { ARRAY, DEEPEST, OBJECT } from './kinds.ts';
import { filledTape, readTape, type Tape } from './tape.ts';

/** Bytes before the elements and behind them that are read with every window. */
const MOST = 1 << 16;
/** Room for elements, at least: a list of fewer bytes might be no unit. */
const LEAST = 512;
/** Objects around the list. */
const MOST_LEVELS = 8;

/** What is around the list that most of a document is: `{"items":[` and `],"kind":"List"}`. */
export class Shell {
  /** The list in a tape of it. */
  readonly list: number;
  /** From the bracket that opens the list to behind the one that closes it; offsets in the source. */
  readonly elements: readonly [start: number, end: number];
  /** All of the document but the blanks behind it. */
  readonly span: readonly [start: number, end: number];
  /** Bytes before the elements and behind them, at the most. */
  readonly size: number;
  private readonly head: Uint8Array;
  private readonly tail: Uint8Array;

  constructor(at: Pick<Shell, 'list' | 'elements' | 'span'>, head: Uint8Array, tail: Uint8Array) {
    this.list = at.list;
    this.elements = at.elements;
    this.span = at.span;
    this.head = head;
    this.tail = tail;
    this.size = head.length + tail.length + LEAST;
  }

  /**
   * The tape of the document as if these elements were all that its list has, and how many of the `bytes` they are; see
   * `elements` of `TapeOptions`.
   */
  tapeOf(bytes: Uint8Array, mayBeTorn = false): { readonly tape: Tape; readonly size: number } | undefined {
    const { head, tail, list } = this;
    const around = readTape(joined([head, tail]), 0, head.length + tail.length)!;
    const room = roomFor(bytes.length);
    const text = joined([head, bytes, new Uint8Array(room - bytes.length), tail]);
    const [from, to] = [head.length, head.length + bytes.length];
    const inner = readTape(text, from, to, { many: true, elements: true, mayBeTorn });
    if (inner === undefined) return undefined;
    const tape = joinTapes(text, around, { list, inner, end: from + room });
    return { tape, size: inner.end[0]! - from };
  }

  /** The place in the source of an offset in such a tape, whose `size` bytes of elements are at `base`. */
  placeOf(offset: number, base: number, size: number): number {
    const { head, elements, span } = this;
    const inside = offset - head.length;
    if (inside < 0) return span[0] + offset;
    const room = roomFor(size);
    return inside < room ? base + inside : elements[1] - 1 + inside - room;
  }
}

/** Few elements have as much room as makes a unit of their list. */
function roomFor(size: number): number {
  return Math.max(LEAST, size);
}

/** What is around the list that is most of the document in `[start, end)`, which begins with a brace; undefined where none is. */
export function shellAround(
  index: Pick<LineIndex, 'source'>,
  [start, end]: readonly [number, number],
  most = MOST,
): Shell | undefined {
  const { source } = index;
  const text = source.read(start, Math.min(end, start + most));
  const [list, size] = scoped(() => openList(text));
  if (list < 0) return undefined;
  const from = start + size - 1;
  const to = valueEnd(index, from, end - from).end;
  if (to < 0 || to > end || end - to > most) return undefined;
  const [head, tail] = [text.slice(0, size), source.read(to - 1, end).slice()];
  return scoped(() => {
    const tape = readTape(joined([head, tail]), 0, head.length + tail.length);
    if (tape === undefined || tape.depth > DEEPEST) return undefined;
    const span = [start + tape.start[0]!, to - 1 + tape.end[0]! - size] as const;
    return new Shell({ list, elements: [from, to], span }, head, tail);
  });
}

/** The outermost list that a text ends in, if only objects are around it, and the bytes up to its first element; else -1. */
function openList(text: Uint8Array): readonly [node: number, size: number] {
  const tape = readTape(text, 0, text.length, { mayBeTorn: true });
  if (tape === undefined) return [-1, 0];
  const { kind, next, start, end, count } = tape;
  let node = 0;
  for (let level = 0; kind[node] === OBJECT && level < MOST_LEVELS; level += 1) {
    let last = node;
    for (let child = node + 1; child < next[node]!; child = next[child]!) last = child;
    if (last === node || next[last] !== count || end[last] !== text.length) return [-1, 0];
    node = last;
  }
  return kind[node] === ARRAY ? [node, start[node]! + 1] : [-1, 0];
}

/** The tape of `bytes`: that of a document whose `list` is empty, with elements, which end at `end` at the latest, in it. */
function joinTapes(
  bytes: Uint8Array,
  around: Tape,
  { list, inner, end: stop }: { readonly list: number; readonly inner: Tape; readonly end: number },
): Tape {
  const more = inner.count - 1;
  const open = around.start[list]! + 1;
  const further = stop - open;
  const depth = Math.max(around.depth, depthOf(around, list) - 1 + inner.depth);
  const tape = filledTape(bytes, { count: around.count + more, depth }, (into, column) => {
    into.set(around[column].subarray(0, list + 1));
    into.set(inner[column].subarray(1), list + 1);
    into.set(around[column].subarray(list + 1), list + 1 + more);
  });
  const { start, end, key, parent, next, size } = tape;
  for (let n = 0; n <= list; n += 1) {
    if (next[n]! > list) next[n]! += more;
    if (end[n]! >= open) end[n]! += further;
  }
  for (let n = list + 1; n <= list + more; n += 1) {
    parent[n]! += list;
    next[n]! += list;
  }
  for (let n = list + 1 + more; n < tape.count; n += 1) {
    if (parent[n]! > list) parent[n]! += more;
    next[n]! += more;
    start[n]! += further;
    end[n]! += further;
    if (key[n] !== 0) key[n]! += further;
  }
  size[list] = inner.size[0]!;
  return tape;
}

function depthOf({ parent }: Tape, node: number): number {
  let depth = 0;
  for (let n = node; n >= 0; n = parent[n]!) depth += 1;
  return depth;
}
