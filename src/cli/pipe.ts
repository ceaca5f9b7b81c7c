/** Compresses what the pipe reads: the engine and the spool, a chunk that small inputs never load. */
import { compressInput, type Outcome, type PipeJob } from '../app/compress.ts';
import { provideFiles } from '../app/files.ts';
import { formatSize } from '../app/expand-words.ts';
import { type Input, Intake, type OpenStore, readInput, type Unspooled } from '../app/input.ts';
import { runOf } from '../app/run-facts.ts';
import { joined } from '../core/chars.ts';
import { useLate } from '../core/late.ts';
import { KINDS } from '../core/minimal/head.ts';
import { SHAPES } from '../core/model.ts';
import { openSpool, type Spool, type SpoolLoad, spoolLoad } from '../store/spool.ts';
import { outlineSection } from '../strategies/index.ts';
import { VERSION, type Wire } from '../wire.ts';
import type { PipeFlags } from './flags.ts';
import { stayCold, warmAgain } from './engine-flags.ts';
import { isTerminal, say, writeOut } from './io.ts';
import { leave } from './leave.ts';
import type { Load, Ran } from './start.ts';
import { LONG_BYTES, working } from './working.ts';

/** gc is started when the spool holds more than this. */
const SPOOL_FILES = 64;
const SPOOL_BYTES = 64 << 20;

/** Inputs up to this size are read before the kernel's functions are worth optimizing. */
const FEW_BYTES = 1 << 18;

/** Views up to this size are written in one go. */
const AT_ONCE = 1 << 18;

/** Most runs do without them. */
type MinimalChunk = typeof import('../app/minimal.ts');
type LateChunk = typeof import('../core/late-parts.ts');

/** What one run of the pipe is asked to do. */
export interface PipeRequest extends Omit<PipeJob, 'outline' | 'minimize' | 'recall' | 'version'> {
  readonly wire: Wire;
  readonly flags: PipeFlags;
  /** Where caches are kept; undefined: nowhere. */
  readonly stateFolder: string | undefined;
  /** What rules of `tools:` decide, for `--explain`. */
  readonly ruleNotes: readonly string[];
  /** Where runs are recorded; undefined: nowhere. */
  readonly recordFolder: string | undefined;
  /** The file that audit events are added to. */
  readonly eventsPath: string | null;
}

/** Reads all of `pieces`, prints the view or the input, and sees to the spool. */
export async function runPipe(pieces: Iterable<Uint8Array>, request: PipeRequest, load: Load): Promise<Ran> {
  provide(load);
  const { wire, flags, storeFolder } = request;
  const openStore = storeOf(storeFolder);
  const input = readInput(pieces, request, openStore);
  const readMs = wire.now();
  if ('reason' in input) return pass(input, request, readMs);
  if (input.source.length <= FEW_BYTES) stayCold();
  const compress = (): Outcome => compressInput(input, jobOf(request, load), openStore);
  const { length } = input.source;
  const outcome =
    length < LONG_BYTES ? compress() : await working(wire, `compressing ${formatSize(length)}`, compress);
  try {
    if (flags.json || flags.explain) {
      const { report } = await import('./report.ts');
      report(outcome, flags, request.ruleNotes);
    } else print(outcome, writeOut);
    await tell(outcome, input);
  } finally {
    input.close();
  }
  leave(request, runOf(outcome, request.policy), readMs);
  if (isStored(outcome)) care(wire, openStore()!.load!);
  return { exit: 0, lessons: lessonsOf(outcome), isDone: true, settle: warmAgain };
}

function provide(load: Load): void {
  provideFiles();
  useLate(() => load<LateChunk>('late'));
}

/** Prints what the spool could not hold. */
function pass({ pieces, reason, isNews }: Unspooled, request: PipeRequest, readMs: number): Ran {
  if (isNews) say(`${reason}; input passed through unchanged`);
  let bytes = 0;
  for (const piece of pieces) {
    writeOut(piece);
    bytes += piece.length;
  }
  leave(request, { bytes, reason }, readMs);
  return { exit: 0, lessons: 0, isDone: true };
}

function jobOf(request: PipeRequest, load: Load): PipeJob {
  return {
    ...request,
    version: VERSION,
    outline: outlineSection,
    minimize: (source, asked) => load<MinimalChunk>('minimal').minimize(source, asked),
    recall: (sha) => expandInChild(request.wire, sha),
  };
}

