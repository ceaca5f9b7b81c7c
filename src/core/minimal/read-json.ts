/** The body of a minimal view of JSON, back to JSON. */
import { stringEnd } from './strings.ts';
import { DamagedView } from './head.ts';
import { JsonText, type Spacing } from './spacing.ts';
import { BLANK, COMMA, type Group, keyEnd, SchemaReader, type Type } from './schema.ts';
import { ABSENT, CELL, HEAD, INNER, isBare, isNumber, isTableHead, isWord, SPACED, STOPS } from './words.ts';

/** The JSON text of the body that starts at `at`; `isMany`: one value after the other. Throws `DamagedView`. */
export function readJson(view: Uint8Array, at: number, spacing: Spacing, isMany: boolean): Uint8Array {
  return new BodyReader(view, at, new JsonText(spacing, isMany)).read();
}

const NAMES = new Map([
  [10, 'a line end'],
  [BLANK, 'a blank'],
]);

class BodyReader {
  private readonly b: Uint8Array;
  private at: number;
  private out: JsonText | undefined;
  private readonly text: JsonText;

  constructor(view: Uint8Array, at: number, text: JsonText) {
    this.b = view;
    this.at = at;
    this.text = text;
    this.out = text;
  }

  read(): Uint8Array {
    this.value(INNER);
    this.expect(10);
    if (this.at !== this.b.length) this.damaged('something follows its end');
    return this.text.done();
  }

  /** A value as it is; tables in it are read by recursion, nothing else. */
  // oxlint-disable-next-line complexity -- a scanner: a state and a branch a byte
  private value(place: number): void {
    const { b } = this;
    const open: number[] = [];
    for (;;) {
      const c = b[this.at];
      if (c !== 91 && c !== 123) this.scalar(open.length === 0 ? place : INNER);
      else if (isTableHead(b, this.at + 1, b.length)) this.table(c);
      else {
        this.open(c);
        if (b[this.at] !== c + 2) {
          open.push(c);
          if (c === 123) this.key();
          continue;
        }
        this.close(c + 2);
      }
      if (this.closed(open)) return;
      this.next();
      if (open.at(-1) === 123) this.key();
    }
  }

  /** Reads closing brackets; has the outermost been closed? */
  private closed(open: number[]): boolean {
    for (let last = open.at(-1); last !== undefined && this.b[this.at] === last + 2; last = open.at(-1)) {
      this.close(last + 2);
      open.pop();
    }
    return open.length === 0;
  }

  private open(c: number): void {
    this.out?.open(c);
    this.at += 1;
  }

  private close(c: number): void {
    this.out?.close(c);
    this.at += 1;
  }

  /** A comma, and what may stand behind it so that lines are not too long. */
  private next(): void {
    this.expect(44);
    if (this.b[this.at] !== 10) return;
    this.at += 1;
    if (this.b[this.at] === 32) this.at += 1;
  }

  private key(): void {
    const from = this.at;
    const end = keyEnd(this.b, from, this.b.length);
    if (end < 0) this.damaged('a key is missing');
    this.at = end;
    this.out?.key(this.b, from, this.at);
    this.expect(58);
  }

  private scalar(place: number): void {
    const { b, out } = this;
    const from = this.at;
    if (b[from] === 34) {
      this.at = stringEnd(b, from + 1, b.length);
      if (this.at < 0) {
        this.at = from;
        this.damaged('a string does not end');
      }
      return out?.raw(b, from, this.at);
    }
    let p = from;
    while (p < b.length && (STOPS[b[p]!]! & place) === 0) p += 1;
    this.at = p;
    if (isNumber(b, from, p) || isWord(b, from, p)) return out?.raw(b, from, p);
    if (!isBare(b, from, p, place)) {
      this.at = from;
      this.damaged('a value is missing or malformed');
    }
    out?.bare(b, from, p);
  }

