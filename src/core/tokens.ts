import { joined } from './chars.ts';
import { kernel, place } from './kernel.ts';
import { useWords } from './word-filter.ts';

/**
 * Estimated o200k tokens of a byte range, a real number.
 *
 * Text is cut as the o200k pattern cuts it (words with their humps, digits in threes, runs of marks, blanks), and a word
 * counts as one token where the vocabulary has it; else it is cut into the longest pieces that the vocabulary has. The
 * kernel does it (src/kernel/tokens.ts).
 */
export function estimateTokens(b: Uint8Array, start: number, end: number): number {
  useWords();
  const { tokens } = kernel();
  const at = place(b.subarray(start, end), 'line');
  return tokens(at, at + (end - start), 0);
}

/** Estimated tokens of a text in pieces, which are joined so that what they cut counts once. */
export function estimateChunks(chunks: readonly Uint8Array[]): number {
  let tokens = 0;
  let group: Uint8Array[] = [];
  let size = 0;
  const close = (): void => {
    if (size > 0) tokens += estimateTokens(joined(group), 0, size);
    group = [];
    size = 0;
  };
  for (const chunk of chunks) {
    group.push(chunk);
    size += chunk.length;
    if (size >= JOINED) close();
  }
  close();
  return tokens;
}

const JOINED = 1 << 16;

interface Bytes {
  readonly length: number;
  read(start: number, end: number): Uint8Array;
}

const WINDOW = 128;
const WINDOWS = 12;

/** Estimated tokens of a source; above 1.5 KiB from 12 windows of 128 bytes, spread evenly. */
export function estimateSource(source: Bytes): number {
  return densityOf(source, 0, source.length) * source.length;
}

/** Estimated tokens a byte of a range. */
export function densityOf(source: Bytes, from: number, to: number): number {
  const size = to - from;
  if (size <= WINDOW * WINDOWS) {
    const bytes = source.read(from, to);
    return estimateTokens(bytes, 0, bytes.length) / Math.max(1, size);
  }
  let sampled = 0;
  const step = (size - WINDOW) / (WINDOWS - 1);
  for (let i = 0; i < WINDOWS; i += 1) {
    const start = from + Math.floor(i * step);
    sampled += estimateTokens(source.read(start, start + WINDOW), 0, WINDOW);
  }
  return sampled / (WINDOW * WINDOWS);
}
