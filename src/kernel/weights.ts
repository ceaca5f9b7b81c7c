// What the words of a line tell of its template. A word that most templates have (a level, a host, a component, a masked number)
// tells little: two lines that share nothing else are two templates.
import { alloc } from './memory';
import { WORDS } from './line';

/** The weight of each word of `WORDS`: from 1 for one that no template has down to 0 for one that all have. */
export const WEIGHTS: usize = memory.data(160 * 8, 8);

/** So many templates beside those that were seen are taken to lack a word. */
const UNSEEN: f64 = 7;
/** A word, how many templates have it, and the last of them, from 1. */
const ENTRY: u32 = 12;

let table: usize = 0;
let mask: u32 = 0;
let words: u32 = 0;

/** Forgets all words. */
export function weightsStart(): void {
  mask = 255;
  words = 0;
  table = alloc((mask + 1) * ENTRY);
}

/** Weighs the `n` words of `WORDS` by the `templates` so far; returns the sum. */
export function weigh(n: u32, templates: u32): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 0; i < n; i += 1) {
    const having = load<u32>(slotOf(load<u32>(WORDS + (i << 2))), 4);
    const weight = 1 - <f64>having / (<f64>templates + UNSEEN);
    store<f64>(WEIGHTS + (i << 3), weight);
    sum += weight;
  }
  return sum;
}

/** Counts the `n` words of `WORDS`, which are those of the new template `id`, from 1. */
export function countWords(n: u32, id: u32): void {
  for (let i: u32 = 0; i < n; i += 1) {
    const entry = entryOf(load<u32>(WORDS + (i << 2)));
    if (load<u32>(entry, 8) === id) continue;
    store<u32>(entry, id, 8);
    store<u32>(entry, load<u32>(entry, 4) + 1, 4);
  }
}

function entryOf(word: u32): usize {
  const found = slotOf(word);
  if (load<u32>(found, 4) !== 0) return found;
  store<u32>(found, word);
  words += 1;
  if (words * 2 <= mask) return found;
  grow();
  return slotOf(word);
}

function slotOf(word: u32): usize {
  let slot = ((word * 0x9e3779b1) >> 8) & mask;
  let entry = table + slot * ENTRY;
  while (load<u32>(entry, 4) !== 0 && load<u32>(entry) !== word) {
    slot = (slot + 1) & mask;
    entry = table + slot * ENTRY;
  }
  return entry;
}

function grow(): void {
  const old = table;
  const end = old + (mask + 1) * ENTRY;
  mask = mask * 2 + 1;
  table = alloc((mask + 1) * ENTRY);
  for (let entry = old; entry < end; entry += ENTRY) {
    if (load<u32>(entry, 4) !== 0) memory.copy(slotOf(load<u32>(entry)), entry, ENTRY);
  }
}
