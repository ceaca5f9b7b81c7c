// Reads the scalars of units, pool by pool; see src/core/json/pools.ts. What may be a failure is judged there.
import { dateValue, readDate } from './dates';
import { suspect } from './failures';
import { addNumber, addWord, Field, newField } from './fields';
import { addCell, Column, columnAt, endRow, Grid, Seen } from './grid';
import { hash64, hashMasked64 } from './hash';
import { alloc, reserve } from './memory';
import { stepOf } from './paths';
import { ARRAY, NUMBER, STRING, WORD } from './tape';
import { ANY, Tree } from './tree';
import { NO_VALUE } from './values';

/** What columns a path has: one, from 0; none; or it is a field of a few units. */
const NO_COLUMN: i32 = -1;
const SPARSE: i32 = -2;

/** What src/core/json/verdicts.ts has learned of a path, as bits. */
const ERROR: u32 = 2;
const TELLING_NUMBER: u32 = 4;
/** Nothing in its key may report a failure. */
const CLEAN_KEY: u32 = 8;

/** Failures whose texts begin alike say the same. */
const TELLING_BYTES: u32 = 64;

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
}
const POOLS_BYTES: usize = offsetof<Pools>();

let pools: Pools = changetype<Pools>(0);
let text: usize = 0;
let quote: u32 = 0;
let kinds: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
let keys: usize = 0;
let hashes: usize = 0;
let nexts: usize = 0;
let paths: usize = 0;
let owners: usize = 0;

/** Verdicts that were asked for: a hash and the severity of each. */
let verdicts: usize = 0;
const VERDICTS: u32 = 4096;

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
  verdicts = alloc(VERDICTS << 4);
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

/** The rows of the pool at hand, and the scalar that comes next in the row that is open. */
let memberAt: usize = 0;
let memberEnd: usize = 0;
let row: u32 = 0;
let unit: u32 = 0;
let node: u32 = 0;
let nodeEnd: u32 = 0;
let structure: u32 = 0;
let isSparse = false;

function openRow(): void {
  unit = load<u32>(memberAt);
  node = load<u32>(pools.tree.nodes + ((<usize>unit) << 2));
  nodeEnd = load<u32>(nexts + ((<usize>node) << 2));
  structure = 0;
  isSparse = false;
}

/** Finds the paths of the scalars that the units of a pool have; returns how many. Their first nodes are in `fields`. */
export function poolFields(pool: u32): u32 {
  memberAt = pools.members + ((<usize>load<u32>(pools.firsts + ((<usize>pool) << 2))) << 2);
  memberEnd = pools.members + ((<usize>load<u32>(pools.firsts + ((<usize>pool) << 2), 4)) << 2);
  const filled = pools.filled;
  const fields = pools.fields;
  let count: u32 = 0;
  const first = memberAt;
  for (; memberAt < memberEnd; memberAt += 4) {
    openRow();
    let n = node;
    while (n < nodeEnd) {
      const at = (<usize>n) << 2;
      if (load<u32>(owners + at) !== unit) {
        n = load<u32>(nexts + at);
        continue;
      }
      if (load<u8>(kinds + n) > ARRAY) {
        const times = filled + ((<usize>load<u32>(paths + at)) << 2);
        const before = load<u32>(times);
        if (before === 0) {
          store<u32>(fields + ((<usize>count) << 2), n);
          count += 1;
        }
        store<u32>(times, before + 1);
      }
      n += 1;
    }
  }
  memberAt = first;
  return count;
}

/** Begins to read the rows of the pool whose fields were found last, into a grid that may have some already. */
export function poolStart(grid: Grid, structures: Field): void {
  pools.grid = grid;
  pools.structures = structures;
  pools.sparseCount = 0;
  row = grid.rows;
  if (memberAt < memberEnd) openRow();
}

/** Reads on to the next scalar that is to be judged, and returns it; -1 where all rows are read. */
export function poolRows(): i32 {
  while (memberAt < memberEnd) {
    while (node < nodeEnd) {
      const n = node;
      const at = (<usize>n) << 2;
      if (load<u32>(owners + at) !== unit) {
        node = load<u32>(nexts + at);
        continue;
      }
      node = n + 1;
      if (load<u8>(kinds + n) > ARRAY && !readScalar(n)) return <i32>n;
    }
    addWord(pools.structures, <f64>structure, row);
    if (isSparse) {
      store<u32>(pools.sparse + ((<usize>pools.sparseCount) << 2), row);
      pools.sparseCount += 1;
    }
    endRow(pools.grid);
    row += 1;
    memberAt += 4;
    if (memberAt < memberEnd) openRow();
  }
  return -1;
}

/** The scalar that is to be judged: what tells it from others, what is known of its value, its kind and how far from its key it is. */
let askedHash: u64 = 0;
let askedSeen: Seen = changetype<Seen>(0);
let gap: u32 = 0;

