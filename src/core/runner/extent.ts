import { FRAME, frameOf } from '../trace/frames.ts';
import { isFailed, ROLE } from './roles.ts';

/** The lines of a section, as runners see them. */
export interface Reading {
  readonly roles: Uint8Array;
  readonly isBlank: (line: number) => boolean;
  /** The beginning of a line, without what CI writes before it. */
  readonly textOf: (line: number) => string;
}

/** Lines that a failure goes over at most. */
const LONGEST = 2000;
/** Lines above that a failure has at most. */
const ABOVE = 60;
/** Lines of a code frame. */
const CODE_FRAME = 25;

/** The lines `[from, to)` that tell of the failure that line `at` names. */
export function extentOf(reading: Reading, at: number): readonly [from: number, to: number] {
  const role = reading.roles[at]!;
  if (role === ROLE.failedReport) return [at, reportEnd(reading, at)];
  if (role === ROLE.failed) return [at, blockEnd(reading, at)];
  if (role === ROLE.failedAbove) return [aboveStart(reading, at), deeperEnd(reading, at)];
  if (role === ROLE.compile) return [at, codeEnd(reading, at)];
  return [at, deeperEnd(reading, at)];
}

/** To the next head of the same report. */
function reportEnd({ roles, isBlank, textOf }: Reading, at: number): number {
  let end = at + 1;
  const last = Math.min(roles.length, at + LONGEST);
  if (NEXTEST.test(textOf(at))) while (end < last && !NEXTEST.test(textOf(end))) end += 1;
  else while (end < last && !ENDS_REPORT.has(roles[end]!)) end += 1;
  return trimmed(isBlank, at, end);
}

/** The verdicts of cargo nextest, and the rules around its totals; what a test printed is deeper. */
const NEXTEST =
  /^ *(?:(?:TRY \d+ )?[A-Z]{4,}(?: \d+\/\d+)? +\[ *[>\d.]+s?\]|Summary \[|Cancell?ing|(?:\xe2\x94\x80){5,}$|error: )/;

const ENDS_REPORT: ReadonlySet<number> = new Set([
  ROLE.failedReport,
  ROLE.section,
  ROLE.summary,
  ROLE.step,
  ROLE.echo,
]);

/** To the next line that is something else. */
function blockEnd({ roles, isBlank, textOf }: Reading, at: number): number {
  let end = at + 1;
  const last = Math.min(roles.length, at + LONGEST);
  const isMaven = MAVEN.test(textOf(at));
  for (; end < last; end += 1) {
    const role = roles[end]!;
    if (role !== ROLE.other && role !== ROLE.noise && role !== ROLE.compile) break;
    if (isMaven && (isBlank(end) || /^\[[A-Z]+\] /.test(textOf(end)))) break;
  }
  return trimmed(isBlank, at, end);
}

const MAVEN = /<<< (?:FAILURE|ERROR)!$/;

/** Over the lines that are deeper than the first, frames and arrows. */
function deeperEnd({ roles, isBlank, textOf }: Reading, at: number): number {
  const depth = depthOf(textOf(at));
  const last = Math.min(roles.length, at + LONGEST);
  let end = at + 1;
  for (; end < last; end += 1) {
    if (isBlank(end)) continue;
    if (roles[end] !== ROLE.other) break;
    const text = textOf(end);
    if (depthOf(text) > depth || ARROW.test(text) || STACK.test(text)) continue;
    const frame = frameOf(text);
    if (frame === FRAME.none || (frame === FRAME.half && end === at + 1)) break;
  }
  return trimmed(isBlank, at, end);
}

const STACK = /^\s*Stack(?: ?trace)?:$/i;

/** `↳`, `→`, `|`, or a symbol of the private use area, as Swift Testing prints them. */
const ARROW = /^\s*(?:\xe2\x86[\xb3\x92]|\xf4[\x80-\x8f]|\||#  )/;

/** The output of a test stands between its start and its verdict. */
function aboveStart({ roles, isBlank }: Reading, at: number): number {
  let from = at;
  while (from > 0 && at - from < ABOVE) {
    const role = roles[from - 1]!;
    if (
      role !== ROLE.other &&
      role !== ROLE.noise &&
      !(isFailed(role) && role < ROLE.failed && role !== ROLE.failedAbove)
    )
      break;
    from -= 1;
  }
  const isStarted = from > 0 && roles[from - 1] === ROLE.started;
  if (!isStarted) return at;
  while (from < at && isBlank(from)) from += 1;
  return from;
}

/** Over a code frame, notes and help. */
function codeEnd({ roles, isBlank, textOf }: Reading, at: number): number {
  const last = Math.min(roles.length, at + CODE_FRAME);
  const depth = depthOf(textOf(at));
  let end = at + 1;
  for (; end < last; end += 1) {
    if (isBlank(end)) {
      if (end > at + 1 || end + 1 >= last || !CODE.test(textOf(end + 1))) break;
      continue;
    }
    if (roles[end] !== ROLE.other) break;
    const text = textOf(end);
    if (depthOf(text) <= depth && !CODE.test(text)) break;
  }
  return trimmed(isBlank, at, end);
}

const CODE = /^\s*(?:\d+ *[|:]?\s|\d*\s*\||-->|:::|=|\^|~|note:|help:|\.\.\.)/;

function depthOf(text: string): number {
  return text.length - text.trimStart().length;
}

function trimmed(isBlank: Reading['isBlank'], from: number, to: number): number {
  let end = to;
  while (end > from + 1 && isBlank(end - 1)) end -= 1;
  return end;
}
