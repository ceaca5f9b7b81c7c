import { latin1 } from '../chars.ts';
import { ARRAY, NUMBER, OBJECT, STRING, type Tape } from '../json/tape.ts';

/** A tape of text that is nested by indentation. A node has whole lines, but for the first entry of a list item. */
export interface TextTape extends Tape {
  /** Columns before the first character of each node. */
  readonly indents: Uint16Array;
  /** Nodes that begin in the middle of a line, or that are the line their parent begins with: they go with it. */
  readonly glued: Uint8Array;
  /** Lists of the lines of a block scalar. */
  readonly isBlock: ReadonlySet<number>;
  /** Nodes that must stay: an anchor, a directive, a mark of a document. */
  readonly pinned: ReadonlySet<number>;
}

/** A node that is being read. */
interface Draft {
  kind: number;
  from: number;
  start: number;
  end: number;
  key: number;
  keyEnd: number;
  hash: number;
  parent: number;
  indent: number;
  glued: boolean;
}

/** Gathers nodes in the order of their text and makes a tape of them. */
export class NodeList {
  readonly drafts: Draft[] = [];
  readonly isBlock = new Set<number>();
  readonly pinned = new Set<number>();

  add(parent: number, indent: number, from: number, more: Partial<Draft> = {}): number {
    this.drafts.push({
      kind: STRING,
      from,
      start: from,
      end: from,
      key: 0,
      keyEnd: 0,
      hash: 0,
      parent,
      indent,
      glued: false,
      ...more,
    });
    return this.drafts.length - 1;
  }

  /** Puts a node between the root and all that is under it; the root becomes a list. */
  wrapRoot(): void {
    const { drafts } = this;
    drafts.splice(1, 0, { ...drafts[0]!, parent: 0 });
    for (let n = 2; n < drafts.length; n += 1) drafts[n]!.parent += 1;
    drafts[0]!.kind = ARRAY;
    for (const set of [this.isBlock, this.pinned]) {
      const moved = [...set].map((n) => n + 1);
      set.clear();
      for (const n of moved) set.add(n);
    }
  }

  tape(bytes: Uint8Array, to: number): TextTape {
    const { drafts } = this;
    const count = drafts.length;
    const { next, size } = family(drafts);
    // A node goes on until the next one that is not inside of it begins; the first entry of an item begins in its line.
    const ends = Uint32Array.from(next, (n) => drafts[n]?.from ?? to);
    const column = <A extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(
      array: A,
      value: (draft: Draft) => number,
    ): A => {
      drafts.forEach((draft, n) => {
        array[n] = value(draft);
      });
      return array;
    };
    return {
      bytes,
      count,
      kind: column(new Uint8Array(count), (d) => d.kind),
      start: column(new Uint32Array(count), (d) => (d.kind >= STRING ? d.start : d.from)),
      end: Uint32Array.from(drafts, (d, n) => (d.kind >= STRING ? d.end : ends[n]!)),
      key: column(new Uint32Array(count), (d) => d.key),
      keyHash: column(new Uint32Array(count), (d) => d.hash),
      parent: column(new Int32Array(count), (d) => d.parent),
      next,
      size,
      isTorn: false,
      isIndented: true,
      depth: depthOf(drafts),
      quote: 0,
      fromOf: (n) => drafts[n]!.from,
      toOf: (n) => ends[n]!,
      keyOf: (n) => latin1(bytes, drafts[n]!.key, drafts[n]!.keyEnd),
      indents: column(new Uint16Array(count), (d) => Math.min(d.indent, 65_535)),
      glued: column(new Uint8Array(count), (d) => (d.glued ? 1 : 0)),
      isBlock: this.isBlock,
      pinned: this.pinned,
    };
  }
}

/** The first node behind all that is inside of each, and how many are right under it. */
function family(drafts: readonly Draft[]): { next: Uint32Array; size: Uint32Array } {
  const next = new Uint32Array(drafts.length);
  const size = new Uint32Array(drafts.length);
  for (let n = drafts.length - 1; n >= 0; n -= 1) {
    if (next[n] === 0) next[n] = n + 1;
    const p = drafts[n]!.parent;
    if (p < 0) continue;
    size[p]! += 1;
    next[p] = Math.max(next[p]!, next[n]!);
  }
  return { next, size };
}

function depthOf(drafts: readonly Draft[]): number {
  const depths = new Uint32Array(drafts.length);
  let deepest = 0;
  drafts.forEach(({ parent }, n) => {
    depths[n] = parent < 0 ? 1 : depths[parent]! + 1;
    deepest = Math.max(deepest, depths[n]!);
  });
  return deepest;
}

export { ARRAY, NUMBER, OBJECT, STRING };
