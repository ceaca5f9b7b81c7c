import { counts } from './failure-words.ts';

/**
 * Does a line report a failure? A model of failure, not a word list: words count with their surroundings, so that
 * `errors: 0`, `error_log`, `--fail-fast`, `failureThreshold` and a path with `error` in a name do not.
 *
 * Lines are latin1 strings (one character a byte); 3 is fatal, 2 an error, 1 a warning, 0 none.
 */
export type Severity = 0 | 1 | 2 | 3;

const FATAL = 3;
const ERROR = 2;
const WARNING = 1;

/** Words whose surroundings decide. */
const WORD =
  /err(?:or)?s?|fail(?:ed|ures?|ing|s)?|exceptions?|fatal|panic(?:ked)?|critical|crit|severe|emerg(?:ency)?|alert|warn(?:ing)?s?|wrn|time-?outs?|timed[ -]?out|crash(?:ed|es|ing)?|abort(?:ed|ing)?|reject(?:ed|s)?|refused|denied|forbidden|unauthori[sz]ed|invalid|illegal|unexpected|unreachable|unhealthy|degraded|evicted|killed|corrupt(?:ed|ion)?|mismatch(?:ed)?|conflicts?|deadlock(?:ed)?|unresolved|exceeded|abnormal(?:ly)?|lost|missing|expired|stuck|inconsistent|backoff|traceback|fehler|erreur|oom/gi;

/** Phrases and shapes that mean failure wherever they stand. */
const PHRASE = new RegExp(
  [
    'segmentation fault|segfault|core dumped|out of memory|\\boom-?kill|sig(?:segv|abrt|bus|kill)\\b',
    '(?:heap|stack|global)-\\w+-overflow|use-after-(?:free|return|scope)|\\w+sanitizer:|double free|data race\\b|leaked in \\d',
    'kernel panic|stack overflow|assertion failed|undefined (?:reference|symbol)|hung task|blocked for more than',
    'not found|no such (?:file|host|device|process|table|container|image)|command not found|no route to host',
    "cannot |can't |could not|couldn't |unable to|does ?n[o']t exist|not permitted|connection reset|broken pipe",
    'not ready\\b|exited abnormally|non-?zero exit|\\[emerg\\]|\\[alert\\]|not fully functional',
    '\\b(?:crashloop|imagepull|errimage|oomkill|notready|nodelost|createcontainer\\w*error|containerstatusunknown)',
    '\\bE(?:NOENT|ACCES|PERM|EXIST|CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|PIPE|ADDRINUSE|NOSPC|MFILE|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|INVAL|IO|BUSY|ROFS|NOTDIR|ISDIR|BADF|NOTEMPTY|PROTO)\\b',
  ].join('|'),
  'i',
);

/** An HTTP status of 400 to 599 where a status stands. */
const HTTP_STATUS =
  /(?:" |http\/\d(?:\.\d)?"? |\b(?:status|code|statuscode|status_code|returned|respond(?:ed|ing)(?: with)?|response|http)["']?\s?[:= ]\s?["']?)[45]\d\d(?![\w.%-]|:\d)/i;

/** A process that did not end with 0. */
const EXIT_CODE =
  /\b(?:exit(?:ed)?(?:[ _-]?(?:with|code|status))*|return[ _]?code|returncode|rc|status)["']?(?:[:= ]|: |=\s)\(?["']?(?:[1-9]\d{0,2}\/[A-Z]|-?[1-9]\d{0,2}\b(?![.:\w/%-]))/i;
const EXIT_WORD = /exit|return|\brc\b|\d\/[A-Z]/i;

/** Lines of test runners: `✗ ✘ ✖ ❌ ✕ ×` first, `not ok`, `FAIL`, `--- FAIL`, pytest's `E   `. */
const RUNNER =
  /^\s*(?:\xe2\x9c[\x95-\x98]|\xe2\x9d\x8c|\xc3\x97 |not ok\b|(?:--- )?FAIL(?:ED|URE)?\b|E {3}\S)/;

/** Single-letter levels: logcat `1702  2395 E Tag:`, klog `E0211 19:03:14`, `E/Tag(`. */
const LETTER_LEVEL = /(?:^|\s)(?:\d+\s+\d+\s+([WEF])\s+\S|([WEF])\d{4} \d\d:\d\d:\d\d|([WEF])\/[\w.]+\s*\()/;

/** Severity of a line: the worst thing that it says. */
export function failureOf(line: string): Severity {
  let worst: Severity = letterLevel(line);
  if (worst < ERROR && (PHRASE.test(line) || RUNNER.test(line) || HTTP_STATUS.test(line) || exitCode(line))) {
    worst = ERROR;
  }
  WORD.lastIndex = 0;
  for (let hit = WORD.exec(line); hit !== null; hit = WORD.exec(line)) {
    const severity = severityOf(hit[0]);
    if (severity > worst && counts(line, hit.index, hit[0])) worst = severity;
    if (worst === FATAL) break;
  }
  return worst;
}

/** Places of up to `limit` failures in a long line, first to last. */
export function failurePlaces(line: string, limit: number): number[] {
  const places: number[] = [];
  WORD.lastIndex = 0;
  for (let hit = WORD.exec(line); hit !== null && places.length < limit; hit = WORD.exec(line)) {
    const last = places.at(-1);
    if (last !== undefined && hit.index - last < 200) continue;
    if (severityOf(hit[0]) >= ERROR && counts(line, hit.index, hit[0])) places.push(hit.index);
  }
  return places;
}

function severityOf(word: string): Severity {
  const c = word.toLowerCase();
  if (/^(?:fatal|panic|critical|crit|severe|emerg|alert|oom)/.test(c)) return FATAL;
  if (/^(?:warn|wrn|missing|expired|stuck)/.test(c)) return WARNING;
  return ERROR;
}

function letterLevel(line: string): Severity {
  const hit = LETTER_LEVEL.exec(line);
  const letter = hit?.[1] ?? hit?.[2] ?? hit?.[3];
  return letter === 'F' ? FATAL : letter === 'E' ? ERROR : letter === 'W' ? WARNING : 0;
}

function exitCode(line: string): boolean {
  const hit = EXIT_CODE.exec(line);
  return hit !== null && EXIT_WORD.test(hit[0]);
}
