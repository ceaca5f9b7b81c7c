/** The domain words of a text: states, kinds, codes, and names of several parts. Common words and random ones are none. */
import { isRandom } from './random.ts';

const SHORTEST = 4;
const LONGEST = 48;

const RUN = /[A-Za-z0-9_\u0080-\uffff-]{4,}/g;

const CODE = /^[A-Z]{1,8}[-_]?\d{2,6}$/;
const CAPITALS = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
const CAMEL = /^[A-Za-z]*(?:[a-z]\d{0,2}[A-Z]|[A-Z]{2}[a-z]{2})[A-Za-z]*\d{0,2}$/;
const ONE_HUMP = /^[A-Z][a-z]{3,}$/;
/** At least two parts are words: `web-1` is one of many. */
const PARTS = /^[A-Za-z]+(?:[-_]\d{1,2})*[-_][A-Za-z]+\d{0,2}(?:[-_](?:[A-Za-z]+\d{0,2}|\d{1,2}))*$/;

/** Words that say nothing of what an output is about: levels, methods, heads of columns, values of flags. */
const COMMON = new Set(
  `info debug trace notice warn warning level message head post patch delete options http https json yaml utf-8 null true
  false none unknown name namespace ready status state phase restarts type reason kind count total size created updated
  version time date this that these those when where with from then there here have will into normal running completed
  started stopped monday tuesday wednesday thursday friday saturday sunday january february march april june july august
  september october november december read-only non-zero up-to-date x-request-id content-type user-agent`.split(
    /\s+/,
  ),
);

/** Is a word one of its own? `context` is what stands around it, which a word of one hump needs. */
function isDomainWord(word: string, before: string, after: string): boolean {
  if (word.length < SHORTEST || word.length > LONGEST || COMMON.has(word.toLowerCase())) return false;
  if (CODE.test(word)) return true;
  if (ONE_HUMP.test(word)) return isValue(before, after);
  if (CAPITALS.test(word)) return word.replace(/[^A-Z]/g, '').length >= 3;
  return CAMEL.test(word) || PARTS.test(word);
}

/** A state stands alone in its place (`phase: Pending`, a cell), or in the middle of a sentence; not at its start. */
function isValue(before: string, after: string): boolean {
  if (/[a-z0-9)] $/.test(before) && !/[.!?:] $/.test(before)) return true;
  return /(?:[:=|,("'\t>[]|[:=|] | {2}|^)$/.test(before) && /^(?:$|[\r"'|,;)\t<\]&]| {2}| [|])/.test(after);
}

/**
 * The domain words of a line that are not `known`, some of them perhaps twice or random. Escapes of JSON strings separate
 * words.
 */
export function domainWords(line: string, known?: ReadonlySet<string>): string[] {
  const text = line.includes('\\') ? line.replace(/\\[nrt]/g, '  ') : line;
  const words: string[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    // Most words are of small letters or of digits, which say nothing.
    if (!/[A-Z_-]/.test(run) || run.startsWith('-') || run.length > 2 * LONGEST) continue;
    const word = run.replace(/[-_]+$/, '');
    if (known?.has(word) === true) continue;
    const before = text.slice(Math.max(0, index - 2), index);
    const end = index + run.length;
    if (isDomainWord(word, before, text.slice(end, end + 2))) words.push(word);
  }
  return words;
}

/** Has a word a part that no person chose? */
export function isRandomWord(word: string): boolean {
  return word.split(/[-_]/).some(isRandom);
}

/** Words of which a person searched: any text of one line that may be a keep pattern. */
export function searchedWords(pattern: string): string[] {
  const words = pattern.split('|').map((word) => word.replace(/^\\b|\\b$/g, '').replace(/\\([-./])/g, '$1'));
  const arePlain = words.every((word) => /^[A-Za-z][\w .:/@-]{2,47}$/.test(word) && word.trim() === word);
  return arePlain ? words.filter((word) => !COMMON.has(word.toLowerCase())) : [];
}
