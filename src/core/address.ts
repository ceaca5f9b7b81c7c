/** The address grammar of docs/marker-format.md: where in an original something is. */

/** A run counted as people count: `from` and `to` belong to it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A place in structured text: object keys and array indexes as they are, not percent-encoded. */
export interface PathAddress {
  readonly kind: 'path';
  /** The YAML document, from 0. */
  readonly document?: number;
  /** Empty only with a `document` or a `range`. */
  readonly segments: readonly string[];
  /** Elements of the array at the path, from 0, inclusive. */
  readonly range?: Span;
}

export type Address =
  /** `L12-48`: lines, from 1, inclusive. */
  | { readonly kind: 'lines'; readonly from: number; readonly to: number }
  /** `L12:c300-9000`: characters of a line, from 1, inclusive: code points where the original is UTF-8, else bytes. */
  | { readonly kind: 'chars'; readonly line: number; readonly from: number; readonly to: number }
  /** `B4096-9000`: the bytes `[start, end)`, from 0, as `--json` prints them. */
  | { readonly kind: 'bytes'; readonly start: number; readonly end: number }
  | PathAddress
  /** `stdout:L12-48`: an address inside the decoded string at a path. */
  | { readonly kind: 'inside'; readonly path: PathAddress; readonly inner: Address };

export type ParsedAddress =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'invalid'; readonly message: string };

/** The longest address that a marker carries, in bytes; what is longer is written in bytes. */
export const MAX_MARKER_ADDRESS = 64;
const MAX_ADDRESS = 4096;

/** A first segment of this form is a line or byte address, or a mistyped one, never a path. */
const LINE_OR_BYTE_LIKE = /^[LB][+-]?\d[\d.,+LB-]*$/;
const RANGE_LIKE = /^\d+-\d*$/;
/** An object key that is the empty string, as a segment. */
const EMPTY_KEY = '%';

const EXAMPLES =
  'write L12-48 (lines), L12:c300-9000 (characters of a line), B4096-9000 (bytes) or items/5-146 (a path)';

/** The address that `text` is; a message that says what is allowed, with examples, where it is none. */
export function parseAddress(text: string): ParsedAddress {
  if (text.length > MAX_ADDRESS) return invalid(text, `an address has at most ${MAX_ADDRESS} characters`);
  const colon = text.indexOf(':');
  const head = colon < 0 ? text : text.slice(0, colon);
  const tail = colon < 0 ? undefined : text.slice(colon + 1);
  if (LINE_OR_BYTE_LIKE.test(head)) {
    if (head.startsWith('B')) return parseBytes(text);
    return tail === undefined ? parseLines(text) : parseChars(text, head, tail);
  }
  const path = parsePath(text, head);
  if (tail === undefined || path.kind === 'invalid') return path;
  if (path.address.range) return invalid(text, 'what follows `:` is inside one value, not a range of them');
  const inner = parseAddress(tail);
  if (inner.kind === 'invalid') return inner;
  return found({ kind: 'inside', path: path.address, inner: inner.address });
}

/** The canonical text of an address; `parseAddress` gives the address back. Throws RangeError for a key with a lone surrogate. */
export function formatAddress(address: Address): string {
  switch (address.kind) {
    case 'lines':
      return `L${formatSpan(address)}`;
    case 'chars':
      return `L${address.line}:c${formatSpan(address)}`;
    case 'bytes':
      return `B${address.start}-${address.end}`;
    case 'path':
      return formatPath(address);
    case 'inside':
      return `${formatPath(address.path)}:${formatAddress(address.inner)}`;
  }
}

/** The text of an address for a marker: `bytes`, the same place as `[start, end)` of the input, where it is too long or there is none. */
export function markerAddress(address: Address | undefined, bytes: readonly [number, number]): string {
  const text = address !== undefined && isWritable(address) ? formatAddress(address) : '';
  if (text !== '' && text.length <= MAX_MARKER_ADDRESS) return text;
  return formatAddress({ kind: 'bytes', start: bytes[0], end: bytes[1] });
}

/** `A-B`, `A` or the same with an `L` before it: lines from 1, inclusive, counted inside an address. */
export function parseLineSpan(text: string): ParsedAddress {
  return parseLines(/^\d/.test(text) ? `L${text}` : text);
}

function parseLines(text: string): ParsedAddress {
  const match = /^L(\d+)(?:-(\d+))?$/.exec(text);
  if (!match) return invalid(text, 'lines are one number or two with `-` between them');
  const span = countedSpan(match[1]!, match[2], 1);
  if (typeof span === 'string') return invalid(text, span);
  return found({ kind: 'lines', ...span });
}

