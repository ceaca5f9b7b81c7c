import { lineText, type LineIndex } from './line-index.ts';
import type { ShapedLines } from './shaped-lines.ts';

/** Bytes of a line that its role is read from. */
const HEAD = 400;
/** Shapes from this number on are shared by lines that only begin alike. */
const CROWDED = 60_000;

/**
 * What each line of a section is, found once for each shape: numbers, ids and stamps are masked in those, so what `read`
 * makes of a line (one character a byte, without escape sequences) must not depend on them; zero may.
 */
export function rolesOf(
  index: LineIndex,
  from: number,
  { kind, shapes }: ShapedLines,
  read: (line: string) => number,
): Uint8Array {
  const roles = new Uint8Array(kind.length);
  const known = new Int16Array(shapes.infos.length).fill(-1);
  for (let i = 0; i < kind.length; i += 1) {
    const shape = kind[i]!;
    if (known[shape]! < 0 || shape >= CROWDED) known[shape] = read(lineHead(index, from + i));
    roles[i] = known[shape]!;
  }
  return roles;
}

/** The beginning of a line, one character a byte. */
export function lineHead(index: LineIndex, line: number): string {
  return lineText(index, line, HEAD);
}
