import type { Ids } from './joined.ts';
import { memoryWords } from './kernel.ts';
import type { Odd } from './odd.ts';
import { categorical, mostRare, ODD, rarest, rareValue } from './odd.ts';
import type { Shapes } from './shapes.ts';

/**
 * Rare values of the words that differ within a coarse template: of `user=alice` a thousand times, the one
 * `user=mallory`. A word's count is the sum over the shapes that hold it, so this costs nothing a line.
 */
export function rareWords(shapes: Shapes, kind: Ids): Odd[] {
  const values = groups(shapes).flatMap((group) => rareInGroup(shapes, group));
  const rare = new Map<number, Value>();
  for (const value of values) for (const shape of value.shapes) if (!rare.has(shape)) rare.set(shape, value);
  collect(rare, kind);
  return values.flatMap((value) =>
    value.places.slice(0, value.cap).map((unit) => rareValue(unit, value, value.count, value.of)),
  );
}

function rareInGroup(shapes: Shapes, group: readonly number[]): Value[] {
  const count = group.reduce((sum, s) => sum + shapes.counts[s]!, 0);
  if (count < ODD.rareFrom) return [];
  const width = Math.min(...group.map((s) => shapes.infos[s]!.words.count));
  return Array.from({ length: width }, (_, at) => rareAt(shapes, group, at, count)).flat();
}

interface Value {
  readonly shapes: number[];
  readonly count: number;
  readonly places: number[];
  cap: number;
  /** Units of the field. */
  readonly of: number;
}

/** Shapes by coarse template, of templates with more than one. */
function groups(shapes: Shapes): number[][] {
  const byTemplate = new Map<number, number[]>();
  shapes.infos.forEach((info, s) => {
    const list = byTemplate.get(info.coarse);
    if (list === undefined) byTemplate.set(info.coarse, [s]);
    else list.push(s);
  });
  return [...byTemplate.values()].filter((list) => list.length > 1);
}

function rareAt(shapes: Shapes, group: readonly number[], at: number, count: number): Value[] {
  const all = memoryWords();
  const wordOf = (s: number): number => all[shapes.infos[s]!.words.at + at]!;
  const first = wordOf(group[0]!);
  if (group.every((s) => wordOf(s) === first)) return [];
  // Most places have too many words: nothing is made of a word before it is known to be rare.
  const counts = new Map<number, number>();
  for (const s of group) {
    const word = wordOf(s);
    counts.set(word, (counts.get(word) ?? 0) + shapes.counts[s]!);
    if (!categorical(counts.size, count)) return [];
  }
  if (counts.size < 2) return [];
  const most = mostRare(count, Math.max(...counts.values()));
  const few = [...counts].filter(([, lines]) => lines <= most).sort((a, b) => a[1] - b[1]);
  const rare = rarest(
    few.map(([word, lines]): Value => {
      const own = group.filter((s) => wordOf(s) === word);
      return { shapes: own, count: lines, places: [], cap: 0, of: count };
    }),
    count,
  );
  let left = Math.max(6, Math.min(30, Math.floor(count / 100)));
  for (const value of rare) {
    value.cap = Math.min(left, value.count);
    left -= value.cap;
  }
  return rare.filter((v) => v.cap > 0);
}

/** Both ends of each run of lines that hold a rare value. */
function collect(rare: ReadonlyMap<number, Value>, kind: Ids): void {
  if (rare.size === 0) return;
  const most = Math.max(...rare.keys());
  const of: (Value | undefined)[] = Array.from({ length: most + 1 }, (_, s) => rare.get(s));
  let open: Value | undefined;
  let last = -1;
  for (let i = 0; i < kind.length; i += 1) {
    const value = of[kind[i]!];
    if (value === undefined) continue;
    if (value !== open) {
      close(open, last);
      if (value.places.length < 64) value.places.push(i);
    }
    open = value;
    last = i;
  }
  close(open, last);
}

function close(value: Value | undefined, last: number): void {
  if (value !== undefined && value.places.at(-1) !== last && value.places.length < 64)
    value.places.push(last);
}