  private table(c: number): void {
    const { b } = this;
    this.open(c);
    const from = this.at;
    while (b[this.at] !== 32) this.at += 1;
    let rows = 0;
    for (let p = from; p < this.at; p += 1) rows = rows * 10 + b[p]! - 48;
    this.at += ' rows: '.length;
    const schema = new SchemaReader(b, this.at, b.length, (at) => this.silently(at));
    const group: Group = { kind: 'group', fields: schema.fields(), isWhole: false, isFlat: false };
    const place = schema.separator === BLANK ? SPACED : CELL;
    this.at = schema.at;
    this.expect(10);
    for (let row = 0; row < rows; row += 1) {
      if (b[this.at] === c + 2 && row > 0) this.damaged(`a table of ${rows} rows has ${row}`);
      if (c === 123) this.key();
      this.row(group, place);
      if (b[this.at] !== 10) this.damaged('a row has too many or too few cells');
      this.at += 1;
    }
    if (b[this.at] !== c + 2) this.damaged(`a table has more than its ${rows} rows`);
    this.close(c + 2);
  }

  /** Reads a value without writing it; where it ends. */
  private silently(at: number): number {
    const { out } = this;
    this.at = at;
    this.out = undefined;
    this.value(HEAD);
    this.out = out;
    return this.at;
  }

  private row(group: Group, place: number): void {
    if (this.b[this.at] === 61) {
      this.at += 1;
      return this.value(INNER);
    }
    this.out?.open(123);
    this.cells(group, place);
    this.out?.close(125);
  }

  /** Reads the cells of a group; `isBehind`: others stand before them. Says whether any stand before what follows. */
  private cells({ fields }: Group, place: number, isBehind = false): boolean {
    let hasCells = isBehind;
    for (const field of fields) {
      const { key, type, constant } = field;
      const isFlat = type.kind === 'group' && type.isFlat;
      if (constant === undefined && !isFlat) {
        if (hasCells) this.expect(place === SPACED ? BLANK : COMMA);
        hasCells = true;
        if (this.isAbsent(place)) continue;
      }
      this.out?.key(this.b, key.from, key.to);
      if (constant !== undefined) this.constant(constant);
      else if (isFlat) hasCells = this.flat(type, place, hasCells);
      else this.typed(type, place);
    }
    return hasCells;
  }

  private flat(group: Group, place: number, isBehind: boolean): boolean {
    this.out?.open(123);
    const hasCells = this.cells(group, place, isBehind);
    this.out?.close(125);
    return hasCells;
  }

  /** Is nothing in the cell at `at`? */
  private isAbsent(place: number): boolean {
    const { b, at } = this;
    if (place !== SPACED) return b[at] === COMMA || b[at] === (place === CELL ? 10 : 41);
    if (b[at] !== ABSENT || (b[at + 1] !== BLANK && b[at + 1] !== 10)) return false;
    this.at += 1;
    return true;
  }

  private constant(at: number): void {
    const here = this.at;
    this.at = at;
    this.value(HEAD);
    this.at = here;
  }

  private typed(type: Type, place: number): void {
    const c = this.b[this.at];
    if (type.kind === 'group' && c === 40) {
      this.out?.open(123);
      this.at += 1;
      this.cells(type, INNER);
      this.expect(41);
      this.out?.close(125);
    } else if (type.kind === 'list' && c === 91) this.members(c, type.of);
    else if (type.kind === 'dict' && c === 123) this.members(c, type.of);
    else this.value(place);
  }

  private members(c: number, type: Type): void {
    this.open(c);
    if (this.b[this.at] !== c + 2)
      for (;;) {
        if (c === 123) this.key();
        this.typed(type, INNER);
        if (this.b[this.at] === c + 2) break;
        this.next();
      }
    this.close(c + 2);
  }

  private expect(c: number): void {
    if (this.b[this.at] !== c) this.damaged(`${NAMES.get(c) ?? String.fromCharCode(c)} is missing`);
    this.at += 1;
  }

  private damaged(what: string): never {
    let line = 1;
    for (let p = this.b.indexOf(10); p >= 0 && p < this.at; p = this.b.indexOf(10, p + 1)) line += 1;
    throw new DamagedView(`line ${line}: ${this.at >= this.b.length ? 'it ends too early' : what}`);
  }
}
