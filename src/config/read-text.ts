import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { FoundFile } from './find.ts';

/** A larger file is not a configuration; the YAML parser needs up to two seconds for the worst text of this size. */
const MAX_FILE_BYTES = 256 * 1024;

export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly message: string; readonly isLasting: boolean };

/** Nothing but a change of the file will help. */
const unusable = (message: string): FileText => ({ kind: 'unreadable', message, isLasting: true });
/** Another try may succeed. */
const failed = (message: string): FileText => ({ kind: 'unreadable', message, isLasting: false });

/** The text of a found file, without a byte order mark; or why it can't be read. Never waits for a pipe or device. */
export function readText({ place, stats }: FoundFile): FileText {
  if (stats.size > MAX_FILE_BYTES) return unusable(`is larger than ${MAX_FILE_BYTES / 1024} KiB`);
  let handle: number | undefined;
  try {
    handle = openSync(place.file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const opened = fstatSync(handle);
    const isSame = opened.ino === stats.ino && opened.size === stats.size && opened.ctimeMs === stats.ctimeMs;
    if (!isSame) return failed('changed while it was read');
    return decode(readWhole(handle, opened.size));
  } catch (error) {
    return failed(`can't be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The text of a file as it stands, with its byte order mark; or why it can't be read. */
export function readRaw(path: string): FileText {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return unusable('is no regular file');
    if (stats.size > MAX_FILE_BYTES) return unusable(`is larger than ${MAX_FILE_BYTES / 1024} KiB`);
    return decode(readWhole(handle, stats.size), true);
  } finally {
    closeSync(handle);
  }
}

function readWhole(handle: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const count = readSync(handle, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function decode(bytes: Buffer, keepsMark = false): FileText {
  if (!isUtf8(bytes)) return unusable('is not UTF-8 text');
  const text = bytes.toString('utf8');
  if (text.includes('\0')) return unusable('holds NUL bytes');
  return { kind: 'text', text: text.startsWith('\ufeff') && !keepsMark ? text.slice(1) : text };
}
