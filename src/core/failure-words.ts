import { isAboutErrors, isNegated, isNone } from './nothing.ts';

/** A word that may speak of a failure, with what stands around it. */
interface Word {
  readonly text: string;
  readonly lower: string;
  readonly before: string;
  readonly after: string;
  /** The characters next to it; a blank at the ends of the line. */
  readonly left: string;
  readonly right: string;
  readonly isCapital: boolean;
  readonly isShouted: boolean;
}

/** Is a word, with up to 24 characters before and after it, about a failure that happened? */
export function counts(text: string, before: string, after: string): boolean {
  const lower = text.toLowerCase();
  const word: Word = {
    text,
    lower,
    before,
    after,
    left: before.at(-1) ?? ' ',
    right: after[0] ?? ' ',
    isCapital: text[0] !== lower[0],
    isShouted: text === text.toUpperCase(),
  };
  if (isInIdentifier(word) ? !isHump(word) : isPart(word)) return false;
  if (isNegated(before) || isNone(after)) return false;
  const own = OWN_RULES.find(([begins]) => begins(lower));
  return own === undefined || own[1](word);
}

/** Words that need more around them, by their beginning. */
const OWN_RULES: ReadonlyArray<readonly [(word: string) => boolean, (word: Word) => boolean]> = [
  // A limit is no failure: `timeout=30s`, `timeout: 5`.
  [
    (word) => word.startsWith('time'),
    ({ after }) => !/^\w*["']?\s?[:=]?\s?\d/.test(after) && !/^\s*[:=]/.test(after),
  ],
  [(word) => LEVELS.some((level) => word.startsWith(level)), isLevel],
  [
    (word) => word === 'err' || word === 'errs',
    ({ before, after }) => /^["']?\s?[:=!\]]/.test(after) || /[[(<=\s]$|^$/.test(before),
  ],
  [(word) => word.startsWith('err'), ({ after }) => !isAboutErrors(after)],
  [(word) => word === 'lost', ({ after }) => !/^ (?:and|in|found)/.test(after)],
  [
    (word) => word.startsWith('conflict'),
    ({ before, after }) => /^\s*[:(]/.test(after) || before === '' || /merge $/i.test(before),
  ],
];

const LEVELS = ['alert', 'crit', 'emerg', 'severe'];

/** `CRITICAL`, `[crit]`, `severity=critical`, `"level":"alert"`: a level, not the noun. */
function isLevel({ isShouted, before, after }: Word): boolean {
  return isShouted || /[[(<"'=:]\s?$/.test(before) || /^\s?[:\])>"']/.test(after);
}

function isInIdentifier({ left, right }: Word): boolean {
  return isAlphanumeric(left) || isAlphanumeric(right) || right === '_';
}

function isAlphanumeric(c: string): boolean {
  return isLetter(c) || (c >= '0' && c <= '9');
}

function isLetter(c: string): boolean {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/** In a longer name a word counts where it is a hump that begins or ends it. */
function isHump(word: Word): boolean {
  const { text, before, left, right, isCapital, isShouted } = word;
  if (isAlphanumeric(right) || right === '_') {
    if (isAlphanumeric(left)) return false;
    return isFirstHump(word);
  }
  // `NameResolutionError`, `RoamFail`, `CrashLoopBackOff`; not `onError`, `FallbackToLogsOnError`, `stdERR`.
  if (!isCapital || (isShouted && text.length < 4) || text.startsWith('Warn')) return false;
  return !followsHandler(before);
}

/** Does a longer name begin with a word that makes it a failure? */
function isFirstHump({ text, after, right, isCapital, isShouted }: Word): boolean {
  // `error_count=7`, `failures_total: 2`.
  if (/^_(?:count|total|num)["']?\s?[:=]\s?["']?[1-9]/.test(after)) return true;
  // `ERR_CONNECTION_REFUSED`, `FailedMount`, `ErrImagePull`.
  if (!isCapital) return false;
  if (isShouted) return right === '_' && /^[A-Z_]/.test(after);
  return /^(?:Failed|Err|Crash|BackOff|Unhealthy|Evicted|OOM|Timeout)$/.test(text) && /[A-Z]/.test(right);
}

/** Whole humps before a word that make it a name for handling failures: `onError`, `isFailed`, `LogsOnError`. */
const HANDLERS = [
  'On',
  'Is',
  'Has',
  'If',
  'No',
  'Ignore',
  'Handle',
  'Last',
  'Set',
  'Get',
  'Max',
  'To',
  'Log',
];

function followsHandler(before: string): boolean {
  return HANDLERS.some((hump) => {
    const start = before.at(-hump.length - 1) ?? ' ';
    if (before.endsWith(hump)) return !(start >= 'A' && start <= 'Z');
    return before.endsWith(hump.toLowerCase()) && !isLetter(start);
  });
}

/** Is it a piece of a path, a flag, a compound or a call, rather than a word of its own? */
function isPart(word: Word): boolean {
  return PARTS.some((rule) => rule(word));
}

const PARTS: ReadonlyArray<(word: Word) => boolean> = [
  // `connect_error`; but `last_error="…"` and `PAYMENT_FAILED` count.
  ({ left, after, isShouted }) => left === '_' && !isShouted && !/^["']?[:=]/.test(after),
  ({ left, right }) => left === '/' || left === '\\' || right === '/' || right === '\\',
  // `--fail-fast`, `non-error`, `error-page`; but `TEST-UNEXPECTED-FAIL` counts.
  ({ left, before, isShouted }) => left === '-' && !isShouted && /[A-Za-z0-9]-$/.test(before),
  ({ left, before }) => left === '-' && /(?:^|\s)--?$/.test(before),
  ({ right, after }) => right === '-' && /^-[a-z]/.test(after),
  // `errors.go`, `console.error`, `fail(`; but `local.ERROR`, `error(s)` count.
  ({ right, after }) => right === '.' && /^\.[a-z]/.test(after),
  ({ right, after, isCapital }) => right === '(' && !isCapital && !after.startsWith('(s)'),
  ({ left, before, isShouted }) => left === '.' && !isShouted && /\w\.$/.test(before),
];
