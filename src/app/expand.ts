import { type Address, formatAddress, type Span } from '../core/address.ts';
import { isDamaged, type Reader } from '../store/port.ts';
import {
  compilePattern,
  type GrepLine,
  grepLines,
  type GrepRequest,
  shellQuote,
  SlowPatternError,
} from './expand-grep.ts';
import { createPrinter, type Printer, type Sink } from './expand-print.ts';
import { printRecords } from './expand-records.ts';
import { type Located, lineOf, locate, selectLines } from './expand-range.ts';
import {
  countLines,
  eachLine,
  lastLines,
  openOriginal,
  type Original,
  type Range,
  skipLines,
} from './expand-read.ts';
import { formatSize, type Outcome } from './expand-words.ts';

export interface ExpandRequest {
  /** How notes name the original in their examples: 12 digits of its hash. */
  readonly hash: string;
  /** Absent: all of it. */
  readonly address?: Address;
  /** Lines from 1, inclusive, counted inside the address. */
  readonly lines?: Span;
  readonly grep?: GrepRequest;
  /** The first lines of what is left, then the last of these. */
  readonly head?: number;
  readonly tail?: number;
  /** A range of records as its bytes are, not as JSON. */
  readonly raw?: boolean;
  /** Each line begins with its number in the original: `12:`, or `12-` for context. */
  readonly numbers?: boolean;
  /** Bytes that are read at a time; 1 MiB by default. */
  readonly blockSize?: number;
}

export interface ExpandOutcome extends Outcome {
  /** Matching lines that were printed, where a pattern was given. */
  readonly hits?: number;
}

export interface Job {
  readonly original: Original;
  readonly request: ExpandRequest;
  readonly sink: Sink;
  readonly printer: Printer;
  readonly notes: string[];
}

/** A whole original above this comes with a note on how to ask for less. */
const LARGE_BYTES = 64 * 1024;

/**
 * Writes what was asked for to the sink: the exact bytes of a range, or of the lines in it that a pattern selects.
 * In this order: address, lines, grep, head, tail. Exit 0; 1 for a pattern without a match (as grep) and for damaged
 * bytes; 2 for a place that does not exist and for a bad or slow pattern. What the sink throws passes through.
 */
export function expand(reader: Reader, request: ExpandRequest, sink: Sink): ExpandOutcome {
  const original = openOriginal(reader, request.blockSize);
  const job: Job = { original, request, sink, printer: createPrinter(original, sink), notes: [] };
  try {
    return expandJob(job);
  } catch (error) {
    const { notes } = job;
    if (error instanceof SlowPatternError) {
      job.printer.flush();
      return { exit: 2, notes: [...notes, error.message] };
    }
    if (!isDamaged(error)) throw error;
    job.printer.flush();
    return {
      exit: 1,
      notes: [...notes, `the stored bytes are damaged, the output is not whole: ${error.message}`],
    };
  }
}

function expandJob(job: Job): ExpandOutcome {
  const { request, notes } = job;
  const { grep } = request;
  const pattern = grep && compilePattern(grep);
  if (pattern?.kind === 'invalid') return { exit: 2, notes: [pattern.message] };
  const place = locate(job.original, request.address);
  if (place.kind === 'fault') return { exit: 2, notes: [place.message] };
  const here = place.original === undefined ? job : jobIn(job, place.original);
  if (place.kind === 'records' && request.raw !== true) {
    const { exit, notes: more, hits } = printRecords(here, place, pattern?.regex);
    return { exit, notes: [...notes, ...more], ...(hits !== undefined && { hits }) };
  }
  return expandRange(
    here,
    place.kind === 'range' ? place : { kind: 'range', range: place.whole },
    pattern?.regex,
  );
}

/** The same job in the text of a string. */
function jobIn(job: Job, original: Original): Job {
  return { ...job, original, printer: createPrinter(original, job.sink) };
}

function expandRange(
  job: Job,
  place: Extract<Located, { kind: 'range' }>,
  regex: RegExp | undefined,
): ExpandOutcome {
  const { original, request, notes } = job;
  const { grep } = request;
  const located = narrow(job, place);
  if (typeof located === 'string') return { exit: 2, notes: [located] };
  if (grep && regex) return printMatches(job, numbered(original, located), grep, regex);
  const part = cutLines(original, located, request);
  printRange(job, request.numbers ? numbered(original, part) : part);
  job.printer.flush();
  if (isWhole(request) && original.size > LARGE_BYTES) {
    notes.push(largeNote(request.hash, original.size, countLines(original, part)));
  }
  return { exit: 0, notes };
}

