import type { Tape } from '../json/tape.ts';
import { stringEnd } from './strings.ts';
import type { Span } from './schema.ts';

/** Gives keys numbers: equal ones are written alike. */
export class Keys {
  private readonly tape: Tape;
  private readonly ids: Int32Array;
  private readonly byHash = new Map<number, number[]>();
  private readonly spans: Span[] = [];

  constructor(tape: Tape) {
    this.tape = tape;
    this.ids = new Int32Array(tape.count);
  }

  /** The number of the key of a member, from 1. */
  of(node: number): number {
    const known = this.ids[node]!;
    if (known !== 0) return known;
    const { bytes, key, keyHash } = this.tape;
    const from = key[node]!;
    const same = this.byHash.get(keyHash[node]!) ?? [];
    let id = same.find((each) => this.isAt(each, from));
    if (id === undefined) {
      this.spans.push({ from, to: stringEnd(bytes, from + 1, bytes.length) });
      id = this.spans.length;
      same.push(id);
      this.byHash.set(keyHash[node]!, same);
    }
    this.ids[node] = id;
    return id;
  }

  /** Where a key stands, with its quotes. */
  span(id: number): Span {
    return this.spans[id - 1]!;
  }

  private isAt(id: number, at: number): boolean {
    const { from, to } = this.span(id);
    return sameBytes(this.tape.bytes, from, at, to - from);
  }
}

/** Are `size` bytes at `a` and `b` the same? */
export function sameBytes(bytes: Uint8Array, a: number, b: number, size: number): boolean {
  for (let i = 0; i < size; i += 1) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}
