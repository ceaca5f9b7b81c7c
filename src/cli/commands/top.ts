/** `ctxzip top`: a lazy chunk. */
import { stateFolder } from '../../config/find.ts';
import { printable } from '../../core/address.ts';
import { placeOf } from '../../daemon/place.ts';
import { connect } from '../../tui/client.ts';
import { type Source, Unreachable } from '../../tui/port.ts';
import type { Wire } from '../../wire.ts';
import { isTerminal, say, standardStreams, writeOut } from '../io.ts';

export interface TopOptions {
  readonly once?: boolean;
  readonly json?: boolean;
}

/** Of `--once`, where COLUMNS does not say. */
const COLUMNS = 100;
const ROWS = 30;

/** `ctxzip top`: the live view of the daemon; with `--once` one frame, or what the daemon says, on stdout. */
export async function topCommand(wire: Wire, { once = false, json = false }: TopOptions): Promise<number> {
  const folder = stateFolder(wire.world);
  if (folder === undefined) {
    say('there is no daemon: neither a home folder nor CTXZIP_HOME is set');
    return 1;
  }
  const { self: command, env } = wire;
  const { uid } = wire.world;
  const { socket } = placeOf(wire.world, folder);
  const source = connect(socket, { command, env, ...(uid !== undefined && { uid }) });
  if (once || json) return await printOnce(wire, source, json);
  if (!(await isTerminal('stdout'))) {
    say('top draws on a terminal, and stdout is none: ctxzip top --once prints one frame');
    return 2;
  }
  const { top } = await import('../../tui/top.tsx');
  const look = { hasColours: hasColours(wire.env), isDumb: isDumb(wire.env), isAscii: isAscii(wire.env) };
  return await top(source, { ...standardStreams(), write: writeOut }, look, () => wire.now());
}

async function printOnce(wire: Wire, source: Source, isJson: boolean): Promise<number> {
  try {
    if (isJson) {
      const stats = await source.stats(new AbortController().signal);
      writeOut(`${JSON.stringify(stats, null, 2)}\n`);
      return 0;
    }
    const { once } = await import('../../tui/top.tsx');
    const columns = Math.max(40, Number(wire.env['COLUMNS']) || COLUMNS);
    const frame = await once(source, { columns, rows: ROWS }, isAscii(wire.env), wire.now());
    writeOut(`${frame.trimEnd()}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    say(
      `no daemon answers at ${printable(source.address)}: ${error.message}; start one: ctxzip daemon start`,
    );
    return 1;
  }
}

type Env = Wire['env'];

function isDumb(env: Env): boolean {
  return env['TERM'] === 'dumb';
}

/** As https://no-color.org says. */
function hasColours(env: Env): boolean {
  return !env['NO_COLOR'] && !isDumb(env);
}

/** A locale that says another encoding than UTF-8; many terminals of today set none at all. */
function isAscii(env: Env): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8';
  return isDumb(env) || !/utf-?8/i.test(locale);
}
