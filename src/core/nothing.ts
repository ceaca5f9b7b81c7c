/**
 * What stands around a word of failure may say that there was none. Read by hand: the regular expressions that say the
 * same (test/core/nothing.test.ts has them) take most of a millisecond to compile, at every start.
 */

/** Words that make nothing of the next one: `no failures`, `on error`. */
const NEGATIONS = new Set([
  'no',
  'zero',
  'without',
  'any',
  'non',
  'ignore',
  'ignoring',
  'on',
  'if',
  'upon',
  'for',
]);
/** The same, where a dash or a bar joins them: `ignore-errors`, `on_error`. */
const JOINED = new Set(['on', 'if', 'ignore']);
/** Values that are none; a word goes on behind none of them. */
const NONE = ['null', 'nil', 'none', 'false', 'undefined', 'no'];

/** Does the text before a word make nothing of it? `0 errors`, `0 input errors`, `no failures`, `ignore-errors`. */
export function isNegated(before: string): boolean {
  const end = before.length - 1;
  const last = before[end];
  if (last === '-' || last === '_') return JOINED.has(wordBefore(before, end, isWordPart));
  if (last !== ' ') return false;
  const word = wordBefore(before, end, isInside);
  return isZero(word) || NEGATIONS.has(word) || isAfterZero(before, end);
}

/** `0 input errors`, `0 lost or errors`: one or two words of letters between a single 0 and the end. */
function isAfterZero(before: string, end: number): boolean {
  let at = end;
  for (let words = 0; words < 2; words += 1) {
    const word = wordBefore(before, at, isLetter);
    at -= word.length + 1;
    if (word === '' || before[at] !== ' ') return false;
    if (wordBefore(before, at, isInside) === '0') return true;
  }
  return false;
}

/** The longest run of characters of a kind that ends at `end`, in lower case. */
function wordBefore(text: string, end: number, isPart: (c: string) => boolean): string {
  let from = end;
  while (from > 0 && isPart(text[from - 1]!)) from -= 1;
  return text.slice(from, end).toLowerCase();
}

/** Does the text behind a word give it a value that is none? `errors: 0`, `"error": null`, `err=nil`, `failures=[]`. */
export function isNone(after: string): boolean {
  let at = 0;
  if (after.startsWith('(s)') || after.startsWith('(S)')) at = 3;
  else if (after[0] === 's' || after[0] === 'S') at = 1;
  if (after[at] === '"' || after[at] === "'") at += 1;
  if (isBlank(after[at])) at += 1;
  const sign = at;
  while (after[at] === ':' || after[at] === '=') at += 1;
  if (at === sign) return false;
  if (isBlank(after[at])) at += 1;
  return isNoValue(after.slice(at).toLowerCase());
}

function isNoValue(value: string): boolean {
  switch (value[0]) {
    case '"':
    case "'":
      return /^.(?:["']|null|none)/.test(value);
    case '0': {
      let at = 1;
      while (value[at] === '0') at += 1;
      return !isWordPart(value[at]) && value[at] !== '.';
    }
    case '<':
      return value.startsWith('<nil>');
    case '[':
    case '{':
      return value[1] === (value[0] === '[' ? ']' : '}');
    case '-':
      return value.length === 1 || isBlank(value[1]);
    default:
      return NONE.some((word) => value.startsWith(word) && !isWordPart(value[word.length]));
  }
}

/** What goes on from `error` to what is done about errors: `error handling`, `error-rate`, `error message was …`. */
const ABOUT =
  'handl rate log page budget report bound count track correction correcting detection recovery injection information';

/** Does the text behind `error` make it a word of a name for what is done about errors? */
export function isAboutErrors(after: string): boolean {
  if (after[0] !== ' ' && after[0] !== '-') return false;
  const rest = after.slice(1).toLowerCase();
  if (!rest.startsWith('message')) return ABOUT.split(' ').some((word) => rest.startsWith(word));
  const at = rest[7] === 's' ? 8 : 7;
  return !isWordPart(rest[at]) && rest[at] !== ':' && !rest.startsWith(' :', at);
}

function isZero(word: string): boolean {
  for (const c of word) if (c !== '0') return false;
  return word !== '';
}

/** No blank, bracket, quote or sign that a word may begin behind. */
function isInside(c: string): boolean {
  return !isBlank(c) && !'("\'[=:,'.includes(c);
}

function isBlank(c: string | undefined): boolean {
  return c !== undefined && (c === ' ' || (c >= '\t' && c <= '\r') || c === '\xa0');
}

function isLetter(c: string): boolean {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

function isWordPart(c: string | undefined): boolean {
  return c !== undefined && (isLetter(c) || (c >= '0' && c <= '9') || c === '_');
}
