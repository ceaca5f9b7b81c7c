/**
 * The hashes of the originals in LMDB as a plain file: 32 bytes each, sorted. gc writes it, so that the pipe can tell a
 * second original with the same first digits, and a reader can say what it misses, without opening LMDB. It may name
 * more than there is for the length of a gc run, never less.
 */
import { closeSync, fstatSync } from 'node:fs';
import { hex } from '../core/native.ts';
import { openToRead, readFully, replaceFile } from './files.ts';
import type { Folder } from './folder.ts';
import type { Sha } from './port.ts';

const SHA_BYTES = 32;

/** Replaces the file. */
export function writeKnown(folder: Folder, shas: Iterable<Sha>): void {
  const sorted = [...new Set(shas)].sort();
  replaceFile(folder, folder.known, Buffer.from(sorted.join(''), 'hex'), 'sync');
}

/** The known hashes that start with `prefix` (hex digits), in order; at most 16. Reads about 20 times 32 bytes. */
export function knownWithPrefix(folder: Pick<Folder, 'known'>, prefix: string): Sha[] {
  const fd = openToRead(folder.known);
  if (fd === undefined) return [];
  try {
    const count = Math.floor(fstatSync(fd).size / SHA_BYTES);
    const bytes = new Uint8Array(SHA_BYTES);
    const at = (index: number): Sha => {
      readFully(fd, bytes, index * SHA_BYTES);
      return hex(bytes);
    };
    const found: Sha[] = [];
    for (let index = firstNotBelow(count, at, prefix); index < count && found.length < 16; index += 1) {
      const sha = at(index);
      if (!sha.startsWith(prefix)) break;
      found.push(sha);
    }
    return found;
  } finally {
    closeSync(fd);
  }
}

function firstNotBelow(count: number, at: (index: number) => Sha, prefix: string): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
