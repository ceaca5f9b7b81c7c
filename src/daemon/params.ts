/** Parameters of URLs, read as the flags of the command are: what they mean and what is wrong with them is said once. */
import { isAbsolute } from 'node:path';
import { parseArguments, type PipeFlags } from '../cli/flags.ts';

interface Wrong {
  readonly kind: 'wrong';
  readonly message: string;
}

export interface CompressParams {
  readonly kind: 'compress';
  readonly flags: PipeFlags;
  /** The caller's folder, whose `forge.yaml` counts; '' where none was given. */
  readonly cwd: string;
}

/** Other names of parameters. */
const ALIASES: Readonly<Record<string, string>> = { q: 'query', budget: 'max-tokens' };
const SWITCHES = ['json', 'explain', 'no-store', 'no-hint'];
/** Switches that may be given by what they switch off. */
const NEGATED = ['store', 'hint'];

/** Flags that are no parameters. */
const NONE = ['help', 'version'];

/** The parameters of `POST /v1/compress`: those of the pipe's flags, and `cwd`. */
export function compressParams(params: URLSearchParams): CompressParams | Wrong {
  const folder = folderOf(params);
  if (typeof folder !== 'string') return folder;
  const argv: string[] = [];
  for (const [given, value] of params) {
    if (given === 'cwd') continue;
    const name = ALIASES[given] ?? given;
    if (NONE.includes(name)) return wrong(`unknown parameter ${name}`);
    const word = wordOf(name, value);
    if (typeof word === 'object') return word;
    if (word !== '') argv.push(word);
  }
  const parsed = parseArguments(argv);
  if (parsed.kind === 'pipe') return { kind: 'compress', flags: parsed.flags, cwd: folder };
  return wrong('message' in parsed ? parsed.message : 'this is no call of the pipe');
}

/** The flag that a parameter stands for; '' for none. */
function wordOf(name: string, value: string): string | Wrong {
  const isSwitch = SWITCHES.includes(name);
  if (!isSwitch && !NEGATED.includes(name)) return `--${name}=${value}`;
  const is = truthOf(value);
  if (is === undefined) return wrong(`${name}=${JSON.stringify(value.slice(0, 60))}: give true or false`);
  if (isSwitch) return is ? `--${name}` : '';
  return is ? '' : `--no-${name}`;
}

function truthOf(value: string): boolean | undefined {
  if (/^(?:|1|true|yes|on)$/i.test(value)) return true;
  return /^(?:0|false|no|off)$/i.test(value) ? false : undefined;
}

const EXPAND = [
  'grep',
  'after-context',
  'before-context',
  'context',
  'lines',
  'head',
  'tail',
  'events',
] as const;
const EXPAND_SWITCHES = ['ignore-case', 'line-number', 'raw'];

export interface ExpandParams {
  readonly kind: 'expand';
  /** What stands behind `ctxzip expand`. */
  readonly argv: readonly string[];
  readonly cwd: string;
}

/** `GET /v1/originals/HASH`: the parameters are the flags of `expand`, and `address` and `cwd`. */
export function expandParams(hash: string, params: URLSearchParams): ExpandParams | Wrong {
  if (!/^[0-9a-f]{6,64}$/i.test(hash)) return wrong('a hash has 6 to 64 hexadecimal digits');
  const folder = folderOf(params);
  if (typeof folder !== 'string') return folder;
  const argv: string[] = [];
  let address: string | undefined;
  for (const [name, value] of params) {
    if (name === 'cwd') continue;
    if (name === 'address') address = value;
    else if (EXPAND.some((each) => each === name)) argv.push(`--${name}=${value}`);
    else if (!EXPAND_SWITCHES.includes(name))
      return wrong(`unknown parameter ${JSON.stringify(name.slice(0, 60))}`);
    else if (truthOf(value) === undefined) return wrong(`${name}: give true or false`);
    else if (truthOf(value) === true) argv.push(`--${name}`);
  }
  return {
    kind: 'expand',
    argv: [...argv, '--', hash.toLowerCase(), ...(address ? [address] : [])],
    cwd: folder,
  };
}

/** The folder of a call. */
export function folderOf(params: URLSearchParams): string | Wrong {
  const cwd = params.get('cwd') ?? '';
  return cwd === '' || (isAbsolute(cwd) && !cwd.includes('\0')) ? cwd : wrong('cwd: give an absolute path');
}

function wrong(message: string): Wrong {
  return {
    kind: 'wrong',
    message: message.replaceAll('flag --', 'parameter ').replace('did you mean --', 'did you mean '),
  };
}
