import { hashMasked } from '../hash.ts';
import { NUMBER } from '../json/tape.ts';
import { hashKey } from '../json/units.ts';
import { KEY, keyOf, type ReportLine, reportLines, sectionHeads } from './report-lines.ts';
import { ARRAY, NodeList, OBJECT, STRING, type TextTape } from './nodes.ts';

/**
 * The nodes of text that is nested by indentation: `Key:   value` lines, headings, lines. What is deeper is under the
 * line above it. Lines of one wording are one field, whatever their numbers, and each of their numbers is one, too.
 */
export function readDescribe(bytes: Uint8Array, lines: Uint32Array): TextTape {
  return new DescribeReader(bytes, lines).read();
}

const MOST_NUMBERS = 8;
/** Children of which most have no key are a list. */
const LEAST_LIST = 5;

class DescribeReader {
  private readonly bytes: Uint8Array;
  private readonly lines: Uint32Array;
  private readonly nodes = new NodeList();
  private key = KEY;
  private readonly stack: Array<{ readonly node: number; readonly level: number }> = [];

  constructor(bytes: Uint8Array, lines: Uint32Array) {
    this.bytes = bytes;
    this.lines = lines;
  }

  read(): TextTape {
    const { nodes, lines, stack } = this;
    nodes.add(-1, 0, lines[0]!, { kind: OBJECT });
    const read = reportLines(this.bytes, lines);
    const heads = sectionHeads(read);
    this.key = keyOf(read);
    if (heads !== undefined) nodes.drafts[0]!.kind = ARRAY;
    stack.push({ node: 0, level: ROOT });
    read.forEach((line, i) => {
      const level = heads?.has(i) === true ? HEAD : line.indent;
      while (stack.at(-1)!.level >= level) stack.pop();
      const following = read[i + 1];
      const isDeeper = following !== undefined && heads?.has(i + 1) !== true && following.indent > level;
      const node = this.node(stack.at(-1)!.node, line, isDeeper);
      if (isDeeper) stack.push({ node, level });
    });
    this.listen();
    // Of several things some may go whole; of one its conditions never do.
    if (heads === undefined) this.pinConditions();
    return nodes.tape(this.bytes, lines.at(-1)!);
  }

  private node(parent: number, { from, place, text, indent }: ReportLine, deeper: boolean): number {
    const { nodes, bytes } = this;
    const key = this.key.exec(text);
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
    // What a line says beside what is under it.
    const own =
      deeper && value !== '' ? nodes.add(node, indent, from, { start, end, hash: OWN, glued: true }) : node;
    if (value !== '') this.numbers(own, indent, from, start, value);
    return node;
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

  /** What stands under the keys that say how it is stays. */
  private pinConditions(): void {
    const { drafts, pinned } = this.nodes;
    const under = new Set<number>();
    drafts.forEach(({ parent, hash, key, glued }, n) => {
      if (under.has(parent) && !glued && pinned.size < MOST_PINNED) pinned.add(n);
      if (under.has(parent) || (key > 0 && CONDITIONS.has(hash))) under.add(n);
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

const CONDITIONS = new Set(['Conditions', 'State', 'Last State'].map(hashKey));
const MOST_PINNED = 500;
/** The field of what a line says that has something under it. */
const OWN = 0xfffffff0;
/** A number that is no part of a word, an address or a version. */
const NUMBERS = /(?<![\w.:/-])\d+(?:\.\d+)?(?![\w.:/-])/g;

function maskedHash(b: Uint8Array, from: number, to: number): number {
  return (hashMasked(b, from, Math.min(to, from + 200)) >>> 0) | 1;
}

/** Levels of the root, and of what sections begin with: all other lines are deeper. */
const ROOT = -2;
const HEAD = -1;
