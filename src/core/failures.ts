import { CLASS, DIGIT, LETTER, latin1, latin1Bytes } from './chars.ts';
import { formAt, formsText } from './failure-forms.ts';
import { counts } from './failure-words.ts';
import { kernel, place } from './kernel.ts';

/**
 * Does a line report a failure? A model of failure, not a word list: words count with their surroundings, so that
 * `errors: 0`, `error_log`, `--fail-fast`, `failureThreshold` and a path with `error` in a name do not.
 *
 * 3 is fatal, 2 an error, 1 a warning, 0 none. The scan is by hand, in the kernel: as one regular expression the
 * vocabulary cost 9 ms to compile, more than all else that a small input needs.
 */
export type Severity = 0 | 1 | 2 | 3;

/** What the kernel has found: see src/kernel/failures.ts. */
const FORM = 1;
const LEVEL = 2;
const STATUS = 3;

let isReady = false;

/** Gives the kernel the vocabulary; needed before it scans lines. */
export function prepareFailures(): void {
  if (isReady) return;
  const text = latin1Bytes(formsText());
  const { useForms, useVerdict } = kernel();
  useForms(place(text, 'line'), text.length);
  for (const c of VERDICT_STARTS) useVerdict(c.charCodeAt(0));
  isReady = true;
}

/**
 * Severity of the line `[from, end)`: the worst thing that it says; `body` is where its time stamp ends. Where `b` lies in
 * the kernel's memory already, `placed` says so.
 */
// oxlint-disable-next-line max-params -- the last is for inner loops
export function severityAt(b: Uint8Array, from: number, end: number, body = from, placed?: number): Severity {
  prepareFailures();
  const base = placed ?? place(b.subarray(from, end), 'line') - from;
  if (kernel().isQuiet(base + from, base + body, base + end) !== 0) return 0;
  const verdict = verdictAt(b, body, end);
  if (verdict === 'passed') return 0;
  let worst: Severity = verdict === 'failed' ? 2 : 0;
  scan(
    b,
    from,
    end,
    (_, severity) => {
      if (severity > worst) worst = severity;
      return worst < 3;
    },
    base,
  );
  return worst;
}

/** Severity of a text of one character a byte. */
export function failureOf(text: string): Severity {
  const bytes = latin1Bytes(text);
  return severityAt(bytes, 0, bytes.length);
}

/** Places of up to `limit` errors in a long line, first to last, at least 200 bytes from each other. */
export function failurePlaces(line: Uint8Array, limit: number): number[] {
  const places: number[] = [];
  scan(line, 0, line.length, (at, severity) => {
    const last = places.at(-1);
    if (severity > 1 && (last === undefined || at - last >= 200)) places.push(at);
    return places.length < limit;
  });
  return places;
}

/** Calls `found` for what reports a failure, until it returns false. The kernel finds the places that may. */
function scan(
  b: Uint8Array,
  from: number,
  end: number,
  found: (at: number, severity: Severity) => boolean,
  placed?: number,
): void {
  prepareFailures();
  const { suspect, suspicion } = kernel();
  const base = placed === undefined ? place(b.subarray(from, end), 'line') : placed + from;
  const stop = base + (end - from);
  for (let at = suspect(base, base, stop); at < stop; at = suspect(base, at + 1, stop)) {
    const here = at - base + from;
    let severity: Severity = 0;
    if (suspicion.value === FORM) {
      severity = judge(b, from, here, end, at);
      if (severity === 0 && (here === from || !isLetter(b[here - 1]!)))
        severity = letterLevel(b, from, here, end);
    } else if (suspicion.value === LEVEL) severity = letterLevel(b, from, here, end);
    else if (suspicion.value !== STATUS || isStatus(b, from, here)) severity = 2;
    if (severity !== 0 && !found(here, severity)) return;
  }
}

