/** Behind the closing quote of a JSON string whose first byte is `at`; -1 where it does not end on its line. */
export function stringEnd(b: Uint8Array, at: number, to: number): number {
  for (let p = at; p < to; p += 1) {
    const c = b[p]!;
    if (c === 34) return p + 1;
    if (c < 32) return -1;
    if (c === 92) p += 1;
  }
  return -1;
}
