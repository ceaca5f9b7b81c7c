/** What keep patterns would have kept in the stored originals, and what that would have cost. */
import { compress, type Compressed } from '../core/compress.ts';
import type { Policy, Source } from '../core/model.ts';
import { markUnits } from '../core/marks.ts';
import { compilePatterns } from '../core/match.ts';
import { KEEP } from '../core/outline.ts';
import { memorySource } from '../core/source.ts';
import type { Entry, Store } from '../store/port.ts';
import { outlineSection } from './shapes.ts';

export interface Measure {
  /** Lines or records that the views hid and would have kept. */
  kept: number;
  /** Estimated tokens that the views would have had more. */
  tokens: number;
  /** Estimated tokens that the views saved that hid any. */
  saved: number;
}

export interface Measured {
  readonly words: ReadonlyMap<string, Measure>;
  /** Originals that were looked at, and how many there are. */
  readonly originals: number;
  readonly stored: number;
}

/** The latest originals are measured, so many and so large at most. */
const MOST_ORIGINALS = 200;
const MOST_BYTES = 64 << 20;
const LARGEST = 8 << 20;

/** Measures words one by one: each original is compressed without and with it. `policyOf` gives the policy of an original. */
export async function measureWords(
  store: Store,
  words: readonly string[],
  policyOf: (entry: Entry) => Policy,
  nowMs: number,
): Promise<Measured> {
  const measures = new Map(words.map((word) => [word, { kept: 0, tokens: 0, saved: 0 }]));
  const entries = (await store.list()).toSorted((a, b) => b.facts.createdMs - a.facts.createdMs);
  let left = MOST_BYTES;
  let originals = 0;
  for (const entry of words.length === 0 ? [] : entries.slice(0, MOST_ORIGINALS)) {
    if (entry.size > Math.min(LARGEST, left)) continue;
    const bytes = await bytesOf(store, entry.sha, nowMs);
    if (bytes === undefined) continue;
    left -= bytes.length;
    originals += 1;
    measureIn({ bytes, hash: entry.sha.slice(0, 12), policy: policyOf(entry) }, measures);
  }
  return { words: measures, originals, stored: entries.length };
}

async function bytesOf(store: Store, sha: string, nowMs: number): Promise<Uint8Array | undefined> {
  try {
    const lookup = await store.open(sha, nowMs);
    if (lookup.kind !== 'found') return undefined;
    const bytes = Uint8Array.from(lookup.reader.read(0, lookup.reader.size));
    lookup.reader.close();
    return bytes;
  } catch {
    return undefined;
  }
}

interface Stored {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly policy: Policy;
}

function measureIn({ bytes, hash, policy }: Stored, measures: ReadonlyMap<string, Measure>): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').toLowerCase();
  const source = memorySource(bytes);
  let base: Compressed | undefined;
  for (const [word, measure] of measures) {
    if (!text.includes(word.toLowerCase())) continue;
    base ??= viewOf(source, policy, hash);
    if (base === undefined || base.kind === 'passthrough') return;
    const more = viewOf(source, { ...policy, keepPatterns: [...policy.keepPatterns, word] }, hash);
    if (more === undefined) continue;
    const kept = countHidden(base, policy, word);
    measure.kept += kept;
    measure.tokens += Math.round(
      (more.kind === 'view' ? more.tokensAfter : base.tokensBefore) - base.tokensAfter,
    );
    if (kept > 0) measure.saved += Math.round(base.tokensBefore - base.tokensAfter);
  }
}

function viewOf(source: Source, policy: Policy, hash: string): Compressed | undefined {
  try {
    return compress(source, policy, () => hash, outlineSection);
  } catch {
    return undefined;
  }
}

type View = Extract<Compressed, { kind: 'view' }>;

/** Units that match a pattern and are not in a view. */
function countHidden({ kept }: View, policy: Policy, word: string): number {
  const outlines = kept.map(({ outline }) => outline);
  const before = outlines.map(({ flags }) => Uint8Array.from(flags));
  const { query: _, ...plain } = policy;
  markUnits(outlines, plain, compilePatterns([word]));
  let count = 0;
  for (const [i, { outline, reasons }] of kept.entries()) {
    for (let unit = 0; unit < outline.count; unit += 1) {
      const isNew = (outline.flags[unit]! & KEEP & ~before[i]![unit]!) !== 0;
      if (isNew && reasons[unit] === 0) count += 1;
    }
    outline.flags.set(before[i]!);
  }
  return count;
}
