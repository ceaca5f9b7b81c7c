// What the values of a tape are to its units: tuples, maps, things with a name; see src/core/json/units.ts.
import { alloc, popTo, reserve, topNow } from './memory';
import { ARRAY, NONE, OBJECT, STRING, Tape } from './tape';

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

export let rules: TreeRules = changetype<TreeRules>(0);
export let kinds: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
export let hashes: usize = 0;
export let parents: usize = 0;
let nexts: usize = 0;
let sizes: usize = 0;

export function newRules(telling: u32, glued: u32): TreeRules {
  const at = changetype<TreeRules>(reserve(32));
  at.telling = reserve(telling << 2);
  at.tellingCount = telling;
  at.glued = glued === 0 ? 0 : reserve(glued);
  return at;
}

/** Takes over what is to be looked at. */
export function lookAt(tape: Tape, by: TreeRules): void {
  rules = by;
  kinds = tape.kinds;
  starts = tape.starts;
  ends = tape.ends;
  hashes = tape.hashes;
  parents = tape.parents;
  nexts = tape.nexts;
  sizes = tape.sizes;
}

export function isGlued(n: u32): bool {
  return rules.glued !== 0 && load<u8>(rules.glued + n) !== 0;
}

export function bytesOf(n: u32): u32 {
  return load<u32>(ends + ((<usize>n) << 2)) - load<u32>(starts + ((<usize>n) << 2));
}

export function nextOf(n: u32): u32 {
  return load<u32>(nexts + ((<usize>n) << 2));
}

function sizeOf(n: u32): u32 {
  return load<u32>(sizes + ((<usize>n) << 2));
}

/** A list of a few scalars inside of a list. */
export function isTuple(n: u32): bool {
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
export function isTelling(n: u32): bool {
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
export function isMap(n: u32): bool {
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
