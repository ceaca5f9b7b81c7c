import { BLANK, CLASS } from './chars.ts';
import { characterWidth } from './width.ts';

/** The words of a line (runs without blanks): bytes and display columns, `[start, end)` each. */
export class LineWords {
  count = 0;
  startByte = new Int32Array(64);
  endByte = new Int32Array(64);
  startColumn = new Int32Array(64);
  endColumn = new Int32Array(64);

  /** Reads the line `[from, to)`; a tab goes to the next multiple of 8. */
  read(b: Uint8Array, from: number, to: number): void {
    this.count = 0;
    let column = 0;
    let at = from;
    while (at < to) {
      const c = b[at]!;
      if (c === 13) {
        at += 1;
      } else if (CLASS[c] === BLANK) {
        column = c === 9 ? (column | 7) + 1 : column + 1;
        at += 1;
      } else {
        const startByte = at;
        const startColumn = column;
        while (at < to && CLASS[b[at]!] !== BLANK && b[at] !== 13) {
          if (b[at]! < 128) {
            column += 1;
            at += 1;
          } else {
            const size = sequenceSize(b[at]!);
            column += characterWidth(codePoint(b, at, Math.min(to, at + size)));
            at = Math.min(to, at + size);
          }
        }
        this.add(startByte, at, startColumn, column);
      }
    }
  }

  private add(startByte: number, endByte: number, startColumn: number, endColumn: number): void {
    if (this.count === this.startByte.length) {
      this.startByte = larger(this.startByte);
      this.endByte = larger(this.endByte);
      this.startColumn = larger(this.startColumn);
      this.endColumn = larger(this.endColumn);
    }
    this.startByte[this.count] = startByte;
    this.endByte[this.count] = endByte;
    this.startColumn[this.count] = startColumn;
    this.endColumn[this.count] = endColumn;
    this.count += 1;
  }
}

function larger(array: Int32Array): Int32Array<ArrayBuffer> {
  const out = new Int32Array(array.length * 2);
  out.set(array);
  return out;
}

function sequenceSize(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
}

function codePoint(b: Uint8Array, from: number, to: number): number {
  let code = b[from]! & (to - from === 4 ? 7 : to - from === 3 ? 15 : 31);
  for (let i = from + 1; i < to; i += 1) code = (code << 6) | (b[i]! & 63);
  return code;
}
