import type { Address, PathAddress, Span } from '../core/address.ts';
import { atPath, type AtPath, insideString } from './expand-path.ts';
import { isPlain, isText, type Original, type Range, skipCharacters, skipLines } from './expand-read.ts';

/** The bytes that were asked for, or why there are none. `note` says what was asked for and does not exist. */
export type Located =
  /** `original` is the text that the range is in, where that is a string of the one that was asked. */
  | { readonly kind: 'range'; readonly range: Range; readonly note?: string; readonly original?: Original }
  /** Elements or members; `original` as above. */
  | (Extract<AtPath, { kind: 'records' }> & { readonly original?: Original })
  | { readonly kind: 'fault'; readonly message: string };

type InLines = Extract<Located, { kind: 'range' | 'fault' }>;

/** The range of an address in an original; all of it where there is no address. */
export function locate(original: Original, address: Address | undefined): Located {
  const whole: Range = { start: 0, end: original.size, line: 1 };
  switch (address?.kind) {
    case undefined:
      return { kind: 'range', range: whole };
    case 'lines':
      return selectLines(original, whole, address, 'the original');
    case 'chars':
      return selectChars(original, whole, address);
    case 'bytes':
      return selectBytes(original, address.start, address.end);
    case 'path':
      return locatePath(original, address);
    case 'inside': {
      const inside = insideString(original, address.path);
      if (typeof inside === 'string') return { kind: 'fault', message: inside };
      const located = locate(inside.original, address.inner);
      return located.kind === 'fault' ? located : { original: inside.original, ...located };
    }
  }
}

function locatePath(original: Original, path: PathAddress): Located {
  const found = atPath(original, path);
  switch (found.kind) {
    case 'value':
      return { kind: 'range', range: found.range };
    case 'lines':
      return { kind: 'range', range: found.whole };
    default:
      return found;
  }
}

/** The bytes of the original that a marker with this address stands for; undefined where there are none. */
export function spanOf(original: Original, address: Address): { start: number; end: number } | undefined {
  if (address.kind === 'inside') {
    const inside = insideString(original, address.path);
    if (typeof inside === 'string') return undefined;
    const span = spanOf(inside.original, address.inner);
    return span && { start: inside.placeOf(span.start), end: inside.placeOf(span.end) };
  }
  if (address.kind === 'path') {
    const found = atPath(original, address);
    return found.kind === 'fault' ? undefined : found.whole;
  }
  const located = locate(original, address);
  return located.kind === 'range' && located.note === undefined ? located.range : undefined;
}

/** Lines `from` to `to` of a range, counted from 1 at its start. `where` names the range in messages. */
export function selectLines(original: Original, range: Range, span: Span, where: string): InLines {
  const first = skipLines(original, range, span.from - 1);
  if (first.skipped < span.from - 1 || first.byte >= range.end) {
    const total = first.skipped + (first.byte < range.end ? 1 : 0);
    return { kind: 'fault', message: beyond(`line ${span.from}`, where, plural(total, 'line')) };
  }
  const rest = { start: first.byte, end: range.end, line: range.line && range.line + first.skipped };
  const count = span.to - span.from + 1;
  const last = skipLines(original, rest, count);
  if (last.skipped === count) return { kind: 'range', range: { ...rest, end: last.byte } };
  const total = first.skipped + last.skipped + (last.byte < range.end ? 1 : 0);
  if (total >= span.to) return { kind: 'range', range: rest };
  return { kind: 'range', range: rest, note: `${where} ends at line ${total}` };
}

/** The number of the line that a byte is in; reads all before it. */
export function lineOf(original: Original, byte: number): number {
  return skipLines(original, { start: 0, end: byte, line: 1 }, Number.MAX_SAFE_INTEGER).skipped + 1;
}

function selectChars(original: Original, whole: Range, address: Address & { kind: 'chars' }): Located {
  const { line, from, to } = address;
  const located = selectLines(original, whole, { from: line, to: line }, 'the original');
  if (located.kind === 'fault') return located;
  const { range } = located;
  const ended = original.read(range.end - 1, range.end)[0] === 10;
  const content = { ...range, end: ended ? range.end - 1 : range.end };
  const text = !isPlain(original, content) && isText(original);
  const start = skipCharacters(original, content, from - 1, text);
  if (start.byte >= content.end) {
    const total = plural(start.skipped, text ? 'character' : 'byte');
    return { kind: 'fault', message: beyond(`character ${from}`, `line ${line}`, total) };
  }
  const rest = { ...content, start: start.byte };
  const end = skipCharacters(original, rest, to - from + 1, text);
  const note = end.skipped < to - from + 1 && `line ${line} ends at character ${from - 1 + end.skipped}`;
  return { kind: 'range', range: { ...rest, end: end.byte }, ...(note && { note }) };
}

function selectBytes(original: Original, start: number, end: number): Located {
  if (start >= original.size) {
    const message = beyond(`byte ${start}`, 'the original', plural(original.size, 'byte'));
    return { kind: 'fault', message };
  }
  const range = { start, end: Math.min(end, original.size), line: undefined };
  return end <= original.size
    ? { kind: 'range', range }
    : { kind: 'range', range, note: `the original ends at byte ${original.size}` };
}

function beyond(what: string, where: string, total: string): string {
  return `${what} is beyond the end: ${where} has ${total}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