function isLetter(c: number): boolean {
  return (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
}

/** What the longest form that begins at `at` says; in the kernel's memory that is `place`. */
function judge(b: Uint8Array, from: number, at: number, end: number, placed: number): Severity {
  const { formAt: found, nextForm } = kernel();
  const stop = placed + (end - at);
  do {
    const form = formAt(found.value);
    const isOpen = form.text.endsWith('*');
    const size = form.text.length - (isOpen ? 1 : 0);
    if (form.kind === 'word') {
      const before = latin1(b, Math.max(from, at - AROUND), at);
      const after = latin1(b, at + size, Math.min(end, at + size + AROUND));
      return counts(latin1(b, at, at + size), before, after) ? form.severity : 0;
    }
    if (form.kind === 'exit') {
      if (EXIT_CODE.test(latin1(b, at, Math.min(end, at + 48)))) return 2;
    } else if (isOpen || !isWordByte(b[at + size], b[at + size - 1])) return 2;
  } while (nextForm(placed, stop));
  return 0;
}

/** Does a word go on behind a phrase that ends with a letter? */
function isWordByte(next: number | undefined, last: number | undefined): boolean {
  return (
    CLASS[last ?? 32] === LETTER && next !== undefined && (CLASS[next] === LETTER || CLASS[next] === DIGIT)
  );
}

/** Characters on each side of a word that are looked at. */
const AROUND = 24;

/** A process that did not end with 0: `exit code 1`, `exited with 137`, `rc=2`, `returncode: -9`. */
const EXIT_CODE =
  /^(?:restarting|exit(?:ed)?(?:[ _-]?(?:with|code|status))*|return[ _]?code|rc)["']?(?:[:= ]|: |=\s)\(?["']?-?[1-9]\d{0,9}\b(?!\.\d|:\d|[\w/%-])/i;

/** An HTTP status of 400 to 599 where a status stands. */
const STATUS_BEFORE =
  /(?:" |http\/\d(?:\.\d)?"? |\b(?:status|code|statuscode|status_code|returned|respond(?:ed|ing)(?: with)?|response|http)["']?\s?[:= ]\s?["']?)$/i;

function isStatus(b: Uint8Array, from: number, at: number): boolean {
  return STATUS_BEFORE.test(latin1(b, Math.max(from, at - AROUND), at));
}

const LEVEL_LETTERS = new Set([69, 70, 87]);

/** Single-letter levels: logcat `1702  2395 E Tag:` and `E/Tag(`, klog `E0211 19:03:14`. */
function letterLevel(b: Uint8Array, from: number, at: number, end: number): Severity {
  const next = b[at + 1];
  if (!LEVEL_LETTERS.has(b[at]!)) return 0;
  if (next !== 32 && next !== 47 && !isDigit(next)) return 0;
  const after = latin1(b, at + 1, Math.min(end, at + 32));
  const isLevel =
    /^\d{4}(?: \d\d:\d\d:\d\d|[:\]])/.test(after) ||
    /^\/[\w.]+\s*\(/.test(after) ||
    (/^\s+\S/.test(after) && /(?:^|\s)\d+\s+\d+\s+$/.test(latin1(b, Math.max(from, at - AROUND), at)));
  return !isLevel ? 0 : b[at] === 70 ? 3 : b[at] === 69 ? 2 : 1;
}

/**
 * What a line of a test runner says first: `✗ ✘ ✖ ❌ ✕ ×`, `not ok`, `FAIL`, `--- FAIL`, pytest's `E   `; or `✓ ✔ ✅`,
 * `ok 12 -`, `PASS`, `--- PASS`: a test that passed is no failure, whatever it is named.
 */
function verdictAt(b: Uint8Array, from: number, end: number): 'failed' | 'passed' | undefined {
  let at = from;
  while (at < end && (b[at] === 32 || b[at] === 9)) at += 1;
  const text = latin1(b, at, Math.min(end, at + 12));
  // Most lines that come here begin with a level, and need no pattern.
  if (text.startsWith('E') && !text.startsWith('E   ')) return undefined;
  if (FAILED.test(text)) return 'failed';
  return PASSED.test(text) ? 'passed' : undefined;
}

const FAILED = /^(?:\xe2\x9c[\x95-\x98]|\xe2\x9d\x8c|\xc3\x97 |not ok\b|(?:--- )?FAIL(?:ED|URE)?\b|E {3}\S)/;
const PASSED = /^(?:\xe2\x9c[\x93\x94\x85]|ok \d|(?:--- )?PASS(?:ED)?\b)/;
const VERDICT_STARTS = '\xe2\xc3nFoP-E';

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 48 && c <= 57;
}
