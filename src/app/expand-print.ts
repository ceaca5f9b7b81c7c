import type { Original } from './expand-read.ts';

/** Takes the output in order. It must be done with a chunk when it returns. */
export type Sink = (chunk: Uint8Array) => void;

/** Gathers small pieces, so that the sink gets few and large ones. */
export interface Printer {
  text(text: string): void;
  /** The original's bytes `[start, end)`. */
  bytes(start: number, end: number): void;
  flush(): void;
}

const CHUNK = 64 * 1024;

export function createPrinter(original: Original, sink: Sink): Printer {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const flush = (): void => {
    const chunk = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    if (chunk.length > 0) sink(chunk);
  };
  const push = (piece: Uint8Array): void => {
    pieces.push(piece);
    size += piece.length;
    if (size >= CHUNK) flush();
  };
  return {
    text: (text) => push(Buffer.from(text)),
    bytes: (start, end) => {
      for (const piece of original.pieces(start, end)) push(piece);
    },
    flush,
  };
}
