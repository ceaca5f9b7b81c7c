/**
 * Groups the shapes of lines by the likeness of their words, in the manner of Drain: shapes of as many words are
 * compared word by word; near ones share a template in which differing words are wildcards. A key (`took=`, `State:`)
 * must be equal, or parameters of unlike fields would mix.
 */

/** Templates of a bucket that are looked at, latest first; found by the selection spike. */
const LOOK_BACK = 60;
/** What a wildcard adds to the likeness. */
const WILDCARD_VALUE = 0.3;

export class Templates {
  count = 0;
  private readonly least: number;
  private readonly buckets = new Map<number, Template[]>();

  constructor(least: number) {
    this.least = least;
  }

  /** The template of these words; a near one takes them in. */
  assign(words: Int32Array): number {
    const bucket = this.buckets.get(words.length);
    if (bucket === undefined) {
      const first = { id: this.count++, words: words.slice() };
      this.buckets.set(words.length, [first]);
      return first.id;
    }
    let best: Template | undefined;
    let bestScore = 0;
    for (let i = bucket.length - 1; i >= 0 && i >= bucket.length - LOOK_BACK; i -= 1) {
      const score = likeness(bucket[i]!.words, words);
      if (score > bestScore) {
        bestScore = score;
        best = bucket[i]!;
        if (score === 1) break;
      }
    }
    if (best !== undefined && bestScore >= this.least) {
      merge(best.words, words);
      return best.id;
    }
    const added = { id: this.count++, words: words.slice() };
    bucket.push(added);
    return added.id;
  }
}

interface Template {
  readonly id: number;
  readonly words: Int32Array;
}

/** No word and no key hashes to it. */
const WILDCARD = 0x7ffffffe;

/** Share of equal words; 0 where a key differs, or the first of two words. */
function likeness(template: Int32Array, words: Int32Array): number {
  const n = words.length;
  if (n === 0) return 1;
  if (n <= 2 && template[0] !== words[0]) return 0;
  let equal = 0;
  for (let i = 0; i < n; i += 1) {
    const a = template[i]!;
    const b = words[i]!;
    if (a === b) equal += 1;
    else if (a === WILDCARD && (b & 1) === 0) equal += WILDCARD_VALUE;
    else if ((a & 1) === 1 || (b & 1) === 1) return 0;
  }
  return equal / n;
}

function merge(template: Int32Array, words: Int32Array): void {
  for (let i = 0; i < words.length; i += 1) if (template[i] !== words[i]) template[i] = WILDCARD;
}
