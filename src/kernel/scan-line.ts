// Gives each line the id of its exact shape: the line with time stamp, numbers, ids and hex masked, every word kept. Zero,
// and 400 to 599 standing alone, are not masked: they change what a line means. Of a line that was overwritten by carriage
// returns only the last state counts.
import { BLANK, classAt, DIGIT, isDigitAt, LETTER, NEWLINE, RETURN } from './chars';
import { digitsFrom, hexIdEnd, isGenerated } from './ids';
import { Line, MEASURES, MOST_NUMBERS, MOST_WORDS, SLOTS, VALUES, WORDS } from './line';
import { isKeyColon, JOINTS, KEY_MARKS } from './scan-marks';
import { findStamp, Layout } from './stamp';
import {
  decimalEnd,
  decimalValue,
  isJoined,
  ratio,
  ratioEnd,
  scale,
  unitEnd,
  unitWordAt,
  wholeValue,
} from './units';

/** Symbols that stand for what a shape does not spell out. */
const NUMBER: u64 = 0x101;
const ZERO: u64 = 0x102;
const HTTP_ERROR: u64 = 0x103;
const MIXED: u64 = 0x104;
const COMPOUND: u64 = 0x105;
const STAMP: u64 = 0x106;
const WIDE: u64 = 0x107;
const MASK: u32 = 0x108;

const PRIME: u32 = 0x01000193;
const PRIME64: u64 = 0x9e3779b97f4a7c15;
export const SEED: u64 = 0x811c9dc501234567;

/** The hash of the line that was scanned last. */
export let pending: u64 = 0;

let word: u32 = 0;
let sub: u32 = 0;

export function mix(h: u64, symbol: u64): u64 {
  const x = (h ^ symbol) * PRIME64;
  // As `rotl` the baseline compiler calls a function of the runtime each time.
  return (x << 29) | (x >>> 35);
}

/** A hash of the letters and digits `[from, to)`. Reads up to 7 bytes behind them. */
function hashRun(from: usize, to: usize): u64 {
  let h: u64 = <u64>(to - from);
  let p = from;
  for (; p + 8 < to; p += 8) h = mix(h, load<u64>(p));
  const rest = (to - p) << 3;
  h = (h ^ (load<u64>(p) & (<u64>-1 >>> (64 - rest)))) * PRIME64;
  return h ^ (h >>> 29);
}

