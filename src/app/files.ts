import { closeSync, fstatSync, openSync } from 'node:fs';
import { useKernel } from '../core/kernel.ts';
import { sha256Of } from '../core/sha256.ts';
import { useVocabulary } from '../core/word-filter.ts';
import { readFully } from '../store/files.ts';
import { useSmallSha } from '../store/hash.ts';

/** Gives the core its files, which lie beside this module: the kernel and the vocabulary. They are read when needed. */
export function provideFiles(): void {
  useKernel(() => read(`${__dirname}/kernel.wasm`));
  useSmallSha(sha256Of);
  useVocabulary((room) => void read(`${__dirname}/vocabulary.bin`, room));
}

/**
 * As `readFileSync`, of which each part would have to be compiled first; into `room` where there is one. Throws where the
 * file is not there or not whole, or larger than the room.
 */
function read(path: string, room?: Uint8Array): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const bytes = room === undefined ? new Uint8Array(size) : room.subarray(0, size);
    if (bytes.length < size || readFully(fd, bytes, 0) !== size) throw new Error(`${path} can't be read`);
    return bytes;
  } finally {
    closeSync(fd);
  }
}
