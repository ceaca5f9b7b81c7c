/** Seeded pseudo-random numbers: `next(n)` is a whole number from 0 to n - 1. The same seed gives the same ones anywhere. */
export function generator(seed) {
  let state = seed;
  const next = (n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % n;
  };
  const word = (length, radix = 36) => Array.from({ length }, () => next(radix).toString(radix)).join('');
  return { next, pick: (list) => list[next(list.length)], word };
}
