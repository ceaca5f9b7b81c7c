/** What can be wrong with a configuration, and how it is said. */

/** Where a value can come from, strongest first. */
const SOURCES = ['flag', 'environment', 'project', 'user', 'default'] as const;
export type Source = (typeof SOURCES)[number];

/**
 * `fatal`: what the user asked to keep can't be known, so the pipe passes its input through.
 * `error`: the value is ignored, and the next weaker one counts.
 * `note`: fine as it stands, but without effect here; only `config check` and `config show` say it.
 */
type Severity = 'fatal' | 'error' | 'note';

/** Where a value or a problem is. Lines and columns count from 1. */
export interface Place {
  readonly source: Source;
  /** The environment variable. */
  readonly variable?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Problem extends Place {
  readonly severity: Severity;
  /** As the user writes it: `max_tokens`, `tools.kubectl get.level`, `CTXZIP_TTL`, `--level`. */
  readonly key?: string;
  readonly message: string;
  /** What may stand there instead. */
  readonly allowed?: string;
}

/** A fault inside one value, before it is known where the value stands. */
export interface Fault {
  readonly severity: 'fatal' | 'error';
  /** The way from the value to the fault: names of maps and indexes of lists; empty for the value itself. */
  readonly path: ReadonlyArray<string | number>;
  readonly message: string;
  readonly allowed?: string;
}

/** A parsed value with what is wrong in it; without `value` nothing of it can be used. */
export interface Reading<T> {
  readonly value?: T;
  readonly faults: readonly Fault[];
}

const QUOTED_CHARS = 60;
// C0 and C1 controls, line separators, and the marks that reorder text.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text of a file or variable made safe for a terminal: one line, no control characters. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A value as it is quoted in a message: printable and at most 60 characters. */
export function quoted(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const short = text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}...` : text;
  return `"${printable(short)}"`;
}

/** One fault of the value itself. */
export function fault(message: string, allowed?: string): Fault {
  return { severity: 'error', path: [], message, ...(allowed !== undefined && { allowed }) };
}

/** A fault as a problem of the key that holds it: `tools` and `['kubectl', 'level']` make `tools.kubectl.level`. */
export function problemOf(found: Fault, key: string, place: Place): Problem {
  const { path, ...rest } = found;
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return { ...place, ...rest, key: printable(key + steps.join('')) };
}

/** `FILE:LINE:COLUMN: KEY: MESSAGE (allowed: …)` on one printable line, without what isn't known. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, key, message, allowed } = problem;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const words = [place, key, message].filter((part) => part !== undefined && part !== '');
  return printable(words.join(': ') + (allowed === undefined ? '' : ` (allowed: ${allowed})`));
}

/** What the pipe does about a configuration. */
export interface PipeVerdict {
  readonly passthrough: boolean;
  /** The one line for stderr; absent when there is nothing to say. */
  readonly line?: string;
}

/**
 * The rule of the pipe: a fatal problem or a mistyped flag means passthrough, any other bad key is ignored, and either is
 * said in one line. What was typed for this call is said first.
 */
export function pipeVerdict(
  problems: readonly Problem[],
  passing = 'input passed through unchanged',
): PipeVerdict {
  if (problems.length === 0) return { passthrough: false };
  const told = problems.filter((problem) => problem.severity !== 'note');
  const stopping = told.filter(({ severity, source }) => severity === 'fatal' || source === 'flag');
  const worst = stopping.find(({ source }) => source === 'flag') ?? stopping[0] ?? told[0];
  if (worst === undefined) return { passthrough: false };
  const passthrough = stopping.length > 0;
  const effect = passthrough ? passing : 'ignored';
  const more = told.length > 1 ? `; ${told.length - 1} more, see: ctxzip config check` : '';
  return { passthrough, line: `${formatProblem(worst)}; ${effect}${more}` };
}