/** Opens the store when it is first needed. */
function storeOf(storeFolder: string | undefined): OpenStore {
  let spool: Spool | undefined;
  return () => {
    if (storeFolder !== undefined) spool ??= openSpool(storeFolder);
    return spool;
  };
}

/** Takes what a command prints while it runs. */
export function beginIntake(request: PipeRequest): Intake {
  provideFiles();
  return new Intake(request, storeOf(request.storeFolder));
}

/** What a command has printed into one pipe. */
export interface RunOutput {
  readonly name: 'stdout' | 'stderr' | 'stdout+stderr';
  readonly input: Input;
  readonly request: PipeRequest;
  /** Why it is not compressed, where that is known. */
  readonly pass: string | undefined;
  readonly write: (bytes: Uint8Array) => void;
}

/** How a command ended, for `--json`. */
export interface RunFacts {
  readonly exitCode: number;
  readonly signal?: string;
  readonly durationMs: number;
}

/** Prints the views of what a command has printed, or the outputs themselves; returns the lessons of the code cache. */
export async function showRun(outputs: readonly RunOutput[], facts: RunFacts, load: Load): Promise<number> {
  provide(load);
  if (outputs.reduce((sum, { input }) => sum + input.source.length, 0) <= FEW_BYTES) stayCold();
  let lessons = 1;
  let stored: PipeRequest | undefined;
  let sinceMs = outputs[0]?.request.wire.now() ?? 0;
  const settle = async ({ input, request }: RunOutput, outcome: Outcome): Promise<void> => {
    await tell(outcome, input);
    input.close();
    leave(request, runOf(outcome, request.policy), sinceMs);
    sinceMs = request.wire.now();
    lessons |= lessonsOf(outcome);
    if (isStored(outcome)) stored = request;
  };
  if (outputs.some(({ request: { flags } }) => flags.json || flags.explain)) {
    const shown = outputs.map((output) => ({ ...output, outcome: outcomeOf(output, load) }));
    const { reportRun } = await import('./report.ts');
    reportRun(shown, facts);
    for (const output of shown) await settle(output, output.outcome);
  } else {
    // One at a time: what is known of a large one takes much memory.
    for (const output of outputs) {
      const outcome = outcomeOf(output, load);
      print(outcome, output.write);
      await settle(output, outcome);
    }
  }
  if (stored !== undefined) care(stored.wire, spoolLoad(stored.storeFolder!));
  warmAgain();
  return lessons;
}

function outcomeOf({ input, request, pass: reason }: RunOutput, load: Load): Outcome {
  if (reason !== undefined) return { kind: 'input', input, reason, isNews: false };
  return compressInput(input, jobOf(request, load), storeOf(request.storeFolder));
}

/** A minimal view holds all of its input. */
function isStored(outcome: Outcome): boolean {
  return outcome.kind === 'view' && outcome.minimal === undefined;
}

/** What the code cache has learnt: a bit for each shape of the view's sections; the lowest for a run without a view. */
function lessonsOf(outcome: Outcome): number {
  if (outcome.kind === 'input') return 1;
  const kind = KINDS.findIndex((name) => name === outcome.minimal);
  if (kind >= 0) return 1 | (2 << (SHAPES.length + kind));
  return outcome.view.kept.reduce((bits, { outline }) => bits | (2 << SHAPES.indexOf(outline.shape)), 1);
}

/** The original of a view that another policy made. It may be in LMDB, which could crash the process that opens it. */
function expandInChild(wire: Wire, sha: string): Uint8Array | undefined {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const [node, script] = wire.self;
  const { status, stdout } = spawnSync(node, [script, 'expand', '--unrecorded', sha], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 30,
    timeout: 30_000,
  });
  return status === 0 ? stdout : undefined;
}

function print(outcome: Outcome, write: (bytes: Uint8Array) => void): void {
  if (outcome.kind === 'view' && outcome.view.size <= AT_ONCE) write(joined(outcome.view.chunks));
  else
    for (const piece of outcome.kind === 'view' ? outcome.view.chunks : outcome.input.pieces()) write(piece);
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
function care(wire: Wire, { files, bytes }: SpoolLoad): void {
  if (files <= SPOOL_FILES && bytes <= SPOOL_BYTES) return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [node, script] = wire.self;
  const child = spawn(node, [script, 'gc', '--quiet'], { detached: true, stdio: 'ignore', cwd: '/' });
  child.on('error', () => undefined);
  child.unref();
}
