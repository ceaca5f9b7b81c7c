import { kernel, place } from './kernel.ts';

/** A 53-bit hash of a byte range. */
export function hashBytes(b: Uint8Array, from: number, to: number): number {
  const at = place(b.subarray(from, to), 'line');
  return kernel().hashBytes(at, at + (to - from));
}

/** The same with digits masked, and with them short letter runs beside them: ids of one kind hash alike. */
export function hashMasked(b: Uint8Array, from: number, to: number): number {
  const at = place(b.subarray(from, to), 'line');
  return kernel().hashMasked(at, at + (to - from));
}
