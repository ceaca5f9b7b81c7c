/** Audit events for those who collect them: docs/events.md has their fields. One write a line; a failure is ignored. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { dayOf } from '../store/records.ts';
import { readExpansions, readRuns, type Run, toolName } from './ledger.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

export type AuditEvent =
  | {
      readonly event: 'context_compressed';
      /** Where it happened: `pipe`, `run` or `daemon`. */
      readonly seam: string;
      readonly tool: string;
      readonly hash: string;
      readonly tokens_before: number;
      readonly tokens_after: number;
      readonly saved_tokens: number;
    }
  | {
      readonly event: 'context_expanded';
      readonly tool?: string;
      readonly hash: string;
      readonly hit: boolean;
      readonly bytes: number;
      readonly tokens: number;
      readonly candidates?: readonly string[];
    }
  | {
      readonly event: 'context_pattern_suggested';
      readonly pattern: string;
      readonly expansions: number;
      readonly tools: readonly string[];
    };

export interface EventSink {
  /** The file that the lines are added to. */
  readonly file: string;
  /** Where the totals of the day come from. */
  readonly state: string | undefined;
  readonly nowMs: number;
}

/** Adds one line. Never throws, never waits: not for a pipe that nobody reads either. */
export function emit({ file, state, nowMs }: EventSink, event: AuditEvent): void {
  try {
    const totals = event.event === 'context_pattern_suggested' ? {} : totalsOf(state, nowMs);
    const line = `${JSON.stringify({ time: new Date(nowMs).toISOString(), ...event, ...totals })}\n`;
    const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
    try {
      writeSync(fd, line);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Whoever collects events misses one; the output is printed.
  }
}

/** The event of a view that was printed. */
export function compressedEvent(
  seam: string,
  { tool, hash, before = 0, after = 0 }: Omit<Run, 'at' | 'ms'>,
): AuditEvent {
  return {
    event: 'context_compressed',
    seam,
    tool: tool === undefined ? '' : toolName(tool),
    hash: hash ?? '',
    tokens_before: before,
    tokens_after: after,
    saved_tokens: before - after,
  };
}

/** Sums over all processes of the state folder since the day began, in UTC. */
function totalsOf(state: string | undefined, nowMs: number): object {
  if (state === undefined) return {};
  const today = { sinceMs: Date.parse(dayOf(nowMs)) };
  const views = readRuns(state, today).filter(({ reason }) => reason === undefined);
  const expansions = readExpansions(state, today);
  const hits = expansions.filter(({ hit }) => hit);
  const saved = views.reduce((sum, { before = 0, after = 0 }) => sum + before - after, 0);
  return {
    total_saved_tokens: saved - hits.reduce((sum, { tokens }) => sum + tokens, 0),
    total_compressions: views.length,
    total_expansions: hits.length,
    total_expansion_misses: expansions.length - hits.length,
  };
}
