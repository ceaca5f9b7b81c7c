/** Where the whitespace of JSON is; it is noted in the head of a view, so that the text comes back as it was. */
import { latin1 } from '../chars.ts';
import type { Tape } from '../json/tape.ts';
import { DamagedView } from './head.ts';
import { Sink } from './sink.ts';

export interface Spacing {
  /** What a level is indented by; empty: all on one line. */
  readonly indent: string;
  /** A blank behind each colon, and on one line behind each comma. */
  readonly isSpaced: boolean;
  readonly lineEnd: '\n' | '\r\n';
  readonly endsLine: boolean;
}

/** As `JSON.stringify` writes it, and a line end. */
export const PLAIN: Spacing = { indent: '', isSpaced: false, lineEnd: '\n', endsLine: true };

/** Guesses the spacing from the first members; `isMany`: of the first value that has some. */
export function guessSpacing(tape: Tape, isMany: boolean): Spacing {
  const { bytes, size, start, next, count, fromOf } = tape;
  const tail = latin1(bytes, Math.max(0, bytes.length - 2), bytes.length);
  let root = isMany ? 1 : 0;
  while (root < count && size[root] === 0) root = isMany ? next[root]! : count;
  const gap =
    root < count ? latin1(bytes, start[root]! + 1, Math.min(fromOf(root + 1), start[root]! + 100)) : '';
  const indent = /^\r?\n( +|\t+)$/.exec(gap)?.[1] ?? '';
  return {
    indent,
    isSpaced: indent !== '' || hasBlanks(tape, root),
    lineEnd: gap.startsWith('\r') || tail === '\r\n' ? '\r\n' : '\n',
    endsLine: tail.endsWith('\n'),
  };
}

/** Is a blank behind the first colon or, where there is none, behind the first comma of `root`? */
function hasBlanks({ bytes, start, end, next, key, count }: Tape, root: number): boolean {
  const keyed = key.findIndex((at, node) => at > 0 || node === count);
  if (keyed > 0 && keyed < count) return bytes[start[keyed]! - 1] === 32;
  if (root >= count) return false;
  const first = root + 1;
  return next[first]! < next[root]! && bytes[end[first]! + 1] === 32;
}

/** As the head of a view says it. */
export function spacingText({ indent, isSpaced, lineEnd, endsLine }: Spacing): string {
  const words = [
    ...(indent === '' ? [] : [`indent ${indent[0] === '\t' ? `tabs ${indent.length}` : indent.length}`]),
    ...(indent === '' && isSpaced ? ['spaced'] : []),
    ...(lineEnd === '\r\n' ? ['crlf'] : []),
    ...(endsLine ? [] : ['no-newline']),
  ];
  return words.join(' ');
}

/** The spacing of a view whose input had another, or none: the whitespace is not that of the input. */
export const RESPACED = 'respaced';

/** Reads what `spacingText` wrote, or `RESPACED`. */
export function readSpacing(text: string): Spacing {
  if (text === RESPACED) return PLAIN;
  const match =
    /^(?:indent (tabs )?([1-9]\d?))?(?:(?:^| )(spaced))?(?:(?:^| )(crlf))?(?:(?:^| )(no-newline))?$/.exec(
      text,
    );
  if (match === null) throw new DamagedView('its second line names no spacing');
  const [, tabs, level, spaced, crlf, open] = match;
  const indent = level === undefined ? '' : (tabs === undefined ? ' ' : '\t').repeat(Number(level));
  return {
    indent,
    isSpaced: indent !== '' || spaced !== undefined,
    lineEnd: crlf === undefined ? '\n' : '\r\n',
    endsLine: open === undefined,
  };
}

/** JSON text in the making, value by value. */
export class JsonText {
  private readonly sink = new Sink();
  private readonly spacing: Spacing;
  /** Values one after the other: the outermost array is not written. */
  private readonly isMany: boolean;
  private depth = 0;
  private isFirst = true;
  private isBehindKey = false;

  constructor(spacing: Spacing, isMany: boolean) {
    this.spacing = spacing;
    this.isMany = isMany;
  }

  /** `{` or `[`. */
  open(c: number): void {
    this.begin();
    if (!this.isMany || this.depth > 0) this.sink.byte(c);
    this.depth += 1;
    this.isFirst = true;
  }

  /** `}` or `]`. */
  close(c: number): void {
    this.depth -= 1;
    if (!this.isMany || this.depth > 0) {
      if (!this.isFirst) this.newLine();
      this.sink.byte(c);
    }
    this.end();
  }

  key(b: Uint8Array, from: number, to: number): void {
    this.begin();
    if (b[from] === 34) this.sink.slice(b, from, to);
    else this.quoted(b, from, to);
    this.sink.byte(58);
    if (this.spacing.isSpaced) this.sink.byte(32);
    this.isBehindKey = true;
  }

  /** A number, a word or a string in quotes. */
  raw(b: Uint8Array, from: number, to: number): void {
    this.begin();
    this.sink.slice(b, from, to);
    this.end();
  }

  /** A string that stands without its quotes. */
  bare(b: Uint8Array, from: number, to: number): void {
    this.begin();
    this.quoted(b, from, to);
    this.end();
  }

  done(): Uint8Array {
    const { spacing, sink } = this;
    if (spacing.endsLine && !this.isMany) sink.text(spacing.lineEnd);
    const bytes = sink.done();
    const open = this.isMany && !spacing.endsLine && bytes.length > 0;
    return open ? bytes.subarray(0, bytes.length - spacing.lineEnd.length) : bytes;
  }

  private quoted(b: Uint8Array, from: number, to: number): void {
    this.sink.byte(34);
    this.sink.slice(b, from, to);
    this.sink.byte(34);
  }

  /** What stands before a member or an element. */
  private begin(): void {
    if (this.isBehindKey || this.depth === 0 || (this.isMany && this.depth === 1)) {
      this.isBehindKey = false;
      return;
    }
    if (!this.isFirst) {
      this.sink.byte(44);
      if (this.spacing.indent === '' && this.spacing.isSpaced) this.sink.byte(32);
    }
    this.newLine();
  }

  private end(): void {
    this.isFirst = false;
    if (this.isMany && this.depth === 1) this.sink.text(this.spacing.lineEnd);
  }

  private newLine(): void {
    const { indent, lineEnd } = this.spacing;
    if (indent === '') return;
    this.sink.text(lineEnd);
    const levels = this.depth - (this.isMany ? 1 : 0);
    for (let i = 0; i < levels; i += 1) this.sink.text(indent);
  }
}
