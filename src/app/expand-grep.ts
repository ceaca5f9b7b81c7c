import { isUtf8 } from 'node:buffer';
import { createContext, Script } from 'node:vm';
import { printable } from '../core/address.ts';
import { hasEscapes, stripEscapes } from '../core/escapes.ts';
import { eachLine, type Line, type Original, type Range } from './expand-read.ts';

export interface GrepRequest {
  /** A JavaScript regular expression, case-sensitive; it is tried on each line without its line end. */
  readonly pattern: string;
  readonly ignoreCase?: boolean;
  /** Lines of context around each match. */
  readonly before?: number;
  readonly after?: number;
  /** How long one batch of lines (1 MiB, or one longer line) may take. */
  readonly timeLimitMs?: number;
}

export type Pattern =
  | { readonly kind: 'pattern'; readonly regex: RegExp }
  | { readonly kind: 'invalid'; readonly message: string };

/** A pattern that takes longer than its limit. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError';
  constructor(line: number, limitMs: number) {
    super(
      `the pattern takes more than ${limitMs / 1000} s at line ${line}: repeats inside repeats, as in (a+)+, are slow. ` +
        'Simplify it, or search less with an address or --lines',
    );
  }
}

const MAX_PATTERN = 1000;
const TIME_LIMIT_MS = 2000;
const BATCH_BYTES = 1 << 20;
/** More of one line is not searched: Node's longest string is 512 MiB. */
const LONGEST_SEARCHED = 1 << 26;

/** Compiles a pattern, with the Unicode rules where it is valid under them; a message with the place of the fault where not. */
export function compilePattern(request: GrepRequest): Pattern {
  const { pattern } = request;
  if (pattern.length > MAX_PATTERN) {
    return { kind: 'invalid', message: `a pattern has at most ${MAX_PATTERN} characters` };
  }
  const flags = request.ignoreCase ? 'i' : '';
  const regex = tryCompile(pattern, `${flags}u`) ?? tryCompile(pattern, flags);
  if (regex instanceof RegExp) return { kind: 'pattern', regex };
  let fits = pattern.length - 1;
  while (fits > 0 && !tryCompile(pattern.slice(0, fits), flags)) fits -= 1;
  return {
    kind: 'invalid',
    message:
      `--grep ${shellQuote(pattern)} is no regular expression: ${fault(pattern)} at character ${fits + 1}. ` +
      `To search for that text itself: --grep ${shellQuote(pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))}`,
  };
}

export interface GrepLine extends Line {
  /** False: context. */
  readonly match: boolean;
}

/**
 * The matching lines of a range with their context, in order. A line that was not searched to its end adds a note.
 * Throws SlowPatternError.
 */
export function* grepLines(
  original: Original,
  range: Range,
  regex: RegExp,
  request: GrepRequest,
  notes: string[],
): Generator<GrepLine> {
  const { before = 0, after = 0 } = request;
  const matches = createMatcher(original, regex, request.timeLimitMs);
  let earlier: Line[] = [];
  let following = 0;
  for (const batch of batches(original, range)) {
    const hits = matches(batch);
    notes.push(
      ...batch.filter(isCut).map((line) => `line ${line.number} was searched in its first 64 MB only`),
    );
    for (const [index, line] of batch.entries()) {
      if (hits[index]) {
        for (const context of before > 0 ? earlier.slice(-before) : []) yield { ...context, match: false };
        yield { ...line, match: true };
        earlier = [];
        following = after;
      } else if (following > 0) {
        yield { ...line, match: false };
        following -= 1;
      } else if (before > 0) {
        earlier.push(line);
        if (earlier.length > 2 * before + 1000) earlier = earlier.slice(-before);
      }
    }
  }
}

function isCut(line: Line): boolean {
  return line.end - line.start > LONGEST_SEARCHED;
}

/** Lines in groups that are worth one timed call, and are read in one piece. */
function* batches(original: Original, range: Range): Generator<Line[]> {
  let batch: Line[] = [];
  for (const line of eachLine(original, range)) {
    if (batch.length > 0 && line.end - batch[0]!.start > BATCH_BYTES) {
      yield batch;
      batch = [];
    }
    batch.push(line);
  }
  if (batch.length > 0) yield batch;
}

/** Says of each line of a batch whether it matches. */
function createMatcher(
  original: Original,
  regex: RegExp,
  timeLimitMs: number | undefined,
): (batch: readonly Line[]) => readonly boolean[] {
  const test = timedTest(regex, timeLimitMs);
  return (batch) => test(lineTexts(original, batch), (done) => batch[done]?.number ?? 0);
}

/**
 * Says of each text, in any of its forms, whether it matches. The host function runs inside `vm` only for its time
 * limit; past it SlowPatternError is thrown with the line that `lineOf` gives for the number of texts that were done.
 */
export function timedTest(
  regex: RegExp,
  timeLimitMs = TIME_LIMIT_MS,
): (texts: readonly string[][], lineOf: (done: number) => number) => readonly boolean[] {
  let asked: readonly string[][] = [];
  let hits: boolean[] = [];
  const job = (): void => {
    for (const forms of asked) hits.push(forms.some((text) => regex.test(text)));
  };
  const context = createContext({ job });
  const script = new Script('job()');
  return (texts, lineOf) => {
    asked = texts;
    hits = [];
    try {
      script.runInContext(context, { timeout: timeLimitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new SlowPatternError(lineOf(hits.length), timeLimitMs);
    }
    return hits;
  };
}

/** Each line of a batch as text, and once more without its control sequences, as the view shows it, where it has any. */
function lineTexts(original: Original, batch: readonly Line[]): string[][] {
  const start = batch[0]!.start;
  const bytes = original.read(start, Math.min(batch.at(-1)!.end, start + LONGEST_SEARCHED));
  const valid = isUtf8(bytes);
  const escapes = hasEscapes(bytes);
  return batch.map((line) => {
    const content = bytes.subarray(
      line.start - start,
      contentEnd(bytes, line.start - start, line.end - start),
    );
    const text = decodeLine(content, valid);
    return escapes && hasEscapes(content) ? [text, decodeLine(stripEscapes(content), valid)] : [text];
  });
}

/** Where a line ends without `\n` or `\r\n`. */
function contentEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[end - 1] !== 10) return Math.min(end, bytes.length);
  return end - 2 >= start && bytes[end - 2] === 13 ? end - 2 : end - 1;
}

/** Valid UTF-8 as text, else each byte as one character. */
function decodeLine(bytes: Uint8Array, valid: boolean): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString(valid || isUtf8(buffer) ? 'utf8' : 'latin1');
}

function tryCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

function fault(pattern: string): string {
  try {
    return String(new RegExp(pattern));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return printable(message.slice(message.lastIndexOf(': ') + 2).toLowerCase());
  }
}

/** A word as a POSIX shell takes it. */
export function shellQuote(word: string): string {
  const plain = printable(word);
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
}
