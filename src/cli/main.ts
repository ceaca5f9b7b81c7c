/** Every command but the pipe: a lazy chunk. Parses, runs one command, and turns what goes wrong into words. */
import { Command, CommanderError, Option } from 'commander';
import { isUnavailable } from '../store/port.ts';
import type { Wire } from '../wire.ts';
import { VERSION } from '../wire.ts';
import { configCheck, configShow } from './commands/config.ts';
import { expandCommand } from './commands/expand.ts';
import { forgetCommand } from './commands/forget.ts';
import { gcCommand } from './commands/gc.ts';
import { listCommand } from './commands/list.ts';
import { restoreCommand } from './commands/restore.ts';
import { verifyCommand } from './commands/verify.ts';
import { HELP, SHORT_HELP } from './help.ts';
import { ClosedOutput, say, writeOut } from './io.ts';

/** Runs `argv`, whose first word is a command; returns the exit code. */
export async function runCommand(wire: Wire, argv: readonly string[]): Promise<number> {
  if (argv[0] === 'help' && (argv.length === 1 || argv[1] === '--short')) {
    writeOut(argv[1] === '--short' ? SHORT_HELP : HELP);
    return 0;
  }
  let exit = 0;
  const run = (work: Promise<number>): Promise<void> =>
    work.then((code) => {
      exit = code;
    });
  try {
    await program(wire, run).parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof ClosedOutput) return 0;
    if (!isUnavailable(error)) throw error;
    say(error.message);
    return 1;
  }
}

function program(wire: Wire, run: (work: Promise<number>) => Promise<void>): Command {
  const top = new Command('ctxzip').version(VERSION).helpCommand('help [command]', 'what a command does');
  top.configureOutput({
    writeOut: (text) => writeOut(text),
    writeErr: (text) => say(text.trim().replace(/^error: /, '')),
  });
  top.exitOverride();
  const add = (text: string, description: string, examples: string): Command => {
    const [name] = text.split(' ');
    const command = top.command(text).description(description);
    command.addHelpText('after', `\nExamples:\n${examples.replace(/^/gm, '  ')}`);
    command.showHelpAfterError(`see: ctxzip ${name} --help`);
    return command;
  };
  addExpand(add, (options) => run(expandCommand(wire, options)));
  add('restore', 'A view on stdin, its original on stdout', 'ctxzip restore < view.txt').action(() =>
    run(restoreCommand(wire)),
  );
  add('verify', 'Proves that every byte of a view on stdin is accounted for', 'ctxzip verify < view.txt')
    .option('--json', 'the proof as JSON')
    .action((options) => run(verifyCommand(wire, options)));
  add('list', 'What the store holds', 'ctxzip list\nctxzip list --json')
    .option('--json', 'as JSON')
    .action((options) => run(listCommand(wire, options)));
  add(
    'forget [hash...]',
    'Erases originals from the store',
    'ctxzip forget ac998fea694b\nctxzip forget --all --force',
  )
    .option('--all', 'every original')
    .option('-f, --force', 'with --all: do it')
    .action((hashes, options) => run(forgetCommand(wire, hashes, options)));
  add('gc', 'Moves what waits into the store, and removes what has expired', 'ctxzip gc')
    .option('--quiet', 'say nothing, unless it fails')
    .addOption(new Option('--worker').hideHelp())
    .action((options) => run(gcCommand(wire, options)));
  const config = add(
    'config',
    'Checks or shows the configuration',
    'ctxzip config check\nctxzip config show --json',
  );
  config
    .command('check')
    .option('--json', 'as JSON')
    .action((options) => run(configCheck(wire, options)));
  config
    .command('show')
    .option('--json', 'as JSON')
    .action((options) => run(configShow(wire, options)));
  return top;
}

type Add = (text: string, description: string, examples: string) => Command;

function addExpand(add: Add, act: (request: Parameters<typeof expandCommand>[1]) => Promise<void>): void {
  add(
    'expand [hash] [address...]',
    'Prints an original, or the part of it that a marker stands for',
    'ctxzip expand ac998fea694b L3-90\nctxzip expand ac998fea694b --grep pay -C 2\nctxzip expand ac998fea694b L3-90 --tail 5 -n',
  )
    .option('--grep <regex>', 'lines that match, as grep -E does')
    .option('-i, --ignore-case', 'with --grep: in any case')
    .option('-A, --after-context <n>', 'with --grep: lines after a match')
    .option('-B, --before-context <n>', 'with --grep: lines before a match')
    .option('-C, --context <n>', 'with --grep: lines around a match')
    .option('--lines <a-b>', 'lines counted from the start of the address')
    .option('--head <n>', 'the first lines of what is left')
    .option('--tail <n>', 'the last lines of what is left')
    .option('-n, --line-number', 'with the line numbers of the original')
    .action((hash: string | undefined, address: string[], options: object) =>
      act({ words: [...(hash === undefined ? [] : [hash]), ...address], ...options }),
    );
}
