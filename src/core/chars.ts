/** Byte classes. Bytes of 128 and over are parts of letters: text is scanned as bytes, never decoded on the hot path. 0 is any mark. */
export const LETTER = 1;
export const DIGIT = 2;
export const BLANK = 3;
export const NEWLINE = 4;
export const RETURN = 5;

export const CLASS = byteClasses();

function byteClasses(): Uint8Array {
  const table = new Uint8Array(256);
  for (let c = 0; c < 256; c += 1) {
    if ((c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c >= 128) table[c] = LETTER;
    else if (c >= 48 && c <= 57) table[c] = DIGIT;
  }
  table[32] = BLANK;
  table[9] = BLANK;
  table[10] = NEWLINE;
  table[13] = RETURN;
  return table;
}

/** The bytes as a string of one character a byte: exact for every input, ASCII rules apply. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (bytes instanceof Buffer) return bytes.toString('latin1', start, end);
  return asBuffer(bytes, start, end).toString('latin1');
}

/** The same bytes, for what only a buffer does, or does faster. */
export function asBuffer(bytes: Uint8Array, start = 0, end = bytes.length): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
}

/** The parts one after the other: as `Buffer.concat`, which each start would have to compile. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
