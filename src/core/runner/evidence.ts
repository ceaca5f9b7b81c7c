import { type LineIndex, plainText } from '../line-index.ts';
import { lineHead } from '../line-roles.ts';
import { late } from '../late.ts';
import type { SectionView } from '../strategy.ts';
import { isFailed, ROLE } from './roles.ts';

/** Lines that are looked at: all of a shorter text, else those at its ends and some between. */
const ALL = 1200;
const FIRST = 100;
const LAST = 400;

/**
 * A text that holds none of these was printed by no runner: a cheap look before the rules, which cost time to compile. A log
 * that says `failed` or `latest` is none yet.
 */
const WORDS = /\bspecs?\b|\btest_|\bpass(?:ed|ing)\b|examples,/i;
const SIGNS =
  /(?<![a-z])tests?\b|T(?:ests?|ESTS?)\b|##\[|::group::|\bPASS|\bFAIL|BUILD |^\[ +(?:OK|RUN) +\]|\xe2\x9c[\x93\x94\x95-\x98]|^[Nn]ot ok\b|^#\d+ \[/m;

/** Each word holds one of these, in any case, and each sign one of those: without them no pattern need be compiled. */
const IN_WORDS = ['spec', 'test_', 'passed', 'passing', 'examples,'];
const IN_SIGNS = [
  'test',
  'Test',
  'TEST',
  '##[',
  '::group::',
  'PASS',
  'FAIL',
  'BUILD ',
  '[ ',
  '\xe2\x9c',
  'ot ok',
  '#',
];

/** Shapes whose lines are no verdicts, whatever they say. */
const FOREIGN: ReadonlySet<string> = new Set(['CSV', 'diff', 'search results']);

/** Why a section is the output of test runners or of CI; undefined where it is not. */
export function runnerEvidence(view: SectionView): string | undefined {
  const { index, section } = view;
  const { from, to } = section;
  if (section.kind !== 'lines' || !hints(index, from, to)) return undefined;
  const { look } = view;
  if (look !== undefined && FOREIGN.has(look) && !late().hasJob(lineHead(index, from))) return undefined;
  return reasonOf(counted(index, from, to), look === 'Markdown');
}

type Counts = ReturnType<typeof counted>;

function reasonOf({ filled, verdicts, totals, parts, steps }: Counts, isPage: boolean): string | undefined {
  if (verdicts >= 5 && verdicts * 4 >= filled) return 'verdicts of tests';
  if (verdicts >= 20 && verdicts * 10 >= filled && totals > 0) return 'verdicts of tests';
  if (isPage) return undefined;
  const others = verdicts + parts;
  if (totals > 0 && others > 0 && others + totals >= 3) return 'totals of a test runner';
  return steps >= 3 ? 'steps of CI or a build' : undefined;
}

/** Is a text, whatever else is in it, the report of a test runner? */
export function isTestReport(index: LineIndex): boolean {
  if (!hints(index, 0, index.count)) return false;
  return reasonOf({ ...counted(index, 0, index.count), steps: 0 }, false) !== undefined;
}

/** How many of the lines looked at are of which kind. */
function counted(index: LineIndex, from: number, to: number) {
  const count = { filled: 0, verdicts: 0, totals: 0, parts: 0, steps: 0 };
  for (const line of sampled(from, to)) {
    const text = lineHead(index, line);
    if (text.trim() === '') continue;
    count.filled += 1;
    const role = late().roleOf(text);
    if (isVerdict(role)) count.verdicts += 1;
    else if (role === ROLE.summary) count.totals += 1;
    else if (role === ROLE.section) count.parts += 1;
    else if (role === ROLE.step || role === ROLE.echo || role === ROLE.build) count.steps += 1;
  }
  return count;
}

function isVerdict(role: number): boolean {
  return VERDICTS.has(role) || (isFailed(role) && role !== ROLE.compile);
}

const VERDICTS: ReadonlySet<number> = new Set([ROLE.passed, ROLE.started, ROLE.skipped, ROLE.expected]);

function* sampled(from: number, to: number): Generator<number> {
  const isAll = to - from <= ALL;
  const step = isAll ? 1 : Math.ceil((to - from) / ALL);
  for (let line = from; line < to; line += line - from < FIRST || to - line <= LAST ? 1 : step) yield line;
}

/** Does the beginning, the end or the middle hold a word of a runner? */
function hints(index: LineIndex, from: number, to: number): boolean {
  const { starts } = index;
  const start = starts[from]!;
  const end = starts[to]!;
  const places = end - start <= 3 * WINDOW ? [start] : [start, start + ((end - start) >> 1), end - WINDOW];
  const size = places.length === 1 ? end - start : WINDOW;
  return places.some((at) => {
    const text = plainText(index, at, at + size);
    if (IN_SIGNS.some((part) => text.includes(part)) && SIGNS.test(text)) return true;
    const lower = text.toLowerCase();
    return IN_WORDS.some((part) => lower.includes(part)) && WORDS.test(text);
  });
}

const WINDOW = 32_768;

/** Lines of a table that are looked at. */
const ROWS = 40;

/** Are the lines `[from, to)`, whose columns line up, verdicts of tests one under the other? */
export function areVerdicts(index: LineIndex, from: number, to: number): boolean {
  if (!hints(index, from, to)) return false;
  const step = Math.max(1, Math.floor((to - from) / ROWS));
  let lines = 0;
  let verdicts = 0;
  for (let line = from; line < to; line += step) {
    const text = lineHead(index, line);
    if (text.trim() === '') continue;
    lines += 1;
    const role = late().roleOf(text);
    if (isVerdict(role) || role === ROLE.summary) verdicts += 1;
  }
  return verdicts * 5 >= lines * 2;
}

/** Lines above that are looked at for the head of a failure. */
const ABOVE = 40;
const SMALL_TABLE = 40;

/** Do the lines `[from, to)`, whose columns line up, belong to the message of a failed test above them? */
export function isOfFailure(index: LineIndex, from: number, to: number): boolean {
  if (to - from > SMALL_TABLE) return false;
  const first = Math.max(0, from - ABOVE);
  if (first === from || !hints(index, first, from)) return false;
  for (let line = from - 1; line >= first; line -= 1) {
    const role = late().roleOf(lineHead(index, line));
    if (role === ROLE.failed || role === ROLE.failedReport) return true;
    if (role === ROLE.summary || role === ROLE.section || role === ROLE.passed) return false;
  }
  return false;
}
