import { type NodeList, OBJECT, STRING } from './nodes.ts';

interface Open {
  readonly node: number;
  readonly indent: number;
  /** `key`: an entry that may have something under it; `item`; `document`. */
  readonly kind: 'key' | 'item' | 'document';
}

/** The nodes that are open at a line of YAML, and what they may have under them. */
export class Nesting {
  private readonly nodes: NodeList;
  private readonly stack: Open[] = [];
  /** The column of what stands under a node: siblings share it. */
  private readonly columns = new Map<number, number>();
  /** Documents that `---` began. */
  documents = 0;

  constructor(nodes: NodeList) {
    this.nodes = nodes;
  }

  get top(): Open {
    return this.stack.at(-1)!;
  }

  open(node: number, indent: number, kind: Open['kind']): void {
    this.stack.push({ node, indent, kind });
  }

  /** Closes all but the root. */
  closeDocument(): void {
    this.stack.length = 1;
  }

  /** The open node that a node at `column` is under; closes what is deeper. undefined where it is under none. */
  parentOf(column: number, isItem: boolean): number | undefined {
    const { stack } = this;
    const { drafts } = this.nodes;
    for (; this.top.indent >= column; stack.pop()) {
      const { node, indent, kind } = this.top;
      // A sequence may stand at the column of its key.
      if (indent === column && isItem && kind === 'key' && drafts[node]!.kind !== OBJECT) break;
    }
    const { node } = this.top;
    const first = this.columns.get(node);
    if (first !== undefined && first !== column) return undefined;
    this.columns.set(node, column);
    const draft = drafts[node]!;
    return draft.kind === STRING && draft.end > draft.start ? undefined : node;
  }

  /** Makes a mapping or a sequence of a node that may be one still. */
  become(node: number, kind: number): boolean {
    const { drafts } = this.nodes;
    const draft = drafts[node]!;
    if (draft.kind === STRING || (node === 0 && this.documents === 0 && drafts.length === 1))
      draft.kind = kind;
    return draft.kind === kind;
  }
}
