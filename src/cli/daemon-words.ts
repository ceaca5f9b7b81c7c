/** The words behind `daemon`; what they do is a chunk that no other command loads. */
import type { Command } from 'commander';
import type { Wire } from '../wire.ts';

type DaemonChunk = typeof import('./commands/daemon.ts');
type Run = (work: Promise<number>) => Promise<void>;

/** Adds them; `run` takes the exit code. */
export function addDaemonWords(daemon: Command, wire: Wire, run: Run): void {
  const lazy = (work: (all: DaemonChunk) => Promise<number>): Promise<void> =>
    run(import('./commands/daemon.ts').then(work));
  const word = (name: string, description: string): Command =>
    daemon.command(name).description(description).allowExcessArguments(false);
  withLimits(word('start', 'starts it in the background; returns when it answers')).action((options) =>
    lazy((all) => all.daemonStart(wire, options)),
  );
  word('stop', 'ends it, after the requests in flight').action(() => lazy((all) => all.daemonStop(wire)));
  withLimits(word('restart', 'stops it and starts it again')).action((options) =>
    lazy((all) => all.daemonRestart(wire, options)),
  );
  word('status', 'who listens, since when, what it has done; exit 1 where nobody answers')
    .option('--json', 'as JSON')
    .action((options) => lazy((all) => all.daemonStatus(wire, options)));
  withLimits(word('run', 'runs it in the foreground, for systemd and containers')).action((options) =>
    lazy((all) => all.daemonRun(wire, options)),
  );
  word('logs', 'what the daemon has logged')
    .option('-f, --follow', 'go on as it grows')
    .option('-n, --lines <n>', 'the last lines, 100 by default')
    .action((options) => lazy((all) => all.daemonLogs(wire, options)));
  daemon.command('reader', { hidden: true }).action(() => lazy((all) => all.daemonReader(wire)));
}

function withLimits(command: Command): Command {
  return command
    .option('--max-body <size>', 'the largest input, 64MiB by default')
    .option('--max-connections <n>', '256 by default')
    .option('--max-memory <size>', 'of all inputs in flight, 256MiB by default')
    .option('--timeout <time>', 'for one request, 30s by default')
    .option('--workers <n>', 'threads, by default one a core, 2 to 4');
}
