// Finds the units of a tape; see src/core/json/units.ts, which has the rules and their numbers.
import { alloc, enlarged, popTo, reserve, topNow } from './memory';
import { FIRST_ROOM, newPaths, Paths, pathOf } from './paths';
import { ARRAY, NONE, OBJECT, STRING, Tape, TEXT } from './tape';

/** Steps to any element, and to a line between records. */
export const ANY: u32 = 0xffffffff;
const LINE: u32 = 0xfffffffe;

/** How the values inside of a value are looked at. */
const BODY: u32 = 0;
const LIST: u32 = 1;
const MAP: u32 = 2;
const FIELDS: u32 = 3;

/** What src/core/json/units.ts asks for: the order of the members counts. */
@unmanaged
export class TreeRules {
  leastFolded: u32;
  leastMap: u32;
  leastScalarMap: u32;
  mostTuple: u32;
  mostIndexes: u32;
  /** Hashes of the keys of what is never folded. */
  telling: usize;
  tellingCount: u32;
  /** A byte a value: those that are no units of their own; or 0. */
  glued: usize;
}

/** The order of the members counts. */
@unmanaged
export class Tree {
  tape: Tape;
  count: u32;
  nodes: usize;
  parents: usize;
  after: usize;
  before: usize;
  /** The path of each value, and the unit that it belongs to. */
  paths: usize;
  owners: usize;
  trie: Paths;
}
const TREE_BYTES: usize = offsetof<Tree>();

let rules: TreeRules = changetype<TreeRules>(0);
let kinds: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
let hashes: usize = 0;
let parents: usize = 0;
let nexts: usize = 0;
let sizes: usize = 0;

export function newRules(telling: u32, glued: u32): TreeRules {
  const at = changetype<TreeRules>(reserve(32));
  at.telling = reserve(telling << 2);
  at.tellingCount = telling;
  at.glued = glued === 0 ? 0 : reserve(glued);
  return at;
}

/** Finds the units in one pass over the tape; `known` are the paths of other tapes of the same text, if any. */
export function findUnits(tape: Tape, by: TreeRules, known: Paths): Tree {
  const count = tape.count;
  rules = by;
  kinds = tape.kinds;
  starts = tape.starts;
  ends = tape.ends;
  hashes = tape.hashes;
  parents = tape.parents;
  nexts = tape.nexts;
  sizes = tape.sizes;
  const tree = changetype<Tree>(reserve(TREE_BYTES));
  const paths = reserve(count << 2);
  const owners = reserve(count << 2);
  const trie = changetype<usize>(known) === 0 ? newPaths(FIRST_ROOM) : known;
  tree.tape = tape;
  tree.paths = paths;
  tree.owners = owners;
  tree.trie = trie;
  /** How what is inside of each value is looked at (texts by lines have scalars with some), and how many elements were seen. */
  const modes = reserve(count << 2);
  let nodes = reserve(4096);
  let room: u32 = 1024;
  let units: u32 = 0;
  for (let n: u32 = 0; n < count; n += 1) {
    const at = (<usize>n) << 2;
    const p = load<u32>(parents + at);
    const kind: u32 = load<u8>(kinds + n);
    let mode = FIELDS;
    let path: u32 = 0;
    if (p !== NONE) {
      const up = (<usize>p) << 2;
      const state = load<u32>(modes + up);
      mode = state & 3;
      let step = ANY;
      if (mode !== LIST && mode !== MAP) {
        if (load<u8>(kinds + p) === OBJECT) step = load<u32>(hashes + at);
        else {
          step = isTuple(p) ? state >> 2 : min(state >> 2, by.mostIndexes);
          store<u32>(modes + up, state + 4);
        }
      }
      if (kind === TEXT) step = LINE;
      path = pathOf(trie, load<u32>(paths + up), step);
    }
    store<u32>(paths + at, path);
    const isContainer = kind <= ARRAY;
    if (p === NONE || (!isGlued(n) && isUnit(n, mode, isContainer))) {
      if (units === room) {
        nodes = enlarged(nodes, room << 2, room << 3);
        room <<= 1;
      }
      store<u32>(nodes + ((<usize>units) << 2), n);
      store<u32>(owners + at, units);
      units += 1;
    } else store<u32>(owners + at, load<u32>(owners + ((<usize>p) << 2)));
    store<u32>(modes + at, isContainer ? modeOf(n, mode) : BODY);
  }
  tree.nodes = nodes;
  tree.count = units;
  relate(tree);
  return tree;
}

function isGlued(n: u32): bool {
  return rules.glued !== 0 && load<u8>(rules.glued + n) !== 0;
}

function isUnit(n: u32, mode: u32, isContainer: bool): bool {
  if (mode === LIST || mode === MAP) return true;
  return mode === FIELDS && isContainer && bytesOf(n) >= rules.leastFolded && !isTelling(n);
}

function bytesOf(n: u32): u32 {
  return load<u32>(ends + ((<usize>n) << 2)) - load<u32>(starts + ((<usize>n) << 2));
}

function nextOf(n: u32): u32 {
  return load<u32>(nexts + ((<usize>n) << 2));
}

function sizeOf(n: u32): u32 {
  return load<u32>(sizes + ((<usize>n) << 2));
}

