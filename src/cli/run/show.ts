/** What `run` prints when a command has ended. */
import { storedCommand } from '../../app/command-line.ts';
import { Input } from '../../app/input.ts';
import { FAILED_BYTES, policyOfFailure } from '../../config/policy.ts';
import { memorySource } from '../../core/source.ts';
import { say } from '../io.ts';
import { leave } from '../leave.ts';
import type { PipeRequest, RunOutput } from '../pipe.ts';
import { leastSize } from '../request.ts';
import type { Load } from '../start.ts';
import type { Ending } from './child.ts';
import type { Stream } from './streams.ts';

export interface Ended {
  readonly words: readonly string[];
  readonly ending: Ending;
  readonly durationMs: number;
  /** Failing output stays as it is, whatever its size. */
  readonly isVerbatim: boolean;
  /** Has a ctxzip printed into the pipe of a stream? */
  readonly isMarked: (stream: number) => boolean;
}

/** Prints the views, or what came as it came; returns the lessons of the code cache. */
export async function show(
  streams: readonly Stream[],
  request: PipeRequest,
  ended: Ended,
  load: Load,
): Promise<number> {
  const { ending, durationMs } = ended;
  const policy = ending.code === 0 ? request.policy : policyOfFailure(request.policy);
  const found = streams.flatMap((stream, i) => outputOf(stream, i, { ...request, policy }, ended) ?? []);
  if (found.every(isPlain)) return printPlain(found, ended);
  const outputs = withFacts(found, ended);
  let engine: typeof import('../pipe.ts');
  try {
    engine = load('pipe');
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}; output passes through unchanged`);
    return printPlain(outputs, ended);
  }
  try {
    const signal = ending.kind === 'signal' ? { signal: ending.signal } : {};
    return await engine.showRun(outputs, { exitCode: ending.code, ...signal, durationMs }, load);
  } catch (error) {
    streams[0]!.outlet.fail(error);
    return 1;
  }
}

/** Adds what is stored of a command. To look for credentials in it takes a millisecond. */
function withFacts(outputs: readonly RunOutput[], { words, ending, durationMs }: Ended): RunOutput[] {
  const facts = { command: storedCommand(words), exitCode: ending.code, durationMs };
  return outputs.map((output) => {
    const { name, request } = output;
    const stream = name === 'stdout+stderr' ? {} : { stream: name };
    return { ...output, request: { ...request, facts: { ...request.facts, ...facts, ...stream } } };
  });
}

/** Nothing where it was printed as it came. */
function outputOf(
  { name, capture, outlet }: Stream,
  at: number,
  request: PipeRequest,
  ended: Ended,
): RunOutput | undefined {
  const captured = capture.end();
  const { size } = capture;
  if (captured.kind === 'through' || (size === 0 && !request.flags.json)) return undefined;
  return {
    name,
    input: captured.kind === 'input' ? captured.input : new Input(memorySource(captured.bytes), undefined),
    request,
    pass: reasonToPass(size, request, ended, ended.isMarked(at)),
    write: (bytes) => outlet.write(bytes),
  };
}

function reasonToPass(
  size: number,
  request: PipeRequest,
  { ending, isVerbatim }: Ended,
  isMarked: boolean,
): string | undefined {
  if (isMarked) return 'printed by ctxzip itself';
  const hasFailed = ending.code !== 0;
  if (hasFailed && isVerbatim) return 'the command failed, and errors is verbatim';
  if (hasFailed && size <= FAILED_BYTES && !request.policy.budgetAsked)
    return `the command failed, and up to ${FAILED_BYTES} bytes of that stay as they are`;
  return size < leastSize(request) ? `under ${request.policy.minChars} characters` : undefined;
}

/** Does it take no engine to print it? */
function isPlain({ request, pass }: RunOutput): boolean {
  const { json, explain } = request.flags;
  return pass !== undefined && !json && !explain;
}

function printPlain(outputs: readonly RunOutput[], { words }: Ended): number {
  for (const { input, write, request, pass = 'the engine is missing' } of outputs) {
    for (const piece of input.pieces()) write(piece);
    input.close();
    const facts = { ...request.facts, command: words.slice(0, 2).join(' ') };
    leave({ ...request, facts }, { bytes: input.source.length, reason: pass }, request.wire.now());
  }
  return 1;
}
