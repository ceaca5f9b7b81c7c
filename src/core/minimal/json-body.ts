/** JSON to a body and back, proven. */
import { ARRAY, readTape } from '../json/tape.ts';
import type { Kind } from './head.ts';
import { readJson } from './read-json.ts';
import { guessSpacing, PLAIN, readSpacing, RESPACED, spacingText } from './spacing.ts';
import { writeJson } from './write-json.ts';

export type JsonKind = Exclude<Kind, 'text'>;

/** The body of JSON. */
export interface JsonBody {
  readonly body: Uint8Array;
  /** What the head says of its whitespace. */
  readonly style: string;
  /** What it decodes to: the input, or the same document where `style` is `RESPACED`. */
  readonly text: Uint8Array;
}

/** Encodes JSON, decodes it and compares; undefined where it is none. */
export function encodeJson(bytes: Uint8Array, kind: JsonKind): JsonBody | undefined {
  const isMany = kind === 'ndjson';
  const tape = readTape(bytes, 0, bytes.length, { many: isMany });
  if (tape === undefined || tape.kind[0]! > ARRAY || (isMany && tape.count === 1)) return undefined;
  const body = writeJson(tape);
  const spacing = guessSpacing(tape, isMany);
  const exact = readJson(body, 0, spacing, isMany);
  if (Buffer.compare(exact, bytes) === 0) return { body, style: spacingText(spacing), text: exact };
  const equal = readJson(body, 0, PLAIN, isMany);
  if (Buffer.compare(minified(equal), minified(bytes)) !== 0) return undefined;
  return { body, style: RESPACED, text: equal };
}

/** The JSON of a body that starts at `at`. Throws `DamagedView`. */
export function decodeJson(view: Uint8Array, at: number, kind: JsonKind, style: string): Uint8Array {
  return readJson(view, at, readSpacing(style), kind === 'ndjson');
}

/** JSON without the whitespace between its tokens. */
function minified(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let size = 0;
  let isInString = false;
  for (let p = 0; p < bytes.length; p += 1) {
    const c = bytes[p]!;
    if (isInString && c === 92) out[size++] = bytes[p++]!;
    else if (c === 34) isInString = !isInString;
    else if (!isInString && (c === 32 || (c >= 9 && c <= 13))) continue;
    out[size++] = bytes[p]!;
  }
  return out.subarray(0, size);
}