function parseChars(text: string, head: string, tail: string): ParsedAddress {
  const line = /^L(\d+)$/.exec(head);
  const chars = /^c(\d+)(?:-(\d+))?$/.exec(tail);
  if (!line || !chars) return invalid(text, 'after one line and `:` come its characters');
  const lines = countedSpan(line[1]!, undefined, 1);
  if (typeof lines === 'string') return invalid(text, lines);
  const span = countedSpan(chars[1]!, chars[2], 1);
  if (typeof span === 'string') return invalid(text, span);
  return found({ kind: 'chars', line: lines.from, ...span });
}

function parseBytes(text: string): ParsedAddress {
  const match = /^B(\d+)-(\d+)$/.exec(text);
  if (!match) return invalid(text, 'bytes are two numbers with `-` between them');
  const span = countedSpan(match[1]!, match[2], 0);
  if (typeof span === 'string') return invalid(text, span);
  if (span.from === span.to)
    return invalid(text, 'it is empty: bytes count from 0, and the end is not part of it');
  return found({ kind: 'bytes', start: span.from, end: span.to });
}

function parsePath(
  text: string,
  head: string,
): { kind: 'address'; address: PathAddress } | { kind: 'invalid'; message: string } {
  const raw = head.split('/');
  const document = /^@(\d+)$/.exec(raw[0]!);
  if (document) raw.shift();
  const range = parseRange(raw.at(-1));
  if (typeof range === 'string') return invalid(text, range);
  if (range) raw.pop();
  const segments: string[] = [];
  for (const segment of raw) {
    const key = decodeSegment(segment);
    if (key === undefined) return invalid(text, segmentFault(segment));
    segments.push(key);
  }
  const address: PathAddress = { kind: 'path', segments, ...(range && { range }) };
  if (!document) return found(address);
  const number = Number(document[1]);
  return Number.isSafeInteger(number) ? found({ ...address, document: number }) : invalid(text, TOO_LARGE);
}

function parseRange(segment: string | undefined): Span | string | undefined {
  if (segment === undefined || !RANGE_LIKE.test(segment)) return undefined;
  const dash = segment.indexOf('-');
  const to = segment.slice(dash + 1);
  return to === '' ? 'a range needs both ends' : countedSpan(segment.slice(0, dash), to, 0);
}

function decodeSegment(segment: string): string | undefined {
  if (segment === EMPTY_KEY) return '';
  if (!/^(?:[A-Za-z0-9_.-]|%[0-9A-Fa-f]{2})+$/.test(segment)) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function segmentFault(segment: string): string {
  if (segment === '') return `a path has no empty part (\`${EMPTY_KEY}\` is the empty key)`;
  return 'a key holds [A-Za-z0-9_.-], and every other byte of its UTF-8 as %XX';
}

function formatPath(path: PathAddress): string {
  const parts = path.segments.map(encodeSegment);
  const last = parts.length - 1;
  if (last >= 0 && LINE_OR_BYTE_LIKE.test(parts[0]!)) parts[0] = escapeFirst(parts[0]!);
  if (last >= 0 && !path.range && RANGE_LIKE.test(parts[last]!)) parts[last] = escapeFirst(parts[last]!);
  if (path.document !== undefined) parts.unshift(`@${path.document}`);
  if (path.range) parts.push(`${path.range.from}-${path.range.to}`);
  return parts.join('/');
}

function encodeSegment(key: string): string {
  if (key === '') return EMPTY_KEY;
  if (!key.isWellFormed())
    throw new RangeError('a key with a lone surrogate has no path; use a byte address');
  return encodeURIComponent(key).replace(/[!~*'()]/g, escapeFirst);
}

/** Percent-encodes the first character, so that a key can't be read as anything else. */
function escapeFirst(text: string): string {
  return `%${text.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}${text.slice(1)}`;
}

function isWritable(address: Address): boolean {
  if (address.kind === 'inside') return isWritable(address.path) && isWritable(address.inner);
  return address.kind !== 'path' || !address.segments.some((key) => !key.isWellFormed());
}

const TOO_LARGE = `no number is over ${Number.MAX_SAFE_INTEGER}`;

/** A span of two decimal numbers, or what is wrong with it. */
function countedSpan(first: string, second: string | undefined, least: 0 | 1): Span | string {
  const from = Number(first);
  const to = second === undefined ? from : Number(second);
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return TOO_LARGE;
  if (from < least) return 'lines and characters count from 1';
  if (to < from) return `its end comes before its start: did you mean ${to}-${from}?`;
  return { from, to };
}

function formatSpan(span: Span): string {
  return span.from === span.to ? String(span.from) : `${span.from}-${span.to}`;
}

function found<A extends Address>(address: A): { kind: 'address'; address: A } {
  return { kind: 'address', address };
}

function invalid(text: string, fault: string): { kind: 'invalid'; message: string } {
  const shown = text.length > 48 ? `${text.slice(0, 45)}...` : text;
  return { kind: 'invalid', message: `"${printable(shown)}" is no address: ${fault}; ${EXAMPLES}` };
}

/** The text with `?` for what a terminal could obey. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, '?');
}
