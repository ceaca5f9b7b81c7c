import * as fc from 'fast-check';
import { expand, type ExpandRequest } from '../../src/app/expand.ts';
import { parseAddress } from '../../src/core/address.ts';
import type { Reader } from '../../src/store/port.ts';

export type Index = 'none' | 'exact' | 'coarse';

/** A reader over bytes: without a line index, with one, or with one that knows every fourth line only. */
export function readerOf(bytes: Uint8Array, index: Index = 'none'): Reader {
  const reader: Reader = {
    size: bytes.length,
    read: (start, end) => bytes.subarray(start, end),
    close: () => {},
  };
  if (index === 'none') return reader;
  const starts = [0];
  for (const [at, byte] of bytes.entries()) if (byte === 10 && at + 1 < bytes.length) starts.push(at + 1);
  return {
    ...reader,
    lineStart: (line) => {
      const wanted = Math.min(line, starts.length);
      const known = index === 'exact' ? wanted : wanted - ((wanted - 1) % 4);
      return { line: known, byte: starts[known - 1]! };
    },
  };
}

export interface Printed {
  readonly exit: number;
  readonly out: Buffer;
  readonly notes: readonly string[];
  readonly hits: number | undefined;
}

export type Ask = Omit<ExpandRequest, 'hash' | 'address'> & { readonly at?: string };

/** What `ctxzip expand ac998fea694b AT …` prints of these bytes. */
export function print(bytes: Uint8Array | string, { at, ...ask }: Ask = {}, index: Index = 'none'): Printed {
  const parsed = at === undefined ? undefined : parseAddress(at);
  if (parsed?.kind === 'invalid') throw new Error(parsed.message);
  const chunks: Buffer[] = [];
  const request: ExpandRequest = { hash: 'ac998fea694b', ...ask, ...(parsed && { address: parsed.address }) };
  const outcome = expand(readerOf(Buffer.from(bytes), index), request, (chunk) =>
    chunks.push(Buffer.from(chunk)),
  );
  return { exit: outcome.exit, out: Buffer.concat(chunks), notes: outcome.notes, hits: outcome.hits };
}

/** The lines of bytes with their ends, as the grammar counts them. */
export function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return lines;
}

/** Bytes with every kind of line end, NUL, escapes, wide characters and, where asked, invalid UTF-8. */
export function bytesOf(kind: 'any' | 'utf8'): fc.Arbitrary<Buffer> {
  const text = ['\n', '\n', '\r\n', '\r', '\0', 'a', 'b', 'fail', ' ', 'é', '€', '😀', '\u001b[31m'].map(
    (piece) => Buffer.from(piece),
  );
  const wild = [Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xe2, 0x82]), Buffer.from([0x80])];
  const pieces = kind === 'utf8' ? text : [...text, ...wild];
  return fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((list) => Buffer.concat(list));
}

export const indexes = fc.constantFrom<Index>('none', 'exact', 'coarse');
export const blockSizes = fc.constantFrom(1, 2, 3, 7, 1 << 20);
