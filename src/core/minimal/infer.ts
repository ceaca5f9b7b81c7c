/** Finds what the values at one place have in common. Each value is looked at a bounded number of times. */
import { ARRAY, OBJECT, type Tape } from '../json/tape.ts';
import { type Keys, sameBytes } from './keys.ts';
import { commonLayout } from './layouts.ts';
import { ANY, DEEPEST, type Field, type Group, type Span, type Type } from './schema.ts';

/** Objects must make up this share of the values at a place. */
const LEAST_SHARE = 0.8;

/** The type of the values at one place; `ANY` where it would save nothing. */
export function typeOf(tape: Tape, keys: Keys, nodes: readonly number[], depth = 0): Type {
  if (depth >= DEEPEST || nodes.length === 0) return ANY;
  const objects = nodes.filter((node) => tape.kind[node] === OBJECT);
  if (objects.length >= nodes.length * LEAST_SHARE) {
    const group = groupOf(tape, keys, objects, depth);
    if (group !== undefined) return objects.length === nodes.length ? group : { ...group, isWhole: false };
    const of = typeOf(tape, keys, childrenOf(tape, objects), depth + 1);
    return of.kind === 'any' ? ANY : { kind: 'dict', of };
  }
  const arrays = nodes.filter((node) => tape.kind[node] === ARRAY);
  if (arrays.length < nodes.length * LEAST_SHARE) return ANY;
  const of = typeOf(tape, keys, childrenOf(tape, arrays), depth + 1);
  return of.kind === 'any' ? ANY : { kind: 'list', of };
}

function childrenOf(tape: Tape, nodes: readonly number[]): number[] {
  const children: number[] = [];
  for (const node of nodes)
    for (let child = node + 1; child < tape.next[node]!; child = tape.next[child]!) children.push(child);
  return children;
}

/** The fields of objects that are alike; undefined where naming the keys once saves nothing. */
export function groupOf(
  tape: Tape,
  keys: Keys,
  objects: readonly number[],
  depth: number,
): Group | undefined {
  if (objects.length < 2) return undefined;
  const chosen = commonLayout(tape, keys, objects);
  if (chosen === undefined) return undefined;
  const places = new Map(chosen.order.map((id, place) => [id, place]));
  const columns: number[][] = chosen.order.map(() => []);
  let size = 0;
  for (const layout of chosen.fitting) {
    size += layout.objects.length;
    const fields = layout.keys.map((id) => columns[places.get(id)!]!);
    for (const object of layout.objects) {
      let child = object + 1;
      for (const column of fields) {
        column.push(child);
        child = tape.next[child]!;
      }
    }
  }
  if (size * 2 < objects.length) return undefined;
  return {
    kind: 'group',
    isWhole: size === objects.length,
    isFlat: false,
    fields: columns.map((nodes, place) => {
      const key = keys.span(chosen.order[place]!);
      return nodes.length === size
        ? fieldOf(tape, keys, key, nodes, depth)
        : optional(tape, keys, key, nodes, depth);
    }),
  };
}

function fieldOf(tape: Tape, keys: Keys, key: Span, nodes: readonly number[], depth: number): Field {
  const first = nodes[0]!;
  const from = tape.start[first]!;
  const to = tape.end[first]!;
  const isConstant = nodes.every(
    (node) =>
      to - from === tape.end[node]! - tape.start[node]! &&
      sameBytes(tape.bytes, from, tape.start[node]!, to - from),
  );
  if (isConstant) return { key, type: ANY, constant: first };
  return { key, type: typeOf(tape, keys, nodes, depth + 1) };
}

/** A field that is not in all objects. */
function optional(tape: Tape, keys: Keys, key: Span, nodes: readonly number[], depth: number): Field {
  const type = typeOf(tape, keys, nodes, depth + 1);
  return { key, type: type.kind === 'group' ? { ...type, isWhole: false } : type };
}
