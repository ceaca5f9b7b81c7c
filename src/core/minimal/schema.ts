import { stringEnd } from './strings.ts';
import { DamagedView } from './head.ts';
import type { Sink } from './sink.ts';
import { HEAD, isBareKey, KEY, STOPS } from './words.ts';

/** How the values at one place are written. */
export type Type =
  /** As they are. */
  | { readonly kind: 'any' }
  | Group
  /** Arrays: each element is of the type. */
  | { readonly kind: 'list'; readonly of: Type }
  /** Objects whose keys are names: each member is of the type. */
  | { readonly kind: 'dict'; readonly of: Type };

/** Objects of the same fields: the values one after the other, nothing for a field that is not there. */
export interface Group {
  readonly kind: 'group';
  readonly fields: readonly Field[];
  /** All values at its place are such objects. */
  readonly isWhole: boolean;
  /** Its values are cells of the row that it is in, without brackets; `name{first,last}`. */
  readonly isFlat: boolean;
}

export interface Field {
  /** Where its key is, in `bytes` of the input or of the view, with quotes or without. */
  readonly key: Span;
  readonly type: Type;
  /** The value that all of them have, said here and nowhere else: a node of the tape, or a place in the view. */
  readonly constant?: number;
}

/** Bytes `[from, to)`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const ANY: Type = { kind: 'any' };

/** What parts the fields of a head, and the cells of its rows. */
export type Separator = typeof COMMA | typeof BLANK;
export const COMMA = 44;
export const BLANK = 32;

/** Writes fields: `name,ports[(port,protocol)],kind=Pod`. `b` holds the keys in quotes, `constant` writes a value. */
export function writeFields(
  sink: Sink,
  b: Uint8Array,
  fields: readonly Field[],
  constant: (node: number) => void,
  separator: Separator = COMMA,
): void {
  for (const [i, field] of fields.entries()) {
    if (i > 0) sink.byte(separator);
    writeKey(sink, b, field.key, HEAD);
    if (field.constant !== undefined) {
      sink.byte(61);
      constant(field.constant);
    } else writeType(sink, b, field.type, constant);
  }
}

const BRACKETS = { group: [40, 41], list: [91, 93], dict: [123, 125] } as const;

function writeType(sink: Sink, b: Uint8Array, type: Type, constant: (node: number) => void): void {
  if (type.kind === 'any') return;
  const [open, close] = type.kind === 'group' && type.isFlat ? BRACKETS.dict : BRACKETS[type.kind];
  sink.byte(open);
  if (type.kind === 'group') writeFields(sink, b, type.fields, constant);
  else writeType(sink, b, type.of, constant);
  sink.byte(close);
}

/** Writes a key of the input, without its quotes where that can be. */
export function writeKey(sink: Sink, b: Uint8Array, { from, to }: Span, place: number = KEY): void {
  if (isBareKey(b, from + 1, to - 1, place)) sink.slice(b, from + 1, to - 1);
  else sink.slice(b, from, to);
}

/** Where the key at `at` ends; -1 where there is none. */
export function keyEnd(b: Uint8Array, at: number, to: number, place: number = KEY): number {
  if (b[at] === 34) return stringEnd(b, at + 1, to);
  let p = at;
  while (p < to && (STOPS[b[p]!]! & place) === 0) p += 1;
  return p === at || p === to ? -1 : p;
}

/** A row of more cells is easier to read with brackets around its groups. */
const MOST_FLAT = 16;

/** The group of a row, with the groups in it that need no brackets. */
export function flattened(group: Group): Group {
  return cellsOf(group) <= MOST_FLAT ? withFlat(group) : group;
}

/** The cells of a row, at most: whole groups have one for each of their fields. */
export function cellsOf({ fields }: Group): number {
  return fields.reduce((count, { type, constant }) => {
    if (constant !== undefined) return count;
    return count + (type.kind === 'group' && type.isWhole ? cellsOf(type) : 1);
  }, 0);
}

function withFlat(group: Group): Group {
  const fields = group.fields.map((field) =>
    field.type.kind === 'group' && field.type.isWhole
      ? { ...field, type: { ...withFlat(field.type), isFlat: true } }
      : field,
  );
  return { ...group, fields };
}

/** Deeper nesting of types is not written. */
export const DEEPEST = 24;

/** Reads fields up to what can't be one: a line end or a closing bracket. */
export class SchemaReader {
  private readonly b: Uint8Array;
  private readonly to: number;
  private readonly skip: (at: number) => number;
  /** Where reading goes on. */
  at: number;
  /** What parts the outermost fields. */
  separator: Separator = COMMA;

  /** `skip` reads a value and says where it ends. */
  constructor(b: Uint8Array, at: number, to: number, skip: (at: number) => number) {
    this.b = b;
    this.at = at;
    this.to = to;
    this.skip = skip;
  }

  fields(depth = 0): Field[] {
    const fields: Field[] = [];
    for (;;) {
      const from = this.at;
      this.at = keyEnd(this.b, from, this.to, HEAD);
      if (this.at < 0) throw new DamagedView('the head of a table is not whole');
      const key = { from, to: this.at };
      if (this.b[this.at] === 61) {
        const start = this.at + 1;
        this.at = this.skip(start);
        fields.push({ key, type: ANY, constant: start });
      } else fields.push({ key, type: this.type(depth) });
      if (depth === 0 && fields.length === 1 && this.b[this.at] === BLANK) this.separator = BLANK;
      if (this.b[this.at] !== (depth === 0 ? this.separator : COMMA)) return fields;
      this.at += 1;
    }
  }

  private type(depth: number): Type {
    const open = this.b[this.at];
    if (open !== 40 && open !== 91 && open !== 123) return ANY;
    if (depth > 2 * DEEPEST) throw new DamagedView('its schema is nested too deep');
    this.at += 1;
    const type = this.inner(open, depth);
    if (this.b[this.at] !== (open === 40 ? 41 : open + 2)) throw new DamagedView('a schema is not closed');
    this.at += 1;
    return type;
  }

  /** Behind an opening bracket: fields, or what elements or members are. */
  private inner(open: number, depth: number): Type {
    const c = this.b[this.at];
    const isFields = open === 40 || (open === 123 && c !== 40 && c !== 91 && c !== 123);
    if (isFields)
      return { kind: 'group', fields: this.fields(depth + 1), isWhole: false, isFlat: open === 123 };
    return { kind: open === 91 ? 'list' : 'dict', of: this.type(depth + 1) };
  }
}
