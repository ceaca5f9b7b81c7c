/** The learning loop: what an expansion says about what a view should have kept. */
import { isUtf8 } from 'node:buffer';
import { hasEscapes, stripEscapes } from '../core/escapes.ts';
import { latin1 } from '../core/chars.ts';
import { mine, type MineRequest, type SampledText } from '../learn/mine.ts';
import { type Candidate, type Decision, type Expansion, firstSaid, tally } from '../learn/tally.ts';
import type { Reader } from '../store/port.ts';
import {
  gapsOf,
  readDecisions,
  readExpansions,
  readRuns,
  recordDecisions,
  recordExpansion,
  type Run,
} from './ledger.ts';

export type { Candidate, Decision };

/** What was printed, as far as it is looked at. */
export interface Printed {
  readonly bytes: number;
  /** The first of it. */
  readonly text: Uint8Array;
}

export interface Lesson {
  readonly state: string;
  readonly nowMs: number;
  /** Tells this process from others. */
  readonly by: string;
  readonly hash: string;
  readonly tool?: string;
  readonly printed: Printed;
  readonly reader: Reader;
  readonly keepPatterns: readonly string[];
  readonly grep?: MineRequest['grep'];
}

export interface Learnt {
  readonly expansion: Expansion;
  /** Words that have become suggestions now. */
  readonly suggested: readonly Candidate[];
}

/** Of an original larger than this, windows are looked at. */
const SAMPLE_BYTES = 1 << 17;
const WINDOWS = 8;
/** So much is searched for the run that left out what was expanded, and tallied to see what has become a suggestion. */
const RUNS_READ_BYTES = 4 << 20;
const TALLY_BYTES = 2 << 20;
const RECENT_MS = 8 * 86_400_000;

/** Mines what was printed, records the expansion, and says which words it has made a suggestion. */
export function learn(lesson: Lesson): Learnt {
  const { state, nowMs, by, hash, tool, printed } = lesson;
  const reach = { sinceMs: nowMs - RECENT_MS, mostBytes: RUNS_READ_BYTES, holding: hash };
  const run = readRuns(state, reach).findLast((each) => each.hash === hash);
  const words = minedWords(lesson, run);
  const expansion: Expansion = {
    at: nowMs,
    hash,
    hit: true,
    bytes: printed.bytes,
    tokens: tokensOf(printed.bytes, run),
    ...(tool !== undefined && { tool }),
    ...(words.length > 0 && { words }),
  };
  if (!recordExpansion(state, expansion) || words.length === 0) return { expansion, suggested: [] };
  const mined = new Set(words.map((word) => word.toLowerCase()));
  const decisions = readDecisions(state);
  const said = new Set(decisions.map(({ word }) => word.toLowerCase()));
  const fresh = tally(readExpansions(state, { mostBytes: TALLY_BYTES }), decisions, nowMs).filter(
    ({ word, isSuggested }) => isSuggested && mined.has(word.toLowerCase()) && !said.has(word.toLowerCase()),
  );
  if (fresh.length === 0) return { expansion, suggested: [] };
  const isSaid = recordDecisions(
    state,
    fresh.map(({ word }) => ({ at: nowMs, word, what: 'suggested', by })),
  );
  if (!isSaid) return { expansion, suggested: [] };
  const first = new Set(
    firstSaid(
      fresh.map(({ word }) => word),
      readDecisions(state),
      by,
    ),
  );
  return { expansion, suggested: fresh.filter(({ word }) => first.has(word)) };
}

function minedWords({ printed, reader, keepPatterns, grep }: Lesson, run: Run | undefined): string[] {
  try {
    return mine({
      printed: textOf(printed.text),
      sample: sampleOf(reader),
      gaps: run && gapsOf(run),
      keepPatterns,
      ...(grep !== undefined && { grep }),
    });
  } catch {
    // Then the expansion counts, and its words don't.
    return [];
  }
}

function textOf(bytes: Uint8Array): string {
  const plain = hasEscapes(bytes) ? stripEscapes(bytes) : bytes;
  const buffer = Buffer.from(plain.buffer, plain.byteOffset, plain.length);
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
}

/** The original, or windows of it at even distances; the first is its start. */
function sampleOf(reader: Reader): SampledText[] {
  const { size } = reader;
  if (size <= SAMPLE_BYTES) return [{ text: latin1(reader.read(0, size)), start: 0 }];
  const width = SAMPLE_BYTES / WINDOWS;
  return Array.from({ length: WINDOWS }, (_, i) => {
    const start = Math.floor(((size - width) * i) / (WINDOWS - 1));
    return { text: latin1(reader.read(start, start + width)), start };
  });
}

/** Estimated tokens of what was printed: as dense as the original was, where that is known. */
function tokensOf(bytes: number, run: Run | undefined): number {
  const density = run?.before === undefined || run.bytes === 0 ? USUAL_DENSITY : run.before / run.bytes;
  return Math.round(bytes * density);
}

/** Tokens a byte. */
const USUAL_DENSITY = 0.3;

/** All candidates of a state folder, the most wanted first. */
export function candidatesIn(state: string, nowMs: number): Candidate[] {
  return tally(readExpansions(state), readDecisions(state), nowMs);
}
