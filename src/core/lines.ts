/* oxlint-disable complexity, max-depth, max-lines -- the hot loop: one pass over every byte, a branch a byte class */
import { BLANK, CLASS, DIGIT, LETTER, NEWLINE, RETURN } from './chars.ts';
import { decimalEnd, decimalValue, isJoined, wholeValue } from './digits.ts';
import { StampFinder } from './stamp.ts';
import { NO_UNIT, unitAt, unitWordAt } from './units.ts';

/** Numbers and words of a line beyond these many are not looked at. */
const MOST_NUMBERS = 24;
const MOST_WORDS = 160;

/** Symbols that stand for what a shape does not spell out. */
const NUMBER = 0x101;
const ZERO = 0x102;
const HTTP_ERROR = 0x103;
const MIXED = 0x104;
const COMPOUND = 0x105;
const STAMP = 0x106;
const WIDE = 0x107;
const MASK = 0x108;

const PRIME = 0x01000193;
const SEED1 = 0x811c9dc5 | 0;
const SEED2 = 0x1234567;

/** What the scan found of the line it stands on. Offsets are in the scanned bytes. */
export interface LineView {
  bytes: Uint8Array;
  start: number;
  /** Without the line end. */
  end: number;
  /** End of the time stamp; `start` where there is none. */
  body: number;
  /** Numbers of the line: values, their word (from 0, counted by blanks) and whether they are a measure. */
  readonly values: Float64Array;
  readonly slots: Uint16Array;
  readonly measures: Uint8Array;
  numbers: number;
  /**
   * Hashes of the words with numbers and ids masked, for the likeness of lines. `took=3ms` is two, a key and a word; a
   * key is odd.
   */
  readonly words: Int32Array;
  wordCount: number;
}

/** Gives the id of a shape by its two hashes; it may look at the line of a shape it has not met. */
export interface ShapeIds {
  id(high: number, low: number, line: LineView): number;
  /** The numbers of the line that was just identified. */
  numbers(shape: number, index: number, line: LineView): void;
}

/**
 * Gives each line the id of its exact shape: the line with time stamp, numbers, ids and hex masked, every word kept.
 * Zero, and 400 to 599 standing alone, are not masked: they change what a line means.
 *
 * Of a line that was overwritten by carriage returns only the last state counts.
 */
export class LineScan {
  /** Shape of each line. */
  readonly shapes: Uint32Array;
  count = 0;
  private readonly ids: ShapeIds;
  private readonly stamps = new StampFinder();
  private readonly line: LineView = viewOf(new Uint8Array(0));
  private word = 0;
  private sub = 0;

  constructor(ids: ShapeIds, lines: number) {
    this.ids = ids;
    this.shapes = new Uint32Array(lines);
  }

  /** Scans a chunk of whole lines (the last may lack its line end), without their control sequences. */
  push(bytes: Uint8Array): void {
    this.line.bytes = bytes;
    let at = this.count === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    while (at < bytes.length && this.count < this.shapes.length) {
      at = this.scanLine(this.line, at);
      this.count += 1;
    }
  }

  /** A last line that held nothing but control sequences is an empty one. */
  finish(): void {
    for (; this.count < this.shapes.length; this.count += 1) {
      this.shapes[this.count] = this.ids.id(1, 1, viewOf(new Uint8Array(0)));
    }
  }

