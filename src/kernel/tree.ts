// Finds the units of a tape; see src/core/json/units.ts, which has the rules and their numbers.
import { enlarged, reserve } from './memory';
import { FIRST_ROOM, newPaths, Paths, pathOf } from './paths';
import { ARRAY, NONE, OBJECT, Tape, TEXT } from './tape';
import {
  bytesOf,
  hashes,
  isGlued,
  isMap,
  isTelling,
  isTuple,
  kinds,
  lookAt,
  nextOf,
  parents,
  rules,
  TreeRules,
} from './tree-values';

/** Steps to any element, and to a line between records. */
export const ANY: u32 = 0xffffffff;
const LINE: u32 = 0xfffffffe;

/** How the values inside of a value are looked at. */
const BODY: u32 = 0;
const LIST: u32 = 1;
const MAP: u32 = 2;
const FIELDS: u32 = 3;

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

/** Finds the units in one pass over the tape; `known` are the paths of other tapes of the same text, if any. */
export function findUnits(tape: Tape, by: TreeRules, known: Paths): Tree {
  const count = tape.count;
  lookAt(tape, by);
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

function isUnit(n: u32, mode: u32, isContainer: bool): bool {
  if (mode === LIST || mode === MAP) return true;
  return mode === FIELDS && isContainer && bytesOf(n) >= rules.leastFolded && !isTelling(n);
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
