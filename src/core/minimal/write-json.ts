/** JSON as a minimal body: docs/minimal-format.md. */
import { ARRAY, OBJECT, STRING, type Tape } from '../json/tape.ts';
import { estimateTokens } from '../tokens.ts';
import { groupOf } from './infer.ts';
import { Keys, sameBytes } from './keys.ts';
import {
  BLANK,
  cellsOf,
  COMMA,
  flattened,
  type Group,
  type Separator,
  type Type,
  writeFields,
  writeKey,
} from './schema.ts';
import { Sink } from './sink.ts';
import { ABSENT, CELL, HEAD, INNER, isBare, SPACED } from './words.ts';

/** Containers of more bytes in the input have their members on lines of their own. */
const LARGE = 500;

/** Rows that are written both ways to choose what parts their cells. */
const SAMPLE = 50;

/** The body of the values of a tape. */
export function writeJson(tape: Tape): Uint8Array {
  return new JsonBody(tape).write();
}

class JsonBody {
  private readonly tape: Tape;
  private readonly keys: Keys;
  private readonly sink: Sink;
  /** For each group the members of the object that is being written, 0 for those that are not there. */
  private readonly slots = new Map<Group, Int32Array>();
  private readonly constant = (node: number): void => this.plain(node, HEAD, false);

  constructor(tape: Tape) {
    this.tape = tape;
    this.keys = new Keys(tape);
    this.sink = new Sink(Math.max(1 << 12, tape.bytes.length >> 1));
  }

  write(): Uint8Array {
    this.plain(0, INNER, true);
    this.sink.byte(10);
    return this.sink.done();
  }

  /** A value as it is, with tables for the arrays and objects in it where `hasTables`. No recursion but for tables. */
  // oxlint-disable-next-line max-lines-per-function complexity -- walks the tape: a branch a kind of value
  private plain(root: number, place: number, hasTables: boolean): void {
    const { tape, sink } = this;
    const open: number[] = [];
    let node = root;
    do {
      const parent = open.at(-1) ?? -1;
      if (node > root && node !== parent + 1) this.comma(parent, hasTables);
      if (parent >= 0 && tape.kind[parent] === OBJECT) {
        writeKey(sink, tape.bytes, this.keys.span(this.keys.of(node)));
        sink.byte(58);
      }
      if (tape.kind[node]! > ARRAY) {
        this.scalar(node, parent < 0 ? place : INNER);
        node += 1;
      } else if (hasTables && this.table(node)) {
        node = tape.next[node]!;
      } else {
        sink.byte(tape.kind[node] === OBJECT ? 123 : 91);
        open.push(node);
        node += 1;
      }
      for (let last = open.at(-1); last !== undefined && tape.next[last] === node; last = open.at(-1)) {
        sink.byte(tape.kind[last] === OBJECT ? 125 : 93);
        open.pop();
      }
    } while (open.length > 0);
  }

  private comma(parent: number, mayBreak: boolean): void {
    this.sink.byte(44);
    if (mayBreak && this.isLarge(parent)) this.sink.byte(10);
  }

  private isLarge(node: number): boolean {
    return this.tape.end[node]! - this.tape.start[node]! > LARGE;
  }

  private scalar(node: number, place: number): void {
    const { bytes, kind, start, end } = this.tape;
    const from = start[node]!;
    const to = end[node]!;
    if (kind[node] === STRING && isBare(bytes, from + 1, to - 1, place))
      this.sink.slice(bytes, from + 1, to - 1);
    else this.sink.slice(bytes, from, to);
  }

  /** Writes an array or an object as a table, if its members are alike. */
  private table(node: number): boolean {
    const { tape, sink, keys } = this;
    const size = tape.size[node]!;
    const isArray = tape.kind[node] === ARRAY;
    if (size < 2) return false;
    const members: number[] = [];
    for (let child = node + 1; child < tape.next[node]!; child = tape.next[child]!) members.push(child);
    const objects = members.filter((child) => tape.kind[child] === OBJECT);
    if (objects.length * 5 < size * 4) return false;
    const found = groupOf(tape, keys, objects, 0);
    if (found === undefined) return false;
    const group = flattened(found);
    sink.text(`${isArray ? '[' : '{'}${size} rows: `);
    const separator = this.separatorOf(members, group);
    writeFields(sink, tape.bytes, group.fields, this.constant, separator);
    sink.byte(10);
    for (const child of members) {
      if (!isArray) {
        writeKey(sink, tape.bytes, keys.span(keys.of(child)));
        sink.byte(58);
      }
      this.row(child, group, separator === BLANK ? SPACED : CELL);
      sink.byte(10);
    }
    sink.byte(isArray ? 93 : 125);
    return true;
  }