  /** Scans the line at `at`; returns where the next one starts. */
  // oxlint-disable-next-line max-lines-per-function -- see above
  private scanLine(line: LineView, at: number): number {
    const b = line.bytes;
    const limit = b.length;
    let start = at;
    let h1 = SEED1;
    let h2 = SEED2;
    // The word so far: its hash, whether its end is masked, a mark behind that, whether it may still be a key.
    let wh = 0;
    let masked = false;
    let joint = 0;
    let isKey = true;
    let words = 0;
    let p = at;
    let body = at;
    line.start = at;
    line.numbers = 0;
    this.word = 0;
    this.sub = 0;
    const stamped = this.stamps.find(b, p, limit);
    if (stamped > p) {
      // The severity letter of klog is no part of the stamp.
      if (CLASS[b[p]!] === LETTER && CLASS[b[p + 1]!] === DIGIT) h1 = Math.imul(h1 ^ b[p]!, PRIME);
      h1 = Math.imul(h1 ^ STAMP, PRIME);
      p = stamped;
      body = stamped;
    }
    while (p < limit) {
      const c = b[p]!;
      const kind = CLASS[c]!;
      if (kind === LETTER || kind === DIGIT) {
        const from = p;
        let digits = 0;
        let w1 = h1;
        let w2 = h2;
        let run = 0;
        let k = kind;
        let ch = c;
        do {
          if (k === DIGIT) digits += 1;
          w1 = Math.imul(w1 ^ ch, PRIME);
          w2 = (Math.imul(w2, 31) + ch) | 0;
          run = (Math.imul(run, 31) + ch) | 0;
          p += 1;
          if (p >= limit) break;
          ch = b[p]!;
          k = CLASS[ch]!;
        } while (k === LETTER || k === DIGIT);
        if (digits === 0) {
          h1 = w1;
          h2 = w2;
          wh = Math.imul(wh ^ joint ^ run, PRIME);
          joint = 0;
          masked = false;
          continue;
        }
        isKey = false;
        let symbol: number;
        if (digits === p - from) {
          if (isJoined(b, from, p, start, limit) || digits > 15) {
            symbol = COMPOUND;
            const q = b[p] === 46 && digits <= 15 ? this.decimal(line, from, p, start) : 0;
            if (q > 0) {
              p = q;
              symbol = NUMBER;
            }
          } else {
            const value = wholeValue(b, from, p);
            const isMeasure = b[p] === 37 || (b[p] === 32 && unitWordAt(b, p, limit));
            this.note(line, value, isMeasure);
            symbol = value === 0 ? ZERO : digits === 3 && value >= 400 && value < 600 ? HTTP_ERROR : NUMBER;
          }
        } else {
          let q = from;
          while (q < p && CLASS[b[q]!] === DIGIT) q += 1;
          const unit = q > from && q - from <= 15 ? unitAt(b, q, limit) : NO_UNIT;
          if (unit.end > q && unit.end >= p) {
            p = unit.end;
            this.note(line, wholeValue(b, from, q) * unit.scale, true);
            symbol = NUMBER;
          } else {
            // Letter runs of three and more that can't be hex keep their letters: `fail3` and `ok7` differ.
            symbol = MIXED;
            for (q = from; q < p; q += 1) {
              const part = q;
              let isHex = true;
              while (q < p && CLASS[b[q]!] === LETTER) {
                if ((b[q]! | 32) > 102) isHex = false;
                q += 1;
              }
              if ((q - part >= 3 && !isHex) || (q - part === 1 && part === from && b[part]! < 97)) {
                for (let i = part; i < q; i += 1) {
                  h1 = Math.imul(h1 ^ b[i]!, PRIME);
                  h2 = (Math.imul(h2, 31) + b[i]!) | 0;
                  wh = Math.imul(wh ^ b[i]!, PRIME);
                }
              }
            }
          }
        }
        h1 = Math.imul(h1 ^ symbol, PRIME);
        h2 = (Math.imul(h2, 31) + symbol) | 0;
        // `10.0.0.1:80` is one mask: a joint between two goes.
        if (!masked) wh = Math.imul(wh ^ joint ^ MASK, PRIME);
        else if (joint !== 0 && !JOINTS[joint]) wh = Math.imul(Math.imul(wh ^ joint, PRIME) ^ MASK, PRIME);
        joint = 0;
        masked = true;
      } else if (kind === BLANK) {
        const from = p;
        p += 1;
        while (p < limit && CLASS[b[p]!] === BLANK) p += 1;
        if (p >= limit || b[p] === 10 || b[p] === 13) continue;
        if (from > body) {
          this.word += 1;
          this.sub = 0;
          if (words < MOST_WORDS) line.words[words++] = (wh ^ joint) & ~1;
        }
        wh = 0;
        joint = 0;
        masked = false;
        isKey = true;
        const symbol = p - from === 1 ? 32 : WIDE;
        h1 = Math.imul(h1 ^ symbol, PRIME);
        h2 = (Math.imul(h2, 31) + symbol) | 0;
      } else if (kind === NEWLINE) {
        break;
      } else if (kind === RETURN) {
        const next = p + 1 < limit ? b[p + 1]! : 10;
        p += 1;
        if (next === 10 || next === 13) continue;
        // Overwritten: start again with what follows.
        h1 = SEED1;
        h2 = SEED2;
        this.word = 0;
        this.sub = 0;
        line.numbers = 0;
        words = 0;
        wh = 0;
        joint = 0;
        masked = false;
        isKey = true;
        start = p;
        body = p;
        line.start = p;
      } else {
        h1 = Math.imul(h1 ^ c, PRIME);
        h2 = (Math.imul(h2, 31) + c) | 0;
        p += 1;
        if (joint !== 0) wh = Math.imul(wh ^ joint, PRIME);
        joint = c;
        if (!isKey) continue;
        if (c === 61 || (c === 58 && isKeyColon(p < limit ? b[p]! : 10))) {
          if (wh !== 0 && words < MOST_WORDS) {
            line.words[words++] = (wh ^ c) | 1;
            wh = 0;
            joint = 0;
          }
          isKey = false;
        } else if (!KEY_MARKS[c]) isKey = false;
      }
    }
    if ((wh !== 0 || joint !== 0) && words < MOST_WORDS) line.words[words++] = (wh ^ joint) & ~1;
    let end = p;
    while (end > start && b[end - 1] === 13) end -= 1;
    line.end = end;
    line.body = body;
    line.wordCount = words;
    const shape = this.ids.id(h1, h2, line);
    this.shapes[this.count] = shape;
    if (line.numbers > 0) this.ids.numbers(shape, this.count, line);
    return p < limit ? p + 1 : limit;
  }

