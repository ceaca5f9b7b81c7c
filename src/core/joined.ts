/** Ids a row of what makes rows alike. They hold until those of another feature are asked for. */
export interface Feature {
  readonly ids: () => Uint8Array;
  readonly distinct: number;
}

/** Joins features to profiles, coarsest first, as long as there are at most `most` of them. */
export function joined(
  features: ReadonlyArray<() => Uint8Array>,
  rows: number,
  most: number,
): Uint16Array | Uint32Array {
  let of: Uint16Array | Uint32Array = new Uint16Array(rows);
  let count = 1;
  for (const idsOf of features) {
    const ids = idsOf();
    const known = joinedIds(of, ids, count);
    if (known.size > most) continue;
    count = known.size;
    if (count > MOST_SMALL && of instanceof Uint16Array) of = Uint32Array.from(of);
    for (let r = 0; r < rows; r += 1) of[r] = known.id(of[r]! * 256 + ids[r]!);
  }
  return of;
}

/** So many profiles have numbers of two bytes. */
const MOST_SMALL = 0xffff;

/** Numbers the pairs of a profile and an id, in the order in which they come. */
function joinedIds(of: Uint16Array | Uint32Array, ids: Uint8Array, count: number) {
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
export function firstRows(of: Uint16Array | Uint32Array): number[] {
  const firsts: number[] = [];
  for (let r = 0; r < of.length; r += 1) if (of[r] === firsts.length) firsts.push(r);
  return firsts;
}
