import { latin1 } from './chars.ts';
import { walkLines } from './line-walk.ts';
import type { LineIndex } from './line-index.ts';

/** `  ├─ `, `│  └── `: what is drawn before a node of a tree, and before a line that says more of one. In UTF-8. */
const NODE = /^((?: |\xc2\xa0|\xe2\x94\x82)*)\xe2\x94[\x9c\x94]/;
const MORE = /^(?: |\xc2\xa0|\xe2\x94\x82)*/;
const BAR = '\xe2\x94\x82';
const MOST_DRAWN = 300;
/** Nodes that make a tree. */
const LEAST_NODES = 3;

/** For each line of a drawn tree the node that it stands under; undefined where the lines `[from, to)` draw none. */
export function branchHeads(index: LineIndex, from: number, to: number): Int32Array | undefined {
  const parents = new Int32Array(to - from).fill(-1);
  const open: { readonly column: number; readonly line: number }[] = [];
  let nodes = 0;
  walkLines(index, from, to, (line, text, at, end) => {
    const drawn = latin1(text, at, Math.min(end, at + MOST_DRAWN));
    const node = NODE.exec(drawn)?.[1];
    const column = columnOf(node ?? before(drawn));
    while (
      open.length > 0 &&
      (node === undefined ? open.at(-1)!.column > column : open.at(-1)!.column >= column)
    )
      open.pop();
    parents[line - from] = open.at(-1)?.line ?? -1;
    if (node === undefined) return;
    nodes += 1;
    open.push({ column, line: line - from });
  });
  return nodes < LEAST_NODES ? undefined : parents;
}

/** What stands before the last bar of a line, or before its text. */
function before(drawn: string): string {
  const more = MORE.exec(drawn)![0];
  const bar = more.lastIndexOf(BAR);
  return bar < 0 ? more : more.slice(0, bar);
}

/** Columns of what is drawn: a character is one, whatever its bytes. */
function columnOf(drawn: string): number {
  return drawn.replaceAll('\xc2\xa0', ' ').replaceAll(BAR, ' ').length;
}
