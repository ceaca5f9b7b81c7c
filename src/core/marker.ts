/** The marker grammar of docs/marker-format.md: what stands in a view where a gap was, and how it is read back. */
import { type Address, MAX_MARKER_ADDRESS, parseAddress, printable } from './address.ts';
import type { Gap } from './model.ts';

/** No marker is longer, in bytes; it is ASCII, so in characters too. */
export const MAX_MARKER_BYTES = 200;
const MAX_VALUES = 4;
/** Nothing behind this many characters of what is pasted is looked at. */
const MAX_PASTED = 8192;
/** Names that a marker gives its own meaning to: a value of the input that reads so counts as `other`. */
const RESERVED = new Set(['other', 'failures', 'expand', 'input_cut_upstream']);

const ADDRESS = `[A-Za-z0-9_.%@:/-]{1,${MAX_MARKER_ADDRESS}}`;
const VALUE = '[A-Za-z0-9_./+-]{1,24}';
/** Four values, `other`, `failures` and two facts of later versions. */
const FACTS = `(?: ${VALUE}:\\d{1,16}){0,8}`;
const MARKER = `<<ctxzip(?::([0-9a-f]{12}))? (\\d{1,16})_([a-z]{1,16})(_offloaded)? (${ADDRESS})(${FACTS})( expand: ctxzip expand \\1 \\5)?>>`;
const WHOLE_VALUE = new RegExp(`^${VALUE}$`);
const WHOLE_ADDRESS = new RegExp(`^${ADDRESS}$`);

export interface MarkerFacts extends Pick<Gap, 'count' | 'unit' | 'address' | 'values' | 'failures'> {
  /** First 12 hex digits of the SHA-256 of the original, lower case. */
  readonly hash: string;
  /** `first` carries the hash and the command that opens it, `full` the hash, `short` neither. */
  readonly form: 'first' | 'full' | 'short';
  /** The input ended too early when it arrived. */
  readonly isCutUpstream?: boolean;
}

/** A marker found in a text. Whether it is ours only the store knows. */
export interface FoundMarker extends Pick<Gap, 'count' | 'unit' | 'values' | 'failures'> {
  /** `[start, end)` in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Absent in the short form. */
  readonly hash?: string;
  readonly address: Address;
}

/**
 * `<<ctxzip:ac998fea694b 88_lines_offloaded L3-90 Running:88 expand: ctxzip expand ac998fea694b L3-90>>`, or short
 * `<<ctxzip 41_lines L50-90 Running:41>>`. At most 200 bytes: the rarest values go first, into `other`, then the
 * command. Values that the grammar does not allow count as `other`. Throws RangeError for facts that make no marker.
 */
export function formatMarker(facts: MarkerFacts): string {
  assertFacts(facts);
  const values = shownValues(facts);
  const failures =
    (facts.failures > 0 ? ` failures:${facts.failures}` : '') +
    (facts.isCutUpstream === true ? ' input_cut_upstream:1' : '');
  const head =
    facts.form === 'short'
      ? `<<ctxzip ${facts.count}_${facts.unit}`
      : `<<ctxzip:${facts.hash} ${facts.count}_${facts.unit}_offloaded`;
  const hint = ` expand: ctxzip expand ${facts.hash} ${facts.address}`;
  for (const end of facts.form === 'first' ? [`${hint}>>`, '>>'] : ['>>']) {
    for (let shown = values.length; shown >= 0; shown -= 1) {
      const counts = formatValues(values.slice(0, shown), facts.count);
      const marker = `${head} ${facts.address}${counts}${failures}${end}`;
      if (marker.length <= MAX_MARKER_BYTES) return marker;
    }
  }
  throw new RangeError('a marker without values and command is longer than 200 bytes');
}

/** The markers in a text, full and short, in order. */
export function findMarkers(text: string): FoundMarker[] {
  const markers: FoundMarker[] = [];
  for (const match of text.matchAll(new RegExp(MARKER, 'g'))) {
    const [whole, hash, count, unit, offloaded, address, facts, hint] = match;
    const parsed = parseAddress(address!);
    if ((hash === undefined) !== (offloaded === undefined) || parsed.kind === 'invalid') continue;
    if ((hint !== undefined && hash === undefined) || whole.length > MAX_MARKER_BYTES) continue;
    markers.push({
      start: match.index,
      end: match.index + whole.length,
      ...(hash !== undefined && { hash }),
      count: Number(count),
      unit: unit!,
      address: parsed.address,
      ...parseFacts(facts!),
    });
  }
  return markers;
}

const FOREIGN = [
  '<<(?:ctxzip|ccr|cg)[: ]',
  '\\bRetrieve more: hash=[0-9a-f]{6}',
  '\\[Read content stale: [^\\]\\n]{0,200}hash=[0-9a-f]{6}',
  '\\b(?:rtk recall|omni retrieve) [0-9a-f]{6}',
  '\\btokf raw \\d',
  '\\[full output: [^\\]\\n]{1,200}\\]',
].join('|');
let foreign: RegExp | undefined;

/**
 * Holds the text a marker that was there before this view was made: another tool's, or one of an earlier view? Losing
 * it would lose the only handle of what it stands for. Works on a line, or on a whole chunk to rule all its lines out.
 */
export function isForeignMarker(text: string): boolean {
  foreign ??= new RegExp(FOREIGN);
  return foreign.test(text);
}

export type Handle =
  /** `hash` is a prefix of 6 to 64 digits, lower case. */
  | { readonly kind: 'handle'; readonly hash: string; readonly address?: Address }
  /** The hash of the examples: nothing is ever stored under it. */
  | { readonly kind: 'documentation'; readonly message: string }
  | { readonly kind: 'invalid'; readonly message: string };

