import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/** o200k tokens of a text. */
export function countTokens(text) {
  return count(text, { allowedSpecial: 'all' });
}
