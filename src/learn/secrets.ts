/**
 * Takes out of a text what is or may be a credential, before any word of it is looked at. It takes rather too much: what is
 * lost here is a suggestion, what is left may be a password that is kept and shown.
 */
import { KNOWN_TOKENS } from './known-tokens.ts';
import { isRandom } from './random.ts';

const HIDDEN = '***';

/** What stands for a credential, its replacement, and a text without which it can't be there. */
const SPANS: ReadonlyArray<readonly [pattern: RegExp, replacement: string, sign: string]> = [
  // PEM, with real or escaped line ends; torn at its end, or at its start.
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, HIDDEN, '-----'],
  [/^[\s\S]*-----END [A-Z0-9 ]+-----/g, HIDDEN, '-----'],
  // scheme://user:password@host, user:password@host, ?signature=
  [/(?<![\w+.-])([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]+@/gi, `$1${HIDDEN}@`, '@'],
  [/(?<![\w.+-])[\w.+-]+:[^\s@:/"'<>]+@(?=[\w.[-])/g, `${HIDDEN}@`, '@'],
  [/([?&;][\w.~-]+=)[^\s&"'<>]+/g, `$1${HIDDEN}`, '='],
  [/\bhooks\.slack\.com\/\S+|\bdiscord(?:app)?\.com\/api\/webhooks\/\S+/gi, HIDDEN, '.com/'],
  [/\b(?:bearer|basic|digest|negotiate|apikey)\s+[\w.~+/=:-]{4,}/gi, HIDDEN, ' '],
  // curl -u user:password, mysql -pPASSWORD, sshpass -p PASSWORD
  [/(\s(?:-u|--user)[=\s]+)[^\s:"']+:[^\s"']+/g, `$1${HIDDEN}`, ' -'],
  [/(\s-p)\s?(?=\S*[A-Za-z])[^\s-]\S{3,}/g, `$1${HIDDEN}`, ' -p'],
];

/** The rest of them, which their form tells. */
const KNOWN = new RegExp(`(?<![A-Za-z0-9])(?:${KNOWN_TOKENS})`, 'g');

/** Names whose line says a secret, in any writing: `DB_PASSWORD`, `userToken`, `"client-secret"`. */
const STRONG = new RegExp(
  [
    'pass(?:word|wd|phrase|code|wort)|passw|[_-]pwd|secret|token|credential|bearer|jwt|oauth|htpasswd|mnemonic',
    '(?:api|access|private|signing|encryption|master|account|client|shared|storage|license|ssh|deploy)[_ -]?key',
    'connection[_ -]?string|authorization|(?:client-certificate|certificate-authority)-data',
  ].join('|'),
  'i',
);
/** Names whose value is a secret where they have one; the rest of the line goes. */
const WEAK =
  /(?:auth|cookie|session(?:[_-]?id)?|[_-]key|[a-z]Key|(?<![a-z])(?:pass|pwd|sig|signature|pin|otp|totp|mfa|salt|nonce|seed|dsn))["']?\s*(?::=|=>?|:)/i;
const LONG_LINE = 400;
/** Looked for from the start of a name only: from every place in it, long lines would take minutes. */
const NAME = `(?<![\\w.-])(?=[\\w.-]*(?:${STRONG.source}))[\\w.-]+`;
/** A name with its value where that has an end: `password=x`, `"token": "x"`. */
const PAIR = new RegExp(
  `["']?${NAME}(?:=(?:"[^"]*"|'[^']*'|[^\\s"',;]+)|["']\\s*:\\s*(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*'))`,
  'gi',
);
const OPEN_PAIR = new RegExp(`^\\s*(?:export\\s+|[-+>]\\s*)?${NAME}\\s*=`, 'i');

/** The text without what may be a credential: such spans are `***`, such lines are empty. */
export function withoutSecrets(text: string): string {
  let clean = text;
  for (const [pattern, replacement, sign] of SPANS)
    if (clean.includes(sign)) clean = clean.replace(pattern, replacement);
  clean = clean
    .replace(KNOWN, HIDDEN)
    .replace(/[A-Za-z0-9+/_=-]{20,}/g, (run) => (isBlob(run) ? HIDDEN : run));
  const lines = clean.split('\n');
  // Mostly nothing names a secret, and then no line hides another.
  const left = namesSecret(clean) ? withoutSecretLines(lines) : lines.map(withoutWeak);
  return left.join('\n');
}

/** May a long run be the body of a key? Words joined by `-`, `_` and `/` may not. */
function isBlob(run: string): boolean {
  if (!/[A-Z]/.test(run)) return false;
  const parts = run.split(/[-_/+=]+/).filter((part) => part !== '');
  return parts.some((part) => isRandom(part) || (part.length >= 20 && /\d/.test(part)));
}

/** A line that names a secret goes, with what it goes on with: the next one, or all that is indented deeper, or a table. */
function withoutSecretLines(lines: readonly string[]): string[] {
  let hidden: Hidden = {};
  return lines.map((whole) => {
    const line = withoutPairs(whole);
    if (line.trim() === '') {
      hidden = { ...hidden, isTable: false };
      return line;
    }
    const isSecret = STRONG.test(line);
    const before = hidden;
    hidden = hiddenBy(line, isSecret, before);
    const isHidden = isSecret || before.isTable || before.isNext || hidden.inside !== undefined;
    if (!isHidden) return withoutWeak(line);
    return isSecret && line.length > LONG_LINE && !hidden.isTable ? withoutValues(line) : '';
  });
}

/** Does a text hold the name of a secret anywhere? */
export function namesSecret(text: string): boolean {
  return STRONG.test(text);
}

function withoutWeak(line: string): string {
  return line.slice(0, WEAK.exec(line)?.index);
}

/** What a secret hides of the lines behind it. */
interface Hidden {
  /** Up to a blank line. */
  readonly isTable?: boolean;
  readonly isNext?: boolean;
  /** What is indented deeper than so many blanks. */
  readonly inside?: number | undefined;
}

function hiddenBy(line: string, isSecret: boolean, { isTable = false, inside }: Hidden): Hidden {
  const indent = line.search(/\S/);
  const still = inside !== undefined && indent > inside ? inside : undefined;
  if (!isSecret) return { isTable, inside: still };
  return {
    isTable: isTable || hasSecretColumn(line),
    isNext: /[,(=\\]\s*$/.test(line) || /\b(?:name|key)["']?\s*[:=]/i.test(line),
    inside: still ?? (/[:|>{[][+-]?\s*$/.test(line) ? indent : undefined),
  };
}

/** A line of pairs loses those of secrets only; `PASSWORD=correct horse` at its start may go on to its end. */
function withoutPairs(line: string): string {
  return OPEN_PAIR.test(line) ? line : line.replace(PAIR, HIDDEN);
}

/** A long line, such as a record of JSON, loses what stands behind the names only. */
function withoutValues(line: string): string {
  let clean = '';
  let rest = line;
  for (let hit = STRONG.exec(rest); hit !== null; hit = STRONG.exec(rest)) {
    clean += rest.slice(0, hit.index);
    rest = rest.slice(hit.index + AROUND);
  }
  return clean + rest;
}

/** Characters behind a name that may be its value. */
const AROUND = 250;

/** Heads are looked for in so many characters. */
const MOST_HEAD = 1000;

/** Are these the heads of a table or of CSV, one of which names a secret? */
export function hasSecretColumn(line: string): boolean {
  const text = line.slice(0, MOST_HEAD).trim();
  const isWide = /\S(?: {2,}|\t| ?\| ?)\S/.test(text);
  const cells = text.split(isWide ? /\s*(?: {2,}|\t|\|)\s*/ : /[,;]/);
  const form = isWide ? /^[A-Za-z_][\w.()%#-]*(?: [\w.()%#-]+){0,2}$|^$/ : /^["']?[A-Za-z_][\w.-]*["']?$/;
  return (
    cells.length > 1 && cells.every((cell) => form.test(cell)) && cells.some((cell) => STRONG.test(cell))
  );
}

/** May a single word be a credential, a key or a hash? */
export function isSecretWord(word: string): boolean {
  return (
    word.search(KNOWN) === 0 || word.split(/[^A-Za-z0-9]+/).some((part) => part !== '' && isRandom(part))
  );
}
