import { hashBytes } from './hash.ts';
import { walkLines } from './line-walk.ts';
import { DULL, EMPTY, type Outline, SEEN } from './outline.ts';
import { NUMBERS } from './policy.ts';

/** Texts of more lines are not looked at: what is seen of them must be kept in mind. */
const MOST_LINES = 1 << 20;

/**
 * Lets go what stands in a text word for word as in a text before it: the prompt above every answer, the same notice after
 * every command. What it says is shown already; its failures are counted by the gap. A text that repeats itself stays.
 */
export function withoutSeen(outlines: readonly Outline[]): readonly Outline[] {
  const texts = outlines.filter(({ reading }) => reading !== undefined);
  const count = texts.reduce((sum, text) => sum + text.count, 0);
  if (texts.length < 2 || count > MOST_LINES) return outlines;
  const lines = new Lines(count);
  return outlines.map((outline) => {
    if (outline.reading === undefined) return outline;
    const seen = lines.add(outline);
    return seen.includes(1) ? without(outline, seen) : outline;
  });
}

/** An outline in which the marked lines have nothing to say. */
function without(outline: Outline, seen: Uint8Array): Outline {
  return {
    ...outline,
    flags: outline.flags.map((own, i) => (seen[i] === 1 ? (own & EMPTY) | DULL | SEEN : own)),
    severity: outline.severity.map((own, i) => (seen[i] === 1 ? 0 : own)),
    odd: outline.odd.filter(({ unit }) => seen[unit] === 0),
  };
}

/** The lines of the texts of an input, one behind the other. */
class Lines {
  private readonly hashes: Float64Array;
  /** Where a line stood first. */
  private readonly places = new Map<number, number>();
  /** Lines of the texts so far. */
  private size = 0;

  constructor(room: number) {
    this.hashes = new Float64Array(room);
  }

  /** Adds a text; 1 for its lines in runs that stood in a text before it, line for line, and are worth a gap. */
  add(text: Outline): Uint8Array {
    const { count, costs } = text;
    this.hash(text);
    const seen = new Uint8Array(count);
    for (let from = 0, to; from < count; from = to) {
      const end = this.runEnd(text, from);
      to = Math.max(end, from + 1);
      const tokens = costs.subarray(from, end).reduce((sum, cost) => sum + cost, 0);
      if (tokens >= NUMBERS.seenText) seen.fill(1, from, end);
    }
    for (let at = this.size; at < this.size + count; at += 1) {
      const hash = this.hashes[at]!;
      if (!this.places.has(hash)) this.places.set(hash, at);
    }
    this.size += count;
    return seen;
  }

  private hash({ index, lines: [first, last] }: Outline): void {
    walkLines(index!, first - 1, last, (line, bytes, at, end) => {
      this.hashes[this.size + line + 1 - first] = hashBytes(bytes, at, end);
    });
  }

  /** How far the lines of a text from `from` on are lines of the texts before it. */
  private runEnd({ count, flags, reading }: Outline, from: number): number {
    const { hashes, size } = this;
    const place = flags[from]! & EMPTY ? undefined : this.places.get(hashes[size + from]!);
    let end = from;
    if (place === undefined) return end;
    for (let at = place; end < count && at < size && hashes[size + end] === hashes[at]; at += 1) {
      if (reading!.markers.includes(end)) break;
      end += 1;
    }
    return end;
  }
}