/**
 * What a person or a model gives `expand`: a hash (6 digits or more, any case) and perhaps an address, or a pasted
 * marker, whole or torn by the shell, in any quoting. An address after a marker counts instead of the marker's own.
 */
export function parseHandle(words: readonly string[]): Handle {
  const text = unescapeMarker(words.join(' ').slice(0, MAX_PASTED));
  const markers = findMarkers(text);
  const marker = markers[0];
  if (!marker) return parseTorn(text);
  if (markers.length > 1) return invalid('there are several markers in it: give one');
  const after = trimQuotes(text.slice(marker.end));
  const hash = marker.hash ?? HASH_WORD.exec(trimQuotes(text.slice(0, marker.start)))?.[1];
  if (hash !== undefined) return handle(hash, after, marker.address);
  return invalid('a short marker has no hash: the first and the last marker of its view have it');
}

/** `12_lines_offloaded`, the part of a marker between its hash and its address. */
const COUNT_WORD = /^\d+_[a-z]*(?:_[a-z]*)?$/;
const HASH_WORD = /^(?:ctxzip:|hash[=:]["'`]?)*([0-9a-f]+)(?:[:,;]+\d*)?$/i;
const HASH_INSIDE = /(?:ctxzip:|hash["']?[=:] ?["'`]?|(ctxzip expand ))([0-9a-f]{6,64})(?![0-9a-z])/i;

/** A bare hash with or without an address, or what is left of a marker. */
function parseTorn(text: string): Handle {
  const words = splitWords(text);
  const first = HASH_WORD.exec(words[0] ?? '')?.[1];
  if (first !== undefined) {
    return handle(first, COUNT_WORD.test(words[1] ?? '') ? (words[2] ?? '') : words.slice(1).join(' '));
  }
  const inside = HASH_INSIDE.exec(text);
  if (!inside) return invalid(`"${printable(text.slice(0, 48))}" is no hash`);
  const [next = '', then = ''] = splitWords(text.slice(inside.index + inside[0].length));
  if (COUNT_WORD.test(next)) return handle(inside[2]!, then);
  return handle(inside[2]!, inside[1] === undefined ? '' : next);
}

function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .map(trimQuotes)
    .filter((word) => word !== '');
}

function handle(digits: string, addressText: string, own?: Address): Handle {
  const hash = digits.toLowerCase();
  if (hash.length < 6) return invalid(`"${hash}" is too short for a hash: give 6 digits or more`);
  if (hash.length > 64) return invalid('a hash has at most 64 digits');
  if (/^0+$/.test(hash)) {
    return {
      kind: 'documentation',
      message: `${hash} is the hash of the documentation's examples: take one from a marker of your own output, or see ctxzip list`,
    };
  }
  if (addressText === '') return { kind: 'handle', hash, ...(own && { address: own }) };
  const parsed = parseAddress(addressText);
  return parsed.kind === 'invalid' ? parsed : { kind: 'handle', hash, address: parsed.address };
}

function invalid(fault: string): Handle {
  return {
    kind: 'invalid',
    message: `${fault}; give the hash of a marker, as in ctxzip expand ac998fea694b L3-90`,
  };
}

/** A marker as JSON and HTML encoders write its brackets and the quotes around it, back to plain. */
function unescapeMarker(text: string): string {
  return text
    .replace(/\\u003c|&lt;/gi, '<')
    .replace(/\\u003e|&gt;/gi, '>')
    .replace(/\\u0022|&quot;|\\"/gi, '"');
}

/** Without the quotes, brackets and punctuation that stick to a pasted word. */
function trimQuotes(word: string): string {
  return word.replace(/^[\s"'`<({[\\]+/, '').replace(/[\s"'`>)}\]\\.,;:!?]+$/, '');
}

function assertFacts({ hash, count, unit, address, failures }: MarkerFacts): void {
  const fits =
    /^[0-9a-f]{12}$/.test(hash) &&
    /^[a-z]{1,16}$/.test(unit) &&
    WHOLE_ADDRESS.test(address) &&
    parseAddress(address).kind === 'address' &&
    Number.isSafeInteger(count) &&
    count > 0 &&
    Number.isSafeInteger(failures) &&
    failures >= 0;
  if (!fits) throw new RangeError(`no marker: ${JSON.stringify({ hash, count, unit, address, failures })}`);
}

/** The commonest values that a marker may name, commonest first. None at all if they are more than there are units. */
function shownValues(facts: MarkerFacts): Array<readonly [string, number]> {
  const counts = new Map<string, number>();
  let sum = 0;
  for (const [value, count] of facts.values) {
    sum += count;
    if (count > 0 && WHOLE_VALUE.test(value) && !RESERVED.has(value)) {
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
  }
  if (sum > facts.count) return [];
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_VALUES);
}

function formatValues(values: ReadonlyArray<readonly [string, number]>, count: number): string {
  if (values.length === 0) return '';
  const other = count - values.reduce((sum, [, number]) => sum + number, 0);
  const parts = values.map(([value, number]) => ` ${value}:${number}`);
  return parts.join('') + (other > 0 ? ` other:${other}` : '');
}

function parseFacts(text: string): Pick<Gap, 'values' | 'failures'> {
  const values: Array<readonly [string, number]> = [];
  let failures = 0;
  for (const fact of text.split(' ').slice(1)) {
    const colon = fact.lastIndexOf(':');
    const name = fact.slice(0, colon);
    const number = Number(fact.slice(colon + 1));
    if (name === 'input_cut_upstream') continue;
    if (name === 'failures') failures = number;
    else if (name === 'other' || !RESERVED.has(name)) values.push([name, number]);
  }
  return { values, failures };
}
