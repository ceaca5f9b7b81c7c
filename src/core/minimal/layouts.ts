/** The keys that objects have in common. */
import type { Tape } from '../json/tape.ts';
import type { Keys } from './keys.ts';

const MOST_FIELDS = 256;
/** Fields are filled in this share of the objects, on average: a row of commas is hard to read. */
const LEAST_FILLED = 0.6;
/** Tokens that a head costs beside its keys. */
const HEAD_COST = 6;
/** Tokens that the place of an absent field costs; commas in a row are fewer tokens than commas. */
const ABSENT_COST = 0.5;

/** Objects that have the same keys in the same order. */
interface Layout {
  readonly keys: readonly number[];
  readonly objects: number[];
}

/** An order of keys, and the layouts that keep to it. */
interface Common {
  readonly order: readonly number[];
  readonly fitting: readonly Layout[];
}

/** The order of keys that most of the objects keep to; undefined where naming the keys once saves nothing. */
export function commonLayout(tape: Tape, keys: Keys, objects: readonly number[]): Common | undefined {
  const layouts = layoutsOf(tape, keys, objects);
  return layouts === undefined ? undefined : withoutRare(commonOrder(layouts), (id) => keyCost(keys, id));
}

/** The layouts of objects, commonest first; undefined where nearly each object has its own. */
function layoutsOf(tape: Tape, keys: Keys, objects: readonly number[]): Layout[] | undefined {
  const most = Math.max(8, objects.length / 3);
  const steps = new Map<number, number>();
  const byStep = new Map<number, Layout>();
  let used = 0;
  for (const object of objects) {
    let step = 0;
    for (let child = object + 1; child < tape.next[object]!; child = tape.next[child]!) {
      const key = step * 0x1000000 + keys.of(child);
      let next = steps.get(key);
      if (next === undefined) steps.set(key, (next = ++used));
      step = next;
    }
    let layout = byStep.get(step);
    if (layout === undefined) {
      if (byStep.size >= most) return undefined;
      byStep.set(step, (layout = { keys: keysOf(tape, keys, object), objects: [] }));
    }
    layout.objects.push(object);
  }
  return [...byStep.values()].sort(
    (a, b) => b.objects.length - a.objects.length || a.objects[0]! - b.objects[0]!,
  );
}

function keysOf(tape: Tape, keys: Keys, object: number): number[] {
  const list: number[] = [];
  for (let child = object + 1; child < tape.next[object]!; child = tape.next[child]!)
    list.push(keys.of(child));
  return list;
}

/** One order of keys that as many layouts as possible keep to; those that do. */
function commonOrder(layouts: readonly Layout[]): Common {
  let order: number[] = [];
  const fitting: Layout[] = [];
  for (const layout of layouts) {
    const merged = mergeOrder(order, layout.keys);
    if (merged === undefined || merged.length > MOST_FIELDS) continue;
    order = merged;
    fitting.push(layout);
  }
  return { order, fitting };
}

/** The order with the keys of one more layout in it, new ones behind the key that they follow. */
function mergeOrder(order: readonly number[], keys: readonly number[]): number[] | undefined {
  const places = new Map(order.map((id, place) => [id, place]));
  const merged: number[] = [];
  let at = 0;
  for (const id of keys) {
    const place = places.get(id);
    if (place === undefined) {
      // Twice in one object: not in `places`, but in what was merged.
      places.set(id, -1);
      merged.push(id);
      continue;
    }
    if (place < at) return undefined;
    while (at <= place) merged.push(order[at++]!);
  }
  while (at < order.length) merged.push(order[at++]!);
  return merged;
}

/** The layouts without those that have a field that few have; undefined where nothing would be saved. */
function withoutRare(
  { order, fitting: layouts }: Common,
  costOf: (id: number) => number,
): Common | undefined {
  const total = sum(layouts.map(({ objects }) => objects.length));
  const counts = countKeys(layouts);
  const keyed = sum(order.map((id) => counts.get(id)! * costOf(id)));
  const perObject = keyed / Math.max(1, total);
  const isRare = (id: number): boolean => {
    const count = counts.get(id)!;
    return (total - count) * ABSENT_COST > count * perObject;
  };
  const fitting = layouts.filter(({ keys }) => !keys.some(isRare));
  const left = countKeys(fitting);
  const kept = order.filter((id) => left.has(id));
  const size = sum(fitting.map(({ objects }) => objects.length));
  let saved = -HEAD_COST;
  let filled = 0;
  for (const id of kept) {
    const count = left.get(id)!;
    filled += count;
    saved += (count - 1) * costOf(id) - (size - count) * ABSENT_COST;
  }
  const isFilled = filled >= LEAST_FILLED * size * kept.length;
  return saved > 0 && size >= 2 && isFilled ? { order: kept, fitting } : undefined;
}

function countKeys(layouts: readonly Layout[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { keys, objects } of layouts)
    for (const id of keys) counts.set(id, (counts.get(id) ?? 0) + objects.length);
  return counts;
}

/** Tokens of a key with its colon, about. */
function keyCost(keys: Keys, id: number): number {
  const { from, to } = keys.span(id);
  return 2 + (to - from - 2) / 8;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
