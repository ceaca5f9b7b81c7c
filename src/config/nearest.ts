/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replace, last[j]! + 1, row[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/**
 * The word somebody most likely meant, or undefined when none is near: at most a third of its letters may differ.
 * Case, `-` and `_` don't count, so `keepPatterns` is `keep_patterns`.
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const wanted = bare(word);
  if (wanted === '' || wanted.length > 40) return undefined;
  let best: string | undefined;
  let bestEdits = Infinity;
  for (const candidate of words) {
    const target = bare(candidate);
    const edits = distance(wanted, target);
    if (edits < bestEdits && edits <= Math.floor(target.length / 3)) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[-_\s]/g, '');
}
