/** What the pipe and `expand` leave behind for `stats`, `explain`, `diff` and `suggestions`. */
import type { Policy } from '../core/model.ts';
import type { Decision, Expansion } from '../learn/tally.ts';
import { appendRecord, readRecords, type Reach } from '../store/records.ts';
import { scrub } from './scrub.ts';

/** One run of the pipe. Tokens are estimated, and absent where they were not counted: the input came out as it was. */
export interface Run {
  readonly at: number;
  /** From the end of the input to the end of the output. */
  readonly ms: number;
  readonly bytes: number;
  readonly tool?: string;
  /** Why the input came out unchanged. */
  readonly reason?: string;
  readonly before?: number;
  readonly after?: number;
  readonly shapes?: readonly string[];
  /** SHA-256 of the original. */
  readonly hash?: string;
  /** Digest of what the view depends on beside its input: see `policyDigest`. */
  readonly digest?: string;
  /** What of the policy is not the default. */
  readonly policy?: Partial<Policy>;
  /** What the view left out: place, length, distance to the next, length, … in bytes of the original. */
  readonly gaps?: readonly number[];
}

/** Characters that are kept of a name and of a reason. */
const MOST_CHARS = 160;

/** Records a run. What makes it too long is left out: the gaps, then the policy. Never throws. */
export function recordRun(state: string | undefined, run: Run): void {
  if (state === undefined) return;
  const { gaps, policy, ...rest } = run;
  const short = {
    ...rest,
    ...(run.tool !== undefined && { tool: toolName(run.tool) }),
    ...(run.reason !== undefined && { reason: run.reason.slice(0, MOST_CHARS) }),
  };
  const withPolicy = policy === undefined ? short : { ...short, policy };
  const forms = [gaps === undefined ? withPolicy : { ...withPolicy, gaps }, withPolicy, short];
  forms.some((form) => appendRecord(state, 'runs', run.at, form));
}

/** The name of a tool or a command line as it may be kept. */
export function toolName(tool: string): string {
  return scrub(tool.slice(0, 4 * MOST_CHARS)).slice(0, MOST_CHARS);
}

/** The gaps of a run as `[start, end)`. */
export function gapsOf({ gaps }: Run): Array<[number, number]> | undefined {
  if (gaps === undefined) return undefined;
  let at = 0;
  return Array.from({ length: gaps.length >> 1 }, (_, i) => {
    const start = at + gaps[2 * i]!;
    at = start + gaps[2 * i + 1]!;
    return [start, at];
  });
}

/** The program of a command line, with the word behind it where that says what it does: `kubectl get`, `npm test`. */
export function programOf(command: string): string {
  const [first = '', second = ''] = command.split(' ');
  const program = first.replace(/^.*\//, '');
  return /^[a-z][a-z:-]{1,15}$/.test(second) ? `${program} ${second}` : program;
}

/** Records an expansion; false where that failed. */
export function recordExpansion(state: string, expansion: Expansion): boolean {
  return appendRecord(state, 'expansions', expansion.at, expansion);
}

/** Records what was said of words; false where that failed. */
export function recordDecisions(state: string, decisions: readonly Decision[]): boolean {
  return decisions.every((decision) => appendRecord(state, 'decisions', decision.at, decision));
}

/** The runs of a state folder, oldest first. */
export function readRuns(state: string, reach?: Reach): Run[] {
  return readRecords(state, 'runs', reach).filter(isRun);
}

/** The expansions of a state folder, oldest first. */
export function readExpansions(state: string, reach?: Reach): Expansion[] {
  return readRecords(state, 'expansions', reach).filter(isExpansion);
}

/** What was said of words, in the order in which it was said. */
export function readDecisions(state: string): Decision[] {
  return readRecords(state, 'decisions').filter(isDecision);
}

// Files are edited, damaged, and written by other versions: what is not as it should be is left out.

/** Is a record one of a run? */
export function isRun(value: unknown): value is Run {
  const { at, ms, bytes, before, after, shapes, gaps, ...texts } = value as Record<string, unknown>;
  const { tool, reason, hash, digest } = texts;
  return (
    [at, ms, bytes].every(isNumber) &&
    [before, after].every((each) => each === undefined || isNumber(each)) &&
    [tool, reason, hash, digest].every((each) => each === undefined || typeof each === 'string') &&
    isListOf(shapes, (each) => typeof each === 'string') &&
    isListOf(gaps, isNumber)
  );
}

/** Is a record one of an expansion? */
export function isExpansion(value: unknown): value is Expansion {
  const { at, hash, hit, bytes, tokens, tool, words } = value as Record<string, unknown>;
  return (
    [at, bytes, tokens].every(isNumber) &&
    typeof hash === 'string' &&
    typeof hit === 'boolean' &&
    (tool === undefined || typeof tool === 'string') &&
    isListOf(words, (each) => typeof each === 'string' && each.length <= MOST_CHARS)
  );
}

function isDecision(value: unknown): value is Decision {
  const { at, word, what, by } = value as Record<string, unknown>;
  return (
    isNumber(at) && [word, by].every((each) => typeof each === 'string') && DECISIONS.includes(String(what))
  );
}

const DECISIONS = ['suggested', 'applied', 'dismissed'];

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isItem));
}
