import { BLANK, CLASS } from './chars.ts';
import { stripEscapes } from './escapes.ts';
import type { Source } from './model.ts';
import { lineChunks } from './source.ts';
import { StampFinder } from './stamp.ts';
import { estimateTokens } from './tokens.ts';

/** What a glance at a line tells, as bits. */
export const GLANCE = {
  stamped: 1,
  blank: 2,
  indented: 4,
  /** Nothing but rules: `-----  ---`, `+---+`, `═══`. */
  rule: 8,
  /** A bar first or last: `| a | b |`, `│ a │`; or bars between blanks, as psql draws them. */
  bars: 16,
  /** `{` or `[` first. */
  opens: 32,
  /** One gap of two and more blanks, or a tab, between words … */
  gap: 64,
  /** … and a second one. */
  gaps: 128,
} as const;

/** Where the lines of an input start and what each looks like. */
export interface LineIndex {
  readonly source: Source;
  readonly count: number;
  /** `count + 1` offsets; the last is the length of the source. */
  readonly starts: Uint32Array;
  readonly glances: Uint8Array;
}

/** A chunk of whole lines, as it stands in the input and without its control sequences. */
export interface TextChunk {
  readonly base: number;
  readonly raw: Uint8Array;
  readonly text: Uint8Array;
}

/** The lines of a byte range as chunks of about 1 MiB. */
export function* textChunks(source: Source, from = 0, to = source.length): Generator<TextChunk> {
  for (const { base, bytes } of lineChunks(source, from, to)) {
    const text = stripEscapes(bytes);
    yield { base, raw: bytes, text };
  }
}

/** Cuts a source into lines at `\n`. */
export function indexLines(source: Source): LineIndex {
  const stamps = new StampFinder();
  let starts = new Uint32Array(1024);
  let glances = new Uint8Array(1024);
  let count = 0;
  for (const { base, raw, text } of textChunks(source)) {
    let at = base === 0 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
    let rawAt = 0;
    while (rawAt < raw.length) {
      if (count + 1 >= starts.length) {
        starts = doubled(starts);
        glances = doubledBytes(glances);
      }
      const end = lineEnd(text, at);
      starts[count] = base + rawAt;
      glances[count] = glance(text, at, end, stamps);
      count += 1;
      at = end + 1;
      rawAt = raw === text ? at : lineEnd(raw, rawAt) + 1;
    }
  }
  starts[count] = source.length;
  return { source, count, starts, glances };
}

/** The text of one line without line end and control sequences, as bytes; long lines are cut at `most`. */
export function lineBytes(index: LineIndex, line: number, most = 1 << 20): Uint8Array {
  const start = index.starts[line]!;
  const end = Math.min(index.starts[line + 1]!, start + most);
  const text = stripEscapes(index.source.read(start, end));
  let size = text.length;
  while (size > 0 && (text[size - 1] === 10 || text[size - 1] === 13)) size -= 1;
  return text.subarray(shownFrom(text), size);
}

/** Estimated tokens of what a view shows of a line: with its line end, without what was overwritten. */
export function measureLine(index: LineIndex, line: number): number {
  const text = stripEscapes(index.source.read(index.starts[line]!, index.starts[line + 1]!));
  return estimateTokens(text, shownFrom(text), text.length);
}

/** Where the last state of a line starts that carriage returns overwrote: 0 where none did. */
export function shownFrom(line: Uint8Array): number {
  let end = line.length;
  while (end > 0 && (line[end - 1] === 10 || line[end - 1] === 13)) end -= 1;
  return line.subarray(0, end).lastIndexOf(13) + 1;
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(10, from);
  return end === -1 ? bytes.length : end;
}

// oxlint-disable-next-line complexity -- a scanner: one branch a byte class
function glance(b: Uint8Array, from: number, to: number, stamps: StampFinder): number {
  let end = to;
  while (end > from && (CLASS[b[end - 1]!] === BLANK || b[end - 1] === 13)) end -= 1;
  if (end === from) return GLANCE.blank;
  if (stamps.find(b, from, end) > from) return GLANCE.stamped;
  let at = from;
  while (CLASS[b[at]!] === BLANK) at += 1;
  let bits = at > from ? GLANCE.indented : 0;
  const first = b[at]!;
  if (first === 123 || first === 91) bits |= GLANCE.opens;
  const last = b[end - 1]!;
  if (first === 124 || last === 124 || boxAt(b, at) || (end - 3 >= from && boxAt(b, end - 3)))
    bits |= GLANCE.bars;
  let gaps = 0;
  let ruled = 0;
  let words = 0;
  for (let p = at; p < end; p += 1) {
    const c = b[p]!;
    const kind = CLASS[c]!;
    if (kind === BLANK) {
      const next = b[p + 1]!;
      if (c === 9 || CLASS[next] === BLANK) {
        gaps += 1;
        while (p + 1 < end && CLASS[b[p + 1]!] === BLANK) p += 1;
        if (gaps > 1 && words > 0) break;
      } else if (next === 124 && b[p + 2] === 32) bits |= GLANCE.bars;
    } else if (c === 45 || c === 61 || c === 43 || c === 124 || c === 95 || c === 42 || c === 126 || c === 58)
      ruled += 1;
    else if (c === 0xe2 && b[p + 1]! >= 0x94 && b[p + 1]! <= 0x96) {
      ruled += 1;
      p += 2;
    } else words += 1;
  }
  if (words === 0 && ruled >= 3) return (bits & GLANCE.indented) | GLANCE.rule;
  if (gaps > 0) bits |= GLANCE.gap;
  if (gaps > 1) bits |= GLANCE.gaps;
  return bits;
}

/** A vertical box-drawing character of UTF-8 at `at`. */
function boxAt(b: Uint8Array, at: number): boolean {
  if (b[at] !== 0xe2) return false;
  return (
    (b[at + 1] === 0x94 && (b[at + 2] === 0x82 || b[at + 2] === 0x83)) ||
    (b[at + 1] === 0x95 && b[at + 2] === 0x91)
  );
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function doubledBytes(array: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(array.length * 2);
  larger.set(array);
  return larger;
}
