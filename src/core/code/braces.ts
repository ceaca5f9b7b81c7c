import { addComment, type Block, type BlockKind, newBlock } from './blocks.ts';
import { type Before, isBeforeRegex, type KindOf, listKind, TS_HEADS, TS_SOFT } from './kinds.ts';
import { behind, feedsIn, regexEnd, stringEnd } from './scan.ts';

/** A language of braces. */
export interface Braces {
  readonly leads: ReadonlySet<string>;
  readonly kindOf: KindOf;
  /** Strings in backquotes hold no expressions, a slash divides, a line end ends a statement. */
  readonly isGo: boolean;
}

/** An open bracket, or a template (a backquote) and an expression in one (`$`). */
interface Frame {
  readonly mark: string;
  /** The block that it is, or is in. */
  readonly block: Block;
  /** Of parentheses: the token before them, and how many blocks came before. */
  readonly before: string;
  readonly blocks: number;
  lead: string;
}

const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** Statements that go on behind a type in braces. */
const GOES_ON = new Set(['class', 'function', 'type']);
const WORD = /[\w$\x80-\xff]+/y;

/** The blocks of a source file with braces; the text has a character a byte. */
export function braceBlocks(text: string, language: Braces): Block {
  return new Scanner(text, language).scan();
}

class Scanner {
  private readonly text: string;
  private readonly language: Braces;
  private readonly root = newBlock('scope', 0);
  private readonly stack: Frame[] = [{ mark: '', block: this.root, before: '', blocks: 0, lead: '' }];
  private at = 0;
  private line = 0;
  private prev = '';
  /** What stood before the parentheses that closed last. */
  private callee = '';
  constructor(text: string, language: Braces) {
    this.text = text;
    this.language = language;
  }

  private get top(): Frame {
    return this.stack.at(-1)!;
  }

  scan(): Block {
    while (this.at < this.text.length) this.token();
    for (const { block } of this.stack) block.close = this.line + 1;
    return this.root;
  }

  // oxlint-disable-next-line complexity -- a scanner: one branch a kind of token
  private token(): void {
    const { text, at } = this;
    const c = text[at]!;
    if (c === '\n') this.feed();
    else if (c === ' ' || c === '\t' || c === '\r') this.at += 1;
    else if (c === '/') this.slash();
    else if (c === '"' || c === "'") this.string();
    else if (c === '`') this.backquote();
    else if (c === '{' || c === '[') this.open(c);
    else if (c === '(') {
      this.push({ mark: '(', block: this.top.block, before: this.prev });
      this.mark(c, 1);
    } else if (c === ')' || c === ']' || c === '}') this.close(c);
    else if (c === '=' && text[at + 1] === '>') this.mark('=>', 2);
    else this.wordOrMark(c);
  }

