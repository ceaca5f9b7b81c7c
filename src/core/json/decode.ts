/** The text of a JSON string, and where each of its bytes comes from. */
export interface Decoded {
  /** UTF-8; a lone surrogate is U+FFFD. */
  readonly bytes: Uint8Array;
  /** The place in the raw bytes of an offset in the text that no escape is torn by. */
  readonly placeOf: (offset: number) => number;
}

const SHORT: ReadonlyMap<number, number> = new Map(
  [...'"\\/bfnrt'].map((c, i) => [c.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(i)] as const),
);

/** Decodes the raw bytes `[start, end)` between the quotes of a string. */
export function decodeString(text: Uint8Array, start: number, end: number): Decoded {
  const b = text.subarray(0, end);
  const bytes = new Uint8Array(end - start);
  // Behind each escape: its place in the text and in the raw bytes.
  const texts: number[] = [0];
  const raws: number[] = [start];
  let size = 0;
  for (let at = start; at < end;) {
    const slash = b.indexOf(92, at);
    const stop = slash < 0 ? end : slash;
    bytes.set(b.subarray(at, stop), size);
    size += stop - at;
    if (stop === end) break;
    const { code, next } = escapeAt(b, stop, end);
    size = writeUtf8(bytes, size, code);
    texts.push(size);
    raws.push(next);
    at = next;
  }
  const placeOf = (offset: number): number => {
    let low = 0;
    let high = texts.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (texts[mid]! <= offset) low = mid;
      else high = mid - 1;
    }
    return raws[low]! + offset - texts[low]!;
  };
  return { bytes: bytes.subarray(0, size), placeOf };
}

/** The character of the escape at `at`, and where what follows starts. A torn escape is the replacement character. */
function escapeAt(b: Uint8Array, at: number, end: number): { code: number; next: number } {
  const short = SHORT.get(b[at + 1] ?? 0);
  if (short !== undefined && at + 1 < end) return { code: short, next: at + 2 };
  const unit = unitAt(b, at, end);
  if (unit < 0) return { code: REPLACEMENT, next: Math.min(end, at + 2) };
  if (unit < 0xd800 || unit > 0xdfff) return { code: unit, next: at + 6 };
  const low = unit < 0xdc00 ? unitAt(b, at + 6, end) : -1;
  if (low < 0xdc00 || low > 0xdfff) return { code: REPLACEMENT, next: at + 6 };
  return { code: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), next: at + 12 };
}

const REPLACEMENT = 0xfffd;

/** The UTF-16 unit of `\uXXXX` at `at`; -1 where there is none. */
function unitAt(b: Uint8Array, at: number, end: number): number {
  if (at + 6 > end || b[at] !== 92 || b[at + 1] !== 117) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i += 1) {
    const c = b[i]! | 32;
    const digit = c >= 97 && c <= 102 ? c - 87 : b[i]! >= 48 && b[i]! <= 57 ? b[i]! - 48 : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function writeUtf8(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  bytes[at] = [0, 0xc0, 0xe0, 0xf0][more]! | (code >> (6 * more));
  for (let i = 1; i <= more; i += 1) bytes[at + i] = 0x80 | ((code >> (6 * (more - i))) & 63);
  return at + more + 1;
}
