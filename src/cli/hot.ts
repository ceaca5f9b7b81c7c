/** What every run needs beside what `start.ts` brings; commands and the engine come when they are wanted. */
import { recordRun } from '../app/ledger.ts';
import { loadConfig } from '../config/load.ts';
import { pipeVerdict } from '../config/problems.ts';
import { VERSION, type Wire } from '../wire.ts';
import { parseArguments, type Parsed, type PipeFlags } from './flags.ts';
import { isTerminal, say, stdinPieces, writeOut } from './io.ts';
import type { PipeRequest } from './pipe.ts';
import { explainNone, leastSize, requestOf } from './request.ts';
import type { Load, Ran } from './start.ts';

export { makeFolder } from '../store/folder.ts';
export { keepCache } from './code-cache-write.ts';

/** Runs what the arguments ask for. */
export async function run(wire: Wire, load: Load): Promise<Ran> {
  const parsed = parseArguments(wire.argv);
  if (parsed.kind === 'pipe') return await pipe(wire, parsed.flags, load);
  return { exit: await answer(wire, parsed), lessons: 1, isDone: false };
}

async function answer(wire: Wire, parsed: Exclude<Parsed, { kind: 'pipe' }>): Promise<number> {
  switch (parsed.kind) {
    case 'command':
      return await command(wire, wire.argv);
    case 'help':
      return await command(wire, ['help']);
    case 'version':
      writeOut(`${VERSION}\n`);
      return 0;
    case 'usage':
      // A mistyped flag costs no output: what the producer printed is copied.
      if (!(await isTerminal('stdin'))) copy(stdinPieces());
      say(parsed.message);
      return 2;
    case 'unknown':
      say(parsed.message);
      return 2;
  }
}

async function command(wire: Wire, argv: readonly string[]): Promise<number> {
  const { runCommand } = await import('./main.ts');
  return await runCommand(wire, argv);
}

async function pipe(wire: Wire, flags: PipeFlags, load: Load): Promise<Ran> {
  if (await isTerminal('stdin')) return done(await command(wire, ['help', '--short']));
  // Ctrl-C ends the producer; what came so far is still compressed and printed.
  process.on('SIGINT', () => undefined);
  const pieces = stdinPieces();
  if (wire.isDisabled) return done(copy(pieces));
  const config = await loadConfig(wire.world, flags.config);
  const verdict = pipeVerdict(config.problems);
  if (verdict.line !== undefined) say(verdict.line);
  const isUsage = config.problems.some((p) => p.source === 'flag' && p.severity !== 'note');
  if (isUsage || verdict.passthrough) return done(copy(pieces, isUsage ? 2 : 0));
  const request = requestOf({ wire, config, flags }, flags);
  if (request.policy.level !== 'none') return await compress(pieces, request, load);
  const ran = untouched(pieces, request, 'level none');
  explainNone(request);
  return ran;
}

/** Prints small inputs as they are; loads the engine for others. */
async function compress(pieces: Generator<Uint8Array>, request: PipeRequest, load: Load): Promise<Ran> {
  const held = take(pieces, leastSize(request));
  if (held.ended) return untouched(held.pieces, request, `under ${request.policy.minChars} characters`);
  const input = chained(held.pieces, pieces);
  let engine: typeof import('./pipe.ts');
  try {
    engine = load('pipe');
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}; input passed through unchanged`);
    return done(copy(input));
  }
  return await engine.runPipe(input, request, load);
}

function done(exit: number): Ran {
  return { exit, lessons: 1, isDone: true };
}

function copy(pieces: Iterable<Uint8Array>, exit = 0): number {
  for (const piece of pieces) writeOut(piece);
  return exit;
}

/** Copies what there is nothing to do about, and records that. */
function untouched(pieces: Iterable<Uint8Array>, request: PipeRequest, reason: string): Ran {
  let bytes = 0;
  for (const piece of pieces) {
    writeOut(piece);
    bytes += piece.length;
  }
  const { createdMs: at, tool } = request.facts;
  recordRun(request.recordFolder, { at, ms: 0, bytes, reason, ...(tool !== undefined && { tool }) });
  return done(0);
}

/** Pieces up to a size; `ended` where there was no more than that. */
function take(pieces: Iterator<Uint8Array>, size: number): { pieces: Uint8Array[]; ended: boolean } {
  const taken: Uint8Array[] = [];
  for (let total = 0; total < size;) {
    const next = pieces.next();
    if (next.done === true) return { pieces: taken, ended: true };
    taken.push(next.value);
    total += next.value.length;
  }
  return { pieces: taken, ended: false };
}

function* chained(first: Iterable<Uint8Array>, rest: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield* first;
  yield* rest;
}
