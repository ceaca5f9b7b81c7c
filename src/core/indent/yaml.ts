import { ARRAY, NodeList, NUMBER, OBJECT, STRING, type TextTape } from './nodes.ts';
import { hashKey } from '../json/units.ts';
import { Nesting } from './yaml-nesting.ts';
import { isNumber, YamlText } from './yaml-text.ts';

/**
 * The nodes of block YAML: entries of mappings, items of sequences, scalars. Comments and blank lines belong to what
 * follows them. Flow parts, quoted and folded texts are scalars of one or several lines; nothing is decoded. undefined
 * where a line does not fit: then it is no YAML, or one that is better left alone. `lines`: where they start, and the end.
 */
export function readYaml(bytes: Uint8Array, lines: Uint32Array): TextTape | undefined {
  return new YamlReader(bytes, lines).read();
}

const KEY =
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"{}[\],&*!|>%@`-](?:[^:#]|:(?=\S)|(?<=\S)#)*?|-(?=\S)(?:[^:#]|:(?=\S))*?)(?=\s*:(?:\s|$))/;
/** An anchor or a tag before a value. */
const DECORATION = /^(?:[&!]\S*\s*)+/;
/** The field of entries whose key is none on one line. */
const LONG_KEY = 0xffffffef;
/** A block scalar of so many lines and bytes is a list of its lines. */
const LEAST_BLOCK_LINES = 8;
const LEAST_BLOCK = 500;

class YamlReader {
  private readonly bytes: Uint8Array;
  private readonly lines: Uint32Array;
  private readonly nodes = new NodeList();
  private readonly nesting = new Nesting(this.nodes);
  private readonly text: YamlText;
  private at = 0;
  /** Where the comments before the next node start; -1 where there are none. */
  private pending = -1;

  constructor(bytes: Uint8Array, lines: Uint32Array) {
    this.bytes = bytes;
    this.lines = lines;
    this.text = new YamlText(bytes, lines);
  }

  read(): TextTape | undefined {
    const { nodes, lines, nesting } = this;
    const end = lines.at(-1)!;
    nodes.add(-1, 0, lines[0]!, { kind: OBJECT });
    nesting.open(0, -1, 'document');
    for (this.at = 0; this.at + 1 < lines.length;) {
      if (!this.line()) return undefined;
    }
    for (const { parent } of nodes.drafts) {
      if (parent >= 0 && nodes.drafts[parent]!.kind === STRING) nodes.drafts[parent]!.kind = OBJECT;
    }
    return nodes.drafts.length < 3 ? undefined : nodes.tape(this.bytes, end);
  }

