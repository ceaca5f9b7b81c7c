import { isForeignMarker } from '../marker.ts';
import { PINNED } from '../outline.ts';
import { estimateTokens } from '../tokens.ts';
import type { JsonUnits } from './units.ts';
import type { Tape } from './tape.ts';

/** Where units are, and which are in which; see `JsonUnits`. Offsets are those of the text. */
export interface UnitSpans extends Pick<JsonUnits, 'after' | 'before'> {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The units of a tape, with their keys. */
export function spansOf(tape: Tape, { nodes, after, before }: JsonUnits): UnitSpans {
  return { starts: nodes.map(tape.fromOf), ends: nodes.map(tape.toOf), after, before };
}

/** A unit's own text: its bytes with its key, without the units inside of it. */
export class Bodies {
  readonly spans: UnitSpans;
  private readonly read: (start: number, end: number) => Uint8Array;
  private readonly sizes: Uint32Array;

  constructor(spans: UnitSpans, read: (start: number, end: number) => Uint8Array) {
    this.spans = spans;
    this.read = read;
    this.sizes = new Uint32Array(spans.starts.length);
    for (let unit = 0; unit < this.sizes.length; unit += 1) this.sizes[unit] = this.sizeOf(unit);
  }

  private sizeOf(unit: number): number {
    const { after, ends } = this.spans;
    let size = ends[unit]! - this.wholeFrom(unit);
    for (let inner = unit + 1; inner < after[unit]!; inner = after[inner]!)
      size -= ends[inner]! - this.wholeFrom(inner);
    return size;
  }

  startOf(unit: number): number {
    return this.spans.starts[unit]!;
  }

  endOf(unit: number): number {
    return this.spans.ends[unit]!;
  }

  /** The pieces of the text, in order. */
  *pieces(unit: number): Generator<Uint8Array> {
    const { after } = this.spans;
    let at = this.startOf(unit);
    for (let inner = unit + 1; inner < after[unit]!; inner = after[inner]!) {
      const start = this.startOf(inner);
      if (start > at) yield this.read(at, start);
      at = this.endOf(inner);
    }
    yield this.read(at, this.endOf(unit));
  }

  /** Where what goes with a unit starts: with the comma and the blanks between it and its neighbour. */
  private wholeFrom(unit: number): number {
    const { before, starts, ends } = this.spans;
    return before[unit]! < 0 ? starts[unit]! : ends[before[unit]!]!;
  }

  /** Bytes of the text, with what parts it from the unit before it. */
  size(unit: number): number {
    return this.sizes[unit]!;
  }

  /** Estimated tokens of the same. */
  tokens(unit: number): number {
    const { after } = this.spans;
    let tokens = 0;
    let at = this.wholeFrom(unit);
    for (let inner = unit + 1; inner < after[unit]!; inner = after[inner]!) {
      const start = this.wholeFrom(inner);
      if (start > at) tokens += this.tokensOf(at, start);
      at = this.endOf(inner);
    }
    return tokens + this.tokensOf(at, this.endOf(unit));
  }

  private tokensOf(start: number, end: number): number {
    return estimateTokens(this.read(start, end), 0, end - start);
  }

  text(unit: number): string {
    return Buffer.concat([...this.pieces(unit)]).toString('utf8');
  }

  /** Pins those of the units `[from, to)` that hold a marker of this or another tool. */
  markForeign(flags: Uint8Array, from = 0, to = flags.length): void {
    for (let unit = from; unit < to; unit += 1) if (isForeignMarker(this.text(unit))) flags[unit]! |= PINNED;
  }
}
