import { latin1 } from './chars.ts';
import { prepareFailures, severityAt } from './failures.ts';
import { Field, MOST_CATEGORIES } from './fields.ts';
import { kernel, LINES, memoryWords, outAt, place } from './kernel.ts';
import { BLANK_LINE, classOf, INDENTED, STAMPED } from './line-class.ts';

/** Of a long line this much is read for its class. */
const HEAD = 1000;

/** What is known of a shape: everything that its lines share. */
export interface ShapeInfo {
  readonly severity: number;
  readonly bits: number;
  readonly coarse: number;
  readonly middle: number;
  /** Hashes of its words with numbers and ids masked. `took=3ms` is two, a key and a word; a key is odd. */
  readonly words: Words;
}

/** Words in the kernel's memory: the first, and how many. */
export interface Words {
  readonly at: number;
  readonly count: number;
}

/** Members of the kernel's record of a shape, in 32-bit words. */
const COUNT = 0;
const COARSE = 1;
const MIDDLE = 2;
const WORDS = 3;
const WORD_COUNT = 4;
const START = 7;
const END = 8;
const BODY = 9;
const IS_LOUD = 10;
const RECORD = 11;

/**
 * The shapes of the lines of a section, with their templates and the fields of their numbers. A shape is a line with time
 * stamp, numbers, ids and hex masked, every word kept. The kernel scans the lines (src/kernel/scan.ts); what needs a
 * regular expression is found here, once for each shape.
 */
export class Shapes {
  readonly infos: ShapeInfo[] = [];
  /** Lines of each shape; complete when `finish` was called. */
  readonly counts: number[] = [];
  /** How many coarse templates there are; the same. */
  readonly coarse = { count: 0 };
  /** Fields of numbers by coarse template and place in the line; the same. */
  readonly fields: Field[] = [];
  /** Shape of each line. */
  readonly kind: Uint32Array;
  /** Lines so far. */
  lines = 0;

  constructor(lines: number) {
    this.kind = new Uint32Array(lines);
    prepareFailures();
    kernel().scanStart();
  }

  /** Scans a chunk of whole lines (the last may lack its line end), without their control sequences. */
  push(text: Uint8Array): void {
    const placed = place(text);
    const { kind } = this;
    const { scanChunk, scanLines, isCrowded } = kernel();
    const isMarked = this.lines === 0 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
    scanChunk(placed, text.length, isMarked ? 3 : 0);
    while (this.lines < kind.length) {
      const out = outAt();
      const count = scanLines(out, Math.min(LINES, kind.length - this.lines));
      kind.set(memoryWords().subarray(out >> 2, (out >> 2) + count), this.lines);
      this.lines += count;
      this.describe(text, placed);
      if (isCrowded()) this.crowd(text, placed);
      else if (count === 0) break;
    }
  }

  /** Everything was pushed. A last line that held nothing but control sequences is an empty one. */
  finish(): void {
    const { kind } = this;
    for (; this.lines < kind.length; this.lines += 1) kind[this.lines] = kernel().emptyLine();
    this.describe(new Uint8Array(0));
    const { shapesAt, coarseCount, fieldCount, fieldList } = kernel();
    const words = memoryWords();
    for (let s = 0, at = shapesAt() >> 2; s < this.infos.length; s += 1, at += RECORD) {
      this.counts.push(words[at + COUNT]!);
    }
    this.coarse.count = coarseCount();
    const fields = Array.from(
      words.subarray(fieldList.value >> 2, (fieldList.value >> 2) + fieldCount.value),
    );
    for (const at of fields) this.fields.push(new Field(MOST_CATEGORIES, at));
  }

  /** The shapes that are new since the last time; `text` holds the lines that showed them. */
  private describe(text: Uint8Array, placed?: number): void {
    const { shapeCount, shapesAt } = kernel();
    for (let s = this.infos.length; s < shapeCount.value; s += 1) {
      const at = (shapesAt() >> 2) + s * RECORD;
      const words = memoryWords();
      const start = words[at + START]!;
      const end = words[at + END]!;
      const body = words[at + BODY]!;
      const coarse = words[at + COARSE]!;
      const middle = words[at + MIDDLE]!;
      const own = { at: words[at + WORDS]! >> 2, count: words[at + WORD_COUNT]! };
      const severity = words[at + IS_LOUD] === 0 ? 0 : severityAt(text, start, end, body, placed);
      this.infos.push({ severity, bits: classOfLine(text, start, end, body), coarse, middle, words: own });
    }
  }

  /** A line among too many shapes gets one by its severity and its first word. */
  private crowd(text: Uint8Array, placed: number): void {
    const { crowd, crowdedStart, crowdedEnd, crowdedBody } = kernel();
    const severity = severityAt(text, crowdedStart(), crowdedEnd(), crowdedBody(), placed);
    this.kind[this.lines] = crowd(severity);
    this.lines += 1;
    this.describe(text, placed);
  }
}

/** Time-stamped lines are what they are; of others the class is looked for. */
function classOfLine(b: Uint8Array, start: number, end: number, body: number): number {
  const indented = b[start] === 32 || b[start] === 9 ? INDENTED : 0;
  if (body > start) {
    let at = body;
    while (at < end && (b[at] === 32 || b[at] === 9)) at += 1;
    return STAMPED | (at >= end ? BLANK_LINE : 0);
  }
  return classOf(latin1(b, start, Math.min(end, start + HEAD))) | indented;
}
