import { VOCABULARY } from './vocabulary.ts';

/** Is a run of bytes (letters, perhaps behind one blank or mark) one token of o200k? Wrong for about 0.4 % of others. */
let bytes: Uint8Array | undefined;

const { seed, segment } = VOCABULARY;

/** Looks a word up by the hashes that `wordHashes` describes. */
export function isToken(h1: number, h2: number): boolean {
  bytes ??= Buffer.from(VOCABULARY.data, 'base64');
  const a = mixed(h1 ^ seed);
  const b = mixed(h2 + seed);
  const found =
    bytes[(a >>> 0) % segment]! ^
    bytes[segment + ((b >>> 0) % segment)]! ^
    bytes[2 * segment + ((mixed(a ^ b) >>> 0) % segment)]!;
  return found === (mixed(h1 + Math.imul(h2, 7)) & 255);
}

function mixed(h: number): number {
  let x = h | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
