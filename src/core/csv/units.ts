import { type Frame, inputPlace } from '../frame.ts';
import { lineEndOf } from '../edges.ts';
import type { LineIndex } from '../line-index.ts';
import { countFailures, stateCounts } from '../line-units.ts';
import type { Outline } from '../outline.ts';
import { estimateTokens } from '../tokens.ts';
import { latin1 } from '../chars.ts';
import type { CsvLayout } from './blocks.ts';

/** Tokens of the quotes and delimiters around a marker. */
const WRAPPING = 3;

type Told = 'lines' | 'count' | 'placeOf' | 'sizeOf' | 'measure' | 'hole' | 'parts' | 'wrapping' | 'uncut';
type RecordUnits = Pick<Outline, Told | 'frame' | 'index' | 'text'>;

interface RecordFacts {
  /** The first line of each record, and the first one behind the last. */
  readonly lineOf: Uint32Array;
  readonly severity: Uint8Array;
  readonly states?: Outline['states'] | undefined;
}

/**
 * What an outline says of units that are records of delimited text. A marker is a record too: its text in quotes in the
 * first cell, the others empty.
 */
export function recordUnits(
  index: LineIndex,
  { lineOf, severity, states }: RecordFacts,
  { delimiter, width }: CsvLayout,
  frame: Frame | undefined,
): RecordUnits {
  const { source, starts } = index;
  const count = lineOf.length - 1;
  const from = lineOf[0]!;
  const to = lineOf[count]!;
  const start = (unit: number): number => starts[lineOf[unit]!]!;
  const bytes = (unit: number): Uint8Array => source.read(start(unit), start(unit + 1));
  const cells = String.fromCharCode(delimiter).repeat(Math.max(0, width - 1));
  return {
    lines: [from + 1, to],
    count,
    placeOf: (unit) => inputPlace(frame, start(unit)),
    sizeOf: (unit) => start(unit + 1) - start(unit),
    measure: (unit) => estimateTokens(bytes(unit), 0, start(unit + 1) - start(unit)),
    hole: ({ first, last }) => ({
      start: start(first),
      end: start(last + 1),
      address: { kind: 'lines', from: lineOf[first]! + 1, to: lineOf[last + 1]! },
      count: last + 1 - first,
      unit: 'rows',
      values: stateCounts(states, first, last + 1),
      failures: countFailures(severity, first, last + 1),
      before: '"',
      after: `"${cells}${lineEndOf(source.read(Math.max(0, start(last + 1) - 2), start(last + 1)))}`,
    }),
    parts: () => [],
    wrapping: WRAPPING,
    uncut: true,
    ...(count === to - from ? { index } : { text: (unit: number) => latin1(bytes(unit)) }),
    ...(frame !== undefined && { frame }),
  };
}
