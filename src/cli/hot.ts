/** The pipe. It imports what every run needs and nothing else: each module here is read at every start. */
import { loadConfig } from '../config/load.ts';
import { policyFrom } from '../config/policy.ts';
import { pipeVerdict } from '../config/problems.ts';
import { VERSION, wire, type Wire } from '../wire.ts';
import { parseArguments, type PipeFlags } from './flags.ts';
import { ClosedOutput, isTerminal, say, stdinPieces, writeOut } from './io.ts';

async function main(): Promise<number> {
  const world = wire();
  const parsed = parseArguments(world.argv);
  if (parsed.kind === 'pipe') return await pipe(world, parsed.flags);
  if (parsed.kind === 'usage') return await usage(parsed.message);
  if (parsed.kind === 'unknown') {
    say(parsed.message);
    return 2;
  }
  if (parsed.kind === 'version') {
    writeOut(`${VERSION}\n`);
    return 0;
  }
  const { runCommand } = await import('./main.ts');
  return await runCommand(world, parsed.kind === 'help' ? ['help'] : world.argv);
}

/** A mistyped flag costs no output: what the producer printed is copied. */
async function usage(message: string): Promise<number> {
  if (!(await isTerminal('stdin'))) copy();
  say(message);
  return 2;
}

function copy(): void {
  for (const piece of stdinPieces()) writeOut(piece);
}

async function pipe(world: Wire, flags: PipeFlags): Promise<number> {
  if (await isTerminal('stdin')) {
    const { runCommand } = await import('./main.ts');
    return await runCommand(world, ['help', '--short']);
  }
  // Ctrl-C ends the producer; what came so far is still compressed and printed.
  process.on('SIGINT', () => undefined);
  const config = await loadConfig(world.world, flags.config);
  const verdict = pipeVerdict(config.problems);
  const policy = policyFrom(config, flags);
  if (verdict.line !== undefined) say(verdict.line);
  const isUsage = config.problems.some((p) => p.source === 'flag' && p.severity !== 'note');
  if (world.isDisabled || verdict.passthrough || isUsage || policy.level === 'none') {
    copy();
    return isUsage ? 2 : 0;
  }
  const { settings } = config;
  const job = {
    policy,
    storeFolder: flags.store ? config.storeFolder : undefined,
    ttlMs: settings.ttlMs,
    maxStoreBytes: settings.maxStoreBytes,
    facts: {
      createdMs: world.world.nowMs,
      folder: world.world.cwd,
      ...(flags.tool !== undefined && { tool: flags.tool }),
    },
    version: VERSION,
  };
  const pieces = stdinPieces();
  const held = take(pieces, flags.json || flags.explain || policy.budgetAsked ? 0 : policy.minChars);
  if (held.ended) {
    for (const piece of held.pieces) writeOut(piece);
    return 0;
  }
  const { runPipe } = await import('./pipe.ts');
  return await runPipe(world, chained(held.pieces, pieces), job, flags);
}

/** Pieces up to a size; `ended` where there was no more than that. */
function take(
  pieces: Iterator<Uint8Array>,
  size: number,
): { readonly pieces: Uint8Array[]; readonly ended: boolean } {
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
    if (error instanceof ClosedOutput) return;
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
