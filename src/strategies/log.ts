import { latin1 } from '../core/chars.ts';
import type { LineIndex } from '../core/line-index.ts';
import { measureLine, textChunks } from '../core/line-index.ts';
import { BLANK_LINE, FRAME, INDENTED, LEVELLED, STAMPED } from '../core/line-class.ts';
import { LineScan } from '../core/lines.ts';
import type { Odd } from '../core/odd.ts';
import { oddOf } from '../core/odd.ts';
import { isForeignMarker } from '../core/marker.ts';
import { rareWords } from '../core/rare-words.ts';
import type { Outline } from '../core/outline.ts';
import { EMPTY, PINNED } from '../core/outline.ts';
import { Shapes } from '../core/shapes.ts';
import { densityOf } from '../core/tokens.ts';

/** The lines of a section with their shapes. */
export interface ShapedLines {
  readonly shapes: Shapes;
  readonly kind: Uint32Array;
  /** Lines that hold a marker of this or another tool. */
  readonly markers: readonly number[];
}

/** Gives each line of `[from, to)` its shape. */
export function shapeLines(index: LineIndex, from: number, to: number): ShapedLines {
  const shapes = new Shapes();
  const scan = new LineScan(shapes, to - from);
  const markers: number[] = [];
  for (const { text } of textChunks(index.source, index.starts[from], index.starts[to])) {
    if (text.includes(60) || text.includes(91)) markers.push(...markerLines(text, scan.count));
    scan.push(text);
  }
  scan.finish();
  return { shapes, kind: scan.shapes, markers };
}

function markerLines(text: Uint8Array, first: number): number[] {
  const whole = latin1(text);
  if (!isForeignMarker(whole)) return [];
  return whole.split('\n').flatMap((line, i) => (isForeignMarker(line) ? [first + i] : []));
}

/** The outline of a line log: a unit a line; what continues a record stands under its first line. */
export function logOutline(
  index: LineIndex,
  from: number,
  to: number,
  lines: ShapedLines,
  reason: string,
): Outline {
  const { shapes, kind } = lines;
  const { infos } = shapes;
  const starts = index.starts.subarray(from, to + 1);
  const count = to - from;
  const severity = new Uint8Array(count);
  const flags = new Uint8Array(count);
  const costs = new Float32Array(count);
  const density = densityOf(index.source, starts[0]!, starts[count]!);
  for (let i = 0; i < count; i += 1) {
    const info = infos[kind[i]!]!;
    severity[i] = info.severity;
    if (info.bits & BLANK_LINE) flags[i] = EMPTY;
    costs[i] = density * (starts[i + 1]! - starts[i]!);
  }
  for (const line of lines.markers) flags[line] = PINNED;
  const parents = recordHeads(lines);
  return {
    shape: 'log',
    unit: 'lines',
    firstLine: from + 1,
    count,
    starts,
    kind,
    coarse: Uint32Array.from(infos, (info) => info.coarse),
    middle: Uint32Array.from(infos, (info) => info.middle),
    severity,
    flags,
    costs,
    measure: (unit) => measureLine(index, from + unit),
    ...(parents === undefined ? {} : { parents }),
    odd: oddLines(lines),
    failures: { first: 3, last: 1 },
    hasContext: true,
    reason,
  };
}

function oddLines(lines: ShapedLines): Odd[] {
  return [...lines.shapes.fields.flatMap((field) => oddOf(field)), ...rareWords(lines.shapes, lines.kind)];
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
    const continues = head >= 0 && (bits & FRAME || (marked && bits & INDENTED && !heads[kind[i]!]));
    if (continues) {
      parents[i] = head;
      any = true;
    } else if ((bits & BLANK_LINE) === 0) head = i;
  }
  return any ? parents : undefined;
}
