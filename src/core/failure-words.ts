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
  if (NOTHING_BEFORE.test(before) || NOTHING_AFTER.test(after)) return false;
  const own = OWN_RULES.find(([pattern]) => pattern.test(lower));
  return own === undefined || own[1](word);
}

/** `0 errors`, `no failures`, `on error`, `ignore-errors`. */
const NOTHING_BEFORE =
  /(?:(?:^|[\s("'[=:,])(?:0+|no|zero|without|any|non|ignore|ignoring|on|if|upon|for) |\b(?:on|if|ignore)[-_])$/i;
/** `errors: 0`, `"error": null`, `err=nil`, `failures=[]`. */
const NOTHING_AFTER =
  /^(?:\(s\)|s)?["']?\s?[:=]+\s?(?:["'](?:["']|null|none)|0+(?![\w.])|null\b|nil\b|<nil>|none\b|false\b|\[\]|\{\}|-(?:\s|$)|undefined\b|no\b)/i;

/** Words that need more around them, by their beginning. */
const OWN_RULES: ReadonlyArray<readonly [RegExp, (word: Word) => boolean]> = [
  // A limit is no failure: `timeout=30s`, `timeout: 5`.
  [/^time/, ({ after }) => !/^\w*["']?\s?[:=]?\s?\d/.test(after) && !/^\s*[:=]/.test(after)],
  [/^(?:alert|crit|emerg|critical|severe)/, isLevel],
  [/^errs?$/, ({ before, after }) => /^["']?\s?[:=!\]]/.test(after) || /[[(<=\s]$|^$/.test(before)],
  [
    /^err/,
    ({ after }) =>
      !/^[ -](?:handl|rate|log|page|budget|report|bound|count|track|tracking|messages?\b(?! ?:))/i.test(
        after,
      ),
  ],
  [/^lost$/, ({ after }) => !/^ (?:and|in|found)/.test(after)],
  [/^conflict/, ({ before, after }) => /^\s*[:(]/.test(after) || before === '' || /merge $/i.test(before)],
];

/** `CRITICAL`, `[crit]`, `severity=critical`, `"level":"alert"`: a level, not the noun. */
function isLevel({ isShouted, before, after }: Word): boolean {
  return isShouted || /[[(<"'=:]\s?$/.test(before) || /^\s?[:\])>"']/.test(after);
}

function isInIdentifier({ left, right }: Word): boolean {
  return /[A-Za-z0-9]/.test(left) || /[A-Za-z0-9_]/.test(right);
}

/** In a longer name a word counts where it is a hump that begins or ends it. */
function isHump(word: Word): boolean {
  const { text, before, after, left, right, isCapital, isShouted } = word;
  if (/[A-Za-z0-9_]/.test(right)) {
    if (/[A-Za-z0-9]/.test(left)) return false;
    // `error_count=7`, `failures_total: 2`.
    if (/^_(?:count|total|num)["']?\s?[:=]\s?["']?[1-9]/.test(after)) return true;
    // `ERR_CONNECTION_REFUSED`, `FailedMount`, `ErrImagePull`.
    if (!isCapital) return false;
    if (isShouted) return right === '_' && /^[A-Z_]/.test(after);
    return /^(?:Failed|Err|Crash|BackOff|Unhealthy|Evicted|OOM|Timeout)$/.test(text) && /[A-Z]/.test(right);
  }
  // `NameResolutionError`, `RoamFail`, `CrashLoopBackOff`; not `onError`, `FallbackToLogsOnError`, `stdERR`.
  if (!isCapital || (isShouted && text.length < 4) || text.startsWith('Warn')) return false;
  return !NO_HUMP_BEFORE.test(before);
}

/** Whole humps before a word that make it a name for handling failures: `onError`, `isFailed`, `LogsOnError`. */
const NO_HUMP_BEFORE =
  /(?:^|[^A-Za-z])(?:on|is|has|if|no|ignore|handle|last|set|get|max|to|log)$|(?:^|[^A-Z])(?:On|Is|Has|If|No|Ignore|Handle|Last|Set|Get|Max|To|Log)$/;

/** Is it a piece of a path, a flag, a compound or a call, rather than a word of its own? */
function isPart(word: Word): boolean {
  return PARTS.some((rule) => rule(word));
}

const PARTS: ReadonlyArray<(word: Word) => boolean> = [
  // `connect_error`; but `last_error="…"` and `PAYMENT_FAILED` count.
  ({ left, after, isShouted }) => left === '_' && !isShouted && !/^["']?[:=]/.test(after),
  ({ left, right }) => /[/\\]/.test(left) || /[/\\]/.test(right),
  // `--fail-fast`, `non-error`, `error-page`; but `TEST-UNEXPECTED-FAIL` counts.
  ({ left, before, isShouted }) => left === '-' && !isShouted && /[A-Za-z0-9]-$/.test(before),
  ({ left, before }) => left === '-' && /(?:^|\s)--?$/.test(before),
  ({ right, after }) => right === '-' && /^-[a-z]/.test(after),
  // `errors.go`, `console.error`, `fail(`; but `local.ERROR`, `error(s)` count.
  ({ right, after }) => right === '.' && /^\.[a-z]/.test(after),
  ({ right, after, isCapital }) => right === '(' && !isCapital && !after.startsWith('(s)'),
  ({ left, before, isShouted }) => left === '.' && !isShouted && /\w\.$/.test(before),
];
