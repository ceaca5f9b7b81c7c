import { latin1 } from '../chars.ts';
import { failureOf, severityAt, prepareFailures } from '../failures.ts';
import { kernel, memory } from '../kernel.ts';
import { NUMBER, type Tape } from './tape.ts';
import { hashKey, type JsonUnits } from './units.ts';

/** Keys under which a text is a failure, whatever it says. */
const ERROR_KEYS = new Set(
  'error errors err exception failure failures stderr_error errorMessage error_message'
    .split(' ')
    .map(hashKey),
);
/** Texts that say that there is none. */
const NOTHING = /^"?(?:|-|none|null|nil|~|ok|success|false|no|n\/a|0|<none>|\{\}|\[\])"?$/i;
const LONGEST_NOTHING = 12;

/** Levels as numbers: those of pino and bunyan, of OpenTelemetry, and ESLint's 2. */
const LEVELS: ReadonlyMap<number, (level: number) => number> = new Map([
  [hashKey('level'), (level) => (level >= 60 ? 3 : level >= 50 ? 2 : level >= 40 ? 1 : 0)],
  [hashKey('severityNumber'), (level) => (level >= 21 ? 3 : level >= 17 ? 2 : level >= 13 ? 1 : 0)],
  [hashKey('severity'), (level) => (level === 2 ? 2 : 0)],
]);

/** What is known of a path. */
const KNOWN = 1;
const ERROR = 2;
/** Some number at this path would be a failure: an exit code, a status, a count of errors. */
const TELLING_NUMBER = 4;
/** Numbers that are a failure where any is. */
const PROBES = [1, 137, 500];
/** So many keys above a text may say that it is an error. */
const KEYS_ABOVE = 3;

/** Nothing in the key may report a failure. */
const CLEAN_KEY = 8;

/** Judges the scalars of a tape, each with its key. The kernel asks only where what is learned here does not tell. */
export class Verdicts {
  private readonly tape: Tape;
  private readonly units: JsonUnits;
  private readonly placed: number;
  private readonly rules: number;

  /** `placed` is where the text lies in the kernel, `rules` where that has a byte for each path. */
  constructor(tape: Tape, units: JsonUnits, placed: number, rules: number) {
    this.tape = tape;
    this.units = units;
    this.placed = placed;
    this.rules = rules;
    prepareFailures();
  }

  /** Severity of a scalar that is no word. */
  of(node: number): number {
    const path = this.units.pathOf(node);
    const rule = memory()[this.rules + path]! || this.learn(node, path);
    // Learning may move the columns of the tape.
    const { bytes, kind, start, end, key, keyHash, quote } = this.tape;
    const from = start[node]!;
    const to = end[node]!;
    const begin = key[node]! || from;
    if (kind[node] === NUMBER) {
      if ((rule & TELLING_NUMBER) === 0) return 0;
      const levels = LEVELS.get(keyHash[node]!);
      return levels === undefined
        ? failureOf(latin1(bytes, begin, to))
        : levels(Number(latin1(bytes, from, to)));
    }
    if ((rule & ERROR) !== 0 && to - from > 2 * quote) {
      if (to - from > LONGEST_NOTHING || !NOTHING.test(latin1(bytes, from, to))) return 2;
    }
    if (!this.isSuspect(begin, to) && !isMark(bytes[begin]!)) return 0;
    return severityAt(bytes, begin, to, begin, this.placed);
  }

  private isSuspect(from: number, to: number): boolean {
    const { placed } = this;
    return kernel().suspect(placed + from, placed + from, placed + to) < placed + to;
  }

  private learn(node: number, path: number): number {
    const { parent, keyHash, key, start } = this.tape;
    let rule = KNOWN;
    let under = node;
    for (let up = 0; up < KEYS_ABOVE && under > 0; up += 1, under = parent[under]!)
      if (ERROR_KEYS.has(keyHash[under]!)) rule |= ERROR;
    if (key[node] !== 0 && !this.isSuspect(key[node]!, start[node]!)) rule |= CLEAN_KEY;
    const text = this.tape.keyOf(node);
    const isTelling =
      LEVELS.has(keyHash[node]!) || PROBES.some((number) => failureOf(`"${text}": ${number}`) > 0);
    if (isTelling) rule |= TELLING_NUMBER;
    memory()[this.rules + path] = rule;
    return rule;
  }
}

/** May a line of a test runner begin so? `✗`, `not ok`, `FAIL`, `E   `. */
function isMark(c: number): boolean {
  return c >= 128 || c === 110 || c === 70 || c === 45 || c === 69;
}
