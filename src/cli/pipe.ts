/** Compresses what the pipe reads: the engine and the spool, a chunk that small inputs never load. */
import { compressInput, type Input, type Outcome, type PipeJob, readInput } from '../app/compress.ts';
import { provideFiles } from '../app/files.ts';
import { openSpool, type Spool, spoolLoad } from '../store/spool.ts';
import { outlineSection } from '../strategies/index.ts';
import { VERSION, type Wire } from '../wire.ts';
import type { PipeFlags } from './flags.ts';
import { isTerminal, say, writeOut } from './io.ts';

/** gc is started when the spool holds more than this. */
const SPOOL_FILES = 64;
const SPOOL_BYTES = 64 << 20;

/** What one run of the pipe is asked to do. */
export interface PipeRequest extends Omit<PipeJob, 'outline' | 'recall' | 'version'> {
  readonly wire: Wire;
  readonly flags: PipeFlags;
  /** Where caches are kept; undefined: nowhere. */
  readonly stateFolder: string | undefined;
}

/** Reads all of `pieces`, prints the view or the input, and sees to the spool. */
export async function runPipe(pieces: Iterable<Uint8Array>, request: PipeRequest): Promise<number> {
  provideFiles();
  const { wire, flags, storeFolder } = request;
  let spool: Spool | undefined;
  const openStore = (): Spool | undefined => {
    if (storeFolder !== undefined) spool ??= openSpool(storeFolder);
    return spool;
  };
  const input = readInput(pieces, openStore);
  if ('reason' in input) {
    say(`${input.reason}; input passed through unchanged`);
    for (const piece of input.pieces) writeOut(piece);
    return 0;
  }
  const recall = (sha: string): Uint8Array | undefined => expandInChild(wire, sha);
  const outcome = compressInput(
    input,
    { ...request, version: VERSION, outline: outlineSection, recall },
    openStore,
  );
  try {
    if (flags.json || flags.explain) {
      const { report } = await import('./report.ts');
      report(outcome, flags);
    } else print(outcome);
    await tell(outcome, input);
  } finally {
    input.close();
  }
  if (outcome.kind === 'view') care(wire, storeFolder!);
  return 0;
}

/** The original of a view that another policy made. It may be in LMDB, which could crash the process that opens it. */
function expandInChild(wire: Wire, sha: string): Uint8Array | undefined {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const [node, script] = wire.self;
  const { status, stdout } = spawnSync(node, [script, 'expand', sha], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 30,
    timeout: 30_000,
  });
  return status === 0 ? stdout : undefined;
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
  say(
    `${countLines(input.pieces())} lines → ${countLines(outcome.view.chunks)}, ~${share} % fewer tokens (est.)`,
  );
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
function care(wire: Wire, storeFolder: string): void {
  const { files, bytes } = spoolLoad(storeFolder);
  if (files <= SPOOL_FILES && bytes <= SPOOL_BYTES) return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [node, script] = wire.self;
  const child = spawn(node, [script, 'gc', '--quiet'], { detached: true, stdio: 'ignore', cwd: '/' });
  child.on('error', () => undefined);
  child.unref();
}
