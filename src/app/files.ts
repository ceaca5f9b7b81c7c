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
  useVocabulary(() => read(`${__dirname}/vocabulary.bin`));
}

/** As `readFileSync`, of which each part would have to be compiled first. Throws where the file is not there or not whole. */
function read(path: string): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(fstatSync(fd).size);
    if (readFully(fd, bytes, 0) !== bytes.length) throw new Error(`${path} can't be read`);
    return bytes;
  } finally {
    closeSync(fd);
  }
}
