// Paths of values as numbers: a parent path and a step from it. The root is 0.
import { alloc, enlarged, reserve } from './memory';

@unmanaged
export class Paths {
  count: u32;
  room: u32;
  /** Parent and step of each path. */
  paths: usize;
  slots: usize;
  slotCount: u32;
}
const PATHS_BYTES: usize = offsetof<Paths>();
export const FIRST_ROOM: u32 = 512;

/** Room for `room` paths, a power of two; it grows. */
export function newPaths(room: u32): Paths {
  const trie = changetype<Paths>(reserve(PATHS_BYTES));
  trie.count = 1;
  trie.room = room;
  trie.paths = reserve(room << 3);
  trie.slotCount = room << 1;
  trie.slots = alloc(room << 3);
  return trie;
}

function slotOf(parent: u32, step: u32): u32 {
  return ((parent ^ (step * 0x9e3779b1)) * 0x85ebca6b) >> 7;
}

/** The path one step from `parent`: the hash of a key, an index, or a step to any element. */
export function pathOf(trie: Paths, parent: u32, step: u32): u32 {
  const wanted = ((<u64>step) << 32) | <u64>parent;
  const mask = trie.slotCount - 1;
  let slot = slotOf(parent, step) & mask;
  for (;;) {
    const id = load<u32>(trie.slots + ((<usize>slot) << 2));
    if (id === 0) break;
    if (load<u64>(trie.paths + ((<usize>id) << 3)) === wanted) return id;
    slot = (slot + 1) & mask;
  }
  const id = trie.count;
  if (id === trie.room) {
    trie.paths = enlarged(trie.paths, id << 3, id << 4);
    trie.room = id << 1;
  }
  store<u64>(trie.paths + ((<usize>id) << 3), wanted);
  trie.count = id + 1;
  if (trie.count * 2 > trie.slotCount) rehash(trie);
  else store<u32>(trie.slots + ((<usize>slot) << 2), id);
  return id;
}

function rehash(trie: Paths): void {
  trie.slotCount <<= 1;
  trie.slots = alloc((<usize>trie.slotCount) << 2);
  const mask = trie.slotCount - 1;
  for (let id: u32 = 1; id < trie.count; id += 1) {
    const at = trie.paths + ((<usize>id) << 3);
    let slot = slotOf(load<u32>(at), load<u32>(at, 4)) & mask;
    while (load<u32>(trie.slots + ((<usize>slot) << 2)) !== 0) slot = (slot + 1) & mask;
    store<u32>(trie.slots + ((<usize>slot) << 2), id);
  }
}

/** The step of a path. */
export function stepOf(trie: Paths, path: u32): u32 {
  return load<u32>(trie.paths + ((<usize>path) << 3), 4);
}
