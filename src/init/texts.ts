/** The line end that a text has; `\n` where it has none. */
export function lineEnd(text: string): '\n' | '\r\n' {
  const feed = text.indexOf('\n');
  return feed > 0 && text[feed - 1] === '\r' ? '\r\n' : '\n';
}

/** A `.gitignore` with a line in it, once. */
export function withIgnored(text: string | undefined, line: string): string {
  const eol = lineEnd(text ?? '');
  const lines = (text ?? '').split(/\r?\n/);
  if (lines.some((each) => each.trim() === line)) return text!;
  const start = text === undefined || text === '' || text.endsWith('\n') ? (text ?? '') : text + eol;
  return `${start}${line}${eol}`;
}

/** Lines of context around a change. */
const CONTEXT = 3;
/** Longer texts are compared as one change between what they begin and end with alike. */
const MOST_CELLS = 4_000_000;

/** A unified diff of two texts: `--- a`, `+++ b`, hunks. Empty where they are equal. */
export function unified(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const edits = editsOf(linesOf(before), linesOf(after));
  const heads = [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${path}`}`,
  ];
  return [...heads, ...hunks(edits)].map((line) => `${line}\n`).join('');
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

type Edit = readonly [sign: ' ' | '-' | '+', line: string];

/** The lines of both, with what stays, goes and comes: by the longest common subsequence. */
function editsOf(a: readonly string[], b: readonly string[]): Edit[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...signed(' ', a.slice(0, head)), ...middle, ...signed(' ', a.slice(a.length - tail))];
}

function signed(sign: Edit[0], lines: readonly string[]): Edit[] {
  return lines.map((line) => [sign, line]);
}

function changed(a: readonly string[], b: readonly string[]): Edit[] {
  if (a.length * b.length > MOST_CELLS) return [...signed('-', a), ...signed('+', b)];
  const rows = commonOf(a, b);
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      edits.push([' ', a[i]!]);
      i += 1;
      j += 1;
    } else if (rows[i + 1]![j]! >= rows[i]![j + 1]!) edits.push(['-', a[i++]!]);
    else edits.push(['+', b[j++]!]);
  }
  return [...edits, ...signed('-', a.slice(i)), ...signed('+', b.slice(j))];
}

/** How long the longest common subsequence of the rests behind each pair of places is. */
function commonOf(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1)
      rows[i]![j] = a[i] === b[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
  }
  return rows;
}

function hunks(edits: readonly Edit[]): string[] {
  const near = edits.map((_, at) =>
    edits.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([sign]) => sign !== ' '),
  );
  const lines: string[] = [];
  let [old, now] = [1, 1];
  for (let at = 0; at < edits.length; at += 1) {
    if (near[at] === true && near[at - 1] !== true) {
      let end = at;
      while (near[end] === true) end += 1;
      const own = edits.slice(at, end);
      const range = (from: number, sign: '-' | '+'): string => {
        const count = own.filter(([each]) => each === ' ' || each === sign).length;
        return `${sign}${count === 0 ? from - 1 : from},${count}`;
      };
      lines.push(`@@ ${range(old, '-')} ${range(now, '+')} @@`);
    }
    const [sign, line] = edits[at]!;
    if (near[at] === true) lines.push(sign + line);
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
  }
  return lines;
}
