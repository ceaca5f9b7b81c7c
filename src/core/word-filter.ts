/**
 * Which runs of bytes are one token of o200k: letters, alone or behind one blank or mark, and runs of marks. An xor
 * filter of 8 bits a word (Graf and Lemire, "Xor Filters", 2020), written by scripts/vocabulary.mjs; about 0.4 % of other
 * words pass, too. Its first eight bytes are the seed and the size of a segment, little-endian.
 */
let load: (() => Uint8Array) | undefined;
let filter: Uint8Array | undefined;
let seed = 0;
let segment = 1;

/** Says where the filter comes from; it is read when it is first asked. */
export function useVocabulary(read: () => Uint8Array): void {
  load ??= read;
}

/**
 * Looks a word up by two hashes over its bytes `c`: `h = (h ^ c) * 0x01000193` from 0x811c9dc5, `h = h * 31 + c` from
 * 0x1234567, both in 32 bits. Throws where no vocabulary was provided.
 */
export function isToken(h1: number, h2: number): boolean {
  const bytes = filter ?? open();
  const a = mixed(h1 ^ seed);
  const b = mixed(h2 + seed);
  const found =
    bytes[8 + ((a >>> 0) % segment)]! ^
    bytes[8 + segment + ((b >>> 0) % segment)]! ^
    bytes[8 + 2 * segment + ((mixed(a ^ b) >>> 0) % segment)]!;
  return found === (mixed(h1 + Math.imul(h2, 7)) & 255);
}

function open(): Uint8Array {
  if (load === undefined) throw new Error('no vocabulary was provided');
  const bytes = load();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  seed = view.getUint32(0, true);
  segment = view.getUint32(4, true);
  filter = bytes;
  return bytes;
}

function mixed(h: number): number {
  let x = h | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
