import { latin1 } from '../chars.ts';

/** Of a line that is longer only this much is looked at. */
const LONGEST = 4096;

/** The lines of a YAML text, and where scalars that begin in them end. */
export class YamlText {
  readonly bytes: Uint8Array;
  /** Where the lines start, in order; the last is where the text ends. */
  readonly lines: Uint32Array;

  constructor(bytes: Uint8Array, lines: Uint32Array) {
    this.bytes = bytes;
    this.lines = lines;
  }

  get end(): number {
    return this.lines.at(-1)!;
  }

  /** The text of a line without its end. */
  textOf(line: number): string {
    const end = Math.min(this.lines[line + 1]!, this.lines[line]! + LONGEST);
    return latin1(this.bytes, this.lines[line], end).replace(/\r?\n$/, '');
  }

  /** Column of the first character that is no blank; -1 in an empty line. */
  columnOf(line: number): number {
    return this.textOf(line).search(/\S/);
  }

  /** Behind a plain scalar that began before `line`: it goes on over lines deeper than `indent`. */
  plainEnd(line: number, indent: number): { readonly line: number; readonly end?: number } {
    let end: number | undefined;
    let at = line;
    for (; at + 1 < this.lines.length; at += 1) {
      const text = this.textOf(at);
      const column = text.search(/\S/);
      if (column >= 0 && (column <= indent || text[column] === '#')) break;
      if (column < 0 && !this.goesOn(at, indent)) break;
      if (column >= 0) end = this.lines[at]! + text.trimEnd().length;
    }
    return { line: at, ...(end !== undefined && { end }) };
  }

  /** Is the next line with text deeper, so that a blank line is part of the scalar? */
  private goesOn(from: number, indent: number): boolean {
    for (let line = from; line + 1 < this.lines.length; line += 1) {
      const column = this.columnOf(line);
      if (column >= 0) return column > indent;
    }
    return false;
  }

  /** Behind the last line of a block scalar that begins at `line`; blank ones at its end are part of it if it keeps them. */
  blockEnd(line: number, indent: number, keepsBlanks: boolean): number {
    let last = line;
    for (let at = line; at + 1 < this.lines.length; at += 1) {
      const column = this.textOf(at).search(/[^ \r]/);
      if (column >= 0 && column <= indent) break;
      if (column >= 0 || keepsBlanks) last = at + 1;
    }
    return last;
  }

  /** Behind the lines of a `? key` at `column`, with its value. */
  longKeyEnd(line: number, column: number): number {
    let end = line + 1;
    for (let at = line + 1; at + 1 < this.lines.length; at += 1) {
      const text = this.textOf(at);
      const first = text.search(/\S/);
      if (first >= 0 && first <= column && !(first === column && /^:(?:\s|$)/.test(text.slice(first)))) break;
      if (first >= 0) end = at + 1;
    }
    return end;
  }

  /** Behind the quote or bracket that closes the one at `from`; undefined where none does, or text follows it. */
  closed(from: number): number | undefined {
    const open = this.bytes[from];
    const close =
      open === QUOTE
        ? this.quoteEnd(from + 1)
        : open === APOSTROPHE
          ? this.apostropheEnd(from + 1)
          : this.flowEnd(from);
    return close === undefined ? undefined : this.endsLine(close);
  }

  private apostropheEnd(from: number): number | undefined {
    for (let p = from; p < this.end; p += 1) {
      if (this.bytes[p] !== APOSTROPHE) continue;
      if (this.bytes[p + 1] !== APOSTROPHE) return p + 1;
      p += 1;
    }
    return undefined;
  }

  private quoteEnd(from: number): number | undefined {
    for (let p = from; p < this.end; p += 1) {
      if (this.bytes[p] === 92) p += 1;
      else if (this.bytes[p] === QUOTE) return p + 1;
    }
    return undefined;
  }

  private flowEnd(from: number): number | undefined {
    let depth = 0;
    for (let p = from; p < this.end; p += 1) {
      const c = this.bytes[p]!;
      if (c === QUOTE) {
        const close = this.quoteEnd(p + 1);
        if (close === undefined) return undefined;
        p = close - 1;
      } else if (c === 123 || c === 91) depth += 1;
      else if (c === 125 || c === 93) {
        depth -= 1;
        if (depth === 0) return p + 1;
      }
    }
    return undefined;
  }

  /** Only a comment may follow on the line. */
  private endsLine(at: number): number | undefined {
    const feed = this.bytes.indexOf(10, at);
    const rest = latin1(this.bytes, at, feed < 0 ? this.end : feed);
    return /^\s*(?:#.*)?$/.test(rest) ? at : undefined;
  }
}

/** Is a plain scalar a number? */
export function isNumber(plain: string): boolean {
  return /^[-+]?(?:0[xo][\da-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)$/i.test(plain);
}

const QUOTE = 34;
const APOSTROPHE = 39;
