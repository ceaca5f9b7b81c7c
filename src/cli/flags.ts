/** The flags of the bare pipe, read by hand: a parser library would cost more than the whole run. */
import { nearest } from '../config/nearest.ts';
import type { FlagTexts } from '../config/load.ts';
import { type Shape, SHAPES } from '../core/model.ts';

/** The command words; everything behind one belongs to it. */
export const COMMANDS = ['expand', 'restore', 'verify', 'list', 'forget', 'gc', 'config', 'help'] as const;

export interface PipeFlags {
  readonly config: FlagTexts;
  readonly query?: string;
  readonly as?: Shape;
  readonly tool?: string;
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
/** Words that are commands to be: they are named, so that they are not taken for mistyped ones. */
const ALL_FLAGS: readonly string[] = [...WITH_VALUE, ...SWITCHES];

/** Reads the arguments of a call. */
export function parseArguments(argv: readonly string[]): Parsed {
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i]!;
    if (word === '--') {
      if (i + 1 < argv.length) return unknownWord(argv[i + 1]!);
      break;
    }
    if (!word.startsWith('-') || word === '-') return wordKind(word, i);
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    if (isOneOf(SWITCHES, name) && equals < 0) switches.add(name);
    else if (isOneOf(WITH_VALUE, name)) {
      const value = equals < 0 ? argv[(i += 1)] : word.slice(equals + 1);
      if (value === undefined) return { kind: 'usage', message: `${name} needs a value` };
      values.set(name, [...(values.get(name) ?? []), value]);
    } else return { kind: 'usage', message: unknownFlag(name, equals >= 0) };
  }
  if (switches.has('--help') || switches.has('-h')) return { kind: 'help' };
  if (switches.has('--version') || switches.has('-V')) return { kind: 'version' };
  return pipeFlags(values, switches);
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

function unknownFlag(name: string, hasValue: boolean): string {
  if (hasValue && isOneOf(SWITCHES, name)) return `${name} takes no value`;
  const near = nearest(name, ALL_FLAGS);
  return `unknown flag ${printable(name)}; ${near === undefined ? 'see: ctxzip --help' : `did you mean ${near}?`}`;
}

function pipeFlags(values: ReadonlyMap<string, string[]>, switches: ReadonlySet<string>): Parsed {
  const last = (...names: string[]): string | undefined =>
    names.flatMap((name) => values.get(name) ?? []).at(-1);
  const as = last('--as');
  if (as !== undefined && !isOneOf(SHAPES, as)) {
    return { kind: 'usage', message: `--as ${printable(as)}: the shapes are ${SHAPES.join(', ')}` };
  }
  const query = last('--query', '-q');
  const tool = last('--tool');
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
