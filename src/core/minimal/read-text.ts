/** The body of a minimal view of lines, back to the text. Texts are of one character a byte. */
import { latin1 } from '../chars.ts';
import { DamagedView } from './head.ts';
import { unfold } from './repeats.ts';
import { type BlockHead, readBlock, readBlockHead } from './text-json.ts';
import { lineOf, type Pattern, readPattern } from './text-pattern.ts';

/** The text of the body that starts at `at`; `style` is what the head says of its lines. Throws `DamagedView`. */
export function readText(view: Uint8Array, at: number, style: string): Uint8Array {
  const match = /^(crlf)?(?:^| ?)(no-newline)?$/.exec(style);
  if (match === null) throw new DamagedView('its second line says what no text has');
  const body = latin1(view, at, view.length);
  if (!body.endsWith('\n')) throw new DamagedView('it ends too early');
  const reader = new LineReader(body.slice(0, -1).split('\n'));
  const lineEnd = match[1] === undefined ? '\n' : '\r\n';
  const text = reader.read().join(lineEnd);
  return Buffer.from(match[2] === undefined ? text + lineEnd : text, 'latin1');
}

class LineReader {
  private readonly lines: readonly string[];
  private at = 0;
  private readonly out: string[] = [];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  read(): string[] {
    let from = 0;
    while (this.at < this.lines.length) {
      if (this.block()) {
        from = this.out.length;
        continue;
      }
      this.line(from);
      this.at += 1;
    }
    return this.out;
  }

  /** Reads the rows of a pattern, or JSON, if their head stands at `at`. */
  private block(): boolean {
    const line = this.lines[this.at]!;
    if (!line.startsWith('<<')) return false;
    const found = readPattern(line);
    const json = readBlockHead(line);
    this.at += found === undefined && json === undefined ? 0 : 1;
    if (found !== undefined) this.rows(found.pattern, found.lines);
    else if (json !== undefined) this.json(json);
    else return false;
    return true;
  }

  private json({ lines, kind, style }: BlockHead): void {
    if (this.at + lines > this.lines.length) this.damaged('it ends too early');
    for (const line of readBlock(this.lines.slice(this.at, this.at + lines), kind, style))
      this.out.push(line);
    this.at += lines;
  }

  private rows(pattern: Pattern, count: number): void {
    const from = this.out.length;
    for (; this.out.length < from + count; this.at += 1) {
      if (this.at >= this.lines.length) this.damaged('it ends too early');
      this.line(from, pattern);
    }
    if (this.out.length > from + count) this.damaged(`there are more than ${count} lines of a pattern`);
  }

  /** Adds what the line at `at` stands for; what may be repeated starts at `from`. */
  private line(from: number, pattern?: Pattern): void {
    const line = this.lines[this.at]!;
    if (line.startsWith('=')) this.out.push(line.slice(1));
    else if (line.startsWith('<<')) {
      if (!unfold(line, this.out, from)) this.damaged('it begins with << and is nothing that is known');
    } else
      this.out.push(
        pattern === undefined ? line : (lineOf(pattern, line) ?? this.damaged('a row has too few cells')),
      );
  }

  private damaged(what: string): never {
    throw new DamagedView(`line ${this.at + 3}: ${what}`);
  }
}
