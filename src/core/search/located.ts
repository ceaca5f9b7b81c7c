import { latin1 } from '../chars.ts';

/** Longest path that is looked for, in bytes. */
const MOST = 400;

/** A place in a file at the start of a line: `path:12:text`, `path:12:5: text`, `path(12,5): text`. Offsets are bytes. */
export interface Place {
  readonly pathEnd: number;
  /** Where the text behind the place starts. */
  readonly text: number;
}

/** The place that the line `[at, end)` starts with; where `known` bytes of it are a path for sure, that is not looked at. */
// oxlint-disable-next-line complexity -- a scanner: a branch a form
export function placeAt(b: Uint8Array, at: number, end: number, known = 0): Place | undefined {
  if (at === end || b[at] === 32 || b[at] === 9) return undefined;
  const stop = Math.min(end, at + MOST);
  for (let i = at + Math.max(1, known); i < stop; i += 1) {
    const c = b[i]!;
    if ((c !== 58 && c !== 40) || !isDigit(b[i + 1])) continue;
    const first = digits(b, i + 1, end);
    if (c === 40) {
      const last = b[first] === 44 ? digits(b, first + 1, end) : first;
      if (b[last] !== 41 || (b[last + 1] !== 58 && b[last + 2] !== 58)) continue;
      return i === at + known || isPath(b, at, i) ? { pathEnd: i, text: b.indexOf(58, last) + 1 } : undefined;
    }
    if (first >= end || b[first] !== 58) continue;
    if (i !== at + known && !isPath(b, at, i)) return undefined;
    const second = digits(b, first + 1, end);
    const hasColumn = second > first + 1 && second < end && (b[second] === 58 || isDash(b, second));
    return { pathEnd: i, text: hasColumn ? second + (b[second] === 58 ? 1 : 2) : first + 1 };
  }
  return undefined;
}

/** Do the bytes at `at` read `text`? */
export function startsWith(b: Uint8Array, at: number, end: number, text: Uint8Array): boolean {
  if (end - at < text.length) return false;
  for (let i = 0; i < text.length; i += 1) if (b[at + i] !== text[i]) return false;
  return true;
}

/** ` - `, as between place and message. */
function isDash(b: Uint8Array, at: number): boolean {
  return b[at] === 32 && b[at + 1] === 45 && b[at + 2] === 32;
}

export function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 48 && c <= 57;
}

/** Where the digits that start at `at` end. */
export function digits(b: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isDigit(b[i])) i += 1;
  return i;
}

/** Reads `[at, end)` like the path of a file? With a directory or an extension, or the name of a file that has none. */
export function isPath(b: Uint8Array, at: number, end: number): boolean {
  if (end - at > MOST) return false;
  for (let i = at; i < end; i += 1) if (NO_PATH[b[i]!] === 1) return false;
  return PATH.test(latin1(b, at, end));
}

/** No path has one of these; most lines that are none have one soon. */
const NO_PATH = new Uint8Array(256);
for (const mark of '"<>|*?') NO_PATH[mark.charCodeAt(0)] = 1;

const PATH =
  /^(?!.*:\/\/)(?=.*[A-Za-z_\x80-\xff])(?:[A-Za-z]:[\\/]|\.{0,2}\/)[^:"<>|*?=]+$|^(?!.*:\/\/)(?=.*[A-Za-z_\x80-\xff])(?:[\w@~^./-]+:)?[^\s:"<>|*?=[(]?[^\s:"<>|*?=]*(?:[\\/][^\s:"<>|*?=]*|\.[A-Za-z]\w{0,9})$|^[A-Z]\w*file$/;
