import { isForeignMarker } from '../marker.ts';
import { PINNED } from '../outline.ts';
import { estimateTokens } from '../tokens.ts';
import type { JsonUnits } from './units.ts';
import type { Tape } from './tape.ts';

/** Where units are, and which are in which; see `JsonUnits`. Offsets are those of the text. */
export interface UnitSpans extends Pick<JsonUnits, 'count' | 'afterOf' | 'beforeOf'> {
  readonly startOf: (unit: number) => number;
  readonly endOf: (unit: number) => number;
}

/** The units of a tape, with their keys. */
export function spansOf(tape: Tape, { count, nodes, afterOf, beforeOf }: JsonUnits): UnitSpans {
  const [starts, ends] = [nodes.map(tape.fromOf), nodes.map(tape.toOf)];
  return { count, startOf: (unit) => starts[unit]!, endOf: (unit) => ends[unit]!, afterOf, beforeOf };
}

/** Of units with more inside the size is kept. */
const MANY = 64;

/** A unit's own text: its bytes with its key, without the units inside of it. */
export class Bodies {
  readonly spans: UnitSpans;
  private readonly read: (start: number, end: number) => Uint8Array;
  /** The sizes of units that have many inside. */
  private readonly sizes = new Map<number, number>();

  constructor(spans: UnitSpans, read: (start: number, end: number) => Uint8Array) {
    this.spans = spans;
    this.read = read;
  }

  private sizeOf(unit: number, behind: number): number {
    const { afterOf, endOf } = this.spans;
    let size = endOf(unit) - this.wholeFrom(unit);
    for (let inner = unit + 1; inner < behind; inner = afterOf(inner))
      size -= endOf(inner) - this.wholeFrom(inner);
    return size;
  }

  startOf(unit: number): number {
    return this.spans.startOf(unit);
  }

  endOf(unit: number): number {
    return this.spans.endOf(unit);
  }

  /** The pieces of the text, in order. */
  *pieces(unit: number): Generator<Uint8Array> {
    const { afterOf } = this.spans;
    let at = this.startOf(unit);
    const behind = afterOf(unit);
    for (let inner = unit + 1; inner < behind; inner = afterOf(inner)) {
      const start = this.startOf(inner);
      if (start > at) yield this.read(at, start);
      at = this.endOf(inner);
    }
    yield this.read(at, this.endOf(unit));
  }

  /** Where what goes with a unit starts: with the comma and the blanks between it and its neighbour. */
  private wholeFrom(unit: number): number {
    const { beforeOf, startOf, endOf } = this.spans;
    const before = beforeOf(unit);
    return before < 0 ? startOf(unit) : endOf(before);
  }

  /** Bytes of the text, with what parts it from the unit before it. */
  size(unit: number): number {
    const behind = this.spans.afterOf(unit);
    if (behind - unit <= MANY) return this.sizeOf(unit, behind);
    let size = this.sizes.get(unit);
    if (size === undefined) this.sizes.set(unit, (size = this.sizeOf(unit, behind)));
    return size;
  }

  /** Estimated tokens of the same. */
  tokens(unit: number): number {
    const { afterOf } = this.spans;
    let tokens = 0;
    let at = this.wholeFrom(unit);
    const behind = afterOf(unit);
    for (let inner = unit + 1; inner < behind; inner = afterOf(inner)) {
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
