import { estimateTokens } from '../tokens.ts';
import type { JsonUnits } from './units.ts';
import type { Tape } from './tape.ts';

/** A unit's own text: its bytes with its key, without the units inside of it. */
export class Bodies {
  private readonly tape: Tape;
  private readonly units: JsonUnits;

  constructor(tape: Tape, units: JsonUnits) {
    this.tape = tape;
    this.units = units;
  }

  startOf(unit: number): number {
    return this.tape.fromOf(this.units.nodes[unit]!);
  }

  endOf(unit: number): number {
    return this.tape.toOf(this.units.nodes[unit]!);
  }

  /** The pieces of the text, in order. */
  *pieces(unit: number): Generator<Uint8Array> {
    const { after } = this.units;
    const { bytes } = this.tape;
    let at = this.startOf(unit);
    for (let inner = unit + 1; inner < after[unit]!; inner = after[inner]!) {
      const start = this.startOf(inner);
      if (start > at) yield bytes.subarray(at, start);
      at = this.endOf(inner);
    }
    yield bytes.subarray(at, this.endOf(unit));
  }

  size(unit: number): number {
    let size = this.endOf(unit) - this.startOf(unit);
    const { after } = this.units;
    for (let inner = unit + 1; inner < after[unit]!; inner = after[inner]!)
      size -= this.endOf(inner) - this.startOf(inner);
    return size;
  }

  tokens(unit: number): number {
    let tokens = 0;
    for (const piece of this.pieces(unit)) tokens += estimateTokens(piece, 0, piece.length);
    return tokens;
  }

  text(unit: number): string {
    return Buffer.concat([...this.pieces(unit)]).toString('utf8');
  }

  /** Is one of the texts anywhere in the bytes? */
  mayHold(texts: readonly string[]): boolean {
    const { bytes } = this.tape;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return texts.some((text) => buffer.includes(text));
  }
}
