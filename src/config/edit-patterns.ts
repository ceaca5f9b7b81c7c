/**
 * Adds patterns to the list `compression.keep_patterns` in the text of a `forge.yaml`: new items in the style of those that are
 * there. The document says where; the text around that place stays as it is.
 */
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';

/** The text can't be changed safely, and why. */
export class Refusal extends Error {}

const BLOCK = 'compression';
const KEY = 'keep_patterns';

/** A place in the text and what is put there; `end` is more where something goes. */
interface Splice {
  readonly at: number;
  readonly end?: number;
  readonly text: string;
}

/** The text with the patterns behind those that it has. Throws `Refusal`. */
export function withPatterns(text: string, document: Document, patterns: readonly string[]): string {
  const { at, end = at, text: added } = spliceOf(text, document, patterns);
  return text.slice(0, at) + added.replaceAll('\n', lineEndOf(text)) + text.slice(end);
}

/** A pattern as YAML writes it: in single quotes, where a backslash is a backslash, unless its neighbours have double ones. */
export function quotedPattern(pattern: string, style?: string): string {
  return style === 'QUOTE_DOUBLE' ? JSON.stringify(pattern) : `'${pattern.replaceAll("'", "''")}'`;
}

function spliceOf(text: string, { contents: root, range }: Document, patterns: readonly string[]): Splice {
  const items = patterns.map((pattern) => quotedPattern(pattern));
  const list = `${KEY}:\n${items.map((item) => `  - ${item}\n`).join('')}`;
  const flow = `${KEY}: [${items.join(', ')}]`;
  const end = range?.[1] ?? text.length;
  if (!isMap(root) || root.items.length === 0) return atEnd(text, end, `${BLOCK}:\n${indented(list, '  ')}`);
  const block = valueOf(root, BLOCK);
  if (block === undefined) {
    if (root.flow === true) return behindLast(text, root, `${BLOCK}: {${flow}}`);
    return atEnd(text, end, `${BLOCK}:\n${indented(list, '  ')}`, columnOf(text, root));
  }
  if (block.isNull)
    return replaced(text, block, `\n${indented(list, `${columnOf(text, root)}  `).trimEnd()}`);
  if (!isMap(block.node)) throw new Refusal(`its block "${BLOCK}" is no map`);
  const known = valueOf(block.node, KEY);
  if (known === undefined) return newKey(text, block.node, { list, flow });
  if (known.isNull) return replaced(text, known, ` [${items.join(', ')}]`);
  if (!isSeq(known.node)) throw new Refusal(`"${KEY}" is no list: change it by hand`);
  return newItems(text, known.node, patterns);
}

interface Value {
  readonly node: unknown;
  readonly isNull: boolean;
  /** Where the key ends, and where the value does. */
  readonly keyEnd: number;
  readonly range: readonly [number, number];
}

/** The value of a key in a map, if it is there. */
function valueOf(map: YAMLMap, name: string): Value | undefined {
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  if (!isPair(pair) || !isScalar(pair.key)) return undefined;
  const keyEnd = pair.key.range![1];
  const { value } = pair as { value: unknown };
  if (isAlias(value)) throw new Refusal(`${name} is written as a reference: change it by hand`);
  const isNull = value === null || (isScalar(value) && value.value === null);
  const [start, end] =
    value === null ? [keyEnd, keyEnd] : (value as { range: [number, number, number] }).range;
  return { node: value, isNull, keyEnd, range: [start, end] };
}

/** A value that is null: behind the colon of its key, in the place of what stands for null. */
function replaced(text: string, { keyEnd, range: [start, end] }: Value, value: string): Splice {
  const colon = text.indexOf(':', keyEnd) + 1;
  return start < end ? { at: colon, end, text: value } : { at: colon, text: value };
}

/** A new key at the end of a map. */
function newKey(text: string, map: YAMLMap, { list, flow }: { list: string; flow: string }): Splice {
  if (map.flow === true || map.items.length === 0) return behindLast(text, map, flow);
  return belowLine(text, endOf(map), indented(list, columnOf(text, map)));
}

/** New items at the end of a list, indented as its first one, quoted as its last. */
function newItems(text: string, list: YAMLSeq, patterns: readonly string[]): Splice {
  const last = list.items.at(-1);
  const style = isScalar(last) ? last.type : undefined;
  const items = patterns.map((pattern) => quotedPattern(pattern, style));
  if (list.flow === true || last === undefined) return behindLast(text, list, items.join(', '));
  const start = (list.items[0] as { range: [number, number, number] }).range[0];
  const dash = text.lastIndexOf('-', start - 1);
  const margin = text.slice(text.lastIndexOf('\n', dash) + 1, dash);
  const blanks = /^- *$/.test(text.slice(dash, start)) ? text.slice(dash + 1, start) : ' ';
  const lines = items.map((item) => `${margin}-${blanks}${item}\n`).join('');
  return belowLine(text, endOf(list), lines);
}

/** Where the last thing of a block ends, without the comments behind it. */
function endOf(node: YAMLMap | YAMLSeq): number {
  const last: unknown = node.items.at(-1);
  const inner: unknown = isPair(last) ? (last.value ?? last.key) : last;
  const isBlock = (isMap(inner) || isSeq(inner)) && inner.flow !== true && inner.items.length > 0;
  if (isBlock) return endOf(inner);
  const keyEnd = isPair(last) && isScalar(last.key) ? last.key.range![1] : 0;
  return Math.max(keyEnd, (inner as Partial<Pick<YAMLMap, 'range'>> | null)?.range?.[1] ?? node.range![1]);
}

/** Lines below the one that a place is in. */
function belowLine(text: string, place: number, lines: string): Splice {
  const from = text[place - 1] === '\n' ? place - 1 : place;
  const newline = text.indexOf('\n', from);
  return newline < 0 ? { at: text.length, text: `\n${lines}` } : { at: newline + 1, text: lines };
}

/** Behind the last entry of a flow collection. */
function behindLast(text: string, node: YAMLMap | YAMLSeq, entry: string): Splice {
  if (node.items.length === 0)
    return { at: text.indexOf(text[node.range![0]] === '{' ? '{' : '[', node.range![0]) + 1, text: entry };
  return { at: endOf(node), text: `, ${entry}` };
}

/** A new block at the end of a document, behind a blank line. */
function atEnd(text: string, end: number, lines: string, margin = ''): Splice {
  const mark = /^\.\.\.(?:\s|$)/m.exec(text.slice(end));
  const at = mark === null ? text.length : end + mark.index;
  const before = text.slice(0, at).replace(/^\ufeff/, '');
  const isOpen = before !== '' && !before.endsWith('\n');
  const isApart = before.trim() === '' || /\n\s*\n$/.test(before);
  return { at, text: (isOpen ? '\n' : '') + (isApart ? '' : '\n') + indented(lines, margin) };
}

function indented(lines: string, margin: string): string {
  return lines.replace(/^(?=.)/gm, margin);
}

/** The blanks before the first key of a map. */
function columnOf(text: string, map: YAMLMap): string {
  const start = (map.items[0]!.key as { range: [number, number, number] }).range[0];
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return ' '.repeat(line.replace(/^\ufeff/, '').length);
}

/** The line end that most lines have. */
function lineEndOf(text: string): string {
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > text.split('\n').length - 1 ? '\r\n' : '\n';
}
