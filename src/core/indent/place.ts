import { lineEndOf } from '../edges.ts';
import { countNeighbours } from '../json/counts.ts';
import type { JsonUnits } from '../json/units.ts';
import { lineAt, type LineIndex } from '../line-index.ts';
import { countFailures } from '../line-units.ts';
import type { Hole, Outline } from '../outline.ts';
import { ARRAY, type TextTape } from './nodes.ts';

/** The hole of neighbouring units of text: whole lines, and a marker on a line of its own at their indentation. */
export function textHole(
  { first, last, end }: { readonly first: number; readonly last: number; readonly end: number },
  { tape, units, index, facts, base, comment }: TextPlaces,
): Hole {
  const from = units.nodes[first]!;
  const to = units.nodes[last]!;
  const start = base + tape.fromOf(from);
  const stop = base + tape.toOf(to);
  const [firstLine, lastLine] = [lineAt(index, start) + 1, lineAt(index, stop - 1) + 1];
  const { count, values } = countNeighbours(units, facts, first, end);
  const isList = values.length > 0 && (tape.kind[tape.parent[from]!] === ARRAY || isMap(units, from, to));
  const isComment = !tape.isBlock.has(tape.parent[from]!);
  return {
    start,
    end: stop,
    address: { kind: 'lines', from: firstLine, to: lastLine },
    count: isList ? count : lastLine + 1 - firstLine,
    unit: isList ? 'records' : 'lines',
    values: isList ? values : [],
    failures: countFailures(facts.severity, first, end),
    before: `${' '.repeat(Math.min(tape.indents[from]!, WIDEST_INDENT))}${isComment ? comment : ''}`,
    after: lineEndOf(index.source.read(Math.max(0, stop - 2), stop)),
  };
}

/** Columns that a marker is indented by at most. */
const WIDEST_INDENT = 2000;

/** Have neighbours one path, as the entries of a map from ids to things of one kind? */
function isMap({ pathOf }: JsonUnits, from: number, to: number): boolean {
  return from !== to && pathOf(from) === pathOf(to);
}

export interface TextPlaces {
  readonly tape: TextTape;
  readonly units: JsonUnits;
  readonly index: LineIndex;
  readonly facts: Pick<Outline, 'severity' | 'states'>;
  readonly base: number;
  /** What makes a comment of a line: `# `. */
  readonly comment: string;
}
