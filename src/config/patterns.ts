import { fault, quoted, type Fault, type Reading } from './problems.ts';

/** Longest pattern, in characters: a longer one is a mistake, and its run time can't be judged. */
const MAX_PATTERN_CHARS = 1000;
/** Most patterns of one list. */
export const MAX_PATTERNS = 1000;

/** What a keep pattern may be, for messages and docs. */
export const PATTERN_ALLOWED = 'a literal, or /regex/ with flags of i m s u v, at most 1000 characters';

/** A keep pattern taken apart. A literal matches in any case. */
export type Pattern =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
  | { readonly kind: 'invalid'; readonly message: string };

// `/` at the front and a last `/` that only letters follow; the regex itself may hold slashes.
const REGEX_FORM = /^\/(.*)\/([A-Za-z]*)$/s;

const invalid = (message: string): Pattern => ({ kind: 'invalid', message });

/**
 * Takes a keep pattern apart; never throws.
 * `g` changes nothing here and is dropped; `d` and `y` are refused (`y` would match at the start of a line only).
 * `/var/log` looks like a regex with the flags `log`: it is refused with a hint, and never silently a literal.
 */
export function parsePattern(text: string): Pattern {
  if (text === '') return invalid('is empty');
  if (text.length > MAX_PATTERN_CHARS) return invalid(`has ${text.length} characters`);
  const form = REGEX_FORM.exec(text);
  if (form) return parseRegex(form[1]!, form[2]!);
  return /[\r\n]/.test(text) ? invalid('holds a line break') : { kind: 'literal', text };
}

function parseRegex(source: string, givenFlags: string): Pattern {
  const flags = givenFlags.replace('g', '');
  if (source === '') return invalid('is an empty regex');
  if (!/^[imsuv]*$/.test(flags)) {
    const escaped = `/\\/${source.replaceAll('/', '\\/')}\\/${givenFlags}/`;
    return invalid(`has the flags "${givenFlags}"; as a path it is written ${escaped}`);
  }
  try {
    RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error);
    return invalid(`is no valid regex: ${reason}`);
  }
  return { kind: 'regex', source, flags };
}

/** A pattern in its one written form, so that equal lists give equal policies: `/x/gi` is `/x/i`. */
function written(pattern: Exclude<Pattern, { kind: 'invalid' }>): string {
  return pattern.kind === 'literal' ? pattern.text : `/${pattern.source}/${pattern.flags}`;
}

function unkept(found: Fault, ...path: number[]): Fault {
  return { ...found, severity: 'fatal', path };
}

/** Reads a list of keep patterns. Every fault is fatal: a pattern that can't be used may not be dropped in silence. */
export function readPatterns(value: unknown): Reading<readonly string[]> {
  if (!Array.isArray(value))
    return { faults: [unkept(fault('is not a list', `a list of: ${PATTERN_ALLOWED}`))] };
  if (value.length > MAX_PATTERNS) {
    return { faults: [unkept(fault(`has ${value.length} entries`, `at most ${MAX_PATTERNS}`))] };
  }
  const faults: Fault[] = [];
  const kept = new Set<string>();
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'string') {
      faults.push(
        unkept(fault(`${quoted(item)} is not text: put it in 'single quotes'`, PATTERN_ALLOWED), index),
      );
      continue;
    }
    const pattern = parsePattern(item);
    if (pattern.kind !== 'invalid') kept.add(written(pattern));
    else faults.push(unkept(fault(`${quoted(item)} ${pattern.message}`, PATTERN_ALLOWED), index));
  }
  return { value: [...kept], faults };
}

/**
 * A list as one text (environment): a JSON array, or patterns separated by commas or line ends. A comma inside
 * `/regex/` belongs to it; a literal that holds a comma needs the JSON form.
 */
export function splitPatterns(text: string): unknown {
  if (text.trimStart().startsWith('[')) {
    try {
      return JSON.parse(text);
    } catch {
      // `[ERROR]` is a fine literal.
    }
  }
  // Either a whole /regex/flags up to a separator or the end, or anything up to a separator.
  const items = text.match(/\s*\/(?:\\.|[^\\/\r\n])+\/[dgimsuvy]*\s*(?=[,\r\n]|$)|[^,\r\n]+/g) ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}
