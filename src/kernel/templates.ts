// Groups the shapes of lines by the likeness of their words, in the manner of Drain: shapes of as many words are compared
// word by word, each by what it tells; near ones share a template in which differing words are wildcards. A key (`took=`,
// `State:`) must be equal, or parameters of unlike fields would mix.
import { alloc, enlarged, reserve } from './memory';
import { WEIGHTS } from './weights';

/** Templates of a bucket that are looked at, latest first; found by the selection spike. */
const LOOK_BACK: u32 = 60;
/** What a wildcard adds to the likeness. */
const WILDCARD_VALUE: f64 = 0.3;
/** No word and no key hashes to it. */
const WILDCARD: u32 = 0x7ffffffe;
const MOST_WORDS: u32 = 160;

@unmanaged
export class Templates {
  least: f64;
  count: u32;
  /** Of each number of words: how many templates, room for how many, their ids and words. */
  buckets: usize;
}
const BUCKET: u32 = 16;

export function newTemplates(least: f64): Templates {
  const templates = changetype<Templates>(alloc(16));
  templates.least = least;
  templates.buckets = alloc((MOST_WORDS + 1) * BUCKET);
  return templates;
}

/** The template of these words, which weigh `all`; a near one takes them in. */
export function assign(templates: Templates, words: usize, n: u32, all: f64): u32 {
  const bucket = templates.buckets + n * BUCKET;
  const count = load<u32>(bucket);
  const list = load<usize>(bucket, 8);
  let best: usize = 0;
  let bestScore: f64 = -1;
  const first = count > LOOK_BACK ? count - LOOK_BACK : 0;
  for (let i = count; i > first; i -= 1) {
    const entry = list + ((i - 1) << 3);
    const score = likeness(load<usize>(entry, 4), words, n);
    if (score > bestScore) {
      bestScore = score;
      best = entry;
      if (score === all) break;
    }
  }
  if (best !== 0 && bestScore >= templates.least * all) {
    merge(load<usize>(best, 4), words, n);
    return load<u32>(best);
  }
  return add(templates, bucket, words, n);
}

function add(templates: Templates, bucket: usize, words: usize, n: u32): u32 {
  const count = load<u32>(bucket);
  if (count === load<u32>(bucket, 4)) {
    const room = max(4, count * 2);
    store<usize>(bucket, enlarged(load<usize>(bucket, 8), count << 3, room << 3), 8);
    store<u32>(bucket, room, 4);
  }
  const id = templates.count;
  const copy = reserve(n << 2);
  memory.copy(copy, words, n << 2);
  const entry = load<usize>(bucket, 8) + (count << 3);
  store<u32>(entry, id);
  store<usize>(entry, copy, 4);
  store<u32>(bucket, count + 1);
  templates.count = id + 1;
  return id;
}

/** Weight of the equal words; 0 where a key differs, or the first of two words. */
function likeness(template: usize, words: usize, n: u32): f64 {
  if (n <= 2 && load<u32>(template) !== load<u32>(words)) return 0;
  let equal: f64 = 0;
  for (let i: u32 = 0; i < n; i += 1) {
    const a = load<u32>(template + (i << 2));
    const b = load<u32>(words + (i << 2));
    const weight = load<f64>(WEIGHTS + (i << 3));
    if (a === b) equal += weight;
    else if (a === WILDCARD && (b & 1) === 0) equal += weight * WILDCARD_VALUE;
    else if ((a & 1) === 1 || (b & 1) === 1) return 0;
  }
  return equal;
}

function merge(template: usize, words: usize, n: u32): void {
  for (let at: usize = 0; at < n << 2; at += 4) {
    if (load<u32>(template + at) !== load<u32>(words + at)) store<u32>(template + at, WILDCARD);
  }
}