function modeOf(n: u32, around: u32): u32 {
  if (load<u8>(kinds + n) === ARRAY) {
    if (load<u32>(parents + ((<usize>n) << 2)) === NONE) return LIST;
    if (around === LIST && isTuple(n)) return BODY;
    return bytesOf(n) >= rules.leastFolded && around !== BODY ? LIST : BODY;
  }
  if (around === BODY) return BODY;
  return isMap(n) ? MAP : FIELDS;
}

/** A list of a few scalars inside of a list. */
function isTuple(n: u32): bool {
  const p = load<u32>(parents + ((<usize>n) << 2));
  // Scalars only: the subtree has as many values as the list has elements.
  return (
    p !== NONE &&
    load<u8>(kinds + p) === ARRAY &&
    sizeOf(n) <= rules.mostTuple &&
    nextOf(n) - n - 1 === sizeOf(n)
  );
}

/** Has the object one of the keys that tell it apart? */
function isTelling(n: u32): bool {
  if (load<u8>(kinds + n) !== OBJECT) return false;
  const end = rules.telling + ((<usize>rules.tellingCount) << 2);
  for (let c = n + 1; c < nextOf(n); c = nextOf(c)) {
    if (load<u8>(kinds + c) < STRING) continue;
    const hash = load<u32>(hashes + ((<usize>c) << 2));
    for (let at = rules.telling; at < end; at += 4) if (load<u32>(at) === hash) return true;
  }
  return false;
}

/** Is the object a map from ids to things of one kind: most members have the same fields? Or a long one to scalars? */
function isMap(n: u32): bool {
  const size = sizeOf(n);
  if (size < rules.leastMap || bytesOf(n) < rules.leastFolded) return false;
  const mark = topNow();
  // Shapes in the order in which they come, and slots that find them; 16 and 4 bytes each.
  let slotCount: u32 = 16;
  while (slotCount < size * 2) slotCount <<= 1;
  const shapes = reserve((<usize>size) << 4);
  const slots = alloc((<usize>slotCount) << 2);
  let count: u32 = 0;
  for (let c = n + 1; c < nextOf(n); c = nextOf(c)) {
    const shape = shapeOf(c);
    let slot = (<u32>shape * 0x9e3779b1) >> 8;
    let at: usize = 0;
    for (;;) {
      slot &= slotCount - 1;
      const known = load<u32>(slots + ((<usize>slot) << 2));
      if (known === 0) {
        at = shapes + ((<usize>count) << 4);
        store<u64>(at, shape);
        store<u32>(at, 0, 8);
        count += 1;
        store<u32>(slots + ((<usize>slot) << 2), count);
        break;
      }
      at = shapes + ((<usize>(known - 1)) << 4);
      if (load<u64>(at) === shape) break;
      slot += 1;
    }
    store<u32>(at, load<u32>(at, 8) + 1, 8);
  }
  let top: u32 = 0;
  let common: u64 = 0;
  for (let i: u32 = 0; i < count; i += 1) {
    const at = shapes + ((<usize>i) << 4);
    if (load<u32>(at, 8) <= top) continue;
    top = load<u32>(at, 8);
    common = load<u64>(at);
  }
  popTo(mark);
  if (top * 2 < size) return false;
  if (common > 8) return true;
  return size >= rules.leastScalarMap && top * 10 >= size * 9 && load<u8>(kinds + n + 1) !== OBJECT;
}

/** The kind of a scalar; of an object or list of objects a hash of its first keys. */
function shapeOf(n: u32): u64 {
  const kind: u32 = load<u8>(kinds + n);
  if (kind > ARRAY) return kind;
  const isList = kind === ARRAY;
  const first = isList && nextOf(n) > n + 1 ? n + 1 : n;
  if (load<u8>(kinds + first) !== OBJECT) return isList ? 78 + load<u8>(kinds + first) : 99;
  let hash: u32 = isList ? 77 : 99;
  let seen = 0;
  for (let c = first + 1; c < nextOf(first) && seen < 2; c = nextOf(c), seen += 1)
    hash = (hash ^ load<u32>(hashes + ((<usize>c) << 2))) * 0x01000193;
  return <u64>hash + 100;
}

/** What is around, behind and before each unit. */
function relate(tree: Tree): void {
  const count = tree.count;
  const nodes = tree.nodes;
  tree.parents = reserve(count << 2);
  tree.after = reserve(count << 2);
  tree.before = reserve(count << 2);
  memory.fill(tree.before, 255, count << 2);
  for (let u = count; u-- > 0;) {
    const at = (<usize>u) << 2;
    const n = load<u32>(nodes + at);
    const p = load<u32>(parents + ((<usize>n) << 2));
    store<u32>(tree.parents + at, p === NONE ? NONE : load<u32>(tree.owners + ((<usize>p) << 2)));
    const sibling = nextOf(n);
    // Behind it comes the unit of the next value that is one.
    let last = u + 1;
    while (last < count && load<u32>(nodes + ((<usize>last) << 2)) < sibling)
      last = load<u32>(tree.after + ((<usize>last) << 2));
    store<u32>(tree.after + at, last);
    if (
      last < count &&
      load<u32>(nodes + ((<usize>last) << 2)) === sibling &&
      load<u32>(parents + ((<usize>sibling) << 2)) === p
    )
      store<u32>(tree.before + ((<usize>last) << 2), u);
  }
}
