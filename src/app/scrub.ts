/**
 * Takes credentials out of a command line before it is stored: passwords in URLs, headers, the values of flags and
 * variables that are named like secrets, and tokens that are known by their form.
 */
export function scrub(command: string): string {
  return RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), command);
}

const HIDDEN = '***';
const SECRET =
  'pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credential|auth|bearer|cookie|session';
/** Looked for from the start of a name only: from every place in it, long lines would take minutes. */
const SECRET_NAME = `(?=[\\w.-]*(?:${SECRET}))[\\w.-]+`;
const AT_START = '(?<![\\w.-])';
const VALUE = `(?:"[^"]*"|'[^']*'|[^\\s"']+)`;

const RULES: ReadonlyArray<readonly [RegExp, string]> = [
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
  // GitHub, GitLab, Slack, AWS, OpenAI-like keys, JSON web tokens
  [
    /\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|A(?:KIA|SIA)[A-Z0-9]{12,}|sk-[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g,
    HIDDEN,
  ],
];
