import { searchable, latin1 } from './chars.ts';
import { stripEscapes } from './escapes.ts';
import { kernel, LINES, memory, memoryWords, outAt, place } from './kernel.ts';
import type { Source } from './model.ts';
import { type Signed, signsIn } from './signs.ts';
import { lineChunks } from './source.ts';
import { estimateTokens } from './tokens.ts';

const NEWLINE = 10;
const RETURN = 13;

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
  /** No control sequence and no carriage return is in it. */
  readonly isPlain: boolean;
  /** What its parts may hold, in order. */
  readonly parts: readonly Signed[];
}

/** A chunk of whole lines, as it stands in the input and without its control sequences. */
export interface TextChunk {
  readonly base: number;
  readonly raw: Uint8Array;
  readonly text: Uint8Array;
}

/** The lines of a byte range as chunks of about 1 MiB. With `cuts` very long lines are several. */
export function* textChunks(
  source: Source,
  from = 0,
  to = source.length,
  cuts = false,
): Generator<TextChunk> {
  for (const { base, bytes } of lineChunks(source, from, to, cuts)) {
    const text = stripEscapes(bytes);
    yield { base, raw: bytes, text };
  }
}

/** Cuts a source into lines at `\n`; the kernel does it (src/kernel/index.ts). */
export function indexLines(source: Source): LineIndex {
  const { indexStart, indexChunk } = kernel();
  const lines = new Lines(source.length);
  let isPlain = true;
  let isCut = false;
  const parts: Signed[] = [];
  indexStart();
  for (const { base, raw, text } of textChunks(source, 0, source.length, true)) {
    isPlain &&= raw === text && !searchable(text).includes(RETURN);
    const skip = base === 0 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
    const rawAt = raw === text ? 0 : place(raw, 'raw');
    indexChunk(place(text), text.length, rawAt, raw.length, base, skip);
    parts.push({ base, size: raw.length, signs: signsIn(raw, text) });
    lines.take(base + raw.length, isCut);
    isCut = raw[raw.length - 1] !== NEWLINE;
  }
  const { starts, glances, count } = lines;
  starts[count] = source.length;
  return { source, count, starts, glances, isPlain, parts };
}

/** Starts and glances, in arrays that grow. */
class Lines {
  starts = new Uint32Array(1024);
  glances = new Uint8Array(1024);
  count = 0;
  private readonly length: number;

  constructor(length: number) {
    this.length = length;
  }

  /** Takes those of the chunk that ends at `end`; if the one before it was cut, it starts with what is no line. */
  take(end: number, isCut: boolean): void {
    const { indexLines: next } = kernel();
    for (let skipped = isCut ? 1 : 0; ; skipped = 0) {
      const out = outAt();
      const size = next(out, out + 4 * LINES, LINES);
      if (size === 0) return;
      const [from, to] = [out + 4 * LINES + skipped, out + 4 * LINES + size];
      this.makeRoom(size, end);
      this.starts.set(memoryWords().subarray((out >> 2) + skipped, (out >> 2) + size), this.count);
      this.glances.set(memory().subarray(from, to), this.count);
      this.count += size - skipped;
    }
  }

  private makeRoom(size: number, end: number): void {
    const { starts, glances, count, length } = this;
    if (count + size < starts.length) return;
    const seen = end / (count + size);
    const room = Math.max(count + size + 1, Math.min(starts.length * 2, roomFor(length / seen)));
    this.starts = larger(starts, new Uint32Array(room));
    this.glances = larger(glances, new Uint8Array(room));
  }
}

/** Room for a number of lines that was estimated from those seen so far. */
function roomFor(lines: number): number {
  return Math.ceil(lines * 1.05) + 1024;
}

function larger<T extends Uint8Array | Uint32Array>(array: T, room: T): T {
  room.set(array);
  return room;
}

/** The text of one line without line end and control sequences, as bytes; long lines are cut at `most`. */
export function lineBytes(index: LineIndex, line: number, most = 1 << 20): Uint8Array {
  const start = index.starts[line]!;
  const end = Math.min(index.starts[line + 1]!, start + most);
  const raw = index.source.read(start, end);
  if (index.isPlain) return raw[raw.length - 1] === NEWLINE ? raw.subarray(0, -1) : raw;
  const text = stripEscapes(raw);
  let size = text.length;
  while (size > 0 && (text[size - 1] === 10 || text[size - 1] === 13)) size -= 1;
  const from = size === 0 ? 0 : text.lastIndexOf(13, size - 1) + 1;
  return from === 0 && size === text.length ? text : text.subarray(from, size);
}

/** The same as a string of one character a byte. */
export function lineText(index: LineIndex, line: number, most = 1 << 20): string {
  const { starts, source, isPlain } = index;
  if (!isPlain || source.length > SMALL) return latin1(lineBytes(index, line, most));
  let whole = wholes.get(index);
  if (whole === undefined) wholes.set(index, (whole = latin1(source.read(0, source.length))));
  const start = starts[line]!;
  const end = Math.min(starts[line + 1]!, start + most);
  return whole.slice(start, end > start && whole.charCodeAt(end - 1) === NEWLINE ? end - 1 : end);
}

/** Lines of an input up to this size are parts of one string. */
const SMALL = 1 << 17;
const wholes = new WeakMap<LineIndex, string>();

/** The bytes `[from, to)` without control sequences, one character a byte; the last one asked for is kept. */
export function plainText(index: LineIndex, from: number, to: number): string {
  const last = texts.get(index);
  if (last?.from === from && last.to === to) return last.text;
  const text = latin1(stripEscapes(index.source.read(from, to)));
  texts.set(index, { from, to, text });
  return text;
}

const texts = new WeakMap<LineIndex, { readonly from: number; readonly to: number; readonly text: string }>();

/** Estimated tokens of what a view shows of a line: with its line end, without what was overwritten. */
export function measureLine(index: LineIndex, line: number): number {
  const raw = index.source.read(index.starts[line]!, index.starts[line + 1]!);
  if (index.isPlain) return estimateTokens(raw, 0, raw.length);
  const text = stripEscapes(raw);
  return estimateTokens(text, shownFrom(text), text.length);
}

/** Where the last state of a line starts that carriage returns overwrote: 0 where none did. */
export function shownFrom(line: Uint8Array): number {
  let end = line.length;
  while (end > 0 && (line[end - 1] === 10 || line[end - 1] === 13)) end -= 1;
  return end === 0 ? 0 : line.lastIndexOf(13, end - 1) + 1;
}

/** The number, from 0, of the line that a byte is in. */
export function lineAt(index: LineIndex, byte: number): number {
  let low = 0;
  let high = index.count - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (index.starts[mid]! <= byte) low = mid;
    else high = mid - 1;
  }
  return low;
}
