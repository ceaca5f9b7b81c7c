/** `ctxzip expand HASH [ADDRESS] …`: a chunk of its own, without the parser of the other commands, for its start-up. */
import { resolve } from 'node:path';
import { expand, type ExpandRequest } from '../../app/expand.ts';
import { lookupMessage } from '../../app/expand-words.ts';
import { provideFiles } from '../../app/files.ts';
import { nearest } from '../../config/nearest.ts';
import { parseLineSpan } from '../../core/address.ts';
import { parseHandle } from '../../core/marker.ts';
import type { Lookup } from '../../store/port.ts';
import type { Wire } from '../../wire.ts';
import { EXPAND_HELP } from '../help.ts';
import { stayCold, warmAgain } from '../engine-flags.ts';
import { say, writeOut } from '../io.ts';
import { learnFrom, LOOKED_AT, type Note, noteMiss } from '../learning.ts';
import type { Ran } from '../start.ts';
import { NO_STORE, openStore, type OpenedStore } from './store.ts';

const OPTIONS = {
  grep: { type: 'string' },
  'ignore-case': { type: 'boolean', short: 'i' },
  'after-context': { type: 'string', short: 'A' },
  'before-context': { type: 'string', short: 'B' },
  context: { type: 'string', short: 'C' },
  lines: { type: 'string' },
  head: { type: 'string' },
  tail: { type: 'string' },
  'line-number': { type: 'boolean', short: 'n' },
  raw: { type: 'boolean' },
  events: { type: 'string' },
  unrecorded: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = Readonly<Partial<Record<keyof typeof OPTIONS, string | boolean>>>;

/** Runs `ctxzip expand …`. */
export async function run(wire: Wire): Promise<Ran> {
  stayCold();
  const exit = await expandCommand(wire, wire.argv.slice(1), { write: writeOut, say });
  return { exit, lessons: 1, isDone: true, settle: warmAgain };
}

/** Where it prints and talks. */
export interface Outlet {
  readonly write: (bytes: Uint8Array | string) => void;
  readonly say: (text: string) => void;
}

/** `argv` starts behind the word `expand`. Exit codes: see `docs/marker-format.md` and `--help`. */
export async function expandCommand(wire: Wire, argv: readonly string[], outlet: Outlet): Promise<number> {
  provideFiles();
  const usage = (message: string): number => {
    outlet.say(`${message}; see: ctxzip expand --help`);
    return 2;
  };
  const parsed = parse(argv);
  if (typeof parsed === 'string') return usage(parsed);
  const { values, words } = parsed;
  if (values.help === true) {
    outlet.write(EXPAND_HELP);
    return 0;
  }
  if (words.length === 0)
    return usage('expand needs the hash of a marker, as in ctxzip expand ac998fea694b L3-90');
  const handle = parseHandle(words);
  if (handle.kind !== 'handle') {
    outlet.say(handle.message);
    return handle.kind === 'documentation' ? 1 : 2;
  }
  const request = requestOf(values);
  if (typeof request === 'string') return usage(request);
  const address = handle.address !== undefined && { address: handle.address };
  return await print({ wire, values, ...outlet }, handle.hash, { ...request, ...address });
}

/** One call of the command. */
interface Call extends Outlet {
  readonly wire: Wire;
  readonly values: Values;
}

function parse(argv: readonly string[]): { values: Values; words: readonly string[] } | string {
  // Most calls have no flag, and the parser costs them a millisecond.
  if (!argv.some((word) => word.startsWith('-'))) return { values: {}, words: argv };
  const { parseArgs } = process.getBuiltinModule('node:util');
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    return { values, words: positionals };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const flag = /'(-[^ '=]*)/.exec(message)?.[1];
    const near = flag === undefined ? undefined : nearest(flag, Object.keys(OPTIONS));
    if (!message.startsWith('Unknown option')) return message.replace(/\n[\s\S]*/, '');
    return `unknown flag ${flag}${near === undefined ? '' : `; did you mean --${near}?`}`;
  }
}

