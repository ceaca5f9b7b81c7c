// Reads the scalars of units, pool by pool; see src/core/json/pools.ts.
import { dateValue, readDate } from './dates';
import { addNumber, addWord, Field, newField } from './fields';
import { addCell, Column, columnAt, endRow, Grid, Seen } from './grid';
import { judge, TELLING_NUMBER } from './pool-verdicts';
import { ends, kinds, nexts, owners, paths, pools, quote, starts, text } from './pools';
import { ARRAY, NUMBER, STRING, WORD } from './tape';
import { NO_VALUE } from './values';

/** The column of a path that only a few units have; that of one without a column is less than 0, too. */
const SPARSE: i32 = -2;

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

function addDate(column: Column): void {
  if (changetype<usize>(column.dates) === 0) {
    column.dates = newField(40);
    column.dateRow = row;
  }
  addNumber(column.dates, dateValue, row);
}
