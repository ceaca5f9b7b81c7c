// Estimated o200k tokens of bytes. Text is cut as the o200k pattern cuts it (words with their humps, digits in threes,
// runs of marks, blanks); a word counts as one token where the vocabulary has it, else it is cut into the longest pieces
// that the vocabulary has. The vocabulary is an xor filter, see src/core/word-filter.ts.
import { BLANK, classAt, DIGIT, LETTER, NEWLINE, PUNCT, RETURN } from './chars';

/** So many blanks and the line feed behind them are one token. */
const MOST_TRAILING: usize = 28;

const SEED1: u32 = 0x811c9dc5;
const SEED2: u32 = 0x1234567;
const PRIME: u32 = 0x01000193;

let filter: usize = 0;
let seed: u32 = 0;
let segment: u32 = 1;

/** Says where the filter is: seed, size of a segment, three segments. */
export function useFilter(at: usize): void {
  seed = load<u32>(at);
  segment = load<u32>(at, 4);
  filter = at + 8;
}

function mixed(h: u32): u32 {
  let x = h;
  x = (x ^ (x >>> 16)) * 0x85ebca6b;
  x = (x ^ (x >>> 13)) * 0xc2b2ae35;
  return x ^ (x >>> 16);
}

function isToken(h1: u32, h2: u32): bool {
  const a = mixed(h1 ^ seed);
  const b = mixed(h2 + seed);
  const found =
    load<u8>(filter + (a % segment)) ^
    load<u8>(filter + segment + (b % segment)) ^
    load<u8>(filter + 2 * segment + (mixed(a ^ b) % segment));
  return found === <u8>mixed(h1 + h2 * 7);
}

/** Adds the tokens of `[from, end)` to `before`. */
export function tokens(from: usize, end: usize, before: f64): f64 {
  let total = before;
  let at = from;
  while (at < end) {
    const c: u32 = load<u8>(at);
    const kind = classAt(at);
    const start = at;
    if (kind === LETTER) {
      if (c >= 128) {
        at = sameEnd(at, end);
        if (at - start >= LEAST_RULE) {
          total += 1 + <f64>(at - start) / 36;
          continue;
        }
        at = start;
        while (at < end && load<u8>(at) >= 128 && (at === start || sameEnd(at, end) - at < LEAST_RULE))
          at += 1;
        total += nonAscii(c) * <f64>(at - start);
      } else {
        at = humpEnd(at, end);
        total += <f64>wordTokens(start, start, at);
      }
    } else if (kind === DIGIT) {
      at = runEnd(at + 1, end, DIGIT);
      total += <f64>((at - start + 2) / 3);
    } else if (kind === PUNCT) {
      at += 1;
      if (at < end && isAsciiLetter(load<u8>(at))) {
        // One mark before a word belongs to it.
        const word = at;
        at = humpEnd(at, end);
        total += <f64>wordTokens(start, word, at);
        continue;
      }
      at = runEnd(at, end, PUNCT);
      total = markTokens(start, at, total);
      at = feedsEnd(at, end);
    } else if (kind === BLANK) {
      at = runEnd(at + 1, end, BLANK);
      if (at >= end) {
        total += 1;
        continue;
      }
      const next = classAt(at);
      if (next === NEWLINE || next === RETURN) {
        if (at - start > MOST_TRAILING) total += 1;
        continue;
      }
      const joins = load<u8>(at - 1) === 32 ? next !== DIGIT : next === LETTER;
      if (at - start > 1) total += max<f64>(1, <f64>(at - start - 1) / 80);
      if (!joins) total += 1;
      else if (next === LETTER && load<u8>(at) < 128) {
        const word = at;
        at = humpEnd(at, end);
        total += <f64>wordTokens(word - 1, word, at);
      } else if (next === PUNCT) {
        const mark = at;
        at = runEnd(at, end, PUNCT);
        total = markTokens(mark - 1, at, total);
        at = feedsEnd(at, end);
      }
    } else {
      at = feedsEnd(at + 1, end);
      total += 1;
    }
  }
  return total;
}

/** A rule of so many bytes, of `─`, `━` or `═`, is a few tokens. */
const LEAST_RULE: usize = 12;

