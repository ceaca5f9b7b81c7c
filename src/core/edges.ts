/** What stands around a marker that takes the place of whole lines: the indentation and the line end of the gap. */

/** Blanks are looked for in so many bytes. */
export const MOST_INDENT = 40;

/** How many blanks and tabs a line starts with; `head` is its first bytes. */
export function indentOf(head: Uint8Array): number {
  let size = 0;
  while (size < head.length && size < MOST_INDENT && (head[size] === 32 || head[size] === 9)) size += 1;
  return size;
}

/** The line end that `tail` closes with: `\r\n`, `\n` or none. */
export function lineEndOf(tail: Uint8Array): '' | '\n' | '\r\n' {
  if (tail.at(-1) !== 10) return '';
  return tail.at(-2) === 13 ? '\r\n' : '\n';
}
