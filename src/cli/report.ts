/** What `--json` and `--explain` say of a run; a lazy chunk. */
import type { Outcome } from '../app/compress.ts';
import type { Compressed } from '../core/compress.ts';
import { latin1 } from '../core/chars.ts';
import { REASONS } from '../core/outline.ts';
import type { Kept } from '../core/worth.ts';
import type { PipeFlags } from './flags.ts';
import { say, writeOut } from './io.ts';
import type { RunFacts, RunOutput } from './pipe.ts';

/** Prints the view or, with `--json`, its facts; with `--explain` the reasons on stderr. */
export function report(outcome: Outcome, flags: PipeFlags, ruleNotes: readonly string[]): void {
  if (flags.json) {
    writeFacts(outcome, {});
    writeOut('\n');
  } else for (const piece of piecesOf(outcome)) writeOut(piece);
  if (flags.explain) for (const line of [...ruleNotes, ...explain(outcome)]) say(line);
}

/** The same for what a command has printed: with `--json` one object on stdout, with the streams in it. */
export function reportRun(
  shown: ReadonlyArray<RunOutput & { readonly outcome: Outcome }>,
  facts: RunFacts,
): void {
  const { flags, ruleNotes } = shown[0]!.request;
  if (flags.json) {
    writeOut(JSON.stringify({ kind: 'run', ...facts }).replace(/\}$/, ',"streams":['));
    for (const [i, { name, outcome }] of shown.entries()) {
      if (i > 0) writeOut(',');
      writeFacts(outcome, { stream: name });
    }
    writeOut(']}\n');
  } else for (const { outcome, write } of shown) for (const piece of piecesOf(outcome)) write(piece);
  if (!flags.explain) return;
  ruleNotes.forEach(say);
  for (const { name, outcome } of shown) {
    for (const line of explain(outcome)) say(shown.length > 1 ? `${name}: ${line}` : line);
  }
}

/** What is printed of an outcome. */
export function piecesOf(outcome: Outcome): Iterable<Uint8Array> {
  return outcome.kind === 'view' ? outcome.view.chunks : outcome.input.pieces();
}

function writeFacts(outcome: Outcome, more: object): void {
  for (const piece of jsonPieces(outcome, more)) writeOut(piece);
}

/** The facts of an outcome as a JSON object; the output last, in pieces: it may be longer than the longest string. */
export function* jsonPieces(outcome: Outcome, more: object): Generator<string> {
  const facts = { ...more, ...factsOf(outcome) };
  yield JSON.stringify(facts).replace(/\}$/, ',"output":"');
  for (const text of decoded(() => piecesOf(outcome))) yield JSON.stringify(text).slice(1, -1);
  yield '"}';
}

/** The text of pieces: UTF-8 where all of it is, else each byte as one character. */
export function* decoded(pieces: () => Iterable<Uint8Array>): Generator<string> {
  const isText = isUtf8(pieces());
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const piece of pieces()) yield isText ? decoder.decode(piece, { stream: true }) : latin1(piece);
}

function isUtf8(pieces: Iterable<Uint8Array>): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const piece of pieces) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

function factsOf(outcome: Outcome): object {
  if (outcome.kind === 'input') {
    const { source } = outcome.input;
    return { kind: 'passthrough', reason: outcome.reason, bytes: source.length, gaps: [] };
  }
  const { view, sha } = outcome;
  return {
    kind: 'view',
    hash: sha,
    bytes: outcome.input.source.length,
    viewBytes: view.size,
    tokensBefore: Math.round(view.tokensBefore),
    tokensAfter: Math.round(view.tokensAfter),
    tokens: 'estimated',
    sections: view.kept.map(({ outline }) => ({
      shape: outline.shape,
      lines: outline.lines,
      reason: outline.reason,
    })),
    shapes:
      outcome.minimal === undefined
        ? [...new Set(view.kept.map(({ outline }) => outline.shape))]
        : [outcome.minimal],
    ...(outcome.minimal !== undefined && { level: 'minimal' }),
    reasons: Object.fromEntries(reasonCounts(view.kept)),
    gaps: view.gaps,
  };
}

function reasonCounts(all: readonly Kept[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reasons } of all) {
    for (const reason of reasons) {
      if (reason !== 0) counts.set(REASONS[reason]!, (counts.get(REASONS[reason]!) ?? 0) + 1);
    }
  }
  return counts;
}

/** Why everything stayed, line by line. */
export function* explain(outcome: Outcome): Generator<string> {
  if (outcome.kind === 'input') yield* explainView({ kind: 'passthrough', reason: outcome.reason });
  else {
    if (outcome.minimal !== undefined) yield `level minimal: all of it, as ${outcome.minimal}`;
    yield* explainView(outcome.view);
  }
}

/** What was detected and why; of each run of units that stays why, and what it costs. */
export function* explainView(view: Compressed): Generator<string> {
  if (view.kind === 'passthrough') {
    yield `passed through: ${view.reason}`;
    return;
  }
  yield `${Math.round(view.tokensBefore)} → ${Math.round(view.tokensAfter)} estimated tokens, ${view.gaps.length} gaps`;
  for (const { outline, reasons } of view.kept) {
    yield `L${outline.lines[0]}-${outline.lines[1]} ${outline.shape}: ${outline.reason}`;
    for (let i = 0; i < outline.count;) {
      const reason = reasons[i]!;
      let end = i + 1;
      while (end < outline.count && reasons[end] === reason) end += 1;
      if (reason !== 0) {
        let cost = 0;
        for (let u = i; u < end; u += 1) cost += outline.costs[u]!;
        const noun = outline.tree === undefined ? 'L' : 'unit ';
        const first = (outline.tree === undefined ? outline.lines[0] : 0) + i;
        const lines = end - i === 1 ? `${noun}${first}` : `${noun}${first}-${first + end - i - 1}`;
        yield `  ${lines.padEnd(14)} ${REASONS[reason]!.padEnd(12)} ${Math.round(cost)} tokens`;
      }
      i = end;
    }
  }
}
