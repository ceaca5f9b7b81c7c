import { BLANK, CLASS, DIGIT, LETTER, NEWLINE, RETURN } from './chars.ts';
import { StampFinder } from './stamp.ts';
import { unitAt, unitWordAt } from './units.ts';

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

/** What the scan found of the line it stands on. Offsets are in the scanned bytes. */
export interface LineView {
  readonly bytes: Uint8Array;
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
 * Cuts text into lines and gives each the id of its exact shape: the line with time stamp, numbers, ids and hex masked,
 * every word kept. Zero, and 400 to 599 standing alone, are not masked: they change what a line means.
 *
 * Of a line that was overwritten by carriage returns only the last state counts.
 */
export class LineScan {
  /** Shape of each line. */
  readonly shapes: Uint32Array;
  count = 0;
  private readonly ids: ShapeIds;
  private readonly stamps = new StampFinder();
  private readonly values = new Float64Array(MOST_NUMBERS);
  private readonly slots = new Uint16Array(MOST_NUMBERS);
  private readonly measures = new Uint8Array(MOST_NUMBERS);
  private readonly words = new Int32Array(MOST_WORDS);

  constructor(ids: ShapeIds, lines: number) {
    this.ids = ids;
    this.shapes = new Uint32Array(lines);
  }

  /** Scans a chunk of whole lines (the last may lack its line end), without their control sequences. */
  push(bytes: Uint8Array): void {
    const line: LineView = {
      bytes,
      start: 0,
      end: 0,
      body: 0,
      values: this.values,
      slots: this.slots,
      measures: this.measures,
      numbers: 0,
      words: this.words,
      wordCount: 0,
    };
    let at = this.count === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    while (at < bytes.length && this.count < this.shapes.length) {
      at = this.scanLine(line, at);
      this.count += 1;
    }
  }

  /** A last line that held nothing but control sequences is an empty one. */
  finish(): void {
    for (; this.count < this.shapes.length; this.count += 1)
      this.shapes[this.count] = this.ids.id(1, 1, emptyLine());
  }

