/**
 * `ctxzip run [--] CMD ARGS…`: a chunk of its own. The command gets our stdin, and pipes that are read while it runs; when
 * it has ended, what it printed is compressed as the pipe would have, and we end as it did.
 */
import { commandLine } from '../../app/command-line.ts';
import { type Config, loadConfig } from '../../config/load.ts';
import { formatProblem, pipeVerdict } from '../../config/problems.ts';
import { OUTER_RUN, VERSION, type Wire } from '../../wire.ts';
import { type ParsedRun, parseRun } from '../flags.ts';
import { RUN_HELP } from '../help.ts';
import { isOneOutput, isTerminal, say, writeOut } from '../io.ts';
import type { PipeRequest } from '../pipe.ts';
import { explainNone, requestOf } from '../request.ts';
import { type Child, type Ending, launch, type Launch } from '../run/child.ts';
import { makePipes, type Pipes } from '../run/pipes.ts';
import { show } from '../run/show.ts';
import { dieBy, passOn } from '../run/signals.ts';
import { Status } from '../run/status.ts';
import { isHeld, openStreams } from '../run/streams.ts';
import type { Load, Ran } from '../start.ts';

const PASSES = 'its output passes through unchanged';

type Command = Extract<ParsedRun, { kind: 'run' }>;

/** Runs `ctxzip run …`. */
export async function run(wire: Wire, load: Load): Promise<Ran> {
  const parsed = parseRun(wire.argv.slice(1));
  if (parsed.kind !== 'run') return done(answer(parsed));
  const { words, flags, tty } = parsed;
  if (wire.isDisabled || (tty && (await isTerminal('stdout')))) return await runThrough(wire, words);
  const config = await loadConfig(wire.world, flags.config);
  const mistyped = config.problems.find((p) => p.source === 'flag' && p.severity !== 'note');
  if (mistyped !== undefined) {
    say(`${formatProblem(mistyped)}; nothing was run`);
    return done(2);
  }
  const { passthrough, line } = pipeVerdict(config.problems, PASSES);
  if (line !== undefined) say(line);
  if (passthrough) return await runThrough(wire, words);
  const request = requestOf({ wire, config, flags }, { ...flags, tool: flags.tool ?? commandLine(words) });
  if (request.policy.level !== 'none') return await runCaptured(parsed, { request, config, load });
  explainNone(request);
  return await runThrough(wire, words);
}

function answer(parsed: Exclude<ParsedRun, Command>): number {
  if (parsed.kind === 'usage') {
    say(parsed.message);
    return 2;
  }
  writeOut(parsed.kind === 'help' ? RUN_HELP : `${VERSION}\n`);
  return 0;
}

function done(exit: number, lessons = 1): Ran {
  return { exit, lessons, isDone: true };
}

/** Runs a command with our own outputs. */
async function runThrough(wire: Wire, words: readonly string[]): Promise<Ran> {
  const ending = await start(wire, words, { stdout: 'inherit', stderr: 'inherit' }).ended;
  if (ending.kind === 'failed') say(ending.message);
  return end(ending);
}

function start(wire: Wire, words: readonly string[], options: Omit<Launch, 'isHomeless'>): Child {
  passOn((signal) => child.kill(signal));
  const child = launch(words, { ...options, isHomeless: wire.world.cwd === '' });
  return child;
}

/** Ends as the command did. */
function end(ending: Ending, lessons?: number): Ran {
  if (ending.kind === 'signal') dieBy(ending.signal);
  return done(ending.code, lessons);
}

interface Circumstances {
  readonly request: PipeRequest;
  readonly config: Config;
  readonly load: Load;
}

async function runCaptured(command: Command, circumstances: Circumstances): Promise<Ran> {
  const pipes = makePipes(isOneOutput() ? 1 : 2);
  const ran = await runInto(pipes, command, circumstances).finally(() => pipes.close());
  return end(ran.ending, ran.lessons);
}

/** Runs a command into pipes of ours, and prints what comes of that. */
async function runInto(
  pipes: Pipes,
  { words }: Command,
  { request, config, load }: Circumstances,
): Promise<{ readonly ending: Ending; readonly lessons: number }> {
  const { wire } = request;
  const startedMs = wire.now();
  const [stdout, stderr] = pipes.outputs;
  const env = pipes.marks === undefined ? {} : { [OUTER_RUN]: pipes.marks };
  const child = start(wire, words, { stdout, stderr, env });
  const status = new Status(wire, words);
  const streams = openStreams(child, pipes, {
    begin: () => load<typeof import('../pipe.ts')>('pipe').beginIntake(request),
    onPrint: () => status.stop(),
  });
  await status.start(() => streams.reduce((sum, { capture }) => sum + capture.size, 0));
  const ending = await child.ended;
  const durationMs = wire.now() - startedMs;
  const isLeft = ending.kind !== 'failed' && (await isHeld(streams));
  status.stop();
  if (ending.kind === 'failed') say(ending.message);
  if (isLeft) say(`${heldBy(words[0])}; ctxzip goes on without it`);
  const isVerbatim = config.settings.errors === 'verbatim';
  const ended = { words, ending, durationMs, isVerbatim, isMarked: pipes.isMarked };
  const lessons = await show(streams, request, ended, load);
  const isLost = ending.code === 0 && streams.some(({ outlet }) => outlet.hasFailed);
  return { ending: isLost ? { kind: 'exit', code: 1 } : ending, lessons };
}

function heldBy(program: string): string {
  return `what ${JSON.stringify(program)} has left running still holds its output`;
}