/** The range of `--lines` inside the range of the address, or why there is none. */
function narrow(
  { original, request, notes }: Job,
  located: Extract<Located, { kind: 'range' }>,
): Range | string {
  if (located.note) notes.push(located.note);
  if (!request.lines) return located.range;
  const where = request.address ? formatAddress(request.address) : 'the original';
  const lines = selectLines(original, located.range, request.lines, where);
  if (lines.kind === 'fault') return lines.message;
  if (lines.note) notes.push(lines.note);
  return lines.range;
}

function numbered(original: Original, range: Range): Range {
  return { ...range, line: range.line ?? lineOf(original, range.start) };
}

/** The range of `head` and `tail`, without reading what is between. */
function cutLines(original: Original, range: Range, { head, tail }: ExpandRequest): Range {
  let part = range;
  if (head !== undefined) {
    const { byte, skipped } = skipLines(original, part, head);
    if (skipped === head) part = { ...part, end: byte };
  }
  if (tail === undefined) return part;
  const start = lastLines(original, part, tail);
  return { start, end: part.end, line: start === part.start ? part.line : undefined };
}

function printRange({ original, request, printer }: Job, range: Range): void {
  if (!request.numbers) return printer.bytes(range.start, range.end);
  for (const line of eachLine(original, range)) {
    printer.text(`${line.number}:`);
    printer.bytes(line.start, line.end);
  }
}

function printMatches(job: Job, range: Range, grep: GrepRequest, regex: RegExp): ExpandOutcome {
  const { original, request, printer, notes } = job;
  let hits = 0;
  let last = Infinity;
  const found = grepLines(original, range, regex, grep, notes);
  for (const line of lastOf(firstOf(found, request.head), request.tail)) {
    if (line.number > last + 1 && hasContext(grep)) printer.text('--\n');
    if (request.numbers) printer.text(`${line.number}${line.match ? ':' : '-'}`);
    printer.bytes(line.start, line.end);
    last = line.number;
    if (line.match) hits += 1;
  }
  printer.flush();
  const nothingAsked = request.head === 0 || request.tail === 0;
  if (last < Infinity || nothingAsked) return { exit: 0, notes, hits };
  return { exit: 1, notes: [...notes, noMatchNote(request, grep)], hits };
}

/** Only then are the groups told apart by `--`, as grep does. */
function hasContext({ before = 0, after = 0 }: GrepRequest): boolean {
  return before > 0 || after > 0;
}

function* firstOf(lines: Iterable<GrepLine>, count = Infinity): Generator<GrepLine> {
  let left = count;
  if (left > 0) {
    for (const line of lines) {
      yield line;
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** The last lines, holding only where they are. */
function lastOf(lines: Iterable<GrepLine>, count: number | undefined): Iterable<GrepLine> {
  if (count === undefined) return lines;
  let last: GrepLine[] = [];
  for (const line of lines) {
    last.push(line);
    if (last.length > 2 * count + 1000) last = last.slice(-count);
  }
  return count === 0 ? [] : last.slice(-count);
}

function isWhole({ address, lines, head, tail }: ExpandRequest): boolean {
  return !address && !lines && head === undefined && tail === undefined;
}

function largeNote(hash: string, size: number, lines: number): string {
  const some = lines > 1 ? `L1-${Math.min(lines, 200)}` : `B0-${LARGE_BYTES}`;
  return (
    `that was all of it: ${formatSize(size)} in ${lines} line${lines === 1 ? '' : 's'}. For less: ` +
    `ctxzip expand ${hash} ${some}, or --grep PATTERN (with -C 3 for context), --head 50, --tail 50`
  );
}

function noMatchNote(request: ExpandRequest, grep: GrepRequest): string {
  const place = request.address ? formatAddress(request.address) : 'the original';
  const where = request.lines ? `lines ${request.lines.from}-${request.lines.to} of ${place}` : place;
  const pattern = shellQuote(grep.pattern);
  const wider = [
    ...(grep.ignoreCase ? [] : ['-i for any case']),
    ...(isWhole(request) ? [] : [`ctxzip expand ${request.hash} --grep ${pattern} for all of it`]),
  ];
  const advice = wider.length > 0 ? `; try ${wider.join(', or ')}` : '';
  return `no line of ${where} matches ${pattern}${advice}`;
}
