import { latin1Bytes } from './native.ts';
import { kernel, place } from './kernel.ts';

/** What a part of a text may hold, as bits: looked for once, as most texts have none of it. */
export const SIGN = {
  /** A diff, a list of changes or a status. */
  diff: 1,
  /** A marker of this or another tool. */
  marker: 2,
  /** Control sequences: any of the others may be between them. */
  escapes: 4,
} as const;

export const DIFF_SIGNS = [
  '\ndiff -',
  '\n@@',
  'file changed',
  'files changed',
  '\nUntracked files:',
  '\nChanges ',
];
/** Every marker has one of these in it. */
const MARKER_SIGNS = ['<<c', 'hash=', 'recall ', 'retrieve ', 'tokf raw', '[full output'];
const ALL = latin1Bytes([...DIFF_SIGNS, ...MARKER_SIGNS].join('\0'));

/** Bytes of a source and the signs in them. */
export interface Signed {
  readonly base: number;
  readonly size: number;
  readonly signs: number;
}

/** The signs in bytes; `text` is the same without control sequences. */
export function signsIn(raw: Uint8Array, text: Uint8Array): number {
  const at = place(text);
  const found = kernel().needlesIn(at, at + text.length, place(ALL, 'line'), ALL.length);
  const isDiff = (found & ((1 << DIFF_SIGNS.length) - 1)) !== 0;
  const isMarked = found >> DIFF_SIGNS.length !== 0;
  return (isDiff ? SIGN.diff : 0) | (isMarked ? SIGN.marker : 0) | (raw === text ? 0 : SIGN.escapes);
}

/** May there be markers of this or another tool in `[from, to)`? */
export function mayHoldMarkers(parts: readonly Signed[], from: number, to: number): boolean {
  return parts.some(
    ({ base, size, signs }) =>
      base < to && base + size > from && (signs & (SIGN.marker | SIGN.escapes)) !== 0,
  );
}
