import { lineText, type LineIndex, measureLine, shownFrom } from '../core/line-index.ts';
import { lineUnits } from '../core/line-units.ts';
import { BLANK_LINE, CONTINUED, FRAME, INDENTED, LEVELLED, STAMPED } from '../core/line-class.ts';
import type { Odd } from '../core/odd.ts';
import { counterEnd, ODD, oddOf, surprise } from '../core/odd.ts';
import type { Outline } from '../core/outline.ts';
import { EMPTY, PINNED } from '../core/outline.ts';
import { NUMBERS } from '../core/policy.ts';
import { rareWords } from '../core/rare-words.ts';
import { isHeaded, type ShapedLines, traceAt } from '../core/shaped-lines.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { densityOf } from '../core/tokens.ts';

/** Lines of fewer bytes are priced as if nothing in them was overwritten. */
const LEAST_OVERWRITTEN = 200;
/** Bytes of a line in which a number is looked for. */
const LONGEST = 2000;
/** Of more long lines none is odd. */
const MOST_LONG = 3;

export const log: Strategy = {
  name: 'log',
  describe: 'Line logs: time stamps, levels, or lines that repeat; stack traces stand under their record',
  fits: ({ look, mix }) => {
    if (look !== undefined) return undefined;
    if (isHeaded(mix)) return 'time stamps or levels';
    return mix.repeated * 10 >= mix.lines * 9 && mix.lines > 0 ? 'lines that repeat' : undefined;
  },
  outline: logOutline,
};

/** The outline of a line log: a unit a line; what continues a record stands under its first line. */
export function logOutline(view: SectionView, reason: string): Outline {
  const { index, lines } = view;
  const { from, to } = view.section;
  const { infos } = lines.shapes;
  const parents = recordHeads(lines);
  const facts = lineFacts(view);
  return {
    shape: 'log',
    ...lineUnits(index, from, to, { facts, frame: view.frame }),
    kind: lines.kind,
    coarse: Uint32Array.from(infos, (info) => info.coarse),
    middle: Uint32Array.from(infos, (info) => info.middle),
    words: infos.map((info) => info.words),
    ...facts,
    measure: (unit) => measureLine(index, from + unit),
    ...(parents === undefined ? {} : { parents }),
    odd: [...oddLines(view), ...longLines(view)],
    failures: { first: 3, last: 1, allUpTo: 0 },
    traceAt: (unit, most) => traceAt(lines, unit, most),
    hasContext: true,
    reason,
  };
}

/** What is known of each line from its shape. */
function lineFacts({ index, section, lines }: SectionView): Pick<Outline, 'severity' | 'flags' | 'costs'> {
  const { from, to } = section;
  const { starts } = index;
  const { infos } = lines.shapes;
  const severity = new Uint8Array(to - from);
  const flags = new Uint8Array(to - from);
  const costs = new Float32Array(to - from);
  const density = densityOf(index.source, starts[from]!, starts[to]!);
  for (let i = 0; i < to - from; i += 1) {
    const info = infos[lines.kind[i]!]!;
    severity[i] = info.severity;
    if (info.bits & BLANK_LINE) flags[i] = EMPTY;
    costs[i] = density * shownBytes(index, from + i);
  }
  for (const line of lines.markers) flags[line] = PINNED;
  return { severity, flags, costs };
}

/** Bytes of a line that a view shows; only long ones are looked at. */
function shownBytes({ source, starts }: LineIndex, line: number): number {
  const size = starts[line + 1]! - starts[line]!;
  return size < LEAST_OVERWRITTEN ? size : size - shownFrom(source.read(starts[line]!, starts[line + 1]!));
}

/** A few lines that are far longer than the others: length is a number of a line like any that stands in it. */
function longLines({ index: { starts }, section: { from, to } }: SectionView): Odd[] {
  const long: Odd[] = [];
  for (let line = from; line < to; line += 1) {
    if (starts[line + 1]! - starts[line]! <= NUMBERS.longLine) continue;
    if (long.length === MOST_LONG) return [];
    long.push({ unit: line - from, kind: 'outlier', worth: surprise(1, to - from) });
  }
  return to - from < ODD.outlierFrom ? [] : long;
}

function oddLines({ index, section, lines: { shapes, kind } }: SectionView): Odd[] {
  const isWord = (unit: number, value: number): boolean =>
    new RegExp(`(?:^|[\\s=#(/])${value}(?:[\\s,;)/]|\\.?$)`).test(
      lineText(index, section.from + unit, LONGEST),
    );
  return [
    ...shapes.fields.flatMap((field) => [...oddOf(field), ...counterEnd(field, isWord)]),
    ...rareWords(shapes, kind),
  ];
}

/** For each line the first line of its record; undefined where every line is a record of its own. */
function recordHeads({ shapes, kind }: ShapedLines): Int32Array | undefined {
  const heads = shapes.infos.map((info) => (info.bits & (STAMPED | LEVELLED)) !== 0);
  let stamped = 0;
  for (let s = 0; s < heads.length; s += 1) if (heads[s]) stamped += shapes.counts[s]!;
  const marked = stamped * 2 > kind.length || stamped > 20;
  const parents = new Int32Array(kind.length).fill(-1);
  let head = -1;
  let any = false;
  for (let i = 0; i < kind.length; i += 1) {
    const { bits } = shapes.infos[kind[i]!]!;
    const continues =
      head >= 0 && (bits & (FRAME | CONTINUED) || (marked && bits & INDENTED && heads[kind[i]!] !== true));
    if (continues) {
      parents[i] = head;
      any = true;
    } else if ((bits & BLANK_LINE) === 0) head = i;
  }
  return any ? parents : undefined;
}
