import type { JsonUnits } from '../json/units.ts';
import type { LineIndex } from '../line-index.ts';
import { partsOf } from '../line-units.ts';
import type { Places } from '../long-lines.ts';
import type { Hole } from '../outline.ts';
import { NUMBERS } from '../policy.ts';
import type { TextTape } from './nodes.ts';

/** The lines of a nested text that are too long to be shown whole, by the unit that they belong to. */
export class LongLines {
  private readonly index: LineIndex;
  private readonly isYaml: boolean;
  private readonly byUnit = new Map<number, number[]>();

  /** `base` is where the tape begins in the text; `isYaml`: what a marker would break stays whole. */
  constructor(
    index: LineIndex,
    [from, to]: readonly [number, number],
    { tape, units, base, isYaml }: { tape: TextTape; units: JsonUnits; base: number; isYaml: boolean },
  ) {
    this.index = index;
    this.isYaml = isYaml;
    const { starts } = index;
    for (let line = from; line < to; line += 1) {
      if (starts[line + 1]! - starts[line]! <= NUMBERS.longLine) continue;
      const node = nodeAt(tape, starts[line + 1]! - 1 - base);
      if (isYaml && !mayHoldMarker(tape, node, starts[line]! - base)) continue;
      const unit = units.ownerOf(node);
      const lines = this.byUnit.get(unit);
      if (lines === undefined) this.byUnit.set(unit, [line]);
      else lines.push(line);
    }
  }

  /** Bytes of a unit that a view does not show, about. */
  hidden(unit: number): number {
    const { starts } = this.index;
    const shown = NUMBERS.longHead + NUMBERS.longTail + MARKER;
    return (this.byUnit.get(unit) ?? []).reduce(
      (sum, line) => sum + starts[line + 1]! - starts[line]! - shown,
      0,
    );
  }

  /** The parts of its long lines that go. */
  parts(unit: number, places: Places): Hole[] {
    const { source, starts } = this.index;
    const parts = (this.byUnit.get(unit) ?? []).flatMap((line) => partsOf(source, starts, line, places));
    return this.isYaml ? parts.map((part) => ({ ...part, hasNoCommand: true })) : parts;
  }
}

/** Bytes of a marker, about. */
const MARKER = 40;

/** The last node that begins at `offset` or before it. */
function nodeAt({ count, fromOf }: TextTape, offset: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fromOf(middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * YAML stays YAML with a marker in a line of a block scalar, in a plain text, or in a quoted one without escapes; not in a key
 * or a flow part.
 */
function mayHoldMarker(tape: TextTape, node: number, lineStart: number): boolean {
  const { bytes, start, end, parent, isBlock } = tape;
  if (isBlock.has(parent[node]!)) return true;
  if (start[node]! - lineStart >= NUMBERS.longHead) return false;
  const first = bytes[start[node]!];
  if (first === 123 || first === 91) return false;
  const quote = bytes[start[node]! - 1];
  const escape = quote === 34 ? 92 : quote === 39 ? 39 : -1;
  return escape < 0 || !bytes.subarray(start[node], end[node]).includes(escape);
}
