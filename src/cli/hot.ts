/** The entry. It imports what every run needs and nothing else: each module here is read at every start. */
import { stateFolder } from '../config/find.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { policyFrom } from '../config/policy.ts';
import { pipeVerdict } from '../config/problems.ts';
import type { Policy } from '../core/model.ts';
import { VERSION, wire as readWire, type Wire } from '../wire.ts';
import { loadChunk, type LoadedChunk } from './code-cache.ts';
import { parseArguments, type PipeFlags } from './flags.ts';
import { isClosedOutput, isTerminal, say, stdinPieces, writeOut } from './io.ts';
import type { PipeRequest } from './pipe.ts';

async function main(): Promise<number> {
  const wire = readWire();
  const parsed = parseArguments(wire.argv);
  switch (parsed.kind) {
    case 'pipe':
      return done(await pipe(wire, parsed.flags));
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
  if (argv[0] === 'expand') {
    const chunk = loadChunk<typeof import('./commands/expand.ts')>(
      'expand',
      VERSION,
      stateFolder(wire.world),
    );
    const exit = await chunk.exports.expandCommand(wire, argv.slice(1));
    chunk.save(1);
    return done(exit);
  }
  const { runCommand } = await import('./main.ts');
  return await runCommand(wire, argv);
}

async function pipe(wire: Wire, flags: PipeFlags): Promise<number> {
  if (await isTerminal('stdin')) return await command(wire, ['help', '--short']);
  // Ctrl-C ends the producer; what came so far is still compressed and printed.
  process.on('SIGINT', () => undefined);
  const pieces = stdinPieces();
  if (wire.isDisabled) return copy(pieces);
  const config = await loadConfig(wire.world, flags.config);
  const verdict = pipeVerdict(config.problems);
  if (verdict.line !== undefined) say(verdict.line);
  const isUsage = config.problems.some((p) => p.source === 'flag' && p.severity !== 'note');
  const policy = policyFrom(config, flags);
  if (isUsage || verdict.passthrough || policy.level === 'none') return copy(pieces, isUsage ? 2 : 0);
  return await compress(pieces, { wire, flags, policy, ...storeOf(config, flags, wire) });
}

function storeOf(config: Config, flags: PipeFlags, wire: Wire) {
  const { ttlMs, maxStoreBytes } = config.settings;
  const { nowMs, cwd } = wire.world;
  return {
    storeFolder: flags.store ? config.storeFolder : undefined,
    stateFolder: config.stateFolder,
    ttlMs,
    maxStoreBytes,
    facts: { createdMs: nowMs, folder: cwd, ...(flags.tool !== undefined && { tool: flags.tool }) },
  };
}

/** Prints small inputs as they are; loads the engine for others. */
async function compress(pieces: Generator<Uint8Array>, request: PipeRequest): Promise<number> {
  const held = take(pieces, leastSize(request));
  if (held.ended) return copy(held.pieces);
  const input = chained(held.pieces, pieces);
  let engine: LoadedChunk<typeof import('./pipe.ts')>;
  try {
    engine = loadChunk('pipe', VERSION, request.stateFolder);
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}; input passed through unchanged`);
    return copy(input);
  }
  const { exit, lessons } = await engine.exports.runPipe(input, request);
  engine.save(lessons);
  return exit;
}

/** Ends at once: all output is written, and taking the heap down properly costs a millisecond. */
function done(exit: number): never {
  process.exit(exit);
}

function leastSize({ flags, policy }: { readonly flags: PipeFlags; readonly policy: Policy }): number {
  return flags.json || flags.explain || policy.budgetAsked ? 0 : policy.minChars;
}

function copy(pieces: Iterable<Uint8Array>, exit = 0): number {
  for (const piece of pieces) writeOut(piece);
  return exit;
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

main()
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    // Whoever read our output has gone: nothing is left to do.
    if (isClosedOutput(error)) return;
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
