/** What lines have in common, with holes for what each has of its own. Texts are of one character a byte. */

/** Text that all lines have, or a hole for a cell. */
export type Piece = string | Hole;

export interface Hole {
  /** Blanks fill the cell up to `width` characters: behind it (`<`) or before it (`>`). */
  readonly align: '' | '<' | '>';
  readonly width: number;
}

export interface Pattern {
  readonly pieces: readonly Piece[];
  /** What stands between the cells of a row; the last cell may have it in it. */
  readonly separator: Separator;
}

const NAMES = { ' ': '', '\t': ' by tab', ',': ' by ,', ';': ' by ;', '|': ' by |' } as const;
export type Separator = keyof typeof NAMES;
const SEPARATORS: readonly Separator[] = [' ', '\t', ',', ';', '|'];

/** `<<150 lines by , as 2026-05-01T12:{} INFO {}>>` */
export function patternLine({ pieces, separator }: Pattern, lines: number): string {
  const text = pieces.map((piece) =>
    typeof piece === 'string'
      ? piece.replace(/[{}]/g, '$&$&')
      : `{${piece.align}${piece.align === '' ? '' : piece.width}}`,
  );
  return `<<${lines} lines${NAMES[separator]} as ${text.join('')}>>`;
}

/** Reads what `patternLine` wrote; undefined where it is none. */
export function readPattern(line: string): { readonly pattern: Pattern; readonly lines: number } | undefined {
  const match = /^<<(\d{1,9}) lines( by (?:tab|[,;|]))? as (.*)>>$/s.exec(line);
  if (match === null) return undefined;
  const separator = SEPARATORS.find((each) => NAMES[each] === (match[2] ?? ''))!;
  const pieces: Piece[] = [];
  for (const [part] of match[3]!.matchAll(/(?:[^{}]|\{\{|\}\})+|\{(?:[<>]\d{1,4})?\}|[{}]/g)) {
    const hole = /^\{([<>]?)(\d*)\}$/.exec(part);
    if (hole !== null) pieces.push({ align: hole[1] as Hole['align'], width: Number(hole[2]) });
    else if (part === '{' || part === '}') return undefined;
    else pieces.push(part.replace(/\{\{|\}\}/g, (pair) => pair[0]!));
  }
  return { pattern: { pieces, separator }, lines: Number(match[1]) };
}

/** The line of a row; undefined where the row has too few cells. */
export function lineOf({ pieces, separator }: Pattern, row: string): string | undefined {
  const holes = pieces.reduce((count, piece) => count + (typeof piece === 'string' ? 0 : 1), 0);
  const cells = splitRow(row, separator, holes);
  if (cells.length !== holes) return undefined;
  let line = '';
  let cell = 0;
  for (const piece of pieces) line += typeof piece === 'string' ? piece : filled(cells[cell++]!, piece);
  return line;
}

/** At most `most` cells; a cell in quotes may hold the separator. */
export function splitRow(row: string, separator: Separator, most: number): string[] {
  const cells: string[] = [];
  let at = 0;
  while (cells.length < most - 1) {
    const end = cellEnd(row, at, separator);
    if (end < 0) break;
    cells.push(row.slice(at, end));
    at = end + 1;
  }
  if (most > 0) cells.push(row.slice(at));
  else if (row !== '') cells.push(row);
  return cells;
}

/** Where the separator behind the cell at `at` is; -1 where there is none. A quoted cell ends at a quote before one. */
export function cellEnd(row: string, at: number, separator: Separator): number {
  if (row.charCodeAt(at) === 34 && separator !== '|') {
    const end = row.indexOf(`"${separator}`, at + 1);
    if (end >= 0) return end + 1;
  }
  return row.indexOf(separator, at);
}

function filled(cell: string, { align, width }: Hole): string {
  if (align === '') return cell;
  const blanks = ' '.repeat(Math.max(0, width - charsOf(cell)));
  return align === '<' ? cell + blanks : blanks + cell;
}

/** Characters of a text of bytes that is taken as UTF-8: bytes that continue one do not count. */
export function charsOf(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c >= 0x80 && c < 0xc0) count -= 1;
  }
  return count;
}
