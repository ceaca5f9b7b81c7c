import { kernel, memoryWords } from './kernel.ts';
import { type Odd, ODD, rareValue } from './odd.ts';

/** Members of the kernel's record (src/kernel/twins.ts), by their offset in 32-bit words. */
const COUNT = 0;
const REPEATS = 1;
const ROWS = 2;
const MOST_REPEATS = 4;

/** Share of the cells of a column that look like ids, at least. */
const IDS = 0.8;

/** Both rows of each id that comes twice, in a column of `filled` cells whose other ids come once. */
export function twinRows(at: number, filled: number): Odd[] {
  kernel().flushTwins(at);
  const words = memoryWords();
  const from = at >> 2;
  const count = words[from + COUNT]!;
  const repeats = words[from + REPEATS]!;
  if (repeats === 0 || repeats > MOST_REPEATS || repeats > ODD.rareShare * count) return [];
  if (count < IDS * filled) return [];
  const rows = words[from + ROWS]! >> 2;
  return Array.from({ length: repeats }, (_, n) => words.slice(rows + 2 * n, rows + 2 * n + 2)).flatMap(
    (pair) => [...pair].map((row) => rareValue(row, pair, 2, count)),
  );
}
