import { KNOWN_TOKENS } from '../learn/known-tokens.ts';

/**
 * Takes credentials out of a command line before it is stored: passwords in URLs, headers, the values of flags and
 * variables that are named like secrets, and tokens that are known by their form.
 */
export function scrub(command: string): string {
  rules ??= makeRules();
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), command);
}

const HIDDEN = '***';
const SECRET =
  'pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credential|auth|bearer|cookie|session';
/** Looked for from the start of a name only: from every place in it, long lines would take minutes. */
const SECRET_NAME = `(?=[\\w.-]*(?:${SECRET}))[\\w.-]+`;
const AT_START = '(?<![\\w.-])';
const VALUE = `(?:"[^"]*"|'[^']*'|[^\\s"']+)`;

/** Compiled when they are first needed: the start of the pipe has no time for them. */
let rules: Rules | undefined;

type Rules = ReadonlyArray<readonly [RegExp, string]>;

const makeRules = (): Rules => [
  // https://user:password@host
  [/(?<![\w+.-])([a-z][a-z0-9+.-]*:\/\/[^\s/:@"']*):[^\s/@"']+@/gi, `$1:${HIDDEN}@`],
  // -H "Authorization: Bearer x", Cookie: x
  [
    /(?<![\w-])((?:proxy-)?authorization|cookie|set-cookie|x-(?=[\w-]*(?:key|token|auth))[\w-]*)(\s*:\s*)(?:(bearer|basic|token|digest)\s+)?[^"'\n]+/gi,
    `$1$2${HIDDEN}`,
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  // --token x, --password=x, API_KEY=x
  [new RegExp(`${AT_START}(--?${SECRET_NAME})(=|\\s+)${VALUE}`, 'gi'), `$1$2${HIDDEN}`],
  [new RegExp(`${AT_START}(${SECRET_NAME})(=|:\\s?)${VALUE}`, 'gi'), `$1$2${HIDDEN}`],
  // -u user:password
  [/(\s(?:-u|--user)[=\s]+[^\s:"']+):[^\s"']+/g, `$1:${HIDDEN}`],
  [new RegExp(`(?<![A-Za-z0-9])(?:${KNOWN_TOKENS})`, 'g'), HIDDEN],
];
