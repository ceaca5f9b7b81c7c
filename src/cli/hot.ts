/** The pipe. It imports what every run needs and nothing else: each module here is read at every start. */
import { compressInput, type Input, type Outcome, type PipeJob, readInput } from '../app/compress.ts';
import { loadConfig } from '../config/load.ts';
import { policyFrom } from '../config/policy.ts';
import { pipeVerdict } from '../config/problems.ts';
import { openSpool, type Spool, spoolLoad } from '../store/spool.ts';
import { outlineSection } from '../strategies/index.ts';
import { VERSION, wire, type Wire } from '../wire.ts';
import { parseArguments, type PipeFlags } from './flags.ts';
import { ClosedOutput, isTerminal, say, stdinPieces, writeOut } from './io.ts';

/** gc is started when the spool holds more than this. */
const SPOOL_FILES = 64;
const SPOOL_BYTES = 64 << 20;

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
  const isUsage = config.problems.some(p => p.source === 'flag' && p.severity !== 'note');
  if (world.isDisabled || verdict.passthrough || isUsage || policy.level === 'none') {
    copy();
    return isUsage ? 2 : 0;
  }
  const { settings } = config;
  const job: PipeJob = {
    policy,
    storeFolder: flags.store ? config.storeFolder : undefined,
    ttlMs: settings.ttlMs,
    maxStoreBytes: settings.maxStoreBytes,
    facts: { createdMs: world.world.nowMs, folder: world.world.cwd, ...(flags.tool !== undefined && { tool: flags.tool }) },
    version: VERSION,
    outline: outlineSection,
    recall: () => undefined,
  };
  return await run(world, job, flags);
}

async function run(world: Wire, job: PipeJob, flags: PipeFlags): Promise<number> {
  let spool: Spool | undefined;
  const openStore = (): Spool | undefined => {
    if (job.storeFolder !== undefined) spool ??= openSpool(job.storeFolder);
    return spool;
  };
  const pieces = stdinPieces();
  const input = readInput(pieces, openStore);
  if ('reason' in input) {
    say(`${input.reason}; input passed through unchanged`);
    for (const piece of input.pieces) writeOut(piece);
    for (const piece of pieces) writeOut(piece);
    return 0;
  }
  const outcome = compressInput(input, job, openStore);
  try {
    if (flags.json || flags.explain) {
      const { report } = await import('./report.ts');
      report(outcome, flags);
    } else print(outcome);
    await tell(outcome, input);
  } finally {
    input.close();
  }
  if (outcome.kind === 'view') await care(world, job.storeFolder!);
  return 0;
}

function print(outcome: Outcome): void {
  for (const piece of outcome.kind === 'view' ? outcome.view.chunks : outcome.input.pieces()) writeOut(piece);
}

/** What a person at a terminal learns; a passthrough that has news is said in any case. */
async function tell(outcome: Outcome, input: Input): Promise<void> {
  if (outcome.kind === 'input') {
    if (outcome.isNews) say(`${outcome.reason}; input passed through unchanged`);
    return;
  }
  for (const note of outcome.view.notes) say(note);
  if (!(await isTerminal('stderr'))) return;
  const { tokensBefore, tokensAfter } = outcome.view;
  const share = Math.round((100 * (tokensBefore - tokensAfter)) / tokensBefore);
  say(`${countLines(input.source.length === 0 ? [] : input.pieces())} lines → ${countLines(outcome.view.chunks)}, ~${share} % fewer tokens (est.)`);
}

function countLines(pieces: Iterable<Uint8Array>): number {
  let lines = 0;
  let last = 10;
  for (const piece of pieces) {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
    last = piece.at(-1) ?? last;
  }
  return last === 10 ? lines : lines + 1;
}

/** Starts a detached gc when much has gathered in the spool. */
async function care(world: Wire, storeFolder: string): Promise<void> {
  const { files, bytes } = spoolLoad(storeFolder);
  if (files <= SPOOL_FILES && bytes <= SPOOL_BYTES) return;
  const { spawn } = await import('node:child_process');
  const [node, script] = world.self;
  const child = spawn(node, [script, 'gc', '--quiet'], { detached: true, stdio: 'ignore', cwd: '/' });
  child.on('error', () => undefined);
  child.unref();
}

main()
  .then(code => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    if (error instanceof ClosedOutput) return;
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
