/** The only writer to stdout and stderr, and the reader of stdin. Everything is synchronous: nothing is left in a buffer. */
import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const PIECE = 1 << 20;

/** The reader of our output is gone; the program ends quietly. */
class ClosedOutput extends Error {
  override readonly name = 'ClosedOutput';
}

/** By its name: each chunk has a copy of the class. */
export function isClosedOutput(error: unknown): boolean {
  return error instanceof Error && error.name === 'ClosedOutput';
}

/** stdin to its end, in pieces of up to 1 MiB that the caller may keep. */
export function* stdinPieces(): Generator<Uint8Array> {
  let piece = Buffer.allocUnsafe(1 << 16);
  let size = 0;
  for (;;) {
    const got = readSome(piece, size);
    if (got === 0) break;
    size += got;
    if (size < piece.length) continue;
    yield piece;
    piece = Buffer.allocUnsafe(PIECE);
    size = 0;
  }
  // Node would have to compile how its buffers do that.
  if (size > 0) yield new Uint8Array(piece.buffer, piece.byteOffset, size);
}

function readSome(buffer: Buffer, at: number): number {
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return readSync(STDIN, buffer, at, buffer.length - at, null);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') return 0;
      if (code === 'EAGAIN') pause(wait);
      else if (code !== 'EINTR') throw error;
    }
  }
}

/** Writes all of it to stdout. Throws `ClosedOutput` where nobody reads any more. */
export function writeOut(bytes: Uint8Array | string): void {
  writeAll(STDOUT, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
}

/** Writes all of what a command has printed there to stderr. Throws as `writeOut` does. */
export function writeErr(bytes: Uint8Array): void {
  writeAll(STDERR, bytes);
}

/** Do stdout and stderr go to the same file, terminal or pipe? */
export function isOneOutput(): boolean {
  try {
    const [out, err] = [fstatSync(STDOUT, { bigint: true }), fstatSync(STDERR, { bigint: true })];
    return out.dev === err.dev && out.ino === err.ino;
  } catch {
    return false;
  }
}

/** Tells the `ctxzip run` that reads an output of ours, if one does, that this is none of a tool. It looks for this file. */
export function markOutput(stream: 'stdout' | 'stderr', folder: string): void {
  try {
    const { ino } = fstatSync(stream === 'stdout' ? STDOUT : STDERR, { bigint: true });
    closeSync(openSync(`${folder}/${ino}`, 'wx', 0o600));
  } catch {
    // Its folder is gone, or a ctxzip before us has done it.
  }
}

/** Shows one line on the terminal of stderr in the place of the last one; an empty one removes it. */
export function showStatus(text: string): void {
  // A terminal that does not know its width has 0.
  const width = (process.stderr.columns || 80) - 1;
  try {
    writeAll(STDERR, Buffer.from(`\r\u001b[2K${text.slice(0, width)}`));
  } catch {
    // It was only to be seen.
  }
}

/** The streams of the terminal, for what reads keys and follows its size; text is written by `writeOut`. */
export function standardStreams(): { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream } {
  return { stdin: process.stdin, stdout: process.stdout };
}

/** One line to stderr, after the program's name; what can't be said is not said. */
export function say(text: string): void {
  try {
    writeAll(STDERR, Buffer.from(`ctxzip: ${text}\n`));
  } catch {
    // There is no other place to complain in.
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let at = 0;
  let wait = 1;
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at, bytes.length - at);
      wait = 1;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EAGAIN') {
        pause(wait);
        wait = Math.min(wait * 2, 50);
      } else if (code === 'EPIPE') throw new ClosedOutput('nobody reads the output');
      else if (code !== 'EINTR') throw error;
    }
  }
}

/** Waits without turning the event loop. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Is the stream a terminal? `tty` (8 ms with all that it loads) only for a character device that is not the null device. */
export async function isTerminal(stream: 'stdin' | 'stdout' | 'stderr'): Promise<boolean> {
  const fd = { stdin: STDIN, stdout: STDOUT, stderr: STDERR }[stream];
  try {
    const stats = fstatSync(fd);
    if (!stats.isCharacterDevice() || stats.rdev === nullDevice()) return false;
  } catch {
    return false;
  }
  return (await import('node:tty')).isatty(fd);
}

/** Its number, on systems where it is a file. */
function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