  /** Scans the line at `at`; returns where the next one starts. */
  // oxlint-disable-next-line max-lines-per-function complexity -- the hot loop: one pass over every byte of the input
  private scanLine(line: LineView, at: number): number {
    const b = line.bytes;
    const limit = b.length;
    let start = at;
    let h1 = 0x811c9dc5 | 0;
    let h2 = 0x1234567;
    let word = 0;
    let sub = 0;
    let numbers = 0;
    // The word so far: its hash; whether its end was masked, and a mark behind that; whether it may still be a key.
    let wh = 0;
    let masked = false;
    let joint = 0;
    let isKey = true;
    let words = 0;
    let p = at;
    let body = at;
    line.start = at;
    const stamped = this.stamps.find(b, p, limit);
    if (stamped > p) {
      if (CLASS[b[p]!] === LETTER && CLASS[b[p + 1]!] === DIGIT) h1 = Math.imul(h1 ^ b[p]!, 0x01000193);
      h1 = Math.imul(h1 ^ STAMP, 0x01000193);
      p = stamped;
      body = stamped;
    }
    for (;;) {
      if (p >= limit) break;
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
          w1 = Math.imul(w1 ^ ch, 0x01000193);
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
          wh = Math.imul(wh ^ joint ^ run, 0x01000193);
          joint = 0;
          masked = false;
          continue;
        }
        isKey = false;
        // A run with digits: a number, a number with a unit, or an id.
        let symbol: number;
        if (digits === p - from) {
          const left = from > start ? b[from - 1]! : 32;
          const right = p < limit ? b[p]! : 10;
          const joinedLeft =
            (left === 46 || left === 58 || left === 45 || left === 47) &&
            from - 1 > start &&
            CLASS[b[from - 2]!] === DIGIT;
          const joinedRight =
            (right === 46 || right === 58 || right === 45 || right === 47) &&
            p + 1 < limit &&
            CLASS[b[p + 1]!] === DIGIT;
          if (joinedLeft || left === 95 || right === 95 || digits > 15) symbol = COMPOUND;
          else if (joinedRight) {
            const q = right === 46 ? decimalEnd(b, p + 1, limit) : 0;
            if (q > 0) {
              const scaled = unitAt(b, q, limit);
              if (numbers < MOST_NUMBERS) {
                this.values[numbers] = decimalValue(b, from, p, q) * scaled.scale;
                this.slots[numbers] = (word << 3) | (sub < 7 ? sub : 7);
                this.measures[numbers] = 1;
                numbers += 1;
                sub += 1;
              }
              p = scaled.end;
              symbol = NUMBER;
            } else symbol = COMPOUND;
          } else {
            let value = 0;
            for (let q = from; q < p; q += 1) value = value * 10 + (b[q]! - 48);
            const percent = right === 37 || (right === 32 && unitWordAt(b, p, limit)) ? 1 : 0;
            if (numbers < MOST_NUMBERS) {
              this.values[numbers] = value;
              this.slots[numbers] = (word << 3) | (sub < 7 ? sub : 7);
              this.measures[numbers] = percent;
              numbers += 1;
              sub += 1;
            }
            symbol = value === 0 ? ZERO : digits === 3 && value >= 400 && value < 600 ? HTTP_ERROR : NUMBER;
          }
        } else {
          let q = from;
          let value = 0;
          while (q < p && CLASS[b[q]!] === DIGIT) value = value * 10 + (b[q++]! - 48);
          const scaled = q > from && q - from <= 15 ? unitAt(b, q, limit) : NO_UNIT;
          if (scaled.end > q && scaled.end >= p) {
            if (numbers < MOST_NUMBERS) {
              this.values[numbers] = value * scaled.scale;
              this.slots[numbers] = (word << 3) | (sub < 7 ? sub : 7);
              this.measures[numbers] = 1;
              numbers += 1;
              sub += 1;
            }
            p = scaled.end;
            symbol = NUMBER;
          } else {
            // Letter runs of three and more that can't be hex keep their letters: `fail3` and `ok7` differ.
            symbol = MIXED;
            for (let q2 = from; q2 < p;) {
              if (CLASS[b[q2]!] === DIGIT) {
                q2 += 1;
                continue;
              }
              const part = q2;
              let hex = true;
              while (q2 < p && CLASS[b[q2]!] === LETTER) {
                const low = b[q2]! | 32;
                if (low < 97 || low > 102) hex = false;
                q2 += 1;
              }
              if ((q2 - part >= 3 && !hex) || (q2 - part === 1 && part === from && b[part]! < 97)) {
                for (let q3 = part; q3 < q2; q3 += 1) {
                  h1 = Math.imul(h1 ^ b[q3]!, 0x01000193);
                  h2 = (Math.imul(h2, 31) + b[q3]!) | 0;
                  wh = Math.imul(wh ^ b[q3]!, 0x01000193);
                }
              }
            }
          }
        }
        h1 = Math.imul(h1 ^ symbol, 0x01000193);
        h2 = (Math.imul(h2, 31) + symbol) | 0;
        // `10.0.0.1:80` is one mask: a joint between two goes.
        if (!masked) wh = Math.imul(wh ^ joint ^ MASK, 0x01000193);
        else if (joint !== 0 && !JOINTS[joint])
          wh = Math.imul(Math.imul(wh ^ joint, 0x01000193) ^ MASK, 0x01000193);
        joint = 0;
        masked = true;
        continue;
      }
      if (kind === BLANK) {
        const from = p;
        p += 1;
        while (p < limit && CLASS[b[p]!] === BLANK) p += 1;
        if (p >= limit || b[p] === 10 || b[p] === 13) continue;
        if (from > body) {
          word += 1;
          sub = 0;
          if (words < MOST_WORDS) this.words[words++] = (wh ^ joint) & ~1;
        }
        wh = 0;
        joint = 0;
        masked = false;
        isKey = true;
        const symbol = p - from === 1 ? 32 : WIDE;
        h1 = Math.imul(h1 ^ symbol, 0x01000193);
        h2 = (Math.imul(h2, 31) + symbol) | 0;
        continue;
      }
      if (kind === NEWLINE) break;
      if (kind === RETURN) {
        const next = p + 1 < limit ? b[p + 1]! : 10;
        p += 1;
        if (next === 10 || next === 13) continue;
        // Overwritten: start again with what follows.
        h1 = 0x811c9dc5 | 0;
        h2 = 0x1234567;
        word = 0;
        sub = 0;
        numbers = 0;
        words = 0;
        wh = 0;
        joint = 0;
        masked = false;
        isKey = true;
        start = p;
        body = p;
        line.start = p;
        continue;
      }
      h1 = Math.imul(h1 ^ c, 0x01000193);
      h2 = (Math.imul(h2, 31) + c) | 0;
      p += 1;
      if (joint !== 0) wh = Math.imul(wh ^ joint, 0x01000193);
      joint = c;
      if (!isKey) continue;
      if (c === 61 || (c === 58 && isKeyColon(p < limit ? b[p]! : 10))) {
        if (wh !== 0 && words < MOST_WORDS) {
          this.words[words++] = (wh ^ c) | 1;
          wh = 0;
          joint = 0;
        }
        isKey = false;
      } else if (!KEY_MARKS[c]) isKey = false;
    }
    if ((wh !== 0 || joint !== 0) && words < MOST_WORDS) this.words[words++] = (wh ^ joint) & ~1;
    let end = p;
    while (end > start && b[end - 1] === 13) end -= 1;
    line.end = end;
    line.body = body;
    line.numbers = numbers;
    line.wordCount = words;
    const shape = this.ids.id(h1, h2, line);
    this.shapes[this.count] = shape;
    if (numbers > 0) this.ids.numbers(shape, this.count, line);
    return p < limit ? p + 1 : limit;
  }
}

