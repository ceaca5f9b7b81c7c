import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useKernel } from '../core/kernel.ts';
import { sha256Of } from '../core/sha256.ts';
import { useVocabulary } from '../core/word-filter.ts';
import { useSmallSha } from '../store/hash.ts';

/** Gives the core its files, which lie beside this module: the kernel and the vocabulary. They are read when needed. */
export function provideFiles(): void {
  useKernel(() => readFileSync(join(__dirname, 'kernel.wasm')));
  useSmallSha(sha256Of);
  useVocabulary(() => readFileSync(join(__dirname, 'vocabulary.bin')));
}
