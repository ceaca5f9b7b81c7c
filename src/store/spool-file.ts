/**
 * A file of the spool: the bytes of the original, a trailer in JSON, and a footer of 40 bytes
 *
 *     magic `ctxzip/1` · size of the original (6 bytes, little endian) · 2 zeros · length of the trailer (4) · 4 zeros ·
 *     check (16): SHA-256 over hash, footer head and trailer
 *
 * The file is named after the hash, so each byte of it is covered by one of the two hashes.
 */
import { fstatSync } from 'node:fs';
import { latin1, utf8 } from '../core/native.ts';
import { readFully } from './files.ts';
import { check16 } from './hash.ts';
import { DamagedError, type Facts, type Sha, type ViewRecord } from './port.ts';

/** What the spool remembers of an original. */
export interface Trailer {
  readonly facts: Facts;
  readonly expiresMs: number;
  /** When it was last committed. */
  readonly committedMs: number;
  /** The latest views, newest last. */
  readonly views: readonly ViewRecord[];
}

const MAGIC = 'ctxzip/1';
const HEAD = 24;
const FOOTER = 40;
/** Trailer and footer come in one read if they fit; they nearly always do. */
const TAIL = 4096;
const LONGEST_TRAILER = 1 << 20;

/** What follows the `size` bytes of the original `sha`. */
export function encodeTail(sha: Sha, size: number, trailer: Trailer): Uint8Array {
  const json = Buffer.from(JSON.stringify(trailer));
  const tail = new Uint8Array(json.length + FOOTER);
  tail.set(json);
  const head = tail.subarray(json.length, json.length + HEAD);
  head.set(Buffer.from(MAGIC));
  const numbers = viewOf(head);
  numbers.setUint32(8, size % 2 ** 32, true);
  numbers.setUint16(12, size / 2 ** 32, true);
  numbers.setUint32(16, json.length, true);
  tail.set(check16(sha, head, json), json.length + HEAD);
  return tail;
}

/** Its methods are there at once; each of those of a buffer has to be compiled. */
function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Size and trailer of the spool file behind `fd`. Throws `DamagedError`; the original itself is not looked at. */
export function readTail(
  fd: number,
  sha: Sha,
): { readonly size: number; readonly trailer: Trailer; readonly fileBytes: number } {
  const fileBytes = fstatSync(fd).size;
  const tail = readLast(fd, fileBytes, Math.min(TAIL, fileBytes));
  const footer = tail.subarray(Math.max(0, tail.length - FOOTER));
  if (footer.length < FOOTER || latin1(footer, 0, MAGIC.length) !== MAGIC) {
    throw new DamagedError('its end is missing or overwritten');
  }
  const numbers = viewOf(footer);
  const size = numbers.getUint32(8, true) + numbers.getUint16(12, true) * 2 ** 32;
  const length = numbers.getUint32(16, true);
  if (length > LONGEST_TRAILER || size + length + FOOTER !== fileBytes) {
    throw new DamagedError('the file is longer or shorter than it was when it was stored');
  }
  const whole = length + FOOTER <= tail.length ? tail : readLast(fd, fileBytes, length + FOOTER);
  const json = whole.subarray(whole.length - FOOTER - length, whole.length - FOOTER);
  if (Buffer.compare(check16(sha, footer.subarray(0, HEAD), json), footer.subarray(HEAD)) !== 0) {
    throw new DamagedError('its trailer does not match its check sum');
  }
  return { size, trailer: JSON.parse(utf8(json)) as Trailer, fileBytes };
}

function readLast(fd: number, fileBytes: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  return bytes.subarray(0, readFully(fd, bytes, fileBytes - count));
}
