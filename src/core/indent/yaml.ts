import { latin1 } from '../chars.ts';
import { ARRAY, NodeList, OBJECT, STRING, type TextTape } from './nodes.ts';
import { hashKey } from '../json/units.ts';

/**
 * The nodes of block YAML: entries of mappings, items of sequences, scalars. Comments and blank lines belong to what
 * follows them. Flow parts, quoted and folded texts are scalars of one or several lines; nothing is decoded. undefined
 * where a line does not fit: then it is no YAML, or one that is better left alone.
 */
export function readYaml(bytes: Uint8Array, lines: YamlLines): TextTape | undefined {
  return new YamlReader(bytes, lines).read();
}

/** Where the lines of the text start, in order; the last is where it ends. */
export type YamlLines = Uint32Array;

interface Open {
  readonly node: number;
  readonly indent: number;
  /** `key`: an entry that may have something under it; `item`; `document`. */
  readonly kind: 'key' | 'item' | 'document';
}

const KEY =
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"{}[\],&*!|>%@`-](?:[^:#]|:(?=\S)|(?<=\S)#)*?|-(?=\S)(?:[^:#]|:(?=\S))*?)(?=\s*:(?:\s|$))/;
/** An anchor or a tag before a value. */
const DECORATION = /^(?:[&!]\S*\s*)+/;
/** The field of entries whose key is none on one line. */
const LONG_KEY = 0xffffffef;
/** Of a line that is longer only this much is looked at. */
const LONGEST = 4096;
/** A block scalar of so many lines and bytes is a list of its lines. */
const LEAST_BLOCK_LINES = 8;
const LEAST_BLOCK = 500;

class YamlReader {
  private readonly bytes: Uint8Array;
  private readonly lines: YamlLines;
  private readonly nodes = new NodeList();
  private readonly stack: Open[] = [];
  private at = 0;
  /** Where the comments before the next node start; -1 where there are none. */
  private pending = -1;

  constructor(bytes: Uint8Array, lines: YamlLines) {
    this.bytes = bytes;
    this.lines = lines;
  }

  read(): TextTape | undefined {
    const { nodes, lines, stack } = this;
    const end = lines.at(-1)!;
    nodes.add(-1, 0, lines[0]!, { kind: OBJECT });
    stack.push({ node: 0, indent: -1, kind: 'document' });
    for (this.at = 0; this.at + 1 < lines.length;) {
      if (!this.line()) return undefined;
    }
    for (const { parent } of nodes.drafts) {
      if (parent >= 0 && nodes.drafts[parent]!.kind === STRING) nodes.drafts[parent]!.kind = OBJECT;
    }
    return nodes.drafts.length < 3 ? undefined : nodes.tape(this.bytes, end);
  }

  private textOf(line: number): string {
    const end = Math.min(this.lines[line + 1]!, this.lines[line]! + LONGEST);
    return latin1(this.bytes, this.lines[line], end).replace(/\r?\n$/, '');
  }

  /** Reads a line and what belongs to it; false where it does not fit. */
  private line(): boolean {
    const text = this.textOf(this.at);
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
    this.stack.length = 1;
    const root = this.nodes.drafts[0]!;
    if (this.nodes.drafts.length > 1 && root.kind === OBJECT && this.documents === 0) this.wrapFirst();
    if (!text.startsWith('---')) return this.pin();
    this.documents += 1;
    root.kind = ARRAY;
    const from = this.take(this.lines[this.at]!);
    const node = this.nodes.add(0, 0, from);
    this.nodes.add(node, 0, from, {
      start: this.lines[this.at]!,
      end: this.lines[this.at]! + 3,
      glued: true,
    });
    this.stack.push({ node, indent: -1, kind: 'document' });
    this.at += 1;
    return true;
  }

  private documents = 0;

