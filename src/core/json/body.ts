import { holdsAny } from '../needles.ts';
import { isForeignMarker } from '../marker.ts';
import { PINNED } from '../outline.ts';
import { estimateTokens } from '../tokens.ts';
import type { JsonUnits } from './units.ts';
import type { Tape } from './tape.ts';

/** A unit's own text: its bytes with its key, without the units inside of it. */
export class Bodies {
  private readonly tape: Tape;
  private readonly units: JsonUnits;

  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly sizes: Uint32Array;

  constructor(tape: Tape, units: JsonUnits) {
    const { nodes } = units;
    this.tape = tape;
    this.units = units;
    this.starts = nodes.map((node) => tape.fromOf(node));
    this.ends = nodes.map((node) => tape.toOf(node));
    this.sizes = this.ends.map((_, unit) => this.sizeOf(unit));
  }

  private sizeOf(unit: number): number {
    const { after } = this.units;
    let size = this.ends[unit]! - this.wholeFrom(unit);
    for (let inner = unit + 1; inner < after[unit]!; inner = after[inner]!)
      size -= this.ends[inner]! - this.wholeFrom(inner);
    return size;
  }

  startOf(unit: number): number {
    return this.starts[unit]!;
  }

  endOf(unit: number): number {
    return this.ends[unit]!;
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

  /** Where what goes with a unit starts: with the comma and the blanks between it and its neighbour. */
  private wholeFrom(unit: number): number {
    const before = this.units.before[unit]!;
    return before < 0 ? this.startOf(unit) : this.endOf(before);
  }

  /** Bytes of the text, with what parts it from the unit before it. */
  size(unit: number): number {
    return this.sizes[unit]!;
  }

  /** Estimated tokens of the same. */
  tokens(unit: number): number {
    const { after } = this.units;
    const { bytes } = this.tape;
    let tokens = 0;
    let at = this.wholeFrom(unit);
    for (let inner = unit + 1; inner < after[unit]!; inner = after[inner]!) {
      const start = this.wholeFrom(inner);
      if (start > at) tokens += estimateTokens(bytes, at, start);
      at = this.endOf(inner);
    }
    return tokens + estimateTokens(bytes, at, this.endOf(unit));
  }

  text(unit: number): string {
    return Buffer.concat([...this.pieces(unit)]).toString('utf8');
  }

  /** Pins the units that hold a marker of this or another tool. */
  markForeign(flags: Uint8Array): void {
    if (!holdsAny(this.tape.bytes, SIGNS)) return;
    for (let unit = 0; unit < flags.length; unit += 1)
      if (isForeignMarker(this.text(unit))) flags[unit]! |= PINNED;
  }
}

/** Every marker has one of these in it. */
const SIGNS = ['<<c', 'hash=', 'recall ', 'retrieve ', 'tokf raw', '[full output'];
