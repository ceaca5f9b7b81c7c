/** The entry: as little as it takes to load everything else with V8's code cache. It is read and compiled at every start. */
import { stateFolder } from '../config/find.ts';
import { VERSION, wire as readWire, type Wire } from '../wire.ts';
import { loadChunk, type LoadedChunk, type Parts } from './code-cache.ts';
import { isClosedOutput, markOutput, say, stdinPieces, writeOut } from './io.ts';

/** What a run came to. */
export interface Ran {
  readonly exit: number;
  /** What it taught the code cache, as bits. */
  readonly lessons: number;
  /** Nothing goes on behind it: all output is written. */
  readonly isDone: boolean;
  /** Called before a code cache is made. */
  readonly settle?: () => void;
}

/** Loads `dist/NAME.cjs` with its code cache, once, and gives what it exports. */
export type Load = <T>(name: string) => T;

/** What the chunks that are loaded here export. */
interface Runnable {
  run(wire: Wire, load: Load): Promise<Ran>;
}

/** What `rest` has beside that. */
type Rest = typeof import('./hot.ts');

async function start(): Promise<void> {
  const wire = readWire((state) => load<Rest>('rest').makeFolder(state));
  const [first = '-'] = wire.argv;
  const folder = stateFolder(wire.world);
  if (wire.outerRun !== undefined) {
    markOutput('stdout', wire.outerRun);
    // Others only talk there.
    if (first === 'run') markOutput('stderr', wire.outerRun);
  }
  const loaded = new Map<string, LoadedChunk<unknown>>();
  // Modules that the pipe has and another chunk needs, too.
  const parts = (): Parts => load<{ parts(): Parts }>('pipe').parts();
  const load: Load = <T>(name: string) => {
    const chunk = loaded.get(name) ?? loadChunk<T>({ name, version: VERSION, folder, parts });
    loaded.set(name, chunk);
    return chunk.exports as T;
  };
  let room: Runnable;
  try {
    room = load(first === 'expand' || first === 'run' ? first : 'rest');
  } catch (error) {
    if (first === 'run') return runBare(wire.argv.slice(1), messageOf(error));
    return withoutRest(first.startsWith('-'), messageOf(error));
  }
  const { exit, lessons, isDone, settle } = await room.run(wire, load);
  for (const chunk of loaded.values()) {
    const news = chunk.news(lessons, settle);
    if (news !== undefined) load<Rest>('rest').keepCache(news);
  }
  // Taking the heap down properly costs a millisecond, and asking who waits for the end another tenth: nobody does.
  if (isDone) endNow(exit);
  process.exitCode = exit;
}

/** `process.exit` without its listeners, or with them where its native part has gone. */
function endNow(exit: number): void {
  const { reallyExit } = process as unknown as { reallyExit?: (exit: number) => void };
  if (reallyExit === undefined) process.exit(exit);
  reallyExit.call(process, exit);
}

/** A part of the installation is missing: the pipe copies its input all the same. */
function withoutRest(isPipe: boolean, message: string): void {
  say(isPipe ? `${message}; input passed through unchanged` : message);
  if (isPipe) for (const piece of stdinPieces()) writeOut(piece);
  else process.exitCode = 1;
}

/** The same for `run`: what stands behind `--`, or behind `run` where there are no flags, is run all the same. */
function runBare(words: readonly string[], message: string): void {
  const [program, ...args] = words[0]?.startsWith('-') ? words.slice(words.indexOf('--') + 1) : words;
  if (program === undefined || program.startsWith('-')) {
    say(message);
    process.exitCode = 1;
    return;
  }
  say(`${message}; output passes through unchanged`);
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error !== undefined) say(error.message);
  process.exitCode = status ?? 127;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

start().catch((error: unknown) => {
  // Whoever read our output has gone: nothing is left to do.
  if (isClosedOutput(error)) return;
  say(messageOf(error));
  process.exitCode = 1;
});
