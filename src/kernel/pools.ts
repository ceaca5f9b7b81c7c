// Gathers the units of each path into a pool; see src/core/json/pools.ts.
import { Field } from './fields';
import { Grid } from './grid';
import { alloc, reserve } from './memory';
import { Tree } from './tree';

/** The order of the members counts. */
@unmanaged
export class Pools {
  tree: Tree;
  /** Where the text lies. */
  text: usize;
  /** Bytes of a quote. */
  quote: u32;
  count: u32;
  /** Where the members of each pool start among all; one more. */
  firsts: usize;
  members: usize;
  /** A byte a unit. */
  severity: usize;
  failureKeys: usize;
  /** A byte a path. */
  rules: usize;
  /** A column a path. */
  columns: usize;
  /** How many scalars of the pool at hand a path has; the first node of each. */
  filled: usize;
  fields: usize;
  grid: Grid;
  structures: Field;
  /** Rows that have a field which only a few have. */
  sparse: usize;
  sparseCount: u32;
  /** Verdicts that were asked for: a hash and the severity of each. */
  verdicts: usize;
}
const POOLS_BYTES: usize = offsetof<Pools>();
export const VERDICTS: u32 = 4096;

/** The pools that are read, and the columns of their tape. */
export let pools: Pools = changetype<Pools>(0);
export let text: usize = 0;
export let quote: u32 = 0;
export let kinds: usize = 0;
export let starts: usize = 0;
export let ends: usize = 0;
export let keys: usize = 0;
export let hashes: usize = 0;
export let nexts: usize = 0;
export let paths: usize = 0;
export let owners: usize = 0;

/** Gathers the units of each path into a pool. */
export function newPools(tree: Tree, placed: usize, quoteSize: u32): Pools {
  const pathCount = tree.trie.count;
  const units = tree.count;
  pools = changetype<Pools>(alloc(POOLS_BYTES));
  pools.tree = tree;
  pools.severity = alloc(units);
  pools.failureKeys = alloc(units << 2);
  pools.rules = alloc(pathCount);
  pools.columns = reserve(pathCount << 2);
  memory.fill(pools.columns, 255, pathCount << 2);
  pools.filled = alloc(pathCount << 2);
  pools.fields = reserve(pathCount << 2);
  pools.sparse = reserve(units << 2);
  pools.verdicts = alloc(VERDICTS << 4);
  usePools(placed, quoteSize);
  gather(tree);
  return pools;
}

function usePools(placed: usize, quoteSize: u32): void {
  const tree = pools.tree;
  const tape = tree.tape;
  text = placed;
  quote = quoteSize;
  kinds = tape.kinds;
  starts = tape.starts;
  ends = tape.ends;
  keys = tape.keys;
  hashes = tape.hashes;
  nexts = tape.nexts;
  paths = tree.paths;
  owners = tree.owners;
}

/** Sorts the units by their paths, which come in the order of their first units. */
function gather(tree: Tree): void {
  const units = tree.count;
  const poolOf = pools.filled;
  let count: u32 = 0;
  const sizes = alloc((units + 1) << 2);
  for (let u: u32 = 0; u < units; u += 1) {
    const slot = poolOf + ((<usize>pathOfUnit(u)) << 2);
    if (load<u32>(slot) === 0) {
      count += 1;
      store<u32>(slot, count);
    }
    const size = sizes + ((<usize>load<u32>(slot)) << 2);
    store<u32>(size, load<u32>(size) + 1);
  }
  pools.count = count;
  pools.firsts = reserve((count + 1) << 2);
  pools.members = reserve(units << 2);
  let at: u32 = 0;
  for (let p: u32 = 0; p <= count; p += 1) {
    at += load<u32>(sizes + ((<usize>p) << 2));
    store<u32>(pools.firsts + ((<usize>p) << 2), at);
    store<u32>(sizes + ((<usize>p) << 2), at);
  }
  for (let u: u32 = 0; u < units; u += 1) {
    const pool = load<u32>(poolOf + ((<usize>pathOfUnit(u)) << 2)) - 1;
    const next = sizes + ((<usize>pool) << 2);
    store<u32>(pools.members + ((<usize>load<u32>(next)) << 2), u);
    store<u32>(next, load<u32>(next) + 1);
  }
  memory.fill(poolOf, 0, tree.trie.count << 2);
}

function pathOfUnit(unit: u32): u32 {
  return load<u32>(paths + ((<usize>load<u32>(pools.tree.nodes + ((<usize>unit) << 2))) << 2));
}
