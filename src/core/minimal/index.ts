/** Minimal views: all of an input in fewer tokens, readable as it stands. The grammar is docs/minimal-format.md. */
import { beginsMinimal, DamagedView, headText, type Kind, KINDS, readHead, sumOf } from './head.ts';
import { decodeJson, encodeJson } from './json-body.ts';
import { readText } from './read-text.ts';
import { RESPACED } from './spacing.ts';
import { writeText } from './write-text.ts';

export { beginsMinimal, DamagedView, type Kind };

export interface MinimalView {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
}

/** What a minimal view holds. */
export interface Decoded {
  readonly kind: Kind;
  readonly bytes: Uint8Array;
  /** Is it the input byte for byte? JSON of irregular whitespace comes back as an equal document. */
  readonly isExact: boolean;
}

/** The minimal view of an input, of the first kind that fits; it has been decoded and compared. */
export function writeMinimal(bytes: Uint8Array, kinds: readonly Kind[] = KINDS): MinimalView | undefined {
  for (const kind of kinds) {
    const made = kind === 'text' ? textBody(bytes) : encodeJson(bytes, kind);
    if (made === undefined) continue;
    const head = Buffer.from(headText({ kind, sum: sumOf(made.text), style: made.style }));
    return { kind, bytes: Buffer.concat([head, made.body]) };
  }
  return undefined;
}

/** Decodes a minimal view. Throws `DamagedView`. */
export function readMinimal(view: Uint8Array): Decoded {
  const { kind, sum, style, body } = readHead(view);
  const bytes = decode(view, kind, style, body);
  if (sumOf(bytes) !== sum) throw new DamagedView('its check sum does not fit: it was changed');
  return { kind, bytes, isExact: style !== RESPACED };
}

function decode(view: Uint8Array, kind: Kind, style: string, body: number): Uint8Array {
  try {
    return kind === 'text' ? readText(view, body, style) : decodeJson(view, body, kind, style);
  } catch (error) {
    if (error instanceof RangeError) throw new DamagedView('it is nested too deep, or too large');
    throw error;
  }
}

function textBody(bytes: Uint8Array): { body: Uint8Array; style: string; text: Uint8Array } | undefined {
  const { style, body } = writeText(bytes);
  const text = readText(body, 0, style);
  return Buffer.compare(text, bytes) === 0 ? { body, style, text } : undefined;
}
