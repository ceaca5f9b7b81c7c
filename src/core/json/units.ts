import { ANY, LINE, Paths, ROOT } from './paths.ts';
import { ARRAY, OBJECT, STRING, TEXT, type Tape } from './tape.ts';

/**
 * The units of a tape: elements of lists, members of maps, and members of objects that are large. What is small belongs
 * to the unit around it. Units are in the order of their starts; a unit inside of another comes behind it.
 */
export interface JsonUnits {
  readonly count: number;
  /** The value of each unit. */
  readonly nodes: Uint32Array;
  readonly parents: Int32Array;
  /** The first unit behind all that is inside of a unit. */
  readonly after: Uint32Array;
  /** The unit before it under the same parent, if nothing but a comma is between them; -1. */
  readonly before: Int32Array;
  /** The path of each value, and the unit that it belongs to. */
  readonly paths: Uint32Array;
  readonly owners: Uint32Array;
  readonly trie: Paths;
}

/** A member of fewer bytes belongs to its object, a list of fewer to what is around it. */
const LEAST_FOLDED = 300;
/** Members from which on an object may be a map. */
const LEAST_MAP = 6;
const LEAST_SCALAR_MAP = 40;
/** A list inside of a list with so few elements, all scalars, is a tuple: its index is a field. */
const MOST_TUPLE = 24;
/** Elements of a small list that are told apart. */
const MOST_INDEXES = 4;

/** How the values inside of a value are looked at. */
const BODY = 0;
const LIST = 1;
const MAP = 2;
const FIELDS = 3;

/** Keys of what tells an object from its likes, or says how it is. An object with one of them is never folded. */
const TELLING = new Set(
  'name id uid uuid status state phase reason severity level'.split(' ').map((key) => hashKey(key)),
);

/** The hash of a key as the tape has it. */
export function hashKey(key: string): number {
  let hash = 0x811c9dc5 | 0;
  for (const c of Buffer.from(key)) hash = Math.imul(hash ^ c, 0x01000193);
  return hash >>> 0;
}

export interface UnitOptions {
  /** Hashes of the keys of what is never folded. */
  readonly telling: ReadonlySet<number>;
  /** Values that are no units of their own. */
  readonly glued?: Uint8Array;
}

export const JSON_UNITS: UnitOptions = { telling: TELLING };

/** Finds the units of a tape in one pass over it. */
// oxlint-disable-next-line max-lines-per-function -- one pass over the tape
export function unitsOf(tape: Tape, { telling, glued }: UnitOptions): JsonUnits {
  const { count, kind, start, end, keyHash, parent, next } = tape;
  const paths = new Uint32Array(count);
  const owners = new Uint32Array(count);
  const modes = new Uint8Array(count);
  const unitOf = new Int32Array(count).fill(-1);
  const trie = new Paths();
  let nodes = new Uint32Array(1024);
  let units = 0;
  let index = new Uint32Array(64);
  for (let n = 0; n < count; n += 1) {
    const p = parent[n]!;
    const mode = p < 0 ? FIELDS : modes[p]!;
    let path = ROOT;
    if (p >= 0)
      path = trie.child(paths[p]!, kind[n] === TEXT ? LINE : stepTo(mode, keyHash[n]!, tape, n, p), n);
    paths[n] = path;
    const isContainer = kind[n] === OBJECT || kind[n] === ARRAY;
    const isUnit =
      p < 0 ||
      ((glued === undefined || glued[n] === 0) &&
        (mode === LIST ||
          mode === MAP ||
          (mode === FIELDS &&
            isContainer &&
            end[n]! - start[n]! >= LEAST_FOLDED &&
            !isTelling(tape, n, telling))));
    if (isUnit) {
      if (units === nodes.length) nodes = doubled(nodes);
      nodes[units] = n;
      unitOf[n] = units;
      owners[n] = units;
      units += 1;
    } else owners[n] = owners[p]!;
    if (isContainer) modes[n] = modeOf(tape, n, p < 0 ? FIELDS : mode);
  }
  index = nodes.slice(0, units);
  return { count: units, nodes: index, paths, owners, trie, ...relations(tape, index, unitOf, owners, next) };
}

