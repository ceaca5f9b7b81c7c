import { lineHead } from '../line-roles.ts';
import { type LineIndex, plainText } from '../line-index.ts';
import { late } from '../late.ts';
import type { SectionView } from '../strategy.ts';

const SAMPLE = 2000;
/** Frames that a text of traces has at least. */
const LEAST = 6;

/** Of a text of traces a fifth of the lines hold one of these: a cheap look before the rules, which cost time to compile. */
const HINT =
  /^\s+at |^\t\/\S+:\d+|^\s*File "|^goroutine \d|^\s*#\d+:? +\S|Sanitizer|Call Trace|Thread\.State|locks? held by|stack backtrace|^==\d+==|^\s+from \S+:\d|\+0x[0-9a-f]+\/0x/gm;

/** Each hint holds one of these: without them the pattern need not be compiled. */
const IN_HINTS = [
  'at ',
  '\t/',
  'File "',
  'goroutine ',
  '#',
  'anitizer',
  'Call Trace',
  'Thread.State',
  'held by',
  'backtrace',
  '==',
  'from ',
  '+0x',
];

/** Shapes whose lines are no frames, whatever they hold. */
const FOREIGN: ReadonlySet<string | undefined> = new Set(['diff', 'CSV', 'search results']);

/** Is a section mostly traces? One of records with traces under them is a log. */
export function traceEvidence(view: SectionView): string | undefined {
  const { index, section } = view;
  const { from, to } = section;
  if (section.kind !== 'lines' || !hints(index, from, to) || FOREIGN.has(view.look)) return undefined;
  const { filled, frames, halves, others, records } = counted(index, from, to);
  if (frames < LEAST || records * MOST_RECORDS > filled) return undefined;
  return (frames + Math.min(halves, frames) + others) * 2 >= filled ? 'stack traces' : undefined;
}

/** How many of the lines looked at are of which kind. */
function counted(index: LineIndex, from: number, to: number) {
  const { isFrame, TRACE, traceRoleOf } = late();
  const step = Math.max(1, Math.floor((to - from) / SAMPLE));
  const count = { filled: 0, frames: 0, halves: 0, others: 0, records: 0 };
  for (let line = from; line < to; line += step) {
    const text = lineHead(index, line);
    if (text.trim() === '') continue;
    count.filled += 1;
    const role = traceRoleOf(text);
    if (role === TRACE.half) count.halves += 1;
    else if (isFrame(role)) count.frames += 1;
    else if (role !== TRACE.other) count.others += 1;
    else if (RECORD.test(text)) count.records += 1;
  }
  return count;
}

/** A record of a log: a stamp or a level first. */
const RECORD =
  /^(?:\S+ )?\[?\d{4}-\d\d-\d\d[T ]\d\d:|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |^\[?(?:TRACE|DEBUG|INFO|WARN|ERROR)/;

/** Has the beginning, the middle or the end many frames? */
function hints(index: LineIndex, from: number, to: number): boolean {
  const { starts } = index;
  const start = starts[from]!;
  const end = starts[to]!;
  const size = Math.min(WINDOW, end - start);
  const places = end - start <= WINDOW ? [start] : [start, start + ((end - start - size) >> 1), end - size];
  return places.some((at) => {
    const text = plainText(index, at, at + size);
    const lines = text.split('\n').length;
    if (!IN_HINTS.some((part) => text.includes(part))) return false;
    const found = text.match(HINT)?.length ?? 0;
    if (found === 0 || found * HINTED < lines) return false;
    return (text.match(new RegExp(RECORD, 'gm'))?.length ?? 0) * MOST_RECORDS <= lines;
  });
}

const HINTED = 5;
/** One in so many lines may be a record of a log. */
const MOST_RECORDS = 20;
const WINDOW = 32_768;