const MASK = 0x108;
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
  const kind = CLASS[next]!;
  return (
    kind === LETTER ||
    kind === DIGIT ||
    kind === BLANK ||
    kind === NEWLINE ||
    kind === RETURN ||
    next === 34 ||
    next === 39 ||
    next === 91 ||
    next === 123 ||
    next === 45
  );
}

const NO_UNIT = { end: -1, scale: 1 };

/** Where the decimals that start at `at` end, if the number ends there too; else 0 (`1.2.3`, `10.0.0.1`). */
function decimalEnd(b: Uint8Array, at: number, limit: number): number {
  let p = at;
  while (p < limit && CLASS[b[p]!] === DIGIT) p += 1;
  if (p >= limit) return p;
  const c = b[p]!;
  if ((c === 46 || c === 58 || c === 45 || c === 47) && p + 1 < limit && CLASS[b[p + 1]!] === DIGIT) return 0;
  if (c === 95) return 0;
  return CLASS[c] === LETTER && unitAt(b, p, limit).end === p ? 0 : p;
}

function decimalValue(b: Uint8Array, from: number, point: number, to: number): number {
  let value = 0;
  for (let p = from; p < point; p += 1) value = value * 10 + (b[p]! - 48);
  let scale = 0.1;
  for (let p = point + 1; p < to && p < point + 12; p += 1) {
    value += (b[p]! - 48) * scale;
    scale /= 10;
  }
  return value;
}

function emptyLine(): LineView {
  const none = new Uint8Array(0);
  return {
    bytes: none,
    start: 0,
    end: 0,
    body: 0,
    values: new Float64Array(0),
    slots: new Uint16Array(0),
    measures: none,
    numbers: 0,
    words: new Int32Array(0),
    wordCount: 0,
  };
}
