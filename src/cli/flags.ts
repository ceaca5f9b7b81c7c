/** The flags of the bare pipe, read by hand: a parser library would cost more than the whole run. */
import { nearest } from '../config/nearest.ts';
import type { FlagTexts } from '../config/load.ts';
import { type Shape, SHAPES } from '../core/model.ts';

/** The command words; everything behind one belongs to it. */
export const COMMANDS = [
  'run',
  'expand',
  'restore',
  'verify',
  'suggestions',
  'stats',
  'explain',
  'diff',
  'top',
  'list',
  'forget',
  'gc',
  'config',
  'daemon',
  'init',
  'doctor',
  'completion',
  'help',
] as const;

export interface PipeFlags {
  readonly config: FlagTexts;
  readonly query?: string;
  readonly as?: Shape;
  readonly tool?: string;
  /** The file that audit events are added to, as it was given. */
  readonly events?: string;
  readonly store: boolean;
  readonly explain: boolean;
  readonly json: boolean;
}

export type Parsed =
  | { readonly kind: 'pipe'; readonly flags: PipeFlags }
  | { readonly kind: 'command' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  /** A mistyped flag or value: stdin is still copied. */
  | { readonly kind: 'usage'; readonly message: string }
  /** A word that is no command: stdin is not read. */
  | { readonly kind: 'unknown'; readonly message: string };

const WITH_VALUE = [
  '--query',
  '-q',
  '--max-tokens',
  '--level',
  '--as',
  '--tool',
  '--keep',
  '--escapes',
  '--markers',
  '--events',
] as const;
const SWITCHES = [
  '--no-store',
  '--explain',
  '--json',
  '--help',
  '-h',
  '--version',
  '-V',
  '--no-hint',
] as const;
/** The long flags of the pipe. */
export const PIPE_FLAGS: readonly string[] = [...WITH_VALUE, ...SWITCHES].filter((flag) =>
  flag.startsWith('--'),
);
const RUN_SWITCHES = [...SWITCHES, '--tty'] as const;

/** Reads the arguments of a call. */
export function parseArguments(argv: readonly string[]): Parsed {
  const read = readFlags(argv, SWITCHES);
  if (typeof read === 'string') return { kind: 'usage', message: read };
  const word = argv[read.end];
  if (word === '--' && read.end + 1 < argv.length) {
    const behind = printable(argv[read.end + 1]!);
    return { kind: 'unknown', message: `the pipe reads stdin; it takes no "${behind}" behind --` };
  }
  if (word !== undefined && word !== '--') return wordKind(word, read.end);
  return answerOf(read) ?? pipeFlags(read);
}

/** What `ctxzip run` is asked for: its flags, and behind them the words of a command. */
export type ParsedRun =
  | {
      readonly kind: 'run';
      readonly flags: PipeFlags;
      readonly tty: boolean;
      readonly words: readonly [string, ...string[]];
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  /** Nothing is run. */
  | { readonly kind: 'usage'; readonly message: string };

/** Reads what stands behind `run`. Flags are ours up to `--` or the first word; all behind is the command, untouched. */
export function parseRun(argv: readonly string[]): ParsedRun {
  const read = readFlags(argv, RUN_SWITCHES);
  if (typeof read === 'string') return { kind: 'usage', message: read };
  const answer = answerOf(read);
  if (answer !== undefined) return answer;
  const [first, ...others] = argv.slice(argv[read.end] === '--' ? read.end + 1 : read.end);
  if (first === undefined) return { kind: 'usage', message: 'run needs a command; see: ctxzip run --help' };
  const flags = pipeFlags(read);
  if (flags.kind === 'usage') return flags;
  return { kind: 'run', flags: flags.flags, tty: read.switches.has('--tty'), words: [first, ...others] };
}

interface ReadFlags {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
  /** The index of the first word that is no flag: `--`, a word, or the end. */
  readonly end: number;
}

/** Reads flags up to the first word that is none; what is wrong with one, otherwise. */
function readFlags(argv: readonly string[], known: readonly string[]): ReadFlags | string {
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  let i = 0;
  while (i < argv.length) {
    const word = argv[i]!;
    if (word === '--' || word === '-' || !word.startsWith('-')) break;
    const read = readFlag(word, argv[i + 1], known);
    if (typeof read === 'string') return read;
    if (read.value === undefined) switches.add(read.name);
    else values.set(read.name, [...(values.get(read.name) ?? []), read.value]);
    i += read.words;
  }
  return { values, switches, end: i };
}

/** Help and version win over everything else. */
function answerOf({ switches }: ReadFlags): { readonly kind: 'help' | 'version' } | undefined {
  const asked = ANSWERS.find(([names]) => names.some((name) => switches.has(name)));
  return asked === undefined ? undefined : { kind: asked[1] };
}

const ANSWERS = [
  [['--help', '-h'], 'help'],
  [['--version', '-V'], 'version'],
] as const;

interface Flag {
  readonly name: string;
  /** Absent for a switch. */
  readonly value?: string;
  /** How many words it took. */
  readonly words: 1 | 2;
}

/** A flag with its value, from `--flag=value` or from the next word; what is wrong with it, otherwise. */
function readFlag(word: string, next: string | undefined, known: readonly string[]): Flag | string {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  const name = equals < 0 ? word : word.slice(0, equals);
  if (known.includes(name)) return equals < 0 ? { name, words: 1 } : `${name} takes no value`;
  if (!isOneOf(WITH_VALUE, name)) {
    const near = nearest(name, [...WITH_VALUE, ...known]);
    const help = near === undefined ? 'see: ctxzip --help' : `did you mean ${near}?`;
    return `unknown flag ${printable(name)}; ${help}`;
  }
  if (equals >= 0) return { name, value: word.slice(equals + 1), words: 1 };
  return next === undefined ? `${name} needs a value` : { name, value: next, words: 2 };
}

function wordKind(word: string, at: number): Parsed {
  if (word === '-') return { kind: 'usage', message: '"-" is not needed: stdin is read anyway' };
  if (isOneOf(COMMANDS, word) && at === 0) return { kind: 'command' };
  if (isOneOf(COMMANDS, word)) {
    return { kind: 'unknown', message: `flags of ${word} go behind it: ctxzip ${word} …` };
  }
  return unknownWord(word);
}

function unknownWord(word: string): Parsed {
  const near = nearest(word, COMMANDS);
  const help = near === undefined ? 'see: ctxzip --help' : `did you mean "ctxzip ${near}"?`;
  return { kind: 'unknown', message: `"${printable(word)}" is no command; ${help}` };
}

type PipeParsed = Extract<Parsed, { kind: 'pipe' | 'usage' }>;

function pipeFlags({ values, switches }: ReadFlags): PipeParsed {
  const last = (...names: string[]): string | undefined =>
    names.flatMap((name) => values.get(name) ?? []).at(-1);
  const as = last('--as');
  if (as !== undefined && !isOneOf(SHAPES, as)) {
    return { kind: 'usage', message: `--as ${printable(as)}: the shapes are ${SHAPES.join(', ')}` };
  }
  const query = last('--query', '-q');
  const tool = last('--tool');
  const events = last('--events');
  if (events === '') return { kind: 'usage', message: '--events needs the name of a file' };
  const given = {
    level: last('--level'),
    maxTokens: last('--max-tokens'),
    escapes: last('--escapes'),
    markers: last('--markers'),
    keepPatterns: values.get('--keep'),
    hint: switches.has('--no-hint') ? 'false' : undefined,
  };
  return {
    kind: 'pipe',
    flags: {
      config: Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as FlagTexts,
      ...(query !== undefined && { query }),
      ...(as !== undefined && { as }),
      ...(tool !== undefined && { tool }),
      ...(events !== undefined && { events }),
      store: !switches.has('--no-store'),
      explain: switches.has('--explain'),
      json: switches.has('--json'),
    },
  };
}

function isOneOf<const T extends readonly string[]>(list: T, word: string): word is T[number] {
  return list.includes(word);
}

function printable(text: string): string {
  return JSON.stringify(text.slice(0, 80)).slice(1, -1);
}
