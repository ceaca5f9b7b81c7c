/** What a pair of brackets, a long string or a comment is, for an outline of source code. */
export type BlockKind =
  /** Statements: they go. */
  | 'body'
  /** Members of a class or a namespace: each is looked at. */
  | 'scope'
  /** Values: they go, unless functions are in them. */
  | 'data'
  /** Types, parameters, imports: they stay. */
  | 'type'
  /** A comment or a docstring: its head stays. */
  | 'comment';

/** Lines from 0; `open` and `close` are the first and the last one. */
export interface Block {
  kind: BlockKind;
  readonly open: number;
  close: number;
  /** Is it the body of a function? */
  readonly isFunction: boolean;
  /** Are functions in it that have no block of their own? */
  holdsFunctions: boolean;
  readonly children: Block[];
}

export function newBlock(kind: BlockKind, open: number, isFunction = false): Block {
  return { kind, open, close: open, isFunction, holdsFunctions: false, children: [] };
}

/** Adds a comment; what ends where it starts goes on in it. */
export function addComment({ children }: Block, open: number, close: number): void {
  const last = children.at(-1);
  if (last?.kind === 'comment' && last.close === open) last.close = close;
  else children.push({ ...newBlock('comment', open), close });
}

/** A body that is most of the file (a module in a function, a suite of tests) is looked into, if functions are in it. */
const MOST_OF_FILE = 0.8;

/** Marks the lines of a file that go from its outline. */
export function hiddenLines(root: Block, lines: readonly string[]): Uint8Array {
  const hidden = new Uint8Array(lines.length);
  const hide = (block: Block): void => {
    if (block.kind === 'comment') hidden.fill(1, headOf(block, lines), block.close);
    else if (isOpen(block, lines.length)) block.children.forEach(hide);
    else hidden.fill(1, block.open + 1, block.close);
  };
  root.children.forEach(hide);
  return hidden;
}

function isOpen({ kind, open, close, children, holdsFunctions }: Block, lines: number): boolean {
  if (kind === 'type' || kind === 'scope') return true;
  if (kind === 'data') return holdsFunctions || children.some(holdsFunction);
  return close - open > lines * MOST_OF_FILE && children.filter(holdsFunction).length > 1;
}

function holdsFunction({ isFunction, children, open, close }: Block): boolean {
  return (isFunction && close > open) || children.some(holdsFunction);
}

/** The line behind the first one of a comment that says something. */
function headOf({ open, close }: Block, lines: readonly string[]): number {
  let head = open;
  while (head < close && !/[A-Za-z\x80-\xff]{2}/.test(lines[head]!)) head += 1;
  return Math.min(head + 1, close);
}
