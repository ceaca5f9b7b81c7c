export const SHORT_HELP = `ctxzip shrinks tool output before an LLM agent reads it, and gives every byte back.

  kubectl get pods -A | ctxzip        errors and odd rows stay, the rest becomes markers
  ctxzip expand HASH L3-90            what a marker stands for
  ctxzip --help                       everything else
`;

export const HELP = `ctxzip shrinks the output of tools before an LLM agent reads it. What matters stays in
view; the rest goes to a local store behind markers, and comes back byte for byte.

  kubectl get pods -A | ctxzip
  journalctl -u api | ctxzip --query 'why did the migration fail' --max-tokens 2000
  ctxzip expand ac998fea694b --grep pay

Usage: … | ctxzip [flags]
       ctxzip COMMAND [arguments]

Flags of the pipe:
  -q, --query Q       what you want to know; what answers it stays
  --max-tokens N      budget of the view, in estimated tokens (default 16000, 0 none)
  --level L           normal (default), aggressive (the floor and one of each kind), minimal
                      (nothing is hidden, only written shorter; needs no store) or none
  --as SHAPE          json, ndjson, yaml, describe, envelope, diff, search, test, trace, table,
                      csv, log, code (an outline) or text; default: found out
  --tool NAME         what printed it; picks the rules of tools: in forge.yaml
  --keep PATTERN      a literal (any case) or /regex/flags that must stay; repeatable
  --escapes E         strip (default) or keep: colours and other control sequences
  --markers M         short (default) or full: every marker carries the hash
  --no-hint           the first marker does not show the expand command
  --no-store          store nothing: level minimal in the place of normal
  --events FILE       add audit events to a file, as JSON lines (docs/events.md)
  --explain           why everything stayed, on stderr
  --json              the view and its facts as JSON

Run it:
  run [--] CMD ARGS…      runs a command, compresses what it prints, ends with its exit code

Get it back:
  expand HASH [ADDRESS]   an original or a part of it: --grep, --lines, --head, --tail, -n
  restore                 a view on stdin, its original on stdout
  verify                  proof that every byte of a view is accounted for

Look back:
  explain HASH|last       what was detected, why everything stayed, what it cost
  diff HASH|last          a view against its original
  suggestions             words that were wanted and hidden: --apply and --dismiss them
  stats                   tokens saved, by tool, shape and day: --since 7d
  top                     the daemon, live: what is saved, last runs, store and spool

Keep house:
  list                    what the store holds; --md: what views of this folder hide
  forget HASH…            take originals out of the store
  gc                      move what waits into the store, remove what has expired
  config check|show       the configuration: forge.yaml, CTXZIP_… variables
  daemon start|stop|…     a server on a local socket, for those who call often (docs/daemon.md)

Set it up:
  init                    forge.yaml for a project or for you, and what an agent should know; --undo
  doctor                  what may be wrong with this installation, and what to do: --fix
  completion SHELL        completes commands and flags in bash, zsh and fish

  -h, --help  -V, --version  ctxzip COMMAND --help

A pipe hides the exit code of its producer: use ctxzip run, or set -o pipefail in scripts.
CTXZIP_DISABLE=1 lets everything pass through. Errors of a producer are on
stderr: 2>&1 | ctxzip takes them along.
`;

export const RUN_HELP = `Runs a command and compresses what it prints. Exit code, signals and stdin are its own.

  ctxzip run -- kubectl get pods -A
  ctxzip run --query 'why does it fail' npm test
  ctxzip run --max-tokens 2000 -- sh -c 'make 2>&1 | tail -500'

Usage: ctxzip run [flags] [--] CMD ARGS…

All flags of the pipe (ctxzip --help), and
  --tty               where stdout is a terminal: run under it, uncompressed

There is no shell between; the words are handed on as they are. Where stdout and stderr are one file
(2>&1, a terminal), they are one view in the order of writing; else two views, each on its own stream.
The views come when the command has ended. If it fails, up to 8 KiB of its output stay as they are, and
more stays of what is longer; errors: verbatim in forge.yaml leaves all of it alone. tools: in
forge.yaml has rules by command line; --explain says which of them decided what.
What the command leaves in the background holds ctxzip up for 2 seconds: redirect its output.

Exit codes: the command's own; 126 can't be executed, 127 not found, 128+n killed by signal n,
2 wrong usage, with nothing run.
`;

export const EXPAND_HELP = `Prints an original, or the part of it that a marker stands for. Byte for byte.

  ctxzip expand ac998fea694b L3-90
  ctxzip expand ac998fea694b --grep pay -C 2
  ctxzip expand '<<ctxzip:ac998fea694b 88_lines_offloaded L3-90>>' --tail 5 -n

Usage: ctxzip expand HASH [ADDRESS] [flags]

HASH is 6 digits or more, or a pasted marker. ADDRESS: L12-48 lines, L12:c300-9000 characters
of a line, B4096-9000 bytes (from 0, the second is not in it), items/5-146 or spec/containers/0 a
path in JSON, @1/spec one in YAML, stdout:L3-90 inside a string. Everything below counts inside it.

  --lines A-B             these lines
  --grep REGEX            lines that match; exit 1 where none does
  -i, --ignore-case       … in any case
  -A, -B, -C N            … with N lines after, before or around
  --head N, --tail N      the first or last lines of what is left
  -n, --line-number       with the line numbers of the original
  --raw                   a range of records as it stands, not as a JSON array
  --events FILE           add audit events to a file, as JSON lines

Exit codes: 0 printed, 1 unknown or damaged or no match, 2 wrong usage or ambiguous, 3 expired.
`;
