/** Ids a row of what makes rows alike. They hold until those of another feature are asked for. */
export interface Feature {
  readonly ids: () => Uint8Array;
  readonly distinct: number;
}

/** Joins features to profiles, coarsest first, as long as there are at most `most` of them. */
export function joined(features: ReadonlyArray<() => Uint8Array>, rows: number, most: number): Ids {
  let of: Ids = new Uint8Array(rows);
  let count = 1;
  for (const idsOf of features) {
    const ids = idsOf();
    const known = joinedIds(of, ids, count);
    if (known.size > most) continue;
    count = known.size;
    of = wide(of, count);
    for (let r = 0; r < rows; r += 1) of[r] = known.id(of[r]! * 256 + ids[r]!);
  }
  return of;
}

/** Numbers of profiles, in as few bytes as they need. */
export type Ids = Uint8Array | Uint16Array | Uint32Array;

/** The same numbers with room for those below `count`. */
export function wide(ids: Ids, count: number): Ids {
  const bytes = count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 4;
  if (ids.BYTES_PER_ELEMENT >= bytes) return ids;
  return bytes === 2 ? new Uint16Array(ids) : new Uint32Array(ids);
}

/** Numbers the pairs of a profile and an id, in the order in which they come. */
function joinedIds(of: Ids, ids: Uint8Array, count: number) {
  let size = 0;
  if (count <= DENSE) {
    const table = new Uint32Array(count * 256);
    for (let r = 0; r < of.length; r += 1) {
      const key = of[r]! * 256 + ids[r]!;
      if (table[key] === 0) table[key] = size += 1;
    }
    return { size, id: (key: number) => table[key]! - 1 };
  }
  const known = new Map<number, number>();
  for (let r = 0; r < of.length; r += 1) {
    const key = of[r]! * 256 + ids[r]!;
    if (!known.has(key)) known.set(key, known.size);
  }
  return { size: known.size, id: (key: number) => known.get(key)! };
}

/** So many profiles have a table of their pairs. */
const DENSE = 4096;

/** The first row of each profile. */
export function firstRows(of: Ids): number[] {
  const firsts: number[] = [];
  for (let r = 0; r < of.length; r += 1) if (of[r] === firsts.length) firsts.push(r);
  return firsts;
}
