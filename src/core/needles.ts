import { kernel, place } from './kernel.ts';

/** Is one of up to 8 texts of 3 bytes and more anywhere in the bytes? */
export function holdsAny(bytes: Uint8Array, texts: readonly string[]): boolean {
  const needles = Buffer.from(texts.join('\0'), 'latin1');
  const at = place(bytes);
  return kernel().holdsNeedle(at, at + bytes.length, place(needles, 'line'), needles.length) !== 0;
}
