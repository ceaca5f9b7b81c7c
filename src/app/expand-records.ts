import type { ExpandOutcome, Job } from './expand.ts';
import { type GrepRequest, timedTest } from './expand-grep.ts';
import { isTextLine } from './expand-path.ts';
import type { Located } from './expand-range.ts';
import type { Original, Range } from './expand-read.ts';

type Records = Extract<Located, { kind: 'records' }>;

/**
 * Prints a range of records as one JSON array (members as one object), a record after the other; `--grep`, `--head` and
 * `--tail` choose among records.
 */
export function printRecords(job: Job, { records, isObject }: Records, regex?: RegExp): ExpandOutcome {
  const { original, request, printer } = job;
  const { head, tail, lines, grep = {} } = request;
  if (lines !== undefined) {
    return {
      exit: 2,
      notes: ['--lines counts lines, and this is a range of records: narrow it, or add --raw'],
    };
  }
  const matching = regex === undefined ? records : withContext(original, records, regex, grep);
  const first = head === undefined ? matching : matching.slice(0, head);
  const chosen = tail === undefined ? first : tail === 0 ? [] : first.slice(-tail);
  if (chosen.length === 0 && regex !== undefined) return { exit: 1, notes: ['no record matches'], hits: 0 };
  printer.text(isObject ? '{' : '[');
  chosen.forEach((record, i) => {
    printer.text(i === 0 ? '\n' : ',\n');
    if (isTextLine(original, record)) printer.text(JSON.stringify(textOf(original, record)));
    else printer.bytes(record.start, record.end);
  });
  printer.text(isObject ? '\n}\n' : '\n]\n');
  printer.flush();
  return { exit: 0, notes: [], ...(regex !== undefined && { hits: chosen.length }) };
}

function textOf(original: Original, { start, end }: Range): string {
  return Buffer.from(original.read(start, end)).toString('utf8');
}

/** The records that match, with those around them. Throws SlowPatternError. */
function withContext(
  original: Original,
  records: readonly Range[],
  regex: RegExp,
  { before = 0, after = 0, timeLimitMs }: Omit<GrepRequest, 'pattern'>,
): Range[] {
  const test = timedTest(regex, timeLimitMs);
  const keep = new Uint8Array(records.length);
  records.forEach((record, i) => {
    if (!test([[textOf(original, record)]], () => i)[0]) return;
    keep.fill(1, Math.max(0, i - before), Math.min(records.length, i + after + 1));
  });
  return records.filter((_, i) => keep[i] === 1);
}
