import { CLASS, DIGIT, LETTER, latin1 } from './chars.ts';
import { failureOf, type Severity } from './failures.ts';

/**
 * A glance in one pass over the bytes: may a line report a failure? It is asked of every line, the model of failure only
 * of those that it does not rule out. Whatever `failureOf` finds starts at the start of a word or of a hump of a CamelCase
 * word with one of these beginnings, or is a number or a glyph where a status or a verdict stands.
 */
const BEGINNINGS = [
  ...'err fail excep fatal panic crit severe emerg alert warn wrn time-out timeout timed crash abort reject refused denied'.split(
    ' ',
  ),
  ...'forbid unauthor invalid illegal unexp unreach unhealth degraded evicted killed corrupt mismatch conflict deadlock'.split(
    ' ',
  ),
  ...'unresol exceed abnormal lost missing expired stuck inconsis backoff traceback fehler erreur oom segm segf dumped'.split(
    ' ',
  ),
  ...'sigsegv sigabrt sigbus sigkill heap- stack- global- use-after sanitizer double data leaked undefined hung blocked'.split(
    ' ',
  ),
  ..."cannot can't couldn't unable doesn't exit nonzero non-zero imagepull notready nodelost".split(' '),
  ...'createcontainer containerstatus enoent eacces eperm eexist econn etimed epipe eaddr enospc emfile ehost enet enotf'.split(
    ' ',
  ),
  ...'eai_ einval eio ebusy erofs enotdir eisdir ebadf enotempty eproto rc= rc: rc" return_code returncode'.split(
    ' ',
  ),
  'out of memory',
  'kernel panic',
  'stack overflow',
  'assertion f',
  'not found',
  'not permitted',
  'not ready',
  'not fully',
  'not ok',
  'no such',
  'no route',
  'could not',
  'does not',
  'doesnt',
  'connection reset',
  'broken pipe',
  'return code',
  'core dumped',
];

const BUCKETS: Uint8Array[][] = [[]];
/** The bucket of the beginnings whose first three bytes have this hash; 0 where there is none. */
const TABLE = new Uint8Array(4096);

for (const text of BEGINNINGS) {
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const at = slot(bytes[0]!, bytes[1]!, bytes[2]!);
  if (TABLE[at] === 0) TABLE[at] = BUCKETS.push([]) - 1;
  BUCKETS[TABLE[at]!]!.push(bytes);
}

function slot(a: number, b: number, c: number): number {
  return ((a & 31) << 7) ^ ((b & 63) << 3) ^ (c & 127);
}

/** False where the line certainly reports no failure. */
// oxlint-disable-next-line complexity -- a scanner: one branch a byte class
export function mayFail(b: Uint8Array, from: number, end: number): boolean {
  let before = 0;
  for (let at = from; at < end; at += 1) {
    const c = b[at]!;
    const kind = CLASS[c]!;
    if (kind === LETTER) {
      if (c >= 128) {
        if (c === 0xe2 ? b[at + 1] === 0x9c || b[at + 1] === 0x9d : c === 0xc3 && b[at + 1] === 0x97)
          return true;
        before = 0;
        continue;
      }
      if (before !== LETTER || c < 97) {
        const bucket = TABLE[slot(c | 32, b[at + 1]! | 32, b[at + 2]! | 32)]!;
        if (bucket !== 0 && begins(b, at, end, BUCKETS[bucket]!)) return true;
        if (before !== LETTER && (c === 69 || c === 87 || c === 70) && isLevel(b, at)) return true;
      }
    } else if (kind === DIGIT) {
      // 400 to 599 alone, and systemd's `1/FAILURE`.
      if (
        before !== DIGIT &&
        (c === 52 || c === 53) &&
        isDigit(b[at + 1]) &&
        isDigit(b[at + 2]) &&
        !isDigit(b[at + 3])
      )
        return true;
      if (b[at + 1] === 47 && b[at + 2]! >= 65 && b[at + 2]! <= 90) return true;
    }
    before = kind;
  }
  return false;
}

function begins(b: Uint8Array, at: number, end: number, texts: readonly Uint8Array[]): boolean {
  for (const text of texts) {
    if (at + text.length > end) continue;
    let i = 3;
    while (i < text.length && (b[at + i]! | 32) === text[i]!) i += 1;
    if (i >= text.length) return true;
  }
  return false;
}

/** `E0211 19:03`, `E/Tag(`, `2395 E Tag`, pytest's `E   `. */
function isLevel(b: Uint8Array, at: number): boolean {
  const next = b[at + 1];
  return isDigit(next) || next === 47 || (next === 32 && (at === 0 || CLASS[b[at - 1]!] !== LETTER));
}

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 48 && c <= 57;
}

/** Severity of the line `[from, end)`. */
export function severityAt(b: Uint8Array, from: number, end: number): Severity {
  return mayFail(b, from, end) ? failureOf(latin1(b, from, end)) : 0;
}