async function print(call: Call, hash: string, narrowed: Omit<ExpandRequest, 'hash'>): Promise<number> {
  const opened = await openStore(call.wire);
  if (opened === undefined) {
    call.say(NO_STORE);
    return 1;
  }
  const { store } = opened;
  try {
    const lookup = await store.open(hash, call.wire.now());
    if (lookup.kind === 'found') return printFound(call, opened, lookup, narrowed);
    const { exit, notes } = lookupMessage(lookup, hash);
    notes.forEach(call.say);
    const trouble = lookup.kind === 'unknown' ? await store.trouble() : undefined;
    if (trouble !== undefined) call.say(`a part of the store can't be read: ${trouble.message}`);
    noteMiss(noteOf(call, opened), hash);
    return exit;
  } finally {
    await store.close();
  }
}

function printFound(
  call: Call,
  opened: OpenedStore,
  lookup: Extract<Lookup, { kind: 'found' }>,
  narrowed: Omit<ExpandRequest, 'hash'>,
): number {
  try {
    const printed = { bytes: 0, pieces: [] as Uint8Array[] };
    const request = { hash: lookup.entry.sha.slice(0, 12), ...narrowed };
    const { exit, notes } = expand(lookup.reader, request, (chunk) => {
      call.write(chunk);
      if (printed.bytes < LOOKED_AT) printed.pieces.push(Uint8Array.from(chunk.subarray(0, LOOKED_AT)));
      printed.bytes += chunk.length;
    });
    notes.forEach(call.say);
    if (exit === 0 && printed.bytes > 0) learnFrom(noteOf(call, opened), lookup, printed);
    return exit;
  } finally {
    lookup.reader.close();
  }
}

/** Where the expansion is recorded and told; undefined where the pipe itself asks, and nobody wanted anything. */
function noteOf({ wire, values, say: talk }: Call, { config }: OpenedStore): Note | undefined {
  if (values.unrecorded === true || wire.isDisabled || config.stateFolder === undefined) return undefined;
  const { events, grep, 'ignore-case': ignoreCase } = values;
  return {
    wire,
    config,
    say: talk,
    state: config.stateFolder,
    events: events === undefined ? config.settings.eventsPath : resolve(wire.world.cwd, String(events)),
    ...(grep !== undefined && { grep: { pattern: String(grep), ignoreCase: ignoreCase === true } }),
  };
}

/** What the flags ask for, or what is wrong with them. */
function requestOf(values: Values): Omit<ExpandRequest, 'hash' | 'address'> | string {
  const counts = countsOf(values);
  if (typeof counts === 'string') return counts;
  const { head, tail } = counts;
  const grep = grepOf(values, counts);
  if (typeof grep === 'string') return grep;
  const span = values.lines === undefined ? undefined : parseLineSpan(String(values.lines));
  if (span?.kind === 'invalid') return `--lines: ${span.message}`;
  const lines = span?.address.kind === 'lines' ? span.address : undefined;
  return defined({
    lines,
    grep,
    head,
    tail,
    numbers: values['line-number'] === true || undefined,
    raw: values.raw === true || undefined,
  });
}

function grepOf(values: Values, counts: Counts): ExpandRequest['grep'] | string {
  const { after = counts.context, before = counts.context } = counts;
  if (values.grep !== undefined) {
    return defined({
      pattern: String(values.grep),
      ignoreCase: values['ignore-case'] === true,
      before,
      after,
    });
  }
  return before === undefined && after === undefined ? undefined : '-A, -B and -C go with --grep';
}

const COUNTS = {
  after: 'after-context',
  before: 'before-context',
  context: 'context',
  head: 'head',
  tail: 'tail',
} as const;

type Counts = { readonly [N in keyof typeof COUNTS]?: number };

function countsOf(values: Values): Counts | string {
  const counts: { -readonly [N in keyof Counts]: Counts[N] } = {};
  for (const [name, flag] of Object.entries(COUNTS) as Array<[keyof typeof COUNTS, keyof Values]>) {
    const text = values[flag];
    if (text === undefined) continue;
    if (!/^\d{1,9}$/.test(String(text)))
      return `--${flag} ${JSON.stringify(text)}: give a number of lines, 0 or more`;
    counts[name] = Number(text);
  }
  return counts;
}

/** Without what is undefined. */
function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
