import { latin1 } from '../chars.ts';
import { sha256Of } from '../sha256.ts';

export const KINDS = ['json', 'ndjson', 'text'] as const;
/** What a minimal view is of. */
export type Kind = (typeof KINDS)[number];

/** What stands above the body of a minimal view. */
export interface Head {
  readonly kind: Kind;
  /** `sumOf` of what the view decodes to. */
  readonly sum: string;
  /** How the input was laid out, where it was not in the usual way: `indent 2`, `crlf`, `no-newline`. */
  readonly style: string;
}

/** What is wrong with a minimal view. */
export class DamagedView extends Error {
  override readonly name = 'DamagedView';
}

const BEGIN = '<<ctxzip minimal/';

/** Begins the input as a minimal view does, of this version or another? */
export function beginsMinimal(bytes: Uint8Array): boolean {
  return latin1(bytes, 0, Math.min(BEGIN.length, bytes.length)) === BEGIN;
}

/** The two lines above the body. */
export function headText({ kind, sum, style }: Head): string {
  return `${BEGIN}1 ${kind}>>\n#${sum}${style === '' ? '' : ` ${style}`}\n`;
}

/** Reads the two lines; `body` is where the rest starts. Throws `DamagedView`. */
export function readHead(bytes: Uint8Array): Head & { readonly body: number } {
  const text = latin1(bytes, 0, Math.min(300, bytes.length));
  const first = /^<<ctxzip minimal\/(\d+) ([a-z]+)>>(\r?)\n/.exec(text);
  if (first === null) throw new DamagedView('its first line is not whole');
  const [, version, kind, carriage] = first;
  if (version !== '1') throw new DamagedView(`it is of version ${version}, this ctxzip reads version 1`);
  if (carriage !== '') throw new DamagedView('its line ends were changed to CRLF');
  const known = KINDS.find((name) => name === kind);
  if (known === undefined) throw new DamagedView(`there is no kind "${kind}"`);
  const second = /^#(\d{9})((?: [a-z0-9-]+)*)\n/.exec(text.slice(first[0].length));
  if (second === null) throw new DamagedView('its second line is not whole');
  const [all, sum, style] = second;
  return { kind: known, sum: sum!, style: style!.trim(), body: first[0].length + all.length };
}

/** Nine decimal digits (three tokens) of the SHA-256: its first 32 bits, modulo 10^9. */
export function sumOf(bytes: Uint8Array): string {
  const [a, b, c, d] = sha256Of([bytes]);
  const number = ((a! << 24) | (b! << 16) | (c! << 8) | d!) >>> 0;
  return String(number % 1_000_000_000).padStart(9, '0');
}
