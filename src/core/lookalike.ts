import { csvLook } from './csv/look.ts';
import { stripEscapes } from './escapes.ts';
import { lineText, type LineIndex, plainText } from './line-index.ts';
import { isHeaded, type LineMix } from './shaped-lines.ts';

/** Shapes that must not be cut by lines, as logs and plain text are. */
export type Lookalike =
  | 'CSV'
  | 'diff'
  | 'search results'
  | 'Markdown'
  | 'settings'
  | 'code'
  | 'key-value text';

interface Look {
  readonly mix: LineMix;
  readonly sample: readonly string[];
  /** The beginning of the text. */
  readonly head: { readonly text: Uint8Array; readonly isWhole: boolean };
  /** Share of the sampled lines that match. */
  readonly share: (pattern: RegExp) => number;
}

/** In this order; CSV is what its strategy would not take: under colours, without numbers. */
const LOOKS: ReadonlyArray<readonly [Lookalike, (look: Look) => boolean]> = [
  ['CSV', ({ head }) => csvLook(head.text, 2, head.isWhole) !== undefined],
  [
    'diff',
    ({ share }) =>
      share(/\s\|\s+(?:\d+ [+-]+|Bin \d+ -> \d+ bytes)$/) > 0.2 ||
      (share(/^(?:@@ -\d+(?:,\d+)? \+\d+|diff --git |--- [ab]\/|\+\+\+ [ab]\/)/) > 0.005 &&
        share(/^[ +-]/) > 0.4),
  ],
  ['search results', ({ share }) => share(/^(?:[A-Za-z]:)?[^\s:]{1,200}(?::\d+:|-\d+-)|^\d+[:-]/) > 0.5],
  ['Markdown', ({ share }) => share(/^```|^#{1,4} \S/) > 0.02],
  ['settings', ({ share }) => share(/^\s*[\w.[\]/"'-]+\s*=\s*\S(?!.*[\s,;]\w+=)/) > 0.4],
  ['code', ({ mix, share }) => mix.code * 5 > mix.lines || share(/[,{([\\]$/) > 0.4],
  ['key-value text', ({ mix }) => isKeyed(mix)],
];

/** What the lines `[from, to)` look like, if it is one of these shapes. */
export function lookalike(index: LineIndex, from: number, to: number, mix: LineMix): Lookalike | undefined {
  const sample = sampleOf(index, from, to);
  const start = index.starts[from]!;
  const end = Math.min(index.starts[to]!, start + HEAD);
  const head = {
    text: stripEscapes(index.source.read(start, end)),
    isWhole: end === index.starts[to]!,
  };
  const share = (pattern: RegExp): number =>
    sample.filter((line) => pattern.test(line)).length / Math.max(1, sample.length);
  if (isHeaded(mix)) return undefined;
  return LOOKS.find(([, fits]) => fits({ mix, sample, head, share }))?.[0];
}

/** YAML, describe and their like; flat lines that repeat (`web: listening on 8080`) are a log. */
function isKeyed({ lines, keyed, indented, repeated }: LineMix): boolean {
  if (keyed * 10 > lines * 3 && indented * 2 > lines) return true;
  return keyed * 2 > lines && (indented * 5 >= lines || repeated * 10 <= lines * 6);
}

/** Bytes that are read as CSV. */
const HEAD = 1 << 16;
const SAMPLE = 300;
/** Bytes of a line that are looked at, and of a text that is decoded in one piece. */
const LINE = 2000;
const SMALL_TEXT = 1 << 17;

function sampleOf(index: LineIndex, from: number, to: number): string[] {
  const step = Math.max(1, Math.floor((to - from) / SAMPLE));
  if (step === 1) return smallText(index, from, to);
  const sample: string[] = [];
  for (let line = from; line < to; line += step) {
    const text = lineText(index, line, LINE);
    if (isFilled(text)) sample.push(text);
  }
  return sample;
}

/** All lines that hold something. */
function smallText(index: LineIndex, from: number, to: number): string[] {
  const start = index.starts[from]!;
  const end = index.starts[to]!;
  if (!index.isPlain || end - start > SMALL_TEXT) {
    return Array.from({ length: to - from }, (_, i) => lineText(index, from + i, LINE)).filter(isFilled);
  }
  return plainText(index, start, end)
    .split('\n', to - from)
    .map((line) => (line.length > LINE ? line.slice(0, LINE) : line))
    .filter(isFilled);
}

function isFilled(text: string): boolean {
  return text.trim() !== '';
}
