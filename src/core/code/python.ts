import { type Block, newBlock } from './blocks.ts';

/** A logical line: a statement with all that brackets, long strings and backslashes make it go on over. */
interface Statement {
  readonly first: number;
  readonly last: number;
  readonly indent: number;
  /** Its first line without indentation. */
  readonly text: string;
  readonly isComment: boolean;
}

const STRING = /^[rbuf]{0,2}(?:"""|'''|"|')/i;
const FUNCTION = /^(?:async\s+)?def\b/;
/** Their statements go. */
const BODY = /^(?:for|while|with|async\s+(?:for|with)|match)\b|^if\s+__name__\b/;
/** Their lines stay, however many: heads, decorators, imports. */
const HEAD = /^(?:@|from\b|import\b|class\b|if\b|elif\b|else\b|try\b|except\b|finally\b|(?:async\s+)?def\b)/;

/** The blocks of a Python file, by indentation. */
export function pythonBlocks(lines: readonly string[]): Block {
  const root = newBlock('scope', 0);
  const statements = [...statementsOf(lines)];
  for (let n = 0; n < statements.length;) n = take(root, statements, n);
  return root;
}

/** Adds the block that a statement opens or is; returns the next statement that is not in it. */
function take(root: Block, statements: readonly Statement[], n: number): number {
  const statement = statements[n]!;
  const { first, last, text, isComment } = statement;
  const isLong = last > first;
  if (FUNCTION.test(text) || BODY.test(text)) return takeBody(root, statements, n);
  if (isComment) add(root, 'comment', first, last + 1);
  else if (STRING.test(text)) add(root, 'comment', first, last);
  else if (isLong && !HEAD.test(text)) add(root, 'data', first, last);
  return n + 1;
}

/** The statements under a head go, but for the head of a docstring. */
function takeBody(root: Block, statements: readonly Statement[], n: number): number {
  const head = statements[n]!;
  let end = n + 1;
  let last = head.last;
  for (let at = n + 1; at < statements.length; at += 1) {
    const { indent, isComment, last: line } = statements[at]!;
    if (indent > head.indent) {
      end = at + 1;
      last = line;
    } else if (!isComment) break;
  }
  const doc = statements[n + 1];
  if (doc === undefined || end === n + 1) return n + 1;
  const isDoc = STRING.test(doc.text);
  if (isDoc) add(root, 'comment', doc.first, doc.last + 1);
  if (isDoc ? doc.last < last : true) add(root, 'body', (isDoc ? doc.last + 1 : doc.first) - 1, last + 1);
  return end;
}

function add(root: Block, kind: Block['kind'], open: number, close: number): void {
  const block = newBlock(kind, open);
  block.close = close;
  root.children.push(block);
}

/** Comments on neighbouring lines are one. */
function* statementsOf(lines: readonly string[]): Generator<Statement> {
  for (let line = 0; line < lines.length; line += 1) {
    const text = lines[line]!.trimStart();
    if (text.trimEnd() === '') continue;
    const indent = lines[line]!.length - text.length;
    const first = line;
    const isComment = text.startsWith('#');
    if (isComment) while (isCommentAt(lines[line + 1], indent)) line += 1;
    else line = lastLine(lines, line);
    yield { first, last: line, indent, text, isComment };
  }
}

function isCommentAt(line: string | undefined, indent: number): boolean {
  return line !== undefined && line[indent] === '#' && line.trimStart().length === line.length - indent;
}

/** The last line of the statement that starts on a line. */
// oxlint-disable-next-line complexity -- a scanner: one branch a kind of token
function lastLine(lines: readonly string[], first: number): number {
  let depth = 0;
  let quote = '';
  for (let line = first; line < lines.length; line += 1) {
    const text = lines[line]!;
    let goesOn = false;
    for (let at = 0; at < text.length; at += 1) {
      const c = text[at]!;
      if (c === '\\') {
        goesOn = quote.length < 3 && text.slice(at + 1).trim() === '';
        at += 1;
      } else if (quote !== '') {
        if (!text.startsWith(quote, at)) continue;
        at += quote.length - 1;
        quote = '';
      } else if (c === '#') break;
      else if (c === '"' || c === "'") {
        quote = text.startsWith(c.repeat(3), at) ? c.repeat(3) : c;
        at += quote.length - 1;
      } else if ('([{'.includes(c)) depth += 1;
      else if (')]}'.includes(c)) depth = Math.max(0, depth - 1);
    }
    if (quote.length === 1 && !goesOn) quote = '';
    if (quote === '' && depth === 0 && !goesOn) return line;
  }
  return lines.length - 1;
}