/** Takes a scalar into its column; false where its verdict is to be asked for. */
function readScalar(n: u32): bool {
  const at = (<usize>n) << 2;
  const kind: u32 = load<u8>(kinds + n);
  const path = load<u32>(paths + at);
  const from = load<u32>(starts + at);
  const to = load<u32>(ends + at);
  structure += (path ^ ((kind === WORD ? NUMBER : kind) * 0x9e3779b1)) * 0x85ebca6b;
  const edge = kind === STRING ? quote : 0;
  const c = load<i32>(pools.columns + ((<usize>path) << 2));
  const isFilled = to - from > 2 * edge;
  let seen = changetype<Seen>(0);
  if (c >= 0) {
    const column = columnAt(pools.grid, c);
    if (isFilled && column.row !== row + 1) {
      const start = text + from + edge;
      const end = text + to - edge;
      addCell(column, row, start, end);
      if (readDate(start, end)) addDate(column);
      if (column.id !== NO_VALUE) seen = changetype<Seen>(column.seen + column.id * offsetof<Seen>());
    }
  } else if (c === SPARSE) isSparse = true;
  if (kind === WORD) return true;
  const rule: u32 = load<u8>(pools.rules + path);
  if (kind === NUMBER && rule !== 0 && (rule & TELLING_NUMBER) === 0) return true;
  return judge(n, rule, seen);
}

/** False where the verdict of a string or a telling number is to be asked for. */
function judge(n: u32, rule: u32, seen: Seen): bool {
  const at = (<usize>n) << 2;
  const kind: u32 = load<u8>(kinds + n);
  const from = load<u32>(starts + at);
  const key = load<u32>(keys + at);
  gap = (key === 0 ? 0 : (from - key) << 3) | kind;
  const path = load<u32>(paths + at);
  const isKeyed = key !== 0 && stepOf(pools.tree.trie, path) === ANY;
  askedSeen = changetype<Seen>(0);
  if (changetype<usize>(seen) !== 0 && !isKeyed) {
    if (seen.verdict !== 0 && seen.gap === gap && rule !== 0) {
      if (seen.verdict > 1) apply(n, seen.verdict - 1);
      return true;
    }
    askedSeen = seen;
  }
  if (rule !== 0 && kind !== NUMBER && saysNothing(n, isKeyed ? rule & ~CLEAN_KEY : rule)) {
    learn(0);
    return true;
  }
  askedHash =
    hash64(text + from, text + load<u32>(ends + at)) ^
    ((((<u64>path) << 32) | <u64>load<u32>(hashes + at)) * 0x9e3779b97f4a7c15) ^
    (<u64>gap * 0xd6e8feb86659fd93);
  if (rule === 0) return false;
  const slot = slotOf(askedHash);
  if (load<u64>(slot) !== askedHash || load<u64>(slot, 8) === 0) return false;
  const severity = load<u32>(slot, 8) - 1;
  if (severity > 0) apply(n, severity);
  return true;
}

/** Can the string of a path with this rule, with its key, be no failure? */
function saysNothing(n: u32, rule: u32): bool {
  const at = (<usize>n) << 2;
  const from = load<u32>(starts + at);
  const to = load<u32>(ends + at);
  const key = load<u32>(keys + at);
  if (rule & ERROR && to - from > 2 * (load<u8>(kinds + n) === STRING ? quote : 0)) return false;
  const begin = key === 0 ? from : key;
  const first: u32 = load<u8>(text + begin);
  if (first !== 34 && isMark(first)) return false;
  const stop = text + to;
  return suspect(text + begin, text + (rule & CLEAN_KEY ? from : begin), stop) >= stop;
}

/** May a line of a test runner begin so? `✗`, `not ok`, `FAIL`, `E   `. */
function isMark(c: u32): bool {
  return c >= 128 || c === 110 || c === 70 || c === 45 || c === 69;
}

function slotOf(hash: u64): usize {
  return verdicts + ((<usize>((hash ^ (hash >> 29)) & (VERDICTS - 1))) << 4);
}

/** Says what the scalar is that was asked for. */
export function poolVerdict(severity: u32): void {
  const slot = slotOf(askedHash);
  store<u64>(slot, askedHash);
  store<u64>(slot, severity + 1, 8);
  learn(severity);
  if (severity > 0) apply(node - 1, severity);
}

/** What is known of the value is remembered with it. */
function learn(severity: u32): void {
  if (changetype<usize>(askedSeen) === 0) return;
  askedSeen.verdict = severity + 1;
  askedSeen.gap = gap;
}

/** The unit says at least this; of failures with one number it is told what they say. */
function apply(n: u32, severity: u32): void {
  if (severity <= load<u8>(pools.severity + unit)) return;
  store<u8>(pools.severity + unit, severity);
  const at = (<usize>n) << 2;
  const from = text + load<u32>(starts + at);
  const until = min(text + load<u32>(ends + at), from + TELLING_BYTES);
  // Another exit code or status is another failure.
  const hash = load<u8>(kinds + n) === NUMBER ? hash64(from, until) : hashMasked64(from, until);
  const failure = <u32>(hash >> 32) ^ load<u32>(paths + at);
  store<u32>(pools.failureKeys + ((<usize>unit) << 2), failure === 0 ? 1 : failure);
}

function addDate(column: Column): void {
  if (changetype<usize>(column.dates) === 0) {
    column.dates = newField(40);
    column.dateRow = row;
  }
  addNumber(column.dates, dateValue, row);
}
