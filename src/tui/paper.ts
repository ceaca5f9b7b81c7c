/**
 * What ink draws on: a stream that gets whole frames and paints them over the last one. Ink's own painter counts lines
 * that it wrote, which a resized terminal moves, and clears the scrollback where a frame is as high as the screen.
 */
import { Writable } from 'node:stream';
import { asciiOnly } from './format.ts';
import type { Size } from './state.ts';

/** The alternate screen, without a cursor and without lines that go on in the next one. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
/** A frame is shown at once, by terminals that know how; home. */
const BEGIN = '\u001b[?2026h\u001b[H';
/** The rest of the screen is cleared. */
const END = '\u001b[J\u001b[?2026l';
/** Before its text: behind it, this would take the last column along. */
const CLEAR_LINE = '\u001b[2K';

export interface PaperOptions {
  /** Writes at once. Throws where the terminal is gone. */
  readonly write: (text: string) => void;
  readonly size: () => Size;
  /** A terminal without control sequences gets frames one after another. */
  readonly isDumb: boolean;
  readonly isAscii: boolean;
  /** The terminal is gone. */
  readonly onGone: () => void;
}

export class Paper extends Writable {
  private readonly options: PaperOptions;
  private isOpen = false;
  private last = '';

  constructor(options: PaperOptions) {
    super({ decodeStrings: false });
    this.options = options;
  }

  get columns(): number {
    return this.options.size().columns;
  }

  get rows(): number {
    return this.options.size().rows;
  }

  /** Takes the screen; `close` gives it back. */
  open(): void {
    this.isOpen = true;
    if (!this.options.isDumb) this.put(ENTER);
  }

  /** Can be called at any time, more than once. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (!this.options.isDumb) this.put(LEAVE);
  }

  override _write(frame: string, _: BufferEncoding, done: () => void): void {
    if (this.isOpen && frame !== '') this.paint(this.options.isAscii ? asciiOnly(frame) : frame);
    done();
  }

  private paint(frame: string): void {
    if (!this.options.isDumb) {
      const lines = frame.split('\n').slice(0, this.rows);
      const shorter = lines.length < this.rows ? `\r\n${END}` : END.replace('\u001b[J', '');
      this.put(`${BEGIN}${lines.map((line) => CLEAR_LINE + line).join('\r\n')}${shorter}`);
      return;
    }
    const text = frame.replace(/\s+$/, '');
    if (text !== this.last) this.put(`${text.replaceAll('\n', '\r\n')}\r\n\r\n`);
    this.last = text;
  }

  private put(text: string): void {
    try {
      this.options.write(text);
    } catch {
      this.isOpen = false;
      this.options.onGone();
    }
  }
}
