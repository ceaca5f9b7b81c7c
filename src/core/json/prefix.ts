import { severityAt, type Severity } from '../failures.ts';
import { kernel, place } from '../kernel.ts';
import { lineText, type LineIndex } from '../line-index.ts';
import type { PoolFacts } from './pool-grid.ts';
import type { Tape } from './tape.ts';
import type { JsonUnits } from './units.ts';

/** Lines that are looked at for a prefix. */
const SAMPLE = 50;
const LEAST_LINES = 3;
/** A short prefix without a bracket, or one in brackets, then an object to the end of the line. */
const PREFIXED = /^([^{}[\]"]{1,60}[\s|:>\]-]|\[[^\]]{1,80}\][\s|:>-]*)\s*\{(?:\s*"[^]*)?\}\s*$/;
const LEVEL = /\b(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)\b/i;
const MOST_WORDS = 4;
/** Share of the lines that have one. */
const LEAST_SHARE = 0.9;

/**
 * Are the lines `[from, to)` JSON behind a prefix that is the same or nearly so: `pod-1 | {…}`, `[web] {…}`, a time and a
 * stream? A log line that ends with JSON says more before it, or a level.
 */
export function isPrefixed(index: LineIndex, from: number, to: number): boolean {
  if (to - from < LEAST_LINES) return false;
  const prefixes = new Set<string>();
  const step = Math.max(1, Math.floor((to - from) / SAMPLE));
  let lines = 0;
  let seen = 0;
  for (let line = from; line < to; line += step) {
    const text = lineText(index, line);
    if (text.trim() === '') continue;
    lines += 1;
    const prefix = text.includes('{') ? PREFIXED.exec(text)?.[1] : undefined;
    if (prefix === undefined) {
      if (seen === 0) return false;
      continue;
    }
    if (LEVEL.test(prefix) || prefix.trim().split(/\s+/).length > MOST_WORDS) return false;
    seen += 1;
    prefixes.add(prefix.replace(/[\d:.TZ+-]+/g, '#'));
  }
  return seen >= LEAST_LINES && seen >= lines * LEAST_SHARE && prefixes.size <= Math.max(8, seen / 4);
}

/** What stands on the line of a value before it. */
export function prefixOf({ bytes, start, parent }: Tape, node: number): { from: number; to: number } {
  const to = start[node]!;
  if (parent[node] !== 0 || to === 0 || bytes[to - 1] === 10) return { from: to, to };
  const from = bytes.lastIndexOf(10, to - 1) + 1;
  // The value before it on the line is no prefix.
  return bytes.subarray(from, to).includes(125) ? { from: to, to } : { from, to };
}

/** Severity of what a prefix says. */
function prefixSeverity(tape: Tape, node: number): Severity {
  const { from, to } = prefixOf(tape, node);
  return to - from < 2 ? 0 : severityAt(tape.bytes, from, to);
}

/** What stands before a record on its line is part of it: what it says counts, where the record says less. */
export function judgePrefixes(
  tape: Tape,
  { nodes, count, afterOf }: JsonUnits,
  facts: Pick<PoolFacts, 'severity' | 'failureKeys'>,
): void {
  if (!tape.isIndented) return;
  const { bytes } = tape;
  let { start } = tape;
  for (let unit = 1; unit < count; unit = afterOf(unit)) {
    const node = nodes[unit]!;
    if (bytes[start[node]! - 1] === 10) continue;
    const severity = prefixSeverity(tape, node);
    // Columns may have moved.
    ({ start } = tape);
    if (severity <= facts.severity[unit]!) continue;
    const { from, to } = prefixOf(tape, node);
    const at = place(bytes.subarray(from, to), 'line');
    facts.severity[unit] = severity;
    facts.failureKeys[unit] = kernel().hashMasked(at, at + to - from) >>> 0 || 1;
  }
}
