import { isUtf8 } from 'node:buffer';
import { hasEscapes, stripEscapes, strippedOffsets } from './escapes.ts';
import { failurePlaces, severityAt } from './failures.ts';
import { latin1 } from './chars.ts';
import { NUMBERS } from './policy.ts';
import { estimateTokens } from './tokens.ts';

/** Finds up to `limit` places in a line that must stay visible; offsets in the latin1 string. */
export type Places = (line: string, limit: number) => number[];

/** A part of a line that goes, in bytes of the line. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  /** Failures in it. */
  readonly failures: number;
}

/** Tokens that a part hides at least: any may get the longest marker. */
const LEAST_HIDDEN = NUMBERS.hintMarker + 10;
/** Failing states of a line that stay beside its last one. */
const FAILING_STATES = 3;
/** Failures of a hidden part that are counted. */
const MOST_COUNTED = 1000;

/**
 * The parts of a kept line that go: what carriage returns overwrote, and of a line over 700 characters all but its
 * head, its tail and windows around up to 8 failures or matches. `line` is without its line end.
 */
export function cutsOf(line: Uint8Array, places: Places): Cut[] {
  if (line.subarray(0, -1).includes(13)) return overwritten(line).filter((cut) => worthwhile(line, cut));
  if (line.length <= NUMBERS.longLine) return [];
  const text = stripEscapes(line);
  if (text.length <= NUMBERS.longLine) return [];
  const offsets = hasEscapes(line) ? strippedOffsets(line) : undefined;
  return longCuts(text, places).map((cut) =>
    offsets === undefined ? cut : { ...cut, start: offsets[cut.start]!, end: offsets[cut.end]! },
  );
}

/** The parts of a long text that go: all but its head, its tail and windows around failures and matches. */
export function longCuts(text: Uint8Array, places: Places): Cut[] {
  const whole = isUtf8(text);
  return hiddenParts(text, places)
    .map(({ start, end }) => ({ start: boundary(text, start, whole), end: boundary(text, end, whole) }))
    .map((cut) => ({ ...cut, failures: countFailures(text, cut) }))
    .filter((cut) => worthwhile(text, cut));
}

function countFailures(text: Uint8Array, { start, end }: Span): number {
  return failurePlaces(text.subarray(start, end), MOST_COUNTED).length;
}

/** States of a line that a terminal overwrote, but for the first that fail. */
function overwritten(line: Uint8Array): Cut[] {
  const cuts: Cut[] = [];
  let shown = 0;
  let open = { start: 0, failures: 0 };
  for (let at = 0; at < line.length;) {
    const stop = line.indexOf(13, at);
    const end = stop < 0 ? line.length : stop + 1;
    const fails = severityAt(line, at, end) > 1;
    if (end === line.length || (fails && shown < FAILING_STATES)) {
      if (at > open.start) cuts.push({ ...open, end: at });
      open = { start: end, failures: 0 };
      shown += 1;
    } else if (fails) open.failures += 1;
    at = end;
  }
  return cuts;
}

type Span = Pick<Cut, 'start' | 'end'>;

function hiddenParts(text: Uint8Array, places: Places): Span[] {
  const { longHead, longTail, longWindow, longPlaces } = NUMBERS;
  const line = latin1(text);
  const shown: Span[] = [{ start: 0, end: longHead }];
  const found = [...failurePlaces(text, longPlaces), ...places(line, longPlaces)].sort((a, b) => a - b);
  for (const at of found) shown.push({ start: at - 120, end: at + longWindow - 120 });
  shown.push({ start: text.length - longTail, end: text.length });
  const hidden: Span[] = [];
  let at = 0;
  for (const window of shown.sort((a, b) => a.start - b.start)) {
    if (window.start > at) hidden.push({ start: at, end: window.start });
    at = Math.max(at, window.end);
  }
  return hidden;
}

function worthwhile(text: Uint8Array, { start, end }: Span): boolean {
  if (end - start < 60) return false;
  return estimateTokens(text, start, Math.min(end, start + 4096)) >= LEAST_HIDDEN;
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
