import type { Report } from '../blocks.ts';
import { BLANK_LINE } from '../line-class.ts';
import { lineHead, rolesOf } from '../line-roles.ts';
import { PINNED, WHOLE } from '../outline.ts';
import type { ShapeInfo } from '../shapes.ts';
import type { SectionView } from '../strategy.ts';
import { extentOf, type Reading } from './extent.ts';
import { Failures } from './failures.ts';
import { prefixEnd } from './prefix.ts';
import { isFailed, ROLE } from './roles.ts';
import { roleOf } from './rules.ts';
import { slowTests } from './slow.ts';

/** Totals that stay at each end of a section; of those between only what failed. */
const TOTALS = 30;
/** Slow tests that are named. */
const SLOW = 10;
/** Lines of the echo of a step at most. */
const ECHO = 300;

/** Profiles of lines that say nothing of their own. */
const QUIET = new Map<number, number>([
  [ROLE.passed, 1],
  [ROLE.started, 2],
  [ROLE.noise, 3],
  [ROLE.build, 3],
  [ROLE.step, 4],
  [ROLE.stepEnd, 4],
  [ROLE.echo, 4],
]);
const ECHOED = 5;
const EXPLAINS = 6;

/** Lines that a test which passed prints at most. */
const PRINTED = 200;

const STATES = ['PASS', 'SKIP', 'XFAIL'] as const;
const STATE_OF = new Map<number, number>([
  [ROLE.passed, 0],
  [ROLE.skipped, 1],
  [ROLE.expected, 2],
]);

/** What the output of test runners says of its lines. */
export function runnerReport(view: SectionView): Report {
  const { index, section, lines } = view;
  const roles = rolesOf(index, section.from, lines, roleOf);
  const infoOf = (line: number): ShapeInfo => lines.shapes.infos[lines.kind[line]!]!;
  const textOf = (line: number): string => {
    const text = lineHead(index, section.from + line);
    return text.slice(prefixEnd(text));
  };
  const isBlank = (line: number): boolean =>
    (infoOf(line).bits & BLANK_LINE) !== 0 || textOf(line).trim() === '';
  const reading = { roles, isBlank, textOf };
  nameUnmarked(reading);
  const quiet = new Uint8Array(roles.length);
  markEchoes(roles, quiet);
  const of = new Uint8Array(roles.length).fill(255);
  for (let i = 0; i < roles.length; i += 1) {
    if (quiet[i] !== 0) continue;
    quiet[i] = QUIET.get(roles[i]!) ?? 0;
    of[i] = STATE_OF.get(roles[i]!) ?? 255;
  }
  const failures = new Failures(reading, lines);
  takeFailures(reading, failures, quiet, of);
  markChatter(roles, quiet);
  return {
    blocks: failures.blocks(),
    quiet,
    flags: totals(roles, (line) => infoOf(line).severity > 1),
    states: { of, names: STATES },
    odd: slowTests(reading),
    parents: steps(
      reading,
      quiet,
      (line) => infoOf(line).severity > 1 || isFailed(roles[line]!),
      (line) => lineHead(index, section.from + line),
    ),
  };
}

function takeFailures(reading: Reading, failures: Failures, quiet: Uint8Array, states: Uint8Array): void {
  const { roles } = reading;
  for (let i = 0; i < roles.length; i += 1) {
    const role = roles[i]!;
    if (quiet[i] === ECHOED) continue;
    if (role >= ROLE.skipped && role <= ROLE.flaky) failures.first(i, role);
    if (!isFailed(role)) continue;
    const extent = extentOf(reading, i);
    for (const line of failures.take(i, extent)) {
      quiet[line] = EXPLAINS;
      states[line] = 255;
    }
    i = extent[1] - 1;
  }
}

/** The commands, inputs and environment of steps say what was asked, not what came of it. */
function markEchoes(roles: Uint8Array, quiet: Uint8Array): void {
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] !== ROLE.echo) continue;
    let end = i + 1;
    while (end < roles.length && end - i <= ECHO && roles[end] !== ROLE.stepEnd && roles[end] !== ROLE.echo)
      end += 1;
    if (roles[end] !== ROLE.stepEnd) continue;
    for (let line = i + 1; line <= end; line += 1) quiet[line] = ECHOED;
    i = end;
  }
}

/** Runners whose marks are no words: RSpec's examples that passed have none, Mocha's pending ones a dash. */
const UNMARKED = [
  { total: /^\d+ examples?, /, line: /^ {2}/, role: ROLE.started },
  { total: /^ *\d+ pending$/, line: /^ {2,}- \S/, role: ROLE.skipped },
];

/** Names the lines without a mark before the totals of their runner. */
function nameUnmarked({ roles, textOf }: Reading): void {
  let from = 0;
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] !== ROLE.summary) continue;
    const runner = UNMARKED.find(({ total }) => total.test(textOf(i)));
    if (runner === undefined) continue;
    for (let line = from; line < i && roles[line] !== ROLE.section; line += 1) {
      if (roles[line] === ROLE.other && runner.line.test(textOf(line))) roles[line] = runner.role;
    }
    from = i + 1;
  }
}

/** What a test printed that then passed says nothing, even where it speaks of errors. */
function markChatter(roles: Uint8Array, quiet: Uint8Array): void {
  let from = -1;
  for (let i = 0; i < roles.length; i += 1) {
    const role = roles[i]!;
    if (role === ROLE.other || role === ROLE.noise || role === ROLE.build) continue;
    if (role === ROLE.passed && from >= 0 && i - from <= PRINTED) {
      for (let line = from; line < i; line += 1)
        if (quiet[line] === 0) quiet[line] = QUIET.get(ROLE.started)!;
    }
    from = role === ROLE.started || role === ROLE.passed ? i + 1 : -1;
  }
}

/** The parts of reports, the first and last totals and all that speak of failures, and some slow tests. */
function totals(roles: Uint8Array, isBad: (line: number) => boolean): Uint8Array {
  const flags = new Uint8Array(roles.length);
  const found: number[] = [];
  let slow = 0;
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] === ROLE.summary) found.push(i);
    else if (roles[i] === ROLE.section) flags[i] = PINNED;
    else if (roles[i] === ROLE.slow && slow < SLOW) {
      flags[i] = WHOLE;
      slow += 1;
    }
  }
  found.forEach((line, n) => {
    if (n < TOTALS || n >= found.length - TOTALS || isBad(line)) flags[line] = PINNED;
  });
  return flags;
}

/** A failure stands under the head of its step; in the output of BuildKit, which mixes the lines of many, under that of its number. */
function steps(
  { roles }: Reading,
  quiet: Uint8Array,
  isBad: (line: number) => boolean,
  wholeOf: (line: number) => string,
): Int32Array {
  const parents = new Int32Array(roles.length).fill(-1);
  const builds = new Map<string, number>();
  const numberOf = (line: number): string => BUILD_STEP.exec(wholeOf(line))?.[1] ?? '';
  let head = -1;
  for (let i = 0; i < roles.length; i += 1) {
    const role = roles[i]!;
    if (role === ROLE.step || role === ROLE.echo) head = i;
    else if (role === ROLE.build) builds.set(numberOf(i), i);
    else if ((quiet[i] === 0 || isFailed(role)) && isBad(i)) {
      const build = builds.size === 0 ? undefined : builds.get(numberOf(i));
      parents[i] = build ?? head;
      if (build !== undefined) parents[build] = head;
    }
  }
  return parents;
}

const BUILD_STEP = /^(?:.{0,240}?[Z\]|\t] ?)?(#\d+) (?:\d+\.\d+ |\[|[A-Z]{4,}\b)/;
