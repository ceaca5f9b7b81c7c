export const NO_JSON = -1;
export const UNFINISHED = -2;

/**
 * Where the JSON value that starts at `at` with `{` or `[` ends; `NO_JSON` where it is none, `UNFINISHED` where the bytes
 * end before it. It looks at tokens and brackets, not at commas: enough to tell JSON from prose, code and logs.
 */
// oxlint-disable-next-line complexity -- a scanner: one branch a byte class
export function jsonEnd(b: Uint8Array, at: number, limit = b.length): number {
  let depth = 0;
  let p = at;
  while (p < limit) {
    const c = b[p]!;
    if (c === 34) {
      p = stringEnd(b, p + 1, limit);
      if (p < 0) return p;
      continue;
    }
    if (c === 123 || c === 91) depth += 1;
    else if (c === 125 || c === 93) {
      depth -= 1;
      if (depth === 0) return p + 1;
    } else if (!PLAIN[c]) return NO_JSON;
    p += 1;
  }
  return UNFINISHED;
}

/** Behind the closing quote of a string whose first byte is `at`; negative where it does not end on its line. */
function stringEnd(b: Uint8Array, at: number, limit: number): number {
  let p = at;
  for (;;) {
    p = b.indexOf(34, p);
    if (p < 0 || p >= limit) return b.indexOf(10, at) < 0 ? UNFINISHED : NO_JSON;
    let slashes = 0;
    while (p - 1 - slashes >= at && b[p - 1 - slashes] === 92) slashes += 1;
    if (slashes % 2 === 0) return b.subarray(at, p).includes(10) ? NO_JSON : p + 1;
    p += 1;
  }
}

/** Bytes that JSON has outside of strings, beside brackets: blanks, `,:`, numbers, true, false, null. */
const PLAIN = (() => {
  const table = new Uint8Array(256);
  for (const c of ' \t\r\n,:-+.0123456789eEtrufalsn') table[c.charCodeAt(0)] = 1;
  return table;
})();
