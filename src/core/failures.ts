import { CLASS, DIGIT, LETTER, latin1 } from './chars.ts';
import { FORMS, type Form } from './failure-forms.ts';
import { counts } from './failure-words.ts';

/**
 * Does a line report a failure? A model of failure, not a word list: words count with their surroundings, so that
 * `errors: 0`, `error_log`, `--fail-fast`, `failureThreshold` and a path with `error` in a name do not.
 *
 * 3 is fatal, 2 an error, 1 a warning, 0 none. The scan is by hand: as one regular expression the vocabulary cost 9 ms
 * to compile, more than all else that a small input needs.
 */
export type Severity = 0 | 1 | 2 | 3;

const BUCKETS: Form[][] = [[]];
/** The bucket of the forms whose first two letters and third byte have this hash; 0 where there is none. */
const TABLE = new Uint8Array(4096);

for (const form of FORMS) {
  const { bytes } = form;
  // `rc` has two letters: whatever follows.
  const thirds = bytes.length > 2 ? [bytes[2]!] : Array.from({ length: 256 }, (_, c) => c | 32);
  for (const third of new Set(thirds)) {
    const at = slot(bytes[0]!, bytes[1]!, third);
    if (TABLE[at] === 0) TABLE[at] = BUCKETS.push([]) - 1;
    const bucket = BUCKETS[TABLE[at]!]!;
    if (!bucket.includes(form)) bucket.push(form);
  }
}
for (const bucket of BUCKETS) bucket.sort((a, b) => b.bytes.length - a.bytes.length);

function slot(a: number, b: number, c: number): number {
  return ((a & 31) << 7) ^ ((b & 63) << 3) ^ (c & 127);
}

/** Severity of the line `[from, end)`: the worst thing that it says; `body` is where its time stamp ends. */
export function severityAt(b: Uint8Array, from: number, end: number, body = from): Severity {
  const verdict = verdictAt(b, body, end);
  if (verdict === 'passed') return 0;
  let worst: Severity = verdict === 'failed' ? 2 : 0;
  scan(b, from, end, (_, severity) => {
    if (severity > worst) worst = severity;
    return worst < 3;
  });
  return worst;
}

/** Severity of a text of one character a byte. */
export function failureOf(text: string): Severity {
  const bytes = Buffer.from(text, 'latin1');
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

/** Calls `found` for what reports a failure, until it returns false. */
// oxlint-disable-next-line complexity -- a scanner: one branch a byte class
function scan(
  b: Uint8Array,
  from: number,
  end: number,
  found: (at: number, severity: Severity) => boolean,
): void {
  let before = 0;
  for (let at = from; at < end; at += 1) {
    const c = b[at]!;
    let kind = CLASS[c]!;
    let severity: Severity = 0;
    if (kind === LETTER) {
      if (c >= 128) kind = 0;
      else if (before !== LETTER || c < 97) {
        const bucket = TABLE[slot(c | 32, b[at + 1]! | 32, b[at + 2]! | 32)]!;
        if (bucket !== 0) severity = judge(b, from, at, end, BUCKETS[bucket]!);
        if (severity === 0 && before !== LETTER && (c === 69 || c === 87 || c === 70))
          severity = letterLevel(b, from, at, end);
      }
    } else if (kind === DIGIT && before !== DIGIT) {
      if ((c === 52 || c === 53) && isStatus(b, from, at, end)) severity = 2;
      else if (isFailedStatus(b, from, at, end)) severity = 2;
    }
    if (severity !== 0 && !found(at, severity)) return;
    before = kind;
  }
}

/** What the longest form that begins at `at` says. */
function judge(b: Uint8Array, from: number, at: number, end: number, forms: readonly Form[]): Severity {
  for (const form of forms) {
    const size = form.bytes.length;
    if (at + size > end || !matches(b, at, form.bytes)) continue;
    if (form.kind === 'word') {
      const before = latin1(b, Math.max(from, at - AROUND), at);
      const after = latin1(b, at + size, Math.min(end, at + size + AROUND));
      return counts(latin1(b, at, at + size), before, after) ? form.severity : 0;
    }
    if (form.kind === 'exit') {
      if (EXIT_CODE.test(latin1(b, at, Math.min(end, at + 48)))) return 2;
    } else if (form.text.endsWith('*') || !isWordByte(b[at + size], b[at + size - 1])) return 2;
  }
  return 0;
}

function matches(b: Uint8Array, at: number, form: Uint8Array): boolean {
  for (let i = 0; i < form.length; i += 1)
    if ((b[at + i]! | 32) !== form[i]! && b[at + i] !== form[i]) return false;
  return true;
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

function isStatus(b: Uint8Array, from: number, at: number, end: number): boolean {
  if (!isDigit(b[at + 1]) || !isDigit(b[at + 2]) || isDigit(b[at + 3])) return false;
  if (/^(?:[\w.%-]|:\d)/.test(latin1(b, at + 3, Math.min(end, at + 5)))) return false;
  return STATUS_BEFORE.test(latin1(b, Math.max(from, at - AROUND), at));
}

/** systemd's `status=1/FAILURE`. */
function isFailedStatus(b: Uint8Array, from: number, at: number, end: number): boolean {
  let slash = at;
  while (slash < end && slash < at + 3 && isDigit(b[slash])) slash += 1;
  const next = b[slash + 1] ?? 0;
  if (b[slash] !== 47 || !((next >= 65 && next <= 90) || next === 110) || b[at] === 48) return false;
  return latin1(b, Math.max(from, at - 7), at) === 'status=';
}

/** Single-letter levels: logcat `1702  2395 E Tag:` and `E/Tag(`, klog `E0211 19:03:14`. */
function letterLevel(b: Uint8Array, from: number, at: number, end: number): Severity {
  const next = b[at + 1];
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
  if (VERDICT_STARTS[b[at] ?? 0] !== 1) return undefined;
  const text = latin1(b, at, Math.min(end, at + 12));
  if (FAILED.test(text)) return 'failed';
  return PASSED.test(text) ? 'passed' : undefined;
}

const FAILED = /^(?:\xe2\x9c[\x95-\x98]|\xe2\x9d\x8c|\xc3\x97 |not ok\b|(?:--- )?FAIL(?:ED|URE)?\b|E {3}\S)/;
const PASSED = /^(?:\xe2\x9c[\x93\x94\x85]|ok \d|(?:--- )?PASS(?:ED)?\b)/;
const VERDICT_STARTS = new Uint8Array(256);
for (const c of '\xe2\xc3nFoP-E') VERDICT_STARTS[c.charCodeAt(0)] = 1;

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 48 && c <= 57;
}