  private row(node: number, group: Group, place: number): void {
    if (this.fits(node, group)) return this.cells(group, place);
    this.sink.byte(61);
    this.plain(node, INNER, false);
  }

  /** The cells of the object that was fitted last. */
  private cells(group: Group, place: number, isBehind = false): void {
    const slots = this.slotsOf(group);
    let isFirst = !isBehind;
    for (const [i, { type, constant }] of group.fields.entries()) {
      if (constant !== undefined) continue;
      const isFlat = type.kind === 'group' && type.isFlat;
      if (isFlat) this.cells(type, place, !isFirst);
      else {
        if (!isFirst) this.sink.byte(place === SPACED ? BLANK : COMMA);
        if (slots[i] !== 0) this.typed(slots[i]!, type, place);
        else if (place === SPACED) this.sink.byte(ABSENT);
      }
      isFirst &&= isFlat && cellsOf(type) === 0;
    }
  }

  /** Blanks are fewer tokens than commas, but need quotes around other strings: the first rows tell. */
  private separatorOf(members: readonly number[], group: Group): Separator {
    if (cellsOf(group) < 2 || group.fields.length < 2) return COMMA;
    const sample = members.slice(0, SAMPLE);
    return this.tokensOf(sample, group, SPACED) < this.tokensOf(sample, group, CELL) ? BLANK : COMMA;
  }

  /** Writes rows, counts their tokens, and takes them back. */
  private tokensOf(members: readonly number[], group: Group, place: number): number {
    const { sink } = this;
    const { size } = sink;
    for (const member of members) {
      this.row(member, group, place);
      sink.byte(10);
    }
    const tokens = estimateTokens(sink.done(), size, sink.size);
    sink.size = size;
    return tokens;
  }

  private typed(node: number, type: Type, place: number): void {
    const kind = this.tape.kind[node];
    if (type.kind === 'group') {
      if (!this.fits(node, type)) return this.plain(node, place, false);
      this.sink.byte(40);
      this.cells(type, INNER);
      this.sink.byte(41);
    } else if (type.kind === 'list' && kind === ARRAY) this.members(node, type.of);
    else if (type.kind === 'dict' && kind === OBJECT) this.members(node, type.of);
    else this.plain(node, place, false);
  }

  /** The elements of an array or the members of an object, each of the type. */
  private members(node: number, type: Type): void {
    const { tape, sink, keys } = this;
    const isArray = tape.kind[node] === ARRAY;
    const isLarge = this.isLarge(node);
    sink.byte(isArray ? 91 : 123);
    for (let child = node + 1; child < tape.next[node]!; child = tape.next[child]!) {
      if (child > node + 1) sink.text(isLarge ? ',\n ' : ',');
      if (!isArray) {
        writeKey(sink, tape.bytes, keys.span(keys.of(child)));
        sink.byte(58);
      }
      this.typed(child, type, INNER);
    }
    sink.byte(isArray ? 93 : 125);
  }

  /** Finds the members of an object by the fields of a group; false where it has others, or in another order. */
  private fits(node: number, group: Group): boolean {
    const { tape, keys } = this;
    const { fields } = group;
    if (tape.kind[node] !== OBJECT) return false;
    const slots = this.slotsOf(group).fill(0);
    let place = 0;
    for (let child = node + 1; child < tape.next[node]!; child = tape.next[child]!) {
      const key = keys.span(keys.of(child));
      while (place < fields.length && fields[place]!.key !== key) place += 1;
      if (place === fields.length) return false;
      slots[place++] = child;
    }
    return fields.every(({ constant, type }, i) => {
      if (constant !== undefined) return this.isSame(constant, slots[i]!);
      return type.kind !== 'group' || !type.isFlat || (slots[i] !== 0 && this.fits(slots[i]!, type));
    });
  }

  private slotsOf(group: Group): Int32Array {
    let slots = this.slots.get(group);
    if (slots === undefined) this.slots.set(group, (slots = new Int32Array(group.fields.length)));
    return slots;
  }

  private isSame(constant: number, node: number): boolean {
    const { bytes, start, end } = this.tape;
    const size = end[constant]! - start[constant]!;
    return (
      node !== 0 &&
      size === end[node]! - start[node]! &&
      sameBytes(bytes, start[constant]!, start[node]!, size)
    );
  }
}
