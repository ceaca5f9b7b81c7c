import { BLANK, CLASS, DIGIT, LETTER, NEWLINE, PUNCT, RETURN } from './chars.ts';
import { isToken } from './word-filter.ts';

/**
 * Estimated o200k tokens of a byte range, a real number.
 *
 * Text is cut as the o200k pattern cuts it (words with their humps, digits in threes, runs of marks, blanks), and a word
 * counts as one token where the vocabulary has it; else it is cut into the longest pieces that the vocabulary has.
 */
// oxlint-disable-next-line max-lines-per-function complexity -- one pass over bytes; calls would halve its speed
export function estimateTokens(b: Uint8Array, start: number, end: number): number {
  let total = 0;
  let at = start;
  while (at < end) {
    const c = b[at]!;
    const kind = CLASS[c]!;
    const from = at;
    if (kind === LETTER) {
      if (c >= 128) {
        while (at < end && b[at]! >= 128) at += 1;
        total += nonAscii(c) * (at - from);
      } else {
        at = humpEnd(b, at, end);
        total += wordTokens(b, from, from, at);
      }
    } else if (kind === DIGIT) {
      at += 1;
      while (at < end && CLASS[b[at]!] === DIGIT) at += 1;
      total += Math.ceil((at - from) / 3);
    } else if (kind === PUNCT) {
      at += 1;
      if (at < end && isAsciiLetter(b[at]!)) {
        // One mark before a word belongs to it.
        const word = at;
        at = humpEnd(b, at, end);
        total += wordTokens(b, from, word, at);
        continue;
      }
      while (at < end && CLASS[b[at]!] === PUNCT) at += 1;
      total += markTokens(b, from, at);
      while (at < end && (CLASS[b[at]!] === NEWLINE || CLASS[b[at]!] === RETURN)) at += 1;
    } else if (kind === BLANK) {
      at += 1;
      while (at < end && CLASS[b[at]!] === BLANK) at += 1;
      if (at >= end) {
        total += 1;
        continue;
      }
      const next = CLASS[b[at]!]!;
      if (next === NEWLINE || next === RETURN) continue;
      const joins = b[at - 1] === 32 && next !== DIGIT;
      if (at - from > 1) total += blanks(at - from - 1);
      if (!joins) total += 1;
      else if (next === LETTER && b[at]! < 128) {
        const word = at;
        at = humpEnd(b, at, end);
        total += wordTokens(b, word - 1, word, at);
      } else if (next === PUNCT) {
        const mark = at;
        while (at < end && CLASS[b[at]!] === PUNCT) at += 1;
        total += markTokens(b, mark - 1, at);
        while (at < end && (CLASS[b[at]!] === NEWLINE || CLASS[b[at]!] === RETURN)) at += 1;
      }
    } else {
      at += 1;
      while (at < end && (CLASS[b[at]!] === NEWLINE || CLASS[b[at]!] === RETURN)) at += 1;
      total += 1;
    }
  }
  return total;
}

function isAsciiLetter(c: number): boolean {
  return (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
}

/** Capitals, then small letters: `HTTPServer` is one hump, `AirPort` two. */
function humpEnd(b: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && b[at]! >= 65 && b[at]! <= 90) at += 1;
  while (at < end && b[at]! >= 97 && b[at]! <= 122) at += 1;
  return at;
}

/** Tokens of one hump; `from` is the blank or mark before it, or the hump itself. */
function wordTokens(b: Uint8Array, from: number, word: number, end: number): number {
  if (end - from <= 2) return 1;
  let h1 = 0x811c9dc5 | 0;
  let h2 = 0x1234567;
  for (let at = from; at < end; at += 1) {
    h1 = Math.imul(h1 ^ b[at]!, 0x01000193);
    h2 = (Math.imul(h2, 31) + b[at]!) | 0;
  }
  if (isToken(h1, h2)) return 1;
  let tokens = 0;
  let at = from;
  while (at < end) {
    at = longestToken(b, at, at === from ? word : at, end);
    tokens += 1;
  }
  return tokens;
}

/** Where the longest known token that starts at `from` ends; three letters where none is known. */
function longestToken(b: Uint8Array, from: number, word: number, end: number): number {
  let h1 = 0x811c9dc5 | 0;
  let h2 = 0x1234567;
  const last = Math.min(end, from + 17);
  let best = Math.min(end, word + 2);
  for (let at = from; at < last; at += 1) {
    h1 = Math.imul(h1 ^ b[at]!, 0x01000193);
    h2 = (Math.imul(h2, 31) + b[at]!) | 0;
    if (at - from >= 2 && at + 1 > best && isToken(h1, h2)) best = at + 1;
  }
  return best;
}

/** Tokens of a run of marks; `from` may be the blank before it. */
function markTokens(b: Uint8Array, from: number, to: number): number {
  let tokens = 0;
  for (let at = from; at < to;) {
    let run = at + 1;
    while (run < to && b[run] === b[at]) run += 1;
    if (run - at >= 8) {
      tokens += Math.max(1, (run - at) / 40);
      at = run;
      continue;
    }
    at = longestMarks(b, at, to);
    tokens += 1;
  }
  return tokens;
}

function longestMarks(b: Uint8Array, from: number, end: number): number {
  let h1 = 0x811c9dc5 | 0;
  let h2 = 0x1234567;
  const last = Math.min(end, from + 17);
  let best = b[from] === 32 ? from + 2 : from + 1;
  for (let at = from; at < last; at += 1) {
    h1 = Math.imul(h1 ^ b[at]!, 0x01000193);
    h2 = (Math.imul(h2, 31) + b[at]!) | 0;
    if (at > from && at + 1 > best && isToken(h1, h2)) best = at + 1;
  }
  return best;
}

/** Tokens of a run of blanks. */
function blanks(size: number): number {
  return Math.max(1, size / 80);
}

/** Tokens a byte of text outside ASCII, by the lead byte of its script. */
function nonAscii(lead: number): number {
  if (lead >= 0xf0) return 0.6;
  if (lead === 0xe2) return 0.5;
  if (lead >= 0xe3 && lead <= 0xed) return 0.27;
  if (lead === 0xe0) return 0.16;
  if (lead >= 0xd0 && lead <= 0xdf) return 0.16;
  return 0.44;
}

interface Bytes {
  readonly length: number;
  read(start: number, end: number): Uint8Array;
}

const WINDOW = 128;
const WINDOWS = 12;

/** Estimated tokens of a source; above 1.5 KiB from 12 windows of 128 bytes, spread evenly. */
export function estimateSource(source: Bytes): number {
  return densityOf(source, 0, source.length) * source.length;
}

/** Estimated tokens a byte of a range. */
export function densityOf(source: Bytes, from: number, to: number): number {
  const size = to - from;
  if (size <= WINDOW * WINDOWS) {
    const bytes = source.read(from, to);
    return estimateTokens(bytes, 0, bytes.length) / Math.max(1, size);
  }
  let sampled = 0;
  const step = (size - WINDOW) / (WINDOWS - 1);
  for (let i = 0; i < WINDOWS; i += 1) {
    const start = from + Math.floor(i * step);
    sampled += estimateTokens(source.read(start, start + WINDOW), 0, WINDOW);
  }
  return sampled / (WINDOW * WINDOWS);
}
