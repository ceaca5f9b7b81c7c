/**
 * The native parts of how buffers become strings and strings bytes. Node compiles the rest, which looks at names of
 * encodings, anew at each start: 0.1 ms.
 */
interface Slices {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  hexSlice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
  latin1Write(this: Uint8Array, text: string, at: number, size: number): number;
}

const { latin1Slice, hexSlice, utf8Slice, latin1Write } = Buffer.prototype as unknown as Slices;

/** The bytes as a string of one character a byte: exact for every input, ASCII rules apply. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const stop = Math.min(end, bytes.length);
  return start < stop ? latin1Slice.call(bytes, start, stop) : '';
}

/** The bytes of a text of one character a byte. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  latin1Write.call(bytes, text, 0, text.length);
  return bytes;
}

/** Two lower-case digits a byte. */
export function hex(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length);
}

/** The text in UTF-8; what is none becomes U+FFFD. */
export function utf8(bytes: Uint8Array): string {
  return utf8Slice.call(bytes, 0, bytes.length);
}