  /** A number with decimals whose digits before the point are `[from, point)`; returns its end, 0 if it is none. */
  private decimal(line: LineView, from: number, point: number, start: number): number {
    const { bytes: b } = line;
    if (from > start && isJoined(b, from, from, start, b.length)) return 0;
    const end = decimalEnd(b, point + 1, b.length);
    if (end === 0) return 0;
    const unit = unitAt(b, end, b.length);
    this.note(line, decimalValue(b, from, point, end) * unit.scale, true);
    return unit.end;
  }

  private note(line: LineView, value: number, isMeasure: boolean): void {
    const at = line.numbers;
    if (at >= MOST_NUMBERS) return;
    line.values[at] = value;
    line.slots[at] = (this.word << 3) | Math.min(this.sub, 7);
    line.measures[at] = isMeasure ? 1 : 0;
    line.numbers = at + 1;
    this.sub += 1;
  }
}

/** Marks between two numbers that are one: `10.0.0.1`, `12:30`, `1,000`, `3/4`. */
const JOINTS = marks('.:,/+-');
/** Marks that a key may hold: `"app.name":`, `http/path=`. */
const KEY_MARKS = marks('"\'([{_.@/-');

function marks(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const c of text) table[c.charCodeAt(0)] = 1;
  return table;
}

/** Does this byte behind a colon make the word before it a key? `app:name`, `State: x`, not `http://x`. */
function isKeyColon(next: number): boolean {
  return CLASS[next] !== 0 || KEY_VALUE_MARKS[next] === 1;
}

const KEY_VALUE_MARKS = marks('"\'[{-');

function viewOf(bytes: Uint8Array): LineView {
  return {
    bytes,
    start: 0,
    end: 0,
    body: 0,
    values: new Float64Array(MOST_NUMBERS),
    slots: new Uint16Array(MOST_NUMBERS),
    measures: new Uint8Array(MOST_NUMBERS),
    numbers: 0,
    words: new Int32Array(MOST_WORDS),
    wordCount: 0,
  };
}
