import { latin1 } from './chars.ts';
import { hasEscapes } from './escapes.ts';
import { lineBytes, type LineIndex } from './line-index.ts';
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
  /** Share of the sampled lines that match. */
  readonly share: (pattern: RegExp) => number;
}

/** In this order; a section with the heads of a log is none of those behind the first. */
const LOOKS: ReadonlyArray<readonly [Lookalike, (look: Look) => boolean]> = [
  ['CSV', ({ mix, sample }) => sameDelimiters(sample, isHeaded(mix) ? 3 : 2)],
  [
    'diff',
    ({ share }) =>
      share(/^(?:@@ -\d+(?:,\d+)? \+\d+|diff --git |--- [ab]\/|\+\+\+ [ab]\/)/) > 0.005 &&
      share(/^[ +-]/) > 0.4,
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
  const share = (pattern: RegExp): number =>
    sample.filter((line) => pattern.test(line)).length / Math.max(1, sample.length);
  const looks = isHeaded(mix) ? LOOKS.slice(0, 1) : LOOKS;
  return looks.find(([, fits]) => fits({ mix, sample, share }))?.[0];
}

/** YAML, describe and their like; flat lines that repeat (`web: listening on 8080`) are a log. */
function isKeyed({ lines, keyed, indented, repeated }: LineMix): boolean {
  if (keyed * 10 > lines * 3 && indented * 2 > lines) return true;
  return keyed * 2 > lines && (indented * 5 >= lines || repeated * 10 <= lines * 6);
}

const SAMPLE = 300;
/** Bytes of a line that are looked at, and of a text that is decoded in one piece. */
const LINE = 2000;
const SMALL_TEXT = 1 << 17;

function sampleOf(index: LineIndex, from: number, to: number): string[] {
  const step = Math.max(1, Math.floor((to - from) / SAMPLE));
  if (step === 1) return smallText(index, from, to);
  const sample: string[] = [];
  for (let line = from; line < to; line += step) {
    const text = latin1(lineBytes(index, line, LINE));
    if (isFilled(text)) sample.push(text);
  }
  return sample;
}

/** All lines that hold something. */
function smallText(index: LineIndex, from: number, to: number): string[] {
  const bytes = index.source.read(index.starts[from]!, index.starts[to]!);
  if (bytes.length > SMALL_TEXT || bytes.includes(13) || hasEscapes(bytes)) {
    return Array.from({ length: to - from }, (_, i) => latin1(lineBytes(index, from + i, LINE))).filter(
      isFilled,
    );
  }
  return latin1(bytes)
    .split('\n', to - from)
    .map((line) => (line.length > LINE ? line.slice(0, LINE) : line))
    .filter(isFilled);
}

function isFilled(text: string): boolean {
  return text.trim() !== '';
}

/** As many commas, semicolons, tabs or bars in nearly all lines, `least` at least; what is in quotes does not count. */
function sameDelimiters(sample: readonly string[], least: number): boolean {
  if (sample.length < 5) return false;
  const bare = sample.map((line) => (line.includes('"') ? line.replace(/"(?:[^"]|"")*"/g, '""') : line));
  return [',', ';', '\t', '|'].some((delimiter) => {
    const counts = Uint32Array.from(bare, (line) => occurrences(line, delimiter));
    const usual = counts.toSorted()[Math.floor(counts.length / 2)]!;
    if (usual < least) return false;
    const spaced = bare.filter((line) => line.includes(`${delimiter} `)).length;
    const same = counts.filter((n) => n === usual).length;
    return same >= sample.length * 0.8 && spaced * 2 < sample.length;
  });
}

function occurrences(line: string, delimiter: string): number {
  let count = 0;
  for (let at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, at + 1)) count += 1;
  return count;
}