/** The step from the parent: a key, the index in a small list, or any. */
function stepTo(mode: number, keyHash: number, tape: Tape, n: number, p: number): number {
  if (mode === LIST || mode === MAP) return ANY;
  if (tape.kind[p] === OBJECT) return keyHash;
  // The index in a small list: how many elements come before.
  let index = 0;
  for (let at = p + 1; at < n && index < MOST_TUPLE; at = tape.next[at]!) index += 1;
  return isTuple(tape, p) ? index : Math.min(index, MOST_INDEXES);
}

function modeOf(tape: Tape, n: number, around: number): number {
  const size = tape.end[n]! - tape.start[n]!;
  if (tape.kind[n] === ARRAY) {
    if (tape.parent[n]! < 0) return LIST;
    if (around === LIST && isTuple(tape, n)) return BODY;
    return size >= LEAST_FOLDED && around !== BODY ? LIST : BODY;
  }
  if (around === BODY) return BODY;
  return isMap(tape, n) ? MAP : FIELDS;
}

/** A list of a few scalars inside of a list. */
function isTuple(tape: Tape, n: number): boolean {
  const p = tape.parent[n]!;
  // Scalars only: the subtree has as many values as the list has elements.
  return (
    p >= 0 && tape.kind[p] === ARRAY && tape.size[n]! <= MOST_TUPLE && tape.next[n]! - n - 1 === tape.size[n]
  );
}

/** Has the object one of the keys that tell it apart? */
function isTelling(tape: Tape, n: number, telling: ReadonlySet<number>): boolean {
  if (tape.kind[n] !== OBJECT) return false;
  for (let c = n + 1; c < tape.next[n]!; c = tape.next[c]!) {
    if (telling.has(tape.keyHash[c]!) && tape.kind[c]! >= STRING) return true;
  }
  return false;
}

/** Is the object a map from ids to things of one kind: most members have the same fields? Or a long one to scalars? */
function isMap(tape: Tape, n: number): boolean {
  const { size, kind, next, end, start } = tape;
  if (size[n]! < LEAST_MAP || end[n]! - start[n]! < LEAST_FOLDED) return false;
  const shapes = new Map<number, number>();
  for (let c = n + 1; c < next[n]!; c = next[c]!) {
    const shape = shapeOf(tape, c);
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  let top = 0;
  let common = 0;
  for (const [shape, times] of shapes) {
    if (times <= top) continue;
    top = times;
    common = shape;
  }
  if (top * 2 < size[n]!) return false;
  if (common > 8) return true;
  return size[n]! >= LEAST_SCALAR_MAP && top * 10 >= size[n]! * 9 && kind[n + 1] !== OBJECT;
}

/** The kind of a scalar; of an object or list of objects a hash of its first keys. */
function shapeOf(tape: Tape, n: number): number {
  const { kind, next, keyHash } = tape;
  if (kind[n] !== OBJECT && kind[n] !== ARRAY) return kind[n]!;
  let hash = kind[n] === ARRAY ? 77 : 99;
  let seen = 0;
  const first = kind[n] === ARRAY && next[n]! > n + 1 ? n + 1 : n;
  if (kind[first] !== OBJECT) return kind[n] === ARRAY ? 78 + kind[first]! : hash;
  for (let c = first + 1; c < next[first]! && seen < 2; c = next[c]!, seen += 1)
    hash = Math.imul(hash ^ keyHash[c]!, 0x01000193);
  return (hash >>> 0) + 100;
}

function relations(
  tape: Tape,
  nodes: Uint32Array,
  unitOf: Int32Array,
  owners: Uint32Array,
  next: Uint32Array,
): Pick<JsonUnits, 'parents' | 'after' | 'before'> {
  const { length } = nodes;
  const parents = new Int32Array(length);
  const after = new Uint32Array(length);
  const before = new Int32Array(length).fill(-1);
  for (let u = length - 1; u >= 0; u -= 1) {
    const n = nodes[u]!;
    const p = tape.parent[n]!;
    parents[u] = p < 0 ? -1 : owners[p]!;
    // Behind it comes the unit of the next value that is one.
    let last = u + 1;
    while (last < length && nodes[last]! < next[n]!) last = after[last]!;
    after[u] = last;
    const sibling = next[n]!;
    if (last < length && nodes[last] === sibling && tape.parent[sibling] === p) before[last] = u;
  }
  void unitOf;
  return { parents, after, before };
}

function doubled(old: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(old.length * 2);
  larger.set(old);
  return larger;
}
