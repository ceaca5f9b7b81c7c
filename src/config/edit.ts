/**
 * Changes a few keys of a `forge.yaml` and leaves every other byte as it is: comments, order, style, line ends. Part of a lazy
 * chunk: it loads the `yaml` package, whose document says where a value stands in the text.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { Refusal, withPatterns } from './edit-patterns.ts';

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

/** Puts the edits into `text`; keys that have their value already are left alone. */
export function editConfig(text: string, edits: Edits): Edited {
  try {
    return { kind: 'text', text: checked(text, edits) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'fault', message: error.message };
    throw error;
  }
}

function checked(text: string, edits: Edits): string {
  const before = plain(parsed(text));
  let out = text;
  for (const [key, value] of Object.entries(edits.set ?? {})) out = withValue(out, key, value);
  const known = blockOf(before)['keep_patterns'];
  const missing = (edits.keep ?? []).filter((pattern) => !(Array.isArray(known) && known.includes(pattern)));
  if (missing.length > 0) out = withPatterns(out, parsed(out), missing);
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
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'error' });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    throw new Refusal(`line ${line}: ${fault.message.split('\n')[0]!.replace(/ at line.*$/, '')}`);
  }
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (!isEmpty && !isMap(contents)) throw new Refusal('it is no map of blocks');
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

/** A new entry of the block: behind its last one, or in a block of its own at the end. */
function withEntry(text: string, document: Document, key: string, value: string): string {
  const map = blockMap(document);
  const entry = `${key}: ${value}`;
  if (map === undefined) {
    const at = (document.contents as YAMLMap | null)?.items.find(
      (pair) => isScalar(pair.key) && pair.key.value === BLOCK,
    );
    if (at !== undefined) return afterLine(text, (at.key as Node).range![1], [`  ${entry}`]);
    const gap = text.trim() === '' ? [] : [''];
    return afterLine(text, text.trimEnd().length, [...gap, `${BLOCK}:`, `  ${entry}`]);
  }
  if (map.flow === true) {
    const end = map.range![1] - 1;
    return `${text.slice(0, end).trimEnd()}${map.items.length > 0 ? ', ' : ''}${entry}${text.slice(end)}`;
  }
  const first = (map.items[0]!.key as Node).range![0];
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first);
  const last = map.items.at(-1)!;
  const end = ((last.value ?? last.key) as Node).range![1];
  return afterLine(text, end, [indent + entry]);
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
