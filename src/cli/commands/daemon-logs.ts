import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { say, writeOut } from '../io.ts';

const FOLLOW_MS = 200;
const PIECE_BYTES = 1 << 16;

/** Prints the last lines of the log at `path`, and what is added to it. */
export async function showLogs(
  path: string,
  { follow, lines = '100' }: { readonly follow?: boolean; readonly lines?: string },
): Promise<number> {
  if (!/^\d{1,6}$/.test(lines)) {
    say(`--lines ${JSON.stringify(lines)}: give a number`);
    return 2;
  }
  const current = readFrom(path, 0);
  // What is not a whole line yet comes later.
  let at = current.lastIndexOf(10) + 1;
  const text = `${readFrom(`${path}.1`, 0).toString()}${current.subarray(0, at).toString()}`;
  if (text === '' && follow !== true) {
    say('no daemon has logged anything yet');
    return 0;
  }
  const all = text.split('\n').slice(0, -1);
  for (const line of all.slice(all.length - Math.min(all.length, Number(lines)))) writeOut(`${line}\n`);
  if (follow !== true) return 0;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
    // It was begun anew.
    if (sizeOf(path) < at) at = 0;
    const more = readFrom(path, at);
    if (more.length > 0) writeOut(more);
    at += more.length;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readFrom(path: string, from: number): Buffer {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const pieces: Buffer[] = [];
    for (let at = from; ;) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const got = readSync(fd, piece, 0, PIECE_BYTES, at);
      if (got === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, got));
      at += got;
    }
  } finally {
    closeSync(fd);
  }
}
