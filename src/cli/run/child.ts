/** Starts the command of `run` and says how it ended. */
import { execa, type Options } from 'execa';
import { constants } from 'node:os';

/** A file descriptor of ours, ours as it is, or a stream that Node makes. */
export type Output = number | 'inherit' | 'pipe';
/** The types of execa know no descriptor above 9. */
type KnownOutput = 'inherit' | 'pipe' | 3;

export type Ending =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals; readonly code: number }
  /** It never ran: 127 not found, 126 can't be executed. */
  | { readonly kind: 'failed'; readonly code: 126 | 127; readonly message: string };

/** The streams are there where `pipe` was asked for. */
export interface Child {
  readonly stdout: NodeJS.ReadableStream | null;
  readonly stderr: NodeJS.ReadableStream | null;
  readonly ended: Promise<Ending>;
  kill(signal: NodeJS.Signals): void;
}

export interface Launch {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Added to our environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Our current folder has been removed. */
  readonly isHomeless: boolean;
}

/** Starts a command: no shell, its words untouched, our stdin. */
export function launch(words: readonly string[], { stdout, stderr, env, isHomeless }: Launch): Child {
  const options: Options = {
    stdin: 'inherit',
    stdout: stdout as KnownOutput,
    stderr: stderr as KnownOutput,
    ...(env !== undefined && { env }),
    // A removed folder has no path, but the child can still stand in it.
    ...(isHomeless && { cwd: '/proc/self/cwd' }),
    reject: false,
    buffer: false,
    // It gets our signals, and outlives a killed wrapper as it would outlive a killed shell.
    cleanup: false,
    forceKillAfterDelay: false,
    verbose: 'none',
  };
  const child = execa(words[0]!, words.slice(1), options);
  const ended =
    child.pid === undefined
      ? child.then((result) => failure(words[0]!, result))
      : new Promise<Ending>((resolve) => {
          child.once('exit', (code, signal) => resolve(endingOf(code, signal)));
        });
  return { stdout: child.stdout, stderr: child.stderr, ended, kill: (signal) => void child.kill(signal) };
}

function endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
  if (signal === null) return { kind: 'exit', code: code ?? 1 };
  return { kind: 'signal', signal, code: 128 + constants.signals[signal] };
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it can not be executed',
  EPERM: 'it can not be executed',
  E2BIG: 'the arguments are too long',
  ENOEXEC: 'it is no program of this system',
};

/** As shells have it: 127 for what is not there, 126 for what is there and can't be run. */
function failure(
  program: string,
  result: { readonly code?: string | undefined; readonly originalMessage?: string | undefined },
): Ending {
  const { code = '' } = result;
  const name = JSON.stringify(program);
  if (code === 'ENOENT' || program === '')
    return { kind: 'failed', code: 127, message: `${name}: command not found` };
  const why = REASONS[code] ?? result.originalMessage ?? code;
  return { kind: 'failed', code: 126, message: `${name}: ${why}` };
}
