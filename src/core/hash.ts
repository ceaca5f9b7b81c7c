import { CLASS, DIGIT, LETTER } from './chars.ts';

/** A 53-bit hash of a byte range. */
export function hashBytes(b: Uint8Array, from: number, to: number): number {
  let h1 = 0x811c9dc5 | 0;
  let h2 = 0x1234567;
  for (let at = from; at < to; at += 1) {
    h1 = Math.imul(h1 ^ b[at]!, 0x01000193);
    h2 = (Math.imul(h2, 31) + b[at]!) | 0;
  }
  return joinHash(h1, h2);
}

/** The same with digits masked, and with them short letter runs beside them: ids of one kind hash alike. */
export function hashMasked(b: Uint8Array, from: number, to: number): number {
  let h1 = 0x811c9dc5 | 0;
  let h2 = 0x1234567;
  let at = from;
  while (at < to) {
    const c = b[at]!;
    const kind = CLASS[c]!;
    let symbol = c;
    if (kind === DIGIT || kind === LETTER) {
      const start = at;
      let digits = 0;
      while (at < to && (CLASS[b[at]!] === LETTER || CLASS[b[at]!] === DIGIT)) {
        if (CLASS[b[at]!] === DIGIT) digits += 1;
        at += 1;
      }
      if (digits > 0) symbol = 0x101;
      else {
        for (let p = start; p < at; p += 1) {
          h1 = Math.imul(h1 ^ b[p]!, 0x01000193);
          h2 = (Math.imul(h2, 31) + b[p]!) | 0;
        }
        continue;
      }
    } else at += 1;
    h1 = Math.imul(h1 ^ symbol, 0x01000193);
    h2 = (Math.imul(h2, 31) + symbol) | 0;
  }
  return joinHash(h1, h2);
}

function joinHash(h1: number, h2: number): number {
  return (h1 >>> 0) * 0x200000 + ((h2 >>> 0) & 0x1fffff);
}
