/* oxlint-disable complexity -- scanners over bytes: a branch a byte class reads better than a table of functions */
/**
 * Terminal control sequences (ECMA-48): CSI, OSC, DCS, SOS, PM, APC and two-byte escapes, in 7-bit form and as the
 * UTF-8 coded C1 characters U+0090, U+009B and U+009D.
 *
 * A sequence never crosses a line end, so lines are the same with and without them. A string sequence (a title, a
 * clipboard write) that is not closed on its line loses its introducer only: its text stays visible as text.
 */

import { searchable } from './chars.ts';

const ESC = 27;

/** Has the range a byte that may start a control sequence? */
export function hasEscapes(bytes: Uint8Array): boolean {
  const b = searchable(bytes);
  if (b.includes(ESC)) return true;
  for (let at = b.indexOf(0xc2); at !== -1 && at + 1 < b.length; at = b.indexOf(0xc2, at + 1)) {
    if (isC1(b[at + 1]!)) return true;
  }
  return false;
}

/** The bytes without their control sequences; the same array where there are none. */
export function stripEscapes(bytes: Uint8Array): Uint8Array {
  if (!hasEscapes(bytes)) return bytes;
  const out = new Uint8Array(bytes.length);
  let size = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = sequenceEnd(bytes, at);
    if (end > at) at = end;
    else out[size++] = bytes[at++]!;
  }
  return out.subarray(0, size);
}

/** For each byte that `stripEscapes` leaves, its place in the input; one more entry holds the input's length. */
export function strippedOffsets(bytes: Uint8Array): Uint32Array {
  const offsets = new Uint32Array(bytes.length + 1);
  let size = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = sequenceEnd(bytes, at);
    if (end > at) at = end;
    else offsets[size++] = at++;
  }
  offsets[size] = bytes.length;
  return offsets.subarray(0, size + 1);
}

/** Where the control sequence that starts at `at` ends; `at` itself where none starts. */
function sequenceEnd(bytes: Uint8Array, at: number): number {
  const c = bytes[at]!;
  if (c === 0xc2 && at + 1 < bytes.length && isC1(bytes[at + 1]!)) {
    return bytes[at + 1] === 0x9b ? controlEnd(bytes, at + 2) : stringEnd(bytes, at + 2);
  }
  if (c !== ESC) return at;
  const next = bytes[at + 1];
  if (next === undefined) return at + 1;
  if (next === 0x5b) return controlEnd(bytes, at + 2);
  if (next === 0x5d || next === 0x50 || next === 0x58 || next === 0x5e || next === 0x5f) {
    return stringEnd(bytes, at + 2);
  }
  let end = at + 1;
  while (end < bytes.length && bytes[end]! >= 0x20 && bytes[end]! <= 0x2f) end += 1;
  return end < bytes.length && bytes[end]! >= 0x30 && bytes[end]! <= 0x7e ? end + 1 : at + 1;
}

/** After the introducer of a CSI: parameters, intermediates, one final byte. */
function controlEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! >= 0x30 && bytes[at]! <= 0x3f) at += 1;
  while (at < bytes.length && bytes[at]! >= 0x20 && bytes[at]! <= 0x2f) at += 1;
  return at < bytes.length && bytes[at]! >= 0x40 && bytes[at]! <= 0x7e ? at + 1 : at;
}

/** After the introducer of a string sequence: to BEL or ST on the same line, else just the introducer. */
function stringEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length && bytes[at] !== 10; at += 1) {
    if (bytes[at] === 7) return at + 1;
    if (bytes[at] === ESC) return bytes[at + 1] === 0x5c ? at + 2 : from;
    if (bytes[at] === 0xc2 && bytes[at + 1] === 0x9c) return at + 2;
    if (bytes[at] === 0xc2 && isC1(bytes[at + 1] ?? 0)) return from;
  }
  return from;
}

function isC1(second: number): boolean {
  return second === 0x90 || second === 0x9b || second === 0x9d;
}
