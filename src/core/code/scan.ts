/** Where strings, comments and regular expressions of source code end. Offsets are characters of the text. */

/** Behind the string whose quote is at `at`; -1 where it does not end on its line, unless a backslash goes on. */
export function stringEnd(text: string, at: number): number {
  const quote = text[at];
  for (let p = at + 1; p < text.length; p += 1) {
    const c = text[p];
    if (c === quote) return p + 1;
    if (c === '\\') p += text[p + 1] === '\r' && text[p + 2] === '\n' ? 2 : 1;
    else if (c === '\n') return -1;
  }
  return -1;
}

/** Behind the regular expression whose slash is at `at`; -1 where it does not end on its line. A class may hold slashes. */
export function regexEnd(text: string, at: number): number {
  let inClass = false;
  for (let p = at + 1; p < text.length; p += 1) {
    const c = text[p];
    if (c === '\n') return -1;
    if (c === '\\') p += 1;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) return p + 1;
  }
  return -1;
}

/** Behind the next `end` from `from` on; the end of the text where there is none. */
export function behind(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/** Line feeds in `[from, to)`. */
export function feedsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
