import { isUtf8 } from 'node:buffer';
import { hasEscapes, stripEscapes, strippedOffsets } from './escapes.ts';
import { failurePlaces } from './failures.ts';
import { latin1 } from './chars.ts';
import { NUMBERS } from './policy.ts';
import { estimateTokens } from './tokens.ts';

/** Finds up to `limit` places in a line that must stay visible; offsets in the latin1 string. */
export type Places = (line: string, limit: number) => number[];

/** A part of a line that goes, in bytes of the line. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a kept line that go: what a carriage return overwrote, and of a line over 700 characters all but its
 * head, its tail and windows around up to 8 failures or matches. `line` is without its line end.
 */
export function cutsOf(line: Uint8Array, places: Places): Cut[] {
  const overwritten = line.lastIndexOf(13, line.length - 2) + 1;
  if (overwritten > 0) {
    const cut = { start: 0, end: overwritten };
    return worthwhile(line, cut) ? [cut] : [];
  }
  if (line.length <= NUMBERS.longLine) return [];
  const text = stripEscapes(line);
  if (text.length <= NUMBERS.longLine) return [];
  const offsets = hasEscapes(line) ? strippedOffsets(line) : undefined;
  const whole = isUtf8(line);
  return hiddenParts(text, places)
    .map(({ start, end }) => ({ start: boundary(text, start, whole), end: boundary(text, end, whole) }))
    .filter((cut) => worthwhile(text, cut))
    .map(({ start, end }) =>
      offsets === undefined ? { start, end } : { start: offsets[start]!, end: offsets[end]! },
    );
}

function hiddenParts(text: Uint8Array, places: Places): Cut[] {
  const { longHead, longTail, longWindow, longPlaces } = NUMBERS;
  const line = latin1(text);
  const shown: Cut[] = [{ start: 0, end: longHead }];
  const found = [...failurePlaces(text, longPlaces), ...places(line, longPlaces)].sort((a, b) => a - b);
  for (const at of found) shown.push({ start: at - 120, end: at + longWindow - 120 });
  shown.push({ start: text.length - longTail, end: text.length });
  const hidden: Cut[] = [];
  let at = 0;
  for (const window of shown.sort((a, b) => a.start - b.start)) {
    if (window.start > at) hidden.push({ start: at, end: window.start });
    at = Math.max(at, window.end);
  }
  return hidden;
}

function worthwhile(text: Uint8Array, { start, end }: Cut): boolean {
  if (end - start < 60) return false;
  return estimateTokens(text, start, Math.min(end, start + 4096)) >= NUMBERS.shortMarker + NUMBERS.gapGain;
}

/** Never inside a character of UTF-8. */
function boundary(text: Uint8Array, at: number, whole: boolean): number {
  if (!whole) return at;
  let end = at;
  while (end < text.length && (text[end]! & 0xc0) === 0x80) end += 1;
  return end;
}

/** Characters of a byte range: code points of UTF-8, or bytes. */
export function countCharacters(bytes: Uint8Array, isText: boolean): number {
  if (!isText) return bytes.length;
  let count = 0;
  for (const c of bytes) if ((c & 0xc0) !== 0x80) count += 1;
  return count;
}
