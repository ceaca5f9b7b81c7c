import { latin1 } from '../chars.ts';
import { hashMasked } from '../hash.ts';
import { NUMBER } from '../json/tape.ts';
import { hashKey } from '../json/units.ts';
import { ARRAY, NodeList, OBJECT, STRING, type TextTape } from './nodes.ts';

/**
 * The nodes of text that is nested by indentation: `Key:   value` lines, headings, lines. What is deeper is under the
 * line above it. Lines of one wording are one field, whatever their numbers, and each of their numbers is one, too.
 */
export function readDescribe(bytes: Uint8Array, lines: Uint32Array): TextTape {
  return new DescribeReader(bytes, lines).read();
}

const KEY = /^([A-Za-z_][\w ./()&#+-]{0,60}?):(?:\s+|$)/;
const LONGEST = 2000;
const MOST_NUMBERS = 8;
/** Children of which most have no key are a list. */
const LEAST_LIST = 5;
const MOST_INDENT = 2000;

interface Line {
  readonly from: number;
  readonly place: number;
  readonly text: string;
  readonly indent: number;
  readonly isAfterBlank: boolean;
}

class DescribeReader {
  private readonly bytes: Uint8Array;
  private readonly lines: Uint32Array;
  private readonly nodes = new NodeList();
  private readonly stack: Array<{ readonly node: number; readonly indent: number }> = [];

  constructor(bytes: Uint8Array, lines: Uint32Array) {
    this.bytes = bytes;
    this.lines = lines;
  }

  read(): TextTape {
    const { nodes, lines, stack } = this;
    nodes.add(-1, 0, lines[0]!, { kind: OBJECT });
    const read = this.readLines();
    const hasHeadings = headed(read);
    stack.push({ node: 0, indent: -1 });
    read.forEach((line, i) => {
      const indent = hasHeadings && line.indent === 0 && !line.isAfterBlank && i > 0 ? 0.5 : line.indent;
      while (stack.at(-1)!.indent >= indent) stack.pop();
      const following = read[i + 1];
      const deeper =
        following !== undefined &&
        (following.indent > line.indent ||
          (hasHeadings && line.isAfterBlank && !following.isAfterBlank && indent === 0));
      this.node(stack.at(-1)!.node, line, indent, deeper);
    });
    this.listen();
    return nodes.tape(this.bytes, lines.at(-1)!);
  }

  private readLines(): Line[] {
    const { bytes, lines } = this;
    const read: Line[] = [];
    let from = -1;
    let isAfterBlank = true;
    for (let i = 0; i + 1 < lines.length; i += 1) {
      const start = lines[i]!;
      const whole = latin1(bytes, start, Math.min(lines[i + 1]!, start + LONGEST)).trimEnd();
      if (whole === '') {
        isAfterBlank = true;
        continue;
      }
      const column = whole.search(/[^ \t]/);
      let indent = 0;
      for (let c = 0; c < column; c += 1) indent = whole[c] === '\t' ? (indent | 7) + 1 : indent + 1;
      // A bullet is part of the indentation of what it stands before.
      from = start;
      read.push({
        from,
        place: start + column,
        text: whole.slice(column),
        indent: Math.min(indent, MOST_INDENT),
        isAfterBlank,
      });
      isAfterBlank = false;
    }
    return read;
  }

  private node(parent: number, { from, place, text }: Line, indent: number, deeper: boolean): void {
    const { nodes, bytes, stack } = this;
    const key = KEY.exec(text);
    const value = key === null ? text : text.slice(key[0].length);
    const start = place + (key === null ? 0 : key[0].length);
    const end = place + text.length;
    const hash = key === null ? maskedHash(bytes, place, end) : hashKey(key[1]!);
    const node = nodes.add(parent, indent, from, {
      kind: deeper ? OBJECT : STRING,
      start,
      end,
      hash,
      ...(key !== null && { key: place, keyEnd: place + key[1]!.length }),
    });
    if (deeper) stack.push({ node, indent });
    // What a line says beside what is under it.
    const own =
      deeper && value !== '' ? nodes.add(node, indent, from, { start, end, hash: OWN, glued: true }) : node;
    if (value !== '') this.numbers(own, indent, from, start, value);
  }

  /** The numbers of a line that has several, or that is one of words. */
  private numbers(line: number, indent: number, from: number, start: number, value: string): void {
    const found = [...value.matchAll(NUMBERS)];
    if (found.length === 0 || (found.length === 1 && found[0]![0].length === value.length)) return;
    found.slice(0, MOST_NUMBERS).forEach((match, i) => {
      this.nodes.add(line, indent, from, {
        kind: NUMBER,
        start: start + match.index,
        end: start + match.index + match[0].length,
        hash: i + 1,
        glued: true,
      });
    });
  }

  /** Nodes whose children mostly have no key are lists of lines. */
  private listen(): void {
    const { drafts } = this.nodes;
    const children = new Uint32Array(drafts.length);
    const bare = new Uint32Array(drafts.length);
    for (const { parent, key, glued } of drafts) {
      if (parent < 0 || glued) continue;
      children[parent]! += 1;
      if (key === 0) bare[parent]! += 1;
    }
    drafts.forEach((draft, n) => {
      if (draft.kind === OBJECT && children[n]! >= LEAST_LIST && bare[n]! * 10 >= children[n]! * 6)
        draft.kind = ARRAY;
    });
  }
}

/** The field of what a line says that has something under it. */
const OWN = 0xfffffff0;
/** A number that is no part of a word, an address or a version. */
const NUMBERS = /(?<![\w.:/-])\d+(?:\.\d+)?(?![\w.:/-])/g;

function maskedHash(b: Uint8Array, from: number, to: number): number {
  return (hashMasked(b, from, Math.min(to, from + 200)) >>> 0) | 1;
}

/** Do paragraphs begin with a line of their own kind: unindented, without a value, and what follows belongs to it? */
function headed(lines: readonly Line[]): boolean {
  const firsts = lines.filter(({ isAfterBlank }) => isAfterBlank);
  const heads = firsts.filter(({ indent, text }) => indent === 0 && !KEY.test(text));
  return firsts.length >= 3 && heads.length * 10 >= firsts.length * 8;
}
