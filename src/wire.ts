/** The composition root: the only reader of environment, arguments, home folder and clock. */
import type { World } from './config/find.ts';

// oxlint-disable-next-line no-underscore-dangle -- the build puts the version there
declare const __VERSION__: string;

/** The product's version. */
// oxlint-disable-next-line no-underscore-dangle -- as above
export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source';

/** The variable by which `run` tells a ctxzip under it where to mark its output as its own. */
export const OUTER_RUN = 'CTXZIP_RUN';

export interface Wire {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly world: World;
  /** `CTXZIP_DISABLE=1`: the kill switch of every entry point but expand, restore and verify. */
  readonly isDisabled: boolean;
  /** Where the `ctxzip run` that we run under looks for marks; undefined: there is none. */
  readonly outerRun: string | undefined;
  /** The command line that starts this program again, without its arguments. */
  readonly self: readonly [string, string];
  now(): number;
  /** Milliseconds since the process began, with fractions; never set back. */
  ticks(): number;
}

/** Reads the process once. `prepareState` makes a folder for what is kept of the user's, private and signed. */
export function wire(prepareState: (folder: string) => void): Wire {
  const { argv, env, execPath } = process;
  return {
    argv: argv.slice(2),
    env,
    world: {
      env,
      cwd: currentFolder(),
      home: homeFolder(env),
      ...(process.getuid && { uid: process.getuid() }),
      version: VERSION,
      nowMs: now(),
      prepareState,
    },
    isDisabled: env['CTXZIP_DISABLE'] !== undefined && /^(?:1|true|yes|on)$/i.test(env['CTXZIP_DISABLE']),
    outerRun: env[OUTER_RUN] || undefined,
    self: [execPath, argv[1] ?? ''],
    now,
    ticks: () => performance.now(),
  };
}

/** Milliseconds of the epoch. */
export function now(): number {
  return Date.now();
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}

function homeFolder(env: Wire['env']): string {
  if (env['HOME']) return env['HOME'];
  try {
    return process.getBuiltinModule('node:os').homedir();
  } catch {
    return '';
  }
}