  private feed(): void {
    this.line += 1;
    this.at += 1;
    if (this.language.isGo && this.top.block === this.root && /[\w)\]}"'`]$/.test(this.prev))
      this.top.lead = '';
  }

  private mark(token: string, size: number): void {
    this.prev = token;
    this.at += size;
    if (token === '=>') this.top.block.holdsFunctions = true;
    if (token === ';') this.top.lead = '';
  }

  private wordOrMark(c: string): void {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0];
    if (word === undefined) {
      this.mark(
        this.text.startsWith('...', this.at) ? '...' : c,
        c === '.' && this.text.startsWith('...', this.at) ? 3 : 1,
      );
      return;
    }
    if (this.language.leads.has(word) && !this.isName(word)) this.top.lead = word;
    this.mark(this.prev === '.' ? '.' + word : word, word.length);
  }

  /** Is a keyword a name here: of a property, a method, a variable? */
  private isName(word: string): boolean {
    if (this.prev === '.') return true;
    if (this.language.isGo) return false;
    const rest = this.text.slice(this.at + word.length, this.at + word.length + 40);
    return TS_SOFT.has(word)
      ? !/^\s+["'\w$]|^ \{/.test(rest)
      : TS_HEADS.has(word) && /^\s*[(:?=,]/.test(rest);
  }

  /** A comment, a regular expression, a division. */
  private slash(): void {
    const { text, at } = this;
    if (text[at + 1] === '/' || text[at + 1] === '*') {
      this.comment();
      return;
    }
    const end =
      this.language.isGo || text[at + 1] === '>' || !isBeforeRegex(this.prev, this.callee)
        ? -1
        : regexEnd(text, at);
    if (end < 0) this.mark('/', 1);
    else this.mark('"', end - at);
  }

  private comment(): void {
    const { text, at } = this;
    const isLine = text[at + 1] === '/';
    const end = isLine ? text.indexOf('\n', at) : behind(text, '*/', at + 2);
    const first = this.line;
    this.at = end < 0 ? text.length : end;
    this.line += feedsIn(text, at, this.at);
    const isAlone = /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
    if (isAlone) addComment(this.top.block, first, isLine ? first + 1 : this.line);
  }

  /** A quote that is not closed on its line is a letter: an apostrophe in the text of a page. */
  private string(): void {
    const end = stringEnd(this.text, this.at);
    if (end > 0) this.line += feedsIn(this.text, this.at, end);
    if (end > 0) this.mark('"', end - this.at);
    else this.at += 1;
  }

  private backquote(): void {
    const block = newBlock('data', this.line);
    this.top.block.children.push(block);
    this.push({ mark: '`', block, before: '' });
    this.at += 1;
    if (this.language.isGo) {
      const end = behind(this.text, '`', this.at);
      this.line += feedsIn(this.text, this.at, end);
      this.at = end;
      this.pop();
      this.prev = '"';
    } else this.template();
  }

  /** Goes on in a template, to its end or to its next expression. */
  private template(): void {
    const { text } = this;
    for (; this.at < text.length; this.at += 1) {
      const c = text[this.at];
      if (c === '\n') this.line += 1;
      else if (c === '\\') {
        this.at += 1;
        if (text[this.at] === '\n') this.line += 1;
      } else if (c === '`') {
        this.pop();
        this.mark('"', 1);
        return;
      } else if (c === '$' && text[this.at + 1] === '{') {
        this.push({ mark: '$', block: this.top.block, before: '' });
        this.mark('{', 2);
        return;
      }
    }
  }

  private open(c: '{' | '['): void {
    const { top } = this;
    const before: Before = {
      prev: this.prev,
      lead: top.lead,
      within: top.block.kind,
      isInParens: top.mark === '(',
      callee: this.callee,
    };
    const { kind, isFunction } = c === '{' ? this.language.kindOf(before) : listKind(before);
    const block = newBlock(kind, this.line, isFunction);
    top.block.children.push(block);
    this.push({ mark: c, block, before: this.prev });
    this.mark(c, 1);
  }

  private push(frame: Omit<Frame, 'lead' | 'blocks'>): void {
    const lead = frame.mark === '(' && this.top.lead === 'type' ? 'type' : '';
    this.stack.push({ ...frame, blocks: frame.block.children.length, lead });
  }

  /** Closes the bracket, and those in it that were left open; one that opens nowhere is a letter. */
  private close(c: string): void {
    const { stack } = this;
    const isWanted = ({ mark }: Frame): boolean => mark === CLOSES[c] || (c === '}' && mark === '$');
    const from = stack.findLastIndex(
      (frame) => isWanted(frame) || frame.mark === '`' || (c !== '}' && frame.mark === '{'),
    );
    if (from < 1 || !isWanted(stack[from]!)) {
      this.mark(c, 1);
      return;
    }
    while (stack.length > from + 1) this.pop();
    const frame = this.pop();
    this.mark(c, 1);
    if (frame.mark === '$') this.template();
    else if (c === ')') this.afterParens(frame);
    else if (c === '}') this.afterBrace(frame.block.kind);
  }

  /** The statement is over, unless it was a type in the head of one. */
  private afterBrace(kind: BlockKind): void {
    const isInHead =
      GOES_ON.has(this.top.lead) || /^[ \t]*[>,&|[]/.test(this.text.slice(this.at, this.at + 20));
    if (kind !== 'data' && !(kind === 'type' && isInHead)) this.top.lead = '';
  }

  /** What was in parameters stays. */
  private afterParens({ block, blocks, before }: Frame): void {
    this.callee = before;
    if (!/^[ \t]*(?:=>|:|\{)/.test(this.text.slice(this.at, this.at + 40))) return;
    for (const child of block.children.slice(blocks)) if (child.kind === 'data') child.kind = 'type';
  }

  private pop(): Frame {
    const frame = this.stack.pop()!;
    if (frame.mark === '(' || frame.mark === '$') return frame;
    const { block } = frame;
    block.close = this.line;
    // A block on one line says nothing; it is the last child of its parent.
    if (block.close > block.open) return frame;
    this.top.block.children.pop();
    if (block.isFunction) this.top.block.holdsFunctions = true;
    return frame;
  }
}
