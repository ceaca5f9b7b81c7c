/**
 * Changes a few keys of a `forge.yaml` and leaves every other byte as it is: comments, order, style, line ends. Part of a lazy
 * chunk: it loads the `yaml` package, whose document says where a value stands in the text.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

const BLOCK = 'compression';

/** What is to be in the block `compression:`. */
export interface Edits {
  /** Plain scalars by key. */
  readonly set?: Readonly<Record<string, string>>;
  /** Patterns that `keep_patterns` has afterwards, beside those it has. */
  readonly keep?: readonly string[];
}

export type Edited =
  | { readonly kind: 'text'; readonly text: string }
  /** The text can't be changed safely. */
  | { readonly kind: 'fault'; readonly message: string };

class Refusal extends Error {}

/** Puts the edits into `text`; keys that have their value already are left alone. */
export function editConfig(text: string, edits: Edits): Edited {
  try {
    return { kind: 'text', text: checked(text, edits) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'fault', message: error.message };
    throw error;
  }
}

/** A pattern as YAML writes it: in single quotes, where a backslash is a backslash. */
export function quotedPattern(pattern: string): string {
  return `'${pattern.replaceAll("'", "''")}'`;
}

function checked(text: string, edits: Edits): string {
  const before = plain(parsed(text));
  let out = text;
  for (const [key, value] of Object.entries(edits.set ?? {})) out = withValue(out, key, value);
  const known = blockOf(before)['keep_patterns'];
  const missing = (edits.keep ?? []).filter((pattern) => !(Array.isArray(known) && known.includes(pattern)));
  if (missing.length > 0) out = withPatterns(out, missing);
  const wanted = { ...before, [BLOCK]: { ...blockOf(before), ...scalars(edits.set) } };
  if (missing.length > 0)
    wanted[BLOCK]['keep_patterns'] = [...(Array.isArray(known) ? (known as string[]) : []), ...missing];
  if (out !== text && !isDeepStrictEqual(plain(parsed(out)), wanted))
    throw new Refusal('it is written in a way that is left alone: change it by hand');
  return out;
}

function scalars(set: Edits['set'] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(set).map(([key, value]) => [key, parseDocument(value).toJS() as unknown]),
  );
}

function parsed(text: string): Document {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    throw new Refusal(`line ${line}: ${fault.message.split('\n')[0]!.replace(/ at line.*$/, '')}`);
  }
  if (document.contents !== null && !isMap(document.contents)) throw new Refusal('it is no map of blocks');
  return document as Document;
}

type Plain = Record<string, unknown> & { [BLOCK]?: unknown };

function plain(document: Document): Plain {
  return (document.toJS() ?? {}) as Plain;
}

function blockOf(root: Plain): Record<string, unknown> {
  const block = root[BLOCK] ?? {};
  if (typeof block !== 'object' || Array.isArray(block)) throw new Refusal(`its block "${BLOCK}" is no map`);
  return block as Record<string, unknown>;
}

/** The pairs of the block, if it has some. */
function blockMap(document: Document): YAMLMap | undefined {
  const block = document.get(BLOCK, true);
  return isMap(block) ? (block as YAMLMap) : undefined;
}

function withValue(text: string, key: string, value: string): string {
  const document = parsed(text);
  const node = blockMap(document)?.get(key, true) as Node | undefined;
  if (node === undefined || node === null) return withEntry(text, document, key, value);
  if (!isScalar(node)) throw new Refusal(`"${key}" is no plain value: change it by hand`);
  if (node.toJS(document) === parseDocument(value).toJS()) return text;
  const [from, to] = node.range!;
  return `${text.slice(0, from)}${from === to ? ' ' : ''}${value}${text.slice(to)}`;
}

function withPatterns(text: string, patterns: readonly string[]): string {
  const document = parsed(text);
  const list = blockMap(document)?.get('keep_patterns', true);
  const quoted = patterns.map(quotedPattern);
  if (!isSeq(list)) {
    if (isScalar(list) && list.value !== null)
      throw new Refusal('"keep_patterns" is no list: change it by hand');
    if (list !== undefined) return withValue(text, 'keep_patterns', `[${quoted.join(', ')}]`);
    return withEntry(text, document, 'keep_patterns', '', quoted);
  }
  return (list as YAMLSeq).flow === true
    ? inFlow(text, list as YAMLSeq, quoted.join(', '))
    : inBlock(text, list as YAMLSeq, quoted);
}

/** Before the bracket that closes a flow list. */
function inFlow(text: string, list: YAMLSeq, added: string): string {
  const close = list.range![1] - 1;
  const last = list.items.at(-1) as Node | undefined;
  if (last === undefined) return `${text.slice(0, list.range![0] + 1)}${added}${text.slice(close)}`;
  const end = last.range![1];
  return `${text.slice(0, end)}, ${added}${text.slice(end)}`;
}

/** Behind the last item of a block list. */
function inBlock(text: string, list: YAMLSeq, quoted: readonly string[]): string {
  const first = (list.items[0] as Node).range![0];
  const start = text.lastIndexOf('\n', first - 1) + 1;
  const dash = text.slice(start, first).match(/^\s*-\s*/)?.[0] ?? '  - ';
  return afterLine(
    text,
    (list.items.at(-1) as Node).range![1],
    quoted.map((pattern) => dash + pattern),
  );
}

/** A new entry of the block: behind its last one, or in a block of its own at the end. */
function withEntry(
  text: string,
  document: Document,
  key: string,
  value: string,
  items: readonly string[] = [],
): string {
  const map = blockMap(document);
  const lines = (indent: string): string[] => [
    `${indent}${key}:${value === '' ? '' : ` ${value}`}`,
    ...items.map((item) => `${indent}  - ${item}`),
  ];
  if (map === undefined) {
    const at = (document.contents as YAMLMap | null)?.items.find(
      (pair) => isScalar(pair.key) && pair.key.value === BLOCK,
    );
    if (at !== undefined) return afterLine(text, (at.key as Node).range![1], lines('  '));
    return afterLine(text, text.trimEnd().length, [
      ...(text.trim() === '' ? [] : ['']),
      `${BLOCK}:`,
      ...lines('  '),
    ]);
  }
  if (map.flow === true) {
    const end = map.range![1] - 1;
    const one = `${key}: ${items.length > 0 ? `[${items.join(', ')}]` : value}`;
    return `${text.slice(0, end).trimEnd()}${map.items.length > 0 ? ', ' : ''}${one}${text.slice(end)}`;
  }
  const first = (map.items[0]!.key as Node).range![0];
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first);
  const last = map.items.at(-1)!;
  const end = ((last.value ?? last.key) as Node).range![1];
  return afterLine(text, end, lines(indent));
}

/** Puts lines behind the line that the offset `at` is in, or behind the one before it where it is the start of one. */
function afterLine(text: string, at: number, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const isStart = at > 0 && text[at - 1] === '\n';
  const feed = isStart ? at - 1 : text.indexOf('\n', at);
  const end = feed < 0 ? text.length : feed + 1;
  const joint = feed < 0 && text !== '' ? eol : '';
  return `${text.slice(0, end)}${joint}${lines.join(eol)}${eol}${text.slice(end)}`;
}