/** Scans the line at `from` of a text, which ends at `limit`, and leaves its hash in `pending`; returns where the next one starts. */
// oxlint-disable-next-line max-lines-per-function, complexity -- the hot loop: one pass over every byte
export function scanLine(view: Line, layout: Layout, text: usize, from: usize, limit: usize): usize {
  let start = from;
  let h = SEED;
  // The word so far: its hash, whether its end is masked, a mark behind that, whether it may still be a key.
  let wh: u32 = 0;
  let masked = false;
  let joint: u32 = 0;
  let isKey = true;
  let words: u32 = 0;
  let p = from;
  let body = from;
  view.numbers = 0;
  word = 0;
  sub = 0;
  const stamped = findStamp(layout, text, p, limit);
  if (stamped > p) {
    // The severity letter of klog is no part of the stamp.
    if (classAt(p) === LETTER && isDigitAt(p + 1)) h = mix(h, load<u8>(p));
    h = mix(h, STAMP);
    p = stamped;
    body = stamped;
  }
  while (p < limit) {
    const kind = classAt(p);
    if (kind === LETTER || kind === DIGIT) {
      const run = p;
      let digits: u32 = 0;
      let k = kind;
      do {
        digits += k - LETTER;
        p += 1;
        k = classAt(p);
      } while (k - LETTER < 2);
      const mark: u32 = load<u8>(p);
      const id = mark === 45 || mark === 58 ? hexIdEnd(run, p, limit) : 0;
      if (digits === 0 && id === 0 && !(joint === 45 && isGenerated(run, p, masked))) {
        const hash = hashRun(run, p);
        h = mix(h, hash);
        wh = (wh ^ joint ^ <u32>hash) * PRIME;
        joint = 0;
        masked = false;
        continue;
      }
      isKey = false;
      let symbol: u64;
      if (id !== 0) {
        symbol = COMPOUND;
        p = id;
      } else if (digits === 0) symbol = MIXED;
      else if (digits === <u32>(p - run)) {
        if (isJoined(run, p, start, limit) || digits > 15) {
          symbol = COMPOUND;
          const end = p < limit && digits <= 15 ? fraction(view, run, p, start, limit) : 0;
          if (end > 0) {
            p = end;
            symbol = NUMBER;
          }
        } else {
          const value = wholeValue(run, p);
          const next: u32 = load<u8>(p);
          note(view, value, next === 37 || (next === 32 && unitWordAt(p, limit)));
          symbol = value === 0 ? ZERO : digits === 3 && value >= 400 && value < 600 ? HTTP_ERROR : NUMBER;
        }
      } else {
        let q = run;
        while (q < p && isDigitAt(q)) q += 1;
        const end = q > run && q - run <= 15 ? unitEnd(q, limit) : q;
        if (end > q && end >= p) {
          p = end;
          note(view, wholeValue(run, q) * scale, true);
          symbol = NUMBER;
        } else {
          // Letter runs of three and more that can't be hex keep their letters: `fail3` and `ok7` differ.
          symbol = MIXED;
          for (q = digitsFrom(run); q < p; q += 1) {
            const part = q;
            let isHex = true;
            while (q < p && classAt(q) === LETTER) {
              if ((load<u8>(q) | 32) > 102) isHex = false;
              q += 1;
            }
            if ((q - part >= 3 && !isHex) || (q - part === 1 && part === run && load<u8>(part) < 97)) {
              for (let i = part; i < q; i += 1) {
                h = mix(h, load<u8>(i));
                wh = (wh ^ load<u8>(i)) * PRIME;
              }
            }
          }
        }
      }
      h = mix(h, symbol);
      // `10.0.0.1:80` is one mask: a joint between two goes.
      if (!masked) wh = (wh ^ joint ^ MASK) * PRIME;
      else if (joint !== 0 && load<u8>(JOINTS + joint) === 0) wh = (((wh ^ joint) * PRIME) ^ MASK) * PRIME;
      joint = 0;
      masked = true;
    } else if (kind === BLANK) {
      const gap = p;
      p += 1;
      while (p < limit && classAt(p) === BLANK) p += 1;
      if (p >= limit || classAt(p) >= NEWLINE) continue;
      if (gap > body) {
        word += 1;
        sub = 0;
        if (words < MOST_WORDS) {
          store<u32>(WORDS + (words << 2), (wh ^ joint) & ~1);
          words += 1;
        }
      }
      wh = 0;
      joint = 0;
      masked = false;
      isKey = true;
      h = mix(h, p - gap === 1 ? 32 : WIDE);
    } else if (kind === NEWLINE) {
      break;
    } else if (kind === RETURN) {
      const next: u32 = p + 1 < limit ? load<u8>(p + 1) : 10;
      p += 1;
      if (next === 10 || next === 13) continue;
      // Overwritten: start again with what follows.
      h = SEED;
      word = 0;
      sub = 0;
      view.numbers = 0;
      words = 0;
      wh = 0;
      joint = 0;
      masked = false;
      isKey = true;
      start = p;
      body = p;
    } else {
      const c: u32 = load<u8>(p);
      h = mix(h, c);
      p += 1;
      if (joint !== 0) wh = (wh ^ joint) * PRIME;
      joint = c;
      if (!isKey) continue;
      if (c === 61 || (c === 58 && isKeyColon(p < limit ? load<u8>(p) : 10))) {
        if (wh !== 0 && words < MOST_WORDS) {
          store<u32>(WORDS + (words << 2), (wh ^ c) | 1);
          words += 1;
          wh = 0;
          joint = 0;
        }
        isKey = false;
      } else if (load<u8>(KEY_MARKS + c) === 0) isKey = false;
    }
  }
  if ((wh !== 0 || joint !== 0) && words < MOST_WORDS) {
    store<u32>(WORDS + (words << 2), (wh ^ joint) & ~1);
    words += 1;
  }
  let end = p;
  while (end > start && load<u8>(end - 1) === 13) end -= 1;
  view.start = start;
  view.end = end;
  view.body = body;
  view.words = words;
  pending = h;
  return p < limit ? p + 1 : limit;
}

/** A ratio `n/m`, or a number with decimals, whose first digits are `[from, point)`; returns its end, 0 if it is neither. */
function fraction(view: Line, from: usize, point: usize, start: usize, limit: usize): usize {
  const mark: u32 = load<u8>(point);
  if (mark === 47) {
    const stop = ratioEnd(from, point, start, limit);
    if (stop > 0) note(view, ratio, false);
    return stop;
  }
  if (mark !== 46) return 0;
  if (from > start && isJoined(from, from, start, limit)) return 0;
  const end = decimalEnd(point + 1, limit);
  if (end === 0) return 0;
  const stop = unitEnd(end, limit);
  note(view, decimalValue(from, point, end) * scale, true);
  return stop;
}

function note(view: Line, value: f64, isMeasure: bool): void {
  const i = view.numbers;
  if (i >= MOST_NUMBERS) return;
  store<f64>(VALUES + (i << 3), value);
  store<u16>(SLOTS + (i << 1), (word << 3) | min(sub, 7));
  store<u8>(MEASURES + i, isMeasure ? 1 : 0);
  view.numbers = i + 1;
  sub += 1;
}
