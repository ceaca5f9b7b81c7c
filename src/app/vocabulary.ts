import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useVocabulary } from '../core/word-filter.ts';

/** Lets the estimator read the vocabulary, a file beside this module, when it first needs it. */
export function provideVocabulary(): void {
  useVocabulary(() => readFileSync(join(__dirname, 'vocabulary.bin')));
}
