import { placeFilter } from './kernel.ts';

/**
 * Which runs of bytes are one token of o200k: letters, alone or behind one blank or mark, and runs of marks. An xor
 * filter of 8 bits a word (Graf and Lemire, "Xor Filters", 2020), written by scripts/vocabulary.mjs; about 0.4 % of other
 * words pass, too. Its first eight bytes are the seed and the size of a segment, little-endian; the kernel looks words up.
 */
let load: ((room: Uint8Array) => void) | undefined;
let isThere = false;

/** Says where the filter comes from: `read` puts it at the beginning of a room, when it is first asked. */
export function useVocabulary(read: (room: Uint8Array) => void): void {
  load ??= read;
}

/** Gives the kernel the filter. Throws where no vocabulary was provided. */
export function useWords(): void {
  if (isThere) return;
  if (load === undefined) throw new Error('no vocabulary was provided');
  placeFilter(load);
  isThere = true;
}
