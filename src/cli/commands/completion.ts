import type { Command } from 'commander';
import { PIPE_FLAGS } from '../flags.ts';
import { say, writeOut } from '../io.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Word {
  readonly name: string;
  readonly about: string;
  readonly flags: ReadonlyArray<{ readonly flag: string; readonly about: string }>;
}

/** `ctxzip completion SHELL`: a script that completes commands and flags, made from what the program has. */
export function completionCommand(shell: string, top: Command): number {
  if (!SHELLS.some((each) => each === shell)) {
    say(`completion knows ${SHELLS.join(', ')}; for example: source <(ctxzip completion bash)`);
    return 2;
  }
  const words = wordsOf(top);
  writeOut({ bash, zsh, fish }[shell as (typeof SHELLS)[number]](words));
  return 0;
}

function wordsOf(top: Command): Word[] {
  const own = top.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    flags: command.options
      .filter(({ hidden, long }) => !hidden && long)
      .map(({ long, description }) => ({ flag: long!, about: description })),
  }));
  const expand = {
    name: 'expand',
    about: 'prints what a marker stands for',
    flags: ['--grep', '--lines', '--head', '--tail', '--raw', '-n', '-A', '-B', '-C'].map((flag) => ({
      flag,
      about: '',
    })),
  };
  const run = {
    name: 'run',
    about: 'runs a command and compresses what it prints',
    flags: [...PIPE_FLAGS, '--tty'].map((flag) => ({ flag, about: '' })),
  };
  return [expand, run, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function bash(words: readonly Word[]): string {
  const cases = words.map(
    ({ name, flags }) => `    ${name}) words="${flags.map(({ flag }) => flag).join(' ')}" ;;`,
  );
  return `# ctxzip completion for bash: source <(ctxzip completion bash)
_ctxzip() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${words.map(({ name }) => name).join(' ')} ${PIPE_FLAGS.join(' ')}"; fi
  case "$COMP_CWORD:\${COMP_WORDS[1]}" in 1:*) ;; *:-*) words="${PIPE_FLAGS.join(' ')}" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ctxzip ctxzip
`;
}

function zsh(words: readonly Word[]): string {
  const commands = words.map(({ name, about }) => `    '${name}:${zshQuoted(about)}'`);
  const cases = words.map(({ name, flags }) => {
    const own = flags.map(({ flag, about }) => `'${flag}[${zshQuoted(about)}]'`).join(' ');
    return `      ${name}) _arguments ${own} '*:file:_files' ;;`;
  });
  return `#compdef ctxzip
# ctxzip completion for zsh: source <(ctxzip completion zsh)
_ctxzip() {
  local -a commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    compadd -- ${PIPE_FLAGS.join(' ')}
  else
    case $words[2] in
${cases.join('\n')}
      -*) compadd -- ${PIPE_FLAGS.join(' ')} ;;
    esac
  fi
}
compdef _ctxzip ctxzip
`;
}

function fish(words: readonly Word[]): string {
  const lines = words.flatMap(({ name, about, flags }) => [
    `complete -c ctxzip -n __fish_use_subcommand -a ${name} -d ${fishQuoted(about)}`,
    ...flags.map(({ flag, about: text }) =>
      flag.startsWith('--')
        ? `complete -c ctxzip -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${fishQuoted(text)}`
        : `complete -c ctxzip -n '__fish_seen_subcommand_from ${name}' -s ${flag.slice(1)}`,
    ),
  ]);
  const pipe = PIPE_FLAGS.map((flag) => `complete -c ctxzip -n __fish_use_subcommand -l ${flag.slice(2)}`);
  return `# ctxzip completion for fish: ctxzip completion fish | source\n${[...lines, ...pipe].join('\n')}\n`;
}

function zshQuoted(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[:[\]]/g, '\\$&');
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