  /** What came before the first `---` is a document, too. */
  private wrapFirst(): void {
    const { drafts } = this.nodes;
    const first = { ...drafts[0]!, parent: 0 };
    drafts.splice(1, 0, first);
    for (let n = 2; n < drafts.length; n += 1) {
      const { parent } = drafts[n]!;
      drafts[n]!.parent = parent + 1;
    }
    this.documents = 1;
    drafts[0]!.kind = ARRAY;
    const move = (set: Set<number>): void => {
      const moved = [...set].map((n) => n + 1);
      set.clear();
      for (const n of moved) set.add(n);
    };
    move(this.nodes.isBlock);
    move(this.nodes.pinned);
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
    const { nodes, stack } = this;
    let column = indent;
    let rest = text.slice(indent);
    let from = this.take(this.lines[this.at]!);
    let glued = false;
    while (/^-(?:\s|$)/.test(rest)) {
      const parent = this.parentOf(column, true);
      if (parent === undefined) return false;
      if (!this.become(parent, ARRAY)) return false;
      const node = nodes.add(parent, column, from, { glued });
      stack.push({ node, indent: column, kind: 'item' });
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
    const { nodes, stack } = this;
    if (rest.startsWith('? ')) return this.longKey(column, from, glued);
    const key = KEY.exec(rest)?.[0];
    const place = this.lines[this.at]! + column;
    if (key === undefined) {
      const top = stack.at(-1)!;
      if (!glued || top.kind !== 'item') return false;
      const draft = nodes.drafts[top.node]!;
      return this.value(top.node, draft.indent, place, rest);
    }
    const parent = this.parentOf(column, false);
    if (parent === undefined || !this.become(parent, OBJECT)) return false;
    const bare = /^["']/.test(key) ? key.slice(1, -1) : key;
    const node = nodes.add(parent, column, from, {
      key: place + (bare === key ? 0 : 1),
      keyEnd: place + (bare === key ? 0 : 1) + bare.length,
      hash: hashKey(Buffer.from(bare, 'latin1').toString('utf8')),
      glued,
    });
    stack.push({ node, indent: column, kind: 'key' });
    const colon = rest.indexOf(':', key.length);
    const skip = colon + 1 + /^\s*/.exec(rest.slice(colon + 1))![0].length;
    return this.value(node, column, place + skip, rest.slice(skip));
  }

  /** `? key` with its value on a later line, `: value`: one scalar, not looked into. */
  private longKey(column: number, from: number, glued: boolean): boolean {
    const { nodes, stack, lines } = this;
    const parent = this.parentOf(column, false);
    if (parent === undefined || !this.become(parent, OBJECT)) return false;
    const place = lines[this.at]! + column;
    const node = nodes.add(parent, column, from, { start: place, hash: LONG_KEY, glued });
    stack.push({ node, indent: column, kind: 'key' });
    let end = this.at + 1;
    for (let line = this.at + 1; line + 1 < lines.length; line += 1) {
      const text = this.textOf(line);
      const at = text.search(/\S/);
      if (at >= 0 && at <= column && !(at === column && /^:(?:\s|$)/.test(text.slice(at)))) break;
      if (at >= 0) end = line + 1;
    }
    this.at = end;
    nodes.drafts[node]!.end = lines[end]!;
    return true;
  }

  /** The open node that a node at `column` is under; closes what is deeper. */
  private parentOf(column: number, isItem: boolean): number | undefined {
    const { stack, nodes } = this;
    for (;;) {
      const top = stack.at(-1)!;
      if (top.indent < column) break;
      // A sequence may stand at the column of its key.
      if (top.indent === column && isItem && top.kind === 'key' && nodes.drafts[top.node]!.kind !== OBJECT)
        break;
      stack.pop();
    }
    const top = stack.at(-1)!;
    const draft = nodes.drafts[top.node]!;
    // Siblings stand in one column.
    const first = this.columns.get(top.node);
    if (first !== undefined && first !== column) return undefined;
    this.columns.set(top.node, column);
    return draft.kind === STRING && draft.end > draft.start ? undefined : top.node;
  }

  private readonly columns = new Map<number, number>();

  private become(node: number, kind: number): boolean {
    const draft = this.nodes.drafts[node]!;
    if (draft.kind === STRING) draft.kind = kind;
    return draft.kind === kind || (node === 0 && this.documents === 0 && this.rootMayBe(kind));
  }

  private rootMayBe(kind: number): boolean {
    if (this.nodes.drafts.length > 1) return false;
    this.nodes.drafts[0]!.kind = kind;
    return true;
  }

  /** The value on the line of its key or dash, with the lines that it goes on over. */
  private value(node: number, indent: number, place: number, text: string): boolean {
    const { nodes, lines } = this;
    const draft = nodes.drafts[node]!;
    const decoration = DECORATION.exec(text)?.[0] ?? '';
    if (decoration.includes('&')) nodes.pinned.add(node);
    const rest = text.slice(decoration.length);
    draft.start = place + decoration.length;
    const plain = rest.replace(/(?:^|\s)#.*$/, '').trimEnd();
    draft.end = draft.start + plain.length;
    this.at += 1;
    if (plain === '') return true;
    if (/^[|>]/.test(plain)) return this.block(node, indent);
    const first = plain[0]!;
    if (first === '"' || first === "'" || first === '{' || first === '[') {
      const end = this.closed(draft.start, first);
      if (end === undefined) return false;
      draft.end = end;
      while (this.at < lines.length - 1 && lines[this.at]! < end) this.at += 1;
      if (first !== '{' && first !== '[') {
        draft.start += 1;
        draft.end -= 1;
      }
      return true;
    }
    if (/^[*@`%]/.test(first) && first !== '*') return false;
    // A plain scalar goes on over deeper lines.
    while (this.at + 1 < lines.length) {
      const next = this.textOf(this.at);
      const column = next.search(/\S/);
      if (column >= 0 && (column <= indent || next[column] === '#')) break;
      if (column < 0 && !this.goesOn(indent)) break;
      if (column >= 0) draft.end = lines[this.at]! + next.trimEnd().length;
      this.at += 1;
    }
    return true;
  }

  /** Is the next line with text deeper, so that a blank line is part of the scalar? */
  private goesOn(indent: number): boolean {
    for (let line = this.at; line + 1 < this.lines.length; line += 1) {
      const column = this.textOf(line).search(/\S/);
      if (column >= 0) return column > indent;
    }
    return false;
  }

  /** The lines of a block scalar; many of them are a list. */
  private block(node: number, indent: number): boolean {
    const { nodes, lines } = this;
    const draft = nodes.drafts[node]!;
    const first = this.at;
    let last = first;
    while (this.at + 1 < lines.length) {
      const column = this.textOf(this.at).search(/[^ \r]/);
      if (column >= 0 && column <= indent) break;
      this.at += 1;
      if (column >= 0) last = this.at;
    }
    this.at = last;
    const size = lines[last]! - lines[first]!;
    draft.end = lines[last]!;
    if (last - first < LEAST_BLOCK_LINES || size < LEAST_BLOCK) return true;
    draft.kind = ARRAY;
    nodes.isBlock.add(node);
    for (let line = first; line < last; line += 1) {
      const text = this.textOf(line);
      const column = Math.max(0, text.search(/\S/));
      nodes.add(node, column, lines[line]!, {
        start: lines[line]! + column,
        end: lines[line]! + Math.max(column, text.trimEnd().length),
        // Its first line tells how deep it is.
        glued: line === first,
      });
    }
    return true;
  }

  /** Behind the quote or bracket that closes the one at `from`; undefined where none does. */
  private closed(from: number, open: string): number | undefined {
    const { bytes, lines } = this;
    const end = lines.at(-1)!;
    if (open === "'") {
      for (let p = from + 1; p < end; p += 1) {
        if (bytes[p] !== 39) continue;
        if (bytes[p + 1] !== 39) return this.endsLine(p + 1);
        p += 1;
      }
      return undefined;
    }
    if (open === '"') {
      const close = doubleQuoteEnd(bytes, from + 1, end);
      return close === undefined ? undefined : this.endsLine(close);
    }
    let depth = 0;
    for (let p = from; p < end; p += 1) {
      const c = bytes[p]!;
      if (c === 34) {
        const close = doubleQuoteEnd(bytes, p + 1, end);
        if (close === undefined) return undefined;
        p = close - 1;
      } else if (c === 123 || c === 91) depth += 1;
      else if (c === 125 || c === 93) {
        depth -= 1;
        if (depth === 0) return this.endsLine(p + 1);
      }
    }
    return undefined;
  }

  /** Only a comment may follow on the line. */
  private endsLine(at: number): number | undefined {
    const feed = this.bytes.indexOf(10, at);
    const rest = latin1(this.bytes, at, feed < 0 ? this.lines.at(-1)! : feed);
    return /^\s*(?:#.*)?$/.test(rest) ? at : undefined;
  }
}

function doubleQuoteEnd(b: Uint8Array, from: number, end: number): number | undefined {
  for (let p = from; p < end; p += 1) {
    if (b[p] === 92) p += 1;
    else if (b[p] === 34) return p + 1;
  }
  return undefined;
}
