/** Runs of equal lines, and of equal blocks of lines, said once. */
import { DamagedView } from './head.ts';

/** Blocks of up to so many lines. */
const LONGEST_BLOCK = 8;
/** A run is worth its line if it hides so many characters. */
const LEAST_HIDDEN = 60;
/** No view is of more. */
const MOST_LINES = 1 << 28;

/** Puts `<<N more of the line above>>` in the place of what repeats. */
export function foldRepeats(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < lines.length;) {
    const { size, count } = repeatAt(lines, i);
    if (count === 0) {
      out.push(lines[i]!);
      i += 1;
      continue;
    }
    for (let n = 0; n < size; n += 1) out.push(lines[i + n]!);
    out.push(`<<${count} more of the ${size === 1 ? 'line' : `${size} lines`} above>>`);
    i += size * (count + 1);
  }
  return out;
}

/** The block that starts at `from` and is repeated behind itself `count` times. */
function repeatAt(lines: readonly string[], from: number): { size: number; count: number } {
  for (let size = 1; size <= LONGEST_BLOCK && from + 2 * size <= lines.length; size += 1) {
    let end = from + size;
    while (end < lines.length && lines[end] === lines[end - size]) end += 1;
    const count = Math.floor((end - from - size) / size);
    if (count === 0) continue;
    let chars = size;
    for (let n = 0; n < size; n += 1) chars += lines[from + n]!.length;
    if (chars * count >= LEAST_HIDDEN) return { size, count };
  }
  return { size: 1, count: 0 };
}

const FOLDED = /^<<(\d{1,9}) more of the (?:line|(\d) lines) above>>$/;

/** Puts the lines back that a line of `foldRepeats` stands for; false where it is none. Throws `DamagedView`. */
export function unfold(line: string, out: string[], from: number): boolean {
  const match = FOLDED.exec(line);
  if (match === null) return false;
  const size = Number(match[2] ?? 1);
  const count = Number(match[1]);
  if (out.length - from < size) throw new DamagedView('nothing stands above that could be repeated');
  if (out.length + size * count > MOST_LINES) throw new DamagedView('it is too large');
  for (let n = 0; n < size * count; n += 1) out.push(out[out.length - size]!);
  return true;
}