/** Where the rule ends that starts at `from`; `from` where none does. */
function sameEnd(from: usize, end: usize): usize {
  if (from + 3 > end || load<u8>(from) !== 0xe2) return from;
  const rest = load<u16>(from, 1);
  if (rest !== 0x8094 && rest !== 0x8194 && rest !== 0x9095) return from;
  let at = from + 3;
  while (at + 3 <= end && load<u8>(at) === 0xe2 && load<u16>(at, 1) === rest) at += 3;
  return at;
}

function runEnd(from: usize, end: usize, kind: u32): usize {
  let at = from;
  while (at < end && classAt(at) === kind) at += 1;
  return at;
}

/** Behind line feeds and carriage returns. */
function feedsEnd(from: usize, end: usize): usize {
  let at = from;
  while (at < end && classAt(at) >= NEWLINE) at += 1;
  return at;
}

function isAsciiLetter(c: u32): bool {
  return c - 65 < 26 || c - 97 < 26;
}

/** Capitals, then small letters: `HTTPServer` is one hump, `AirPort` two. */
function humpEnd(from: usize, end: usize): usize {
  let at = from;
  while (at < end && <u32>load<u8>(at) - 65 < 26) at += 1;
  while (at < end && <u32>load<u8>(at) - 97 < 26) at += 1;
  return at;
}

/** Tokens of one hump; `from` is the blank or mark before it, or the hump itself. */
function wordTokens(from: usize, word: usize, end: usize): u32 {
  if (end - from <= (from < word ? 2 : 1)) return 1;
  if (isWord(from, end)) return 1;
  // `=Health`: the word alone is a token.
  if (from < word && end - word > 2 && isWord(word, end)) return 2;
  let count: u32 = 0;
  let at = from;
  while (at < end) {
    at = longestToken(at, at === from ? word : at, end);
    count += 1;
  }
  return count;
}

/** Is it a token as a whole? */
function isWord(from: usize, end: usize): bool {
  let h1 = SEED1;
  let h2 = SEED2;
  for (let at = from; at < end; at += 1) {
    const c: u32 = load<u8>(at);
    h1 = (h1 ^ c) * PRIME;
    h2 = h2 * 31 + c;
  }
  return isToken(h1, h2);
}

/** Where the longest known token that starts at `from` ends; one letter where none is known, with the blank or mark before it. */
function longestToken(from: usize, word: usize, end: usize): usize {
  let h1 = SEED1;
  let h2 = SEED2;
  const last = min(end, from + 17);
  let best = min(end, from < word ? from + 2 : from + 1);
  for (let at = from; at < last; at += 1) {
    const c: u32 = load<u8>(at);
    h1 = (h1 ^ c) * PRIME;
    h2 = h2 * 31 + c;
    if (at + 1 > best && isToken(h1, h2)) best = at + 1;
  }
  return best;
}

/** Adds the tokens of a run of marks to `before`; `from` may be the blank before it. */
function markTokens(from: usize, to: usize, before: f64): f64 {
  let count: f64 = 0;
  for (let at = from; at < to;) {
    const c = load<u8>(at);
    let run = at + 1;
    while (run < to && load<u8>(run) === c) run += 1;
    if (run - at >= 8) {
      count += max<f64>(1, <f64>(run - at) / 40);
      at = run;
      continue;
    }
    at = longestMarks(at, to);
    count += 1;
  }
  return before + count;
}

function longestMarks(from: usize, end: usize): usize {
  let h1 = SEED1;
  let h2 = SEED2;
  const last = min(end, from + 17);
  let best = load<u8>(from) === 32 ? from + 2 : from + 1;
  for (let at = from; at < last; at += 1) {
    const c: u32 = load<u8>(at);
    h1 = (h1 ^ c) * PRIME;
    h2 = h2 * 31 + c;
    if (at > from && at + 1 > best && isToken(h1, h2)) best = at + 1;
  }
  return best;
}

/** Tokens a byte of text outside ASCII, by the lead byte of its script. */
function nonAscii(lead: u32): f64 {
  if (lead >= 0xf0) return 0.6;
  if (lead === 0xe2) return 0.5;
  if (lead >= 0xe3 && lead <= 0xed) return 0.27;
  if (lead === 0xe0) return 0.16;
  if (lead >= 0xd0 && lead <= 0xdf) return 0.16;
  return 0.44;
}