  /** Reads a line and what belongs to it; false where it does not fit. */
  private line(): boolean {
    const text = this.text.textOf(this.at);
    const indent = text.search(/[^ ]/);
    if (indent < 0 || text[indent] === '#') {
      this.comment();
      return true;
    }
    if (text[indent] === '\t') return text.trim() === '' && this.comment();
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(text)) return this.mark(text);
    if (text.startsWith('%')) return this.pin();
    return this.content(text, indent);
  }

  private comment(): true {
    if (this.pending < 0) this.pending = this.lines[this.at]!;
    this.at += 1;
    return true;
  }

  /** `---` begins a document; what stands behind it on its line, but for a comment or a tag, is left alone. */
  private mark(text: string): boolean {
    if (!/^(?:---(?:\s+(?:#.*|[&!]\S+))?|\.\.\.)\s*$/.test(text)) return false;
    const { nodes, nesting } = this;
    nesting.closeDocument();
    const root = nodes.drafts[0]!;
    if (nodes.drafts.length > 1 && root.kind === OBJECT && nesting.documents === 0) {
      // What came before the first `---` is a document, too.
      nodes.wrapRoot();
      nesting.documents = 1;
    }
    if (!text.startsWith('---')) return this.pin();
    nesting.documents += 1;
    root.kind = ARRAY;
    const from = this.take(this.lines[this.at]!);
    const node = nodes.add(0, 0, from);
    nodes.add(node, 0, from, {
      start: this.lines[this.at]!,
      end: this.lines[this.at]! + 3,
      glued: true,
    });
    nesting.open(node, -1, 'document');
    this.at += 1;
    return true;
  }

  /** A line that stays as it is: a directive, the end of a document. */
  private pin(): boolean {
    const from = this.take(this.lines[this.at]!);
    const node = this.nodes.add(0, 0, from, { start: from, end: this.lines[this.at + 1]! });
    this.nodes.pinned.add(node);
    this.at += 1;
    return true;
  }

  private take(from: number): number {
    const start = this.pending < 0 ? from : this.pending;
    this.pending = -1;
    return start;
  }

  private content(text: string, indent: number): boolean {
    const { nodes, nesting } = this;
    let column = indent;
    let rest = text.slice(indent);
    let from = this.take(this.lines[this.at]!);
    let glued = false;
    while (/^-(?:\s|$)/.test(rest)) {
      const parent = nesting.parentOf(column, true);
      if (parent === undefined) return false;
      if (!nesting.become(parent, ARRAY)) return false;
      const node = nodes.add(parent, column, from, { glued });
      nesting.open(node, column, 'item');
      const skip = /^-\s*/.exec(rest)![0].length;
      if (rest.length === skip) {
        nodes.drafts[node]!.start = nodes.drafts[node]!.end = this.lines[this.at]! + column;
        this.at += 1;
        return true;
      }
      column += skip;
      rest = rest.slice(skip);
      from = this.lines[this.at]! + column;
      glued = true;
    }
    return this.entry(rest, column, from, glued);
  }

  /** An entry of a mapping, or the scalar of an item. */
  private entry(rest: string, column: number, from: number, glued: boolean): boolean {
    const { nodes, nesting } = this;
    if (rest.startsWith('? ')) return this.longKey(column, from, glued);
    const key = KEY.exec(rest)?.[0];
    const place = this.lines[this.at]! + column;
    if (key === undefined) {
      const { top } = nesting;
      if (!glued || top.kind !== 'item') return false;
      const draft = nodes.drafts[top.node]!;
      return this.value(top.node, draft.indent, place, rest);
    }
    const parent = nesting.parentOf(column, false);
    if (parent === undefined || !nesting.become(parent, OBJECT)) return false;
    const bare = /^["']/.test(key) ? key.slice(1, -1) : key;
    const node = nodes.add(parent, column, from, {
      key: place + (bare === key ? 0 : 1),
      keyEnd: place + (bare === key ? 0 : 1) + bare.length,
      hash: hashKey(Buffer.from(bare, 'latin1').toString('utf8')),
      glued,
    });
    nesting.open(node, column, 'key');
    const colon = rest.indexOf(':', key.length);
    const skip = colon + 1 + /^\s*/.exec(rest.slice(colon + 1))![0].length;
    return this.value(node, column, place + skip, rest.slice(skip));
  }

  /** `? key` with its value on a later line, `: value`: one scalar, not looked into. */
  private longKey(column: number, from: number, glued: boolean): boolean {
    const { nodes, nesting, lines } = this;
    const parent = nesting.parentOf(column, false);
    if (parent === undefined || !nesting.become(parent, OBJECT)) return false;
    const place = lines[this.at]! + column;
    const node = nodes.add(parent, column, from, { start: place, hash: LONG_KEY, glued });
    nesting.open(node, column, 'key');
    this.at = this.text.longKeyEnd(this.at, column);
    nodes.drafts[node]!.end = lines[this.at]!;
    return true;
  }

  /** The value on the line of its key or dash, with the lines that it goes on over. */
  private value(node: number, indent: number, place: number, text: string): boolean {
    const { nodes } = this;
    const draft = nodes.drafts[node]!;
    const decoration = DECORATION.exec(text)?.[0] ?? '';
    if (decoration.includes('&')) nodes.pinned.add(node);
    const rest = text.slice(decoration.length);
    draft.start = place + decoration.length;
    const plain = rest.replace(/(?:^|\s)#.*$/, '').trimEnd();
    draft.end = draft.start + plain.length;
    this.at += 1;
    if (plain === '') return true;
    if (/^[|>]/.test(plain)) return this.block(node, indent, plain.includes('+'));
    if (/^["'{[]/.test(plain)) return this.quoted(draft, plain[0]!);
    if (/^[@`%]/.test(plain)) return false;
    const { line, end } = this.text.plainEnd(this.at, indent);
    this.at = line;
    draft.end = end ?? draft.end;
    if (end === undefined && isNumber(plain)) draft.kind = NUMBER;
    return true;
  }

  /** A quoted text, whose quotes are none of the value's, or a flow part. */
  private quoted(draft: { start: number; end: number }, open: string): boolean {
    const { lines } = this;
    const end = this.text.closed(draft.start);
    if (end === undefined) return false;
    draft.end = end;
    while (this.at < lines.length - 1 && lines[this.at]! < end) this.at += 1;
    if (open === '"' || open === "'") {
      draft.start += 1;
      draft.end -= 1;
    }
    return true;
  }

  /** The lines of a block scalar; many of them are a list. */
  private block(node: number, indent: number, keepsBlanks: boolean): boolean {
    const { nodes, lines } = this;
    const draft = nodes.drafts[node]!;
    const first = this.at;
    const last = this.text.blockEnd(first, indent, keepsBlanks);
    this.at = last;
    const size = lines[last]! - lines[first]!;
    draft.end = lines[last]!;
    if (last - first < LEAST_BLOCK_LINES || size < LEAST_BLOCK) return true;
    draft.kind = ARRAY;
    nodes.isBlock.add(node);
    const texts = Array.from({ length: last - first }, (_, i) => this.text.textOf(first + i));
    const columns = texts.map((text) => text.search(/\S/));
    const margin = columns.reduce(
      (least, column) => (column >= 0 && column < least ? column : least),
      Infinity,
    );
    for (let line = first; line < last; line += 1) {
      const text = texts[line - first]!;
      const column = Math.max(0, columns[line - first]!);
      nodes.add(node, margin, lines[line]!, {
        start: lines[line]! + column,
        end: lines[line]! + Math.max(column, text.trimEnd().length),
        // Its first line tells how deep it is.
        glued: line === first,
      });
    }
    return true;
  }
}
