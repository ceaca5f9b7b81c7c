/** The commands that keep house: a lazy chunk. Parses, runs one command, and turns what goes wrong into words. */
import { Command, CommanderError, Option } from 'commander';
import { provideFiles } from '../app/files.ts';
import { printable } from '../core/address.ts';
import { isUnavailable } from '../store/port.ts';
import { VERSION, type Wire } from '../wire.ts';
import { completionCommand } from './commands/completion.ts';
import { configCheck, configShow } from './commands/config.ts';
import { doctorCommand } from './commands/doctor.ts';
import { forgetCommand } from './commands/forget.ts';
import type { InitOptions } from './commands/init.ts';
import { gcCommand } from './commands/gc.ts';
import { listCommand } from './commands/list.ts';
import { restoreCommand } from './commands/restore.ts';
import type { TopOptions } from './commands/top.ts';
import { verifyCommand } from './commands/verify.ts';
import { addDaemonWords } from './daemon-words.ts';
import { COMMANDS } from './flags.ts';
import { EXPAND_HELP, HELP, RUN_HELP, SHORT_HELP } from './help.ts';
import { say, writeOut } from './io.ts';

/** Runs `argv`, whose first word is a command; returns the exit code. */
export async function runCommand(wire: Wire, argv: readonly string[]): Promise<number> {
  provideFiles();
  if (argv[0] === 'help') {
    const text = HELP_TEXTS.get(argv[1] ?? '');
    if (text !== undefined) {
      writeOut(text);
      return 0;
    }
    if (!COMMANDS.some((name) => name === argv[1])) {
      say(`"${argv[1]!}" is no command; see: ctxzip --help`);
      return 2;
    }
  }
  let exit = 0;
  const run: Run = async (work) => {
    exit = await work;
  };
  try {
    await program(wire, run).parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isUnavailable(error)) throw error;
    say(error.message);
    return 1;
  }
}

const HELP_TEXTS = new Map([
  ['', HELP],
  ['--short', SHORT_HELP],
  ['expand', EXPAND_HELP],
  ['run', RUN_HELP],
]);

type Run = (work: Promise<number>) => Promise<void>;

function program(wire: Wire, run: Run): Command {
  const top = new Command('ctxzip').version(VERSION).helpCommand('help [command]', 'what a command does');
  top.configureOutput({
    writeOut: (text) => writeOut(text),
    writeErr: (text) => say(printable(text.trim().replace(/^error: /, ''))),
  });
  top.exitOverride();
  addViews(top, wire, run);
  addStudies(top, wire, run);
  addHousekeeping(top, wire, run);
  addInit(top, wire, run);
  addHealth(top, wire, run);
  const daemon = add(top, 'daemon', 'A server on a local socket, for those who call often', [
    'ctxzip daemon start',
    'ctxzip daemon status --json',
    'ctxzip daemon logs -f',
  ]);
  addDaemonWords(daemon, wire, run);
  return top;
}

