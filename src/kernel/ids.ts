// Ids in groups: UUIDs and their like, addresses of hardware, IPv6, generated names. A group of letters is no word there, one of
// digits no number.
import { classAt, classOf, isHex, LETTER } from './chars';

const HYPHEN: u32 = 45;
const COLON: u32 = 58;

/** Groups of an id with hyphens, and hex digits of each, at least: `d18c0fc9-6a7f-4d02-beef-00000029ab10`. */
const LEAST_GROUPS: u32 = 3;
const LEAST_DIGITS: usize = 4;
/** With colons: groups at least where none are left out by `::`, and digits at most: `0a:1b:2c:3d:4e:5f`, `fe80::1ff:fe23`. */
const LEAST_PARTS: u32 = 6;
const MOST_DIGITS: usize = 4;

/** Where the id that was found last ends. */
export let idEnd: usize = 0;

/**
 * Where the id begins that the run at `start` belongs to, the first one with a digit: one of the groups of letters before it, but
 * none that begins before `from`; `start` where there is none. It ends at `idEnd`.
 */
export function hexIdStart(from: usize, start: usize, limit: usize): usize {
  let at = start;
  let first = start;
  while (at > from + 1 && isMark(load<u8>(at - 1))) {
    let group = at - 1;
    while (group > from && isHex(load<u8>(group - 1))) group -= 1;
    if (group > from && classAt(group - 1) - LETTER < 2) break;
    const isEmpty = group === at - 1;
    if (isEmpty && load<u8>(group) !== COLON) break;
    const end = isEmpty ? 0 : hexIdEnd(group, at - 1, limit);
    at = group;
    if (end === 0) continue;
    first = group;
    idEnd = end;
  }
  return first;
}

function isMark(c: u32): bool {
  return c === HYPHEN || c === COLON;
}

/**
 * Where the id ends whose first group is `[from, to)`, of letters and digits; 0 where it is none, or one without a digit, which
 * may be words.
 */
export function hexIdEnd(from: usize, to: usize, limit: usize): usize {
  const mark: u32 = to < limit ? load<u8>(to) : 10;
  if (mark === HYPHEN) return to - from < LEAST_DIGITS ? 0 : groupsEnd(from, limit, HYPHEN);
  return mark === COLON && to - from <= MOST_DIGITS ? groupsEnd(from, limit, COLON) : 0;
}

function groupsEnd(from: usize, limit: usize, mark: u32): usize {
  let groups: u32 = 0;
  let digits: u32 = 0;
  let isShort = false;
  let p = from;
  let c = mark;
  while (c === mark) {
    const start = p;
    c = p < limit ? load<u8>(p) : 10;
    while (isHex(c)) {
      if (c < 58) digits += 1;
      p += 1;
      c = p < limit ? load<u8>(p) : 10;
    }
    const size = p - start;
    if (mark === HYPHEN ? size < LEAST_DIGITS : size > MOST_DIGITS) return 0;
    if (size === 0) {
      if (isShort) return 0;
      isShort = true;
    }
    groups += 1;
    p += 1;
  }
  // What goes on with other letters, or joins a name, is none.
  if (c === 95 || classOf(c) === LETTER) return 0;
  const least: u32 = mark === HYPHEN || isShort ? LEAST_GROUPS : LEAST_PARTS;
  return groups < least || digits === 0 ? 0 : p - 1;
}

/** The letters of names that Kubernetes generates: no vowels, so that no word comes of them, and no `y`. A bit each, `a` the lowest. */
const SAFE: u32 = 0x2efbeee;
/** Letters of the part of a pod's name; behind a part with digits; and of the part of its replica set. */
const POD: usize = 5;
const SET: usize = 8;

/** Are the letters `[from, to)`, behind a `-`, a generated part of a name? `isBehindId`: what stands before that is one. */
export function isGenerated(from: usize, to: usize, isBehindId: bool): bool {
  const size = to - from;
  if (size < SET && !(isBehindId && size === POD)) return false;
  for (let p = from; p < to; p += 1) {
    const letter: u32 = <u32>load<u8>(p) - 97;
    if (letter >= 26 || ((SAFE >>> letter) & 1) === 0) return false;
  }
  return true;
}

/** The digits of `0x1f` begin behind the `x`. */
export function digitsFrom(from: usize): usize {
  return load<u8>(from) === 48 && (load<u8>(from + 1) | 32) === 120 ? from + 2 : from;
}
