// Judges the scalars of pools by what is known; src/core/json/verdicts.ts is asked for the others.
import { suspect } from './failures';
import { Seen } from './grid';
import { hash64, hashMasked64 } from './hash';
import { stepOf } from './paths';
import { ends, hashes, keys, kinds, owners, paths, pools, quote, starts, text, VERDICTS } from './pools';
import { NUMBER, STRING } from './tape';
import { ANY } from './tree';

/** What src/core/json/verdicts.ts has learned of a path, as bits. */
const ERROR: u32 = 2;
export const TELLING_NUMBER: u32 = 4;
/** Nothing in its key may report a failure. */
const CLEAN_KEY: u32 = 8;

/** Failures whose texts begin alike say the same. */
const TELLING_BYTES: u32 = 64;

/** The scalar that is to be judged: what tells it from others, what is known of its value, its kind and how far from its key it is. */
let asked: u32 = 0;
let askedHash: u64 = 0;
let askedSeen: Seen = changetype<Seen>(0);
let gap: u32 = 0;

/** False where the verdict of a string or a telling number is to be asked for; its path has `rule`. */
export function judge(n: u32, rule: u32, seen: Seen): bool {
  const at = (<usize>n) << 2;
  const kind: u32 = load<u8>(kinds + n);
  const from = load<u32>(starts + at);
  const key = load<u32>(keys + at);
  gap = (key === 0 ? 0 : (from - key) << 3) | kind;
  const path = load<u32>(paths + at);
  const isKeyed = key !== 0 && stepOf(pools.tree.trie, path) === ANY;
  asked = n;
  askedSeen = changetype<Seen>(0);
  if (changetype<usize>(seen) !== 0 && !isKeyed) {
    if (seen.verdict !== 0 && seen.gap === gap && rule !== 0) {
      if (seen.verdict > 1) apply(n, seen.verdict - 1);
      return true;
    }
    askedSeen = seen;
  }
  if (rule !== 0 && kind !== NUMBER && saysNothing(n, isKeyed ? rule & ~CLEAN_KEY : rule)) {
    learn(0);
    return true;
  }
  askedHash =
    hash64(text + from, text + load<u32>(ends + at)) ^
    ((((<u64>path) << 32) | <u64>load<u32>(hashes + at)) * 0x9e3779b97f4a7c15) ^
    (<u64>gap * 0xd6e8feb86659fd93);
  if (rule === 0) return false;
  const slot = slotOf(askedHash);
  if (load<u64>(slot) !== askedHash || load<u64>(slot, 8) === 0) return false;
  const severity = load<u32>(slot, 8) - 1;
  if (severity > 0) apply(n, severity);
  return true;
}

/** Can the string of a path with this rule, with its key, be no failure? */
function saysNothing(n: u32, rule: u32): bool {
  const at = (<usize>n) << 2;
  const from = load<u32>(starts + at);
  const to = load<u32>(ends + at);
  const key = load<u32>(keys + at);
  if (rule & ERROR && to - from > 2 * (load<u8>(kinds + n) === STRING ? quote : 0)) return false;
  const begin = key === 0 ? from : key;
  const first: u32 = load<u8>(text + begin);
  if (first !== 34 && isMark(first)) return false;
  const stop = text + to;
  return suspect(text + begin, text + (rule & CLEAN_KEY ? from : begin), stop) >= stop;
}

/** May a line of a test runner begin so? `✗`, `not ok`, `FAIL`, `E   `. */
function isMark(c: u32): bool {
  return c >= 128 || c === 110 || c === 70 || c === 45 || c === 69;
}

function slotOf(hash: u64): usize {
  return pools.verdicts + ((<usize>((hash ^ (hash >> 29)) & (VERDICTS - 1))) << 4);
}

/** Says what the scalar is that was asked for. */
export function poolVerdict(severity: u32): void {
  const slot = slotOf(askedHash);
  store<u64>(slot, askedHash);
  store<u64>(slot, severity + 1, 8);
  learn(severity);
  if (severity > 0) apply(asked, severity);
}

/** What is known of the value is remembered with it. */
function learn(severity: u32): void {
  if (changetype<usize>(askedSeen) === 0) return;
  askedSeen.verdict = severity + 1;
  askedSeen.gap = gap;
}

/** The unit says at least this; of failures with one number it is told what they say. */
function apply(n: u32, severity: u32): void {
  const at = (<usize>n) << 2;
  const unit = load<u32>(owners + at);
  if (severity <= load<u8>(pools.severity + unit)) return;
  store<u8>(pools.severity + unit, severity);
  const from = text + load<u32>(starts + at);
  const until = min(text + load<u32>(ends + at), from + TELLING_BYTES);
  // Another exit code or status is another failure.
  const hash = load<u8>(kinds + n) === NUMBER ? hash64(from, until) : hashMasked64(from, until);
  const failure = <u32>(hash >> 32) ^ load<u32>(paths + at);
  store<u32>(pools.failureKeys + ((<usize>unit) << 2), failure === 0 ? 1 : failure);
}