function add(top: Command, usage: string, description: string, examples: readonly string[]): Command {
  const [name] = usage.split(' ');
  return top
    .command(usage)
    .description(description)
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`)
    .showHelpAfterError(`see: ctxzip ${name} --help`);
}

function addViews(top: Command, wire: Wire, run: Run): void {
  add(top, 'restore', 'A view on stdin, its original on stdout', ['ctxzip restore < view.txt']).action(() =>
    run(restoreCommand(wire)),
  );
  add(top, 'verify', 'Proves that every byte of a view on stdin is accounted for', [
    'ctxzip verify < view.txt',
    'kubectl get pods | ctxzip | ctxzip verify',
  ])
    .option('--json', 'the proof as JSON')
    .action((options) => run(verifyCommand(wire, options)));
}

function addInit(top: Command, wire: Wire, run: Run): void {
  add(top, 'init', 'Sets a project or you up: forge.yaml, and what an agent should know', [
    'ctxzip init',
    'ctxzip init --yes --agents CLAUDE.md',
    'ctxzip init --dry-run',
    'ctxzip init --undo',
  ])
    .option('-y, --yes', 'ask nothing, write it')
    .option('--dry-run', 'show what would be written')
    .option('--json', 'the plan as JSON; with --yes it is carried out')
    .option('--undo', 'take the last run in this project back')
    .option('--where <place>', 'project, store (a project with a store of its own) or user')
    .option('--level <level>', 'how much may go')
    .option('--keep <pattern...>', 'patterns that must stay, instead of those that fit the folder')
    .option('--ttl <time>', 'how long originals are kept')
    .option('--agents <file>', 'AGENTS.md, CLAUDE.md, print or none')
    .action((options) => run(lazyInit(wire, options)));
}

function addHealth(top: Command, wire: Wire, run: Run): void {
  add(top, 'doctor', 'What may be wrong with this installation, and what to do', [
    'ctxzip doctor',
    'ctxzip doctor --fix',
  ])
    .option('--fix', 'do what can be done')
    .option('--json', 'as JSON')
    .action((options) => run(doctorCommand(wire, options)));
  add(top, 'completion <shell>', 'A script that completes commands and flags, for bash, zsh or fish', [
    'source <(ctxzip completion bash)',
    'ctxzip completion fish > ~/.config/fish/completions/ctxzip.fish',
  ]).action((shell: string) => run(Promise.resolve(completionCommand(shell, top))));
}

async function lazyInit(wire: Wire, options: InitOptions): Promise<number> {
  const { initCommand } = await import('./commands/init.ts');
  return await initCommand(wire, options);
}

async function lazyTop(wire: Wire, options: TopOptions): Promise<number> {
  const { topCommand } = await import('./commands/top.ts');
  return await topCommand(wire, options);
}

/** Commands that look back; they bring the engine, and are loaded when one of them is called. */
function addStudies(top: Command, wire: Wire, run: Run): void {
  const study = async (work: (all: typeof import('./studies.ts')) => Promise<number>): Promise<void> =>
    run(import('./studies.ts').then(work));
  add(top, 'suggestions', 'Words that expansions wanted, and what keeping them in view would cost', [
    'ctxzip suggestions',
    'ctxzip suggestions --apply DiskPressure QuotaExceeded',
    'ctxzip suggestions --dismiss --all',
  ])
    .option('--apply [word...]', 'write them into keep_patterns of forge.yaml, or --all that are suggested')
    .option('--dismiss [word...]', 'forget them, or --all that are suggested')
    .option('--all', 'every suggestion')
    .option('--user', "with --apply: your own file; without it the project's, where there is one")
    .option('--project', "with --apply: the project's file")
    .option('--json', 'as JSON')
    .action((options) => study((all) => all.suggestionsCommand(wire, options)));
  add(top, 'stats', 'Runs, tokens saved, what was brought back, by tool, shape and day', [
    'ctxzip stats --since 7d',
    'ctxzip stats --json',
  ])
    .option('--since <span>', 'only the last: 12h, 7d, 4w')
    .option('--json', 'as JSON')
    .action((options) => study((all) => all.statsCommand(wire, options)));
  add(top, 'explain <hash>', 'What a view kept, why, and what that costs; "last" is the latest view', [
    'ctxzip explain last',
    'ctxzip explain ac998fea694b',
  ]).action((word) => study((all) => all.explainCommand(wire, word)));
  add(top, 'diff <hash>', 'A view against its original, as a unified diff; "last" is the latest view', [
    'ctxzip diff last',
    'ctxzip diff ac998fea694b | less',
  ]).action((word) => study((all) => all.diffCommand(wire, word)));
  add(top, 'top', 'The daemon, live: what is saved, the last runs and expansions, store and spool', [
    'ctxzip top',
    'ctxzip top --once',
    'ctxzip top --json | jq .today',
  ])
    .option('--once', 'print one frame as text')
    .option('--json', 'print what the daemon says of itself, as JSON')
    .action((options) => run(lazyTop(wire, options)));
}

function addHousekeeping(top: Command, wire: Wire, run: Run): void {
  add(top, 'list', 'What the store holds', ['ctxzip list', 'ctxzip list --md'])
    .addOption(new Option('--json', 'as JSON').conflicts('md'))
    .option('--md', 'Markdown, of this folder: for an agent about to compact its context')
    .action((options) => run(listCommand(wire, options)));
  add(top, 'forget [hash...]', 'Takes originals out of the store; what is freed is overwritten with use', [
    'ctxzip forget ac998fea694b',
    'ctxzip forget --all --force',
  ])
    .option('--all', 'every original')
    .option('-f, --force', 'with --all: do it')
    .action((hashes, options) => run(forgetCommand(wire, hashes, options)));
  add(top, 'gc', 'Moves what waits into the store, and removes what has expired', ['ctxzip gc'])
    .addOption(new Option('--quiet', 'say nothing, unless it fails').conflicts('json'))
    .option('--json', 'what was done, as JSON')
    .addOption(new Option('--worker').hideHelp())
    .action((options) => run(gcCommand(wire, options)));
  addConfig(top, wire, run);
}

function addConfig(top: Command, wire: Wire, run: Run): void {
  const config = add(top, 'config', 'Checks or shows the configuration', [
    'ctxzip config check',
    'ctxzip config show --json',
  ])
    .allowExcessArguments()
    .action((_, { args }: Command) => {
      say(
        `${args.length === 0 ? 'config needs a word' : `config has no "${printable(String(args[0]))}"`}; try: config check, config show`,
      );
      throw new CommanderError(2, 'usage', '');
    });
  config
    .command('check')
    .allowExcessArguments(false)
    .description('what is wrong in forge.yaml, variables and patterns')
    .option('--json', 'as JSON')
    .action((options) => run(configCheck(wire, options)));
  config
    .command('show')
    .allowExcessArguments(false)
    .description('every key, its value and where it came from')
    .option('--json', 'as JSON')
    .action((options) => run(configShow(wire, options)));
}
