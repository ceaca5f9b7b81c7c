import { latin1 } from '../chars.ts';

/** A line of a report that holds something. */
export interface ReportLine {
  /** Where the line starts, and its first character that is no blank. */
  readonly from: number;
  readonly place: number;
  /** From there on, without blanks at the end. */
  readonly text: string;
  /** Columns before it; a tab goes to the next multiple of eight. */
  readonly indent: number;
  readonly isAfterBlank: boolean;
}

/** `Key:   value`. */
export const KEY = /^([A-Za-z_][\w ./()&#+-]{0,60}?)\s{0,30}:(?:\s+|$)/;
/** `Key    value`, in a report whose values stand in a column without a colon before them. */
const GAP_KEY = /^([A-Za-z_#][\w ./()&#+-]{0,60}?)(?:\s{2,}|$)/;
const LONGEST = 2000;
const MOST_INDENT = 2000;

/** The lines that `lines` gives the starts of, but for blank ones. */
export function reportLines(bytes: Uint8Array, lines: Uint32Array): ReportLine[] {
  const read: ReportLine[] = [];
  let isAfterBlank = true;
  for (let i = 0; i + 1 < lines.length; i += 1) {
    const from = lines[i]!;
    const whole = latin1(bytes, from, Math.min(lines[i + 1]!, from + LONGEST)).trimEnd();
    const column = whole.search(/[^ \t]/);
    if (column >= 0) {
      const indent = Math.min(columnsOf(whole, column), MOST_INDENT);
      read.push({ from, place: from + column, text: whole.slice(column), indent, isAfterBlank });
    }
    isAfterBlank = column < 0;
  }
  return read;
}

function columnsOf(text: string, end: number): number {
  let columns = 0;
  for (let c = 0; c < end; c += 1) columns = text[c] === '\t' ? (columns | 7) + 1 : columns + 1;
  return columns;
}

/** How the lines of a report give a name to a value. */
export function keyOf(lines: readonly ReportLine[]): RegExp {
  const keyed = lines.filter(({ text }) => KEY.test(text)).length;
  const gapped = lines.filter(({ text }) => /^\S.*\S\s{2,}\S/.test(text)).length;
  return keyed * 10 < lines.length && gapped * 2 > lines.length ? GAP_KEY : KEY;
}

/** Sections of one kind that a report has at least. */
const LEAST_SECTIONS = 3;
/** Share of the sections, and of the lines of one, that the others have too. */
const ALIKE = 0.6;

/**
 * The lines that sections begin with, by their number: paragraphs under a heading of its own kind, or paragraphs that mostly
 * say the same of different things. undefined where the text has none.
 */
export function sectionHeads(lines: readonly ReportLine[]): ReadonlySet<number> | undefined {
  const firsts = numbers(lines, ({ isAfterBlank }) => isAfterBlank);
  if (firsts.length < LEAST_SECTIONS) return undefined;
  const headings = firsts.filter((i) => lines[i]!.indent === 0 && !KEY.test(lines[i]!.text));
  if (headings.length >= firsts.length * 0.8) return new Set(headings);
  return areAlike(lines, firsts) ? new Set(firsts) : undefined;
}

/** Do paragraphs, or what stands under unindented lines, say the same of different things? */
export function hasAlikeSections(lines: readonly ReportLine[]): boolean {
  const firsts = numbers(lines, ({ isAfterBlank }) => isAfterBlank);
  if (firsts.length >= LEAST_SECTIONS && areAlike(lines, firsts)) return true;
  const heads = numbers(lines, ({ indent }) => indent === 0);
  if (heads[0] !== 0 || heads.length < LEAST_SECTIONS || heads.length * 5 > lines.length * 2) return false;
  return areAlike(lines, heads);
}

function numbers(lines: readonly ReportLine[], is: (line: ReportLine) => boolean): number[] {
  return lines.flatMap((line, i) => (is(line) ? [i] : []));
}

/** Do most sections, which begin at `heads`, have lines that most others have? */
function areAlike(lines: readonly ReportLine[], heads: readonly number[]): boolean {
  const sections = heads.map((head, n) => {
    const own = lines.slice(head + 1, heads[n + 1] ?? lines.length).map(wordingOf);
    return { own, names: new Set(own) };
  });
  const counts = new Map<string, number>();
  for (const { names } of sections) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const least = Math.max(LEAST_SECTIONS, sections.length / 2);
  const alike = sections.filter(({ own }) => {
    const common = own.filter((name) => name !== '' && counts.get(name)! >= least).length;
    return common >= 2 && common >= own.length * ALIKE;
  });
  return alike.length >= Math.max(LEAST_SECTIONS, sections.length * ALIKE);
}

/** What a line says, whatever it says it of: its key, the words before a gap, or its words. */
function wordingOf({ text, indent }: ReportLine): string {
  const key = KEY.exec(text)?.[1];
  if (key !== undefined) return `${key}:`;
  const gap = text.search(/\s{2}/);
  // Paragraphs of prose that are alike are no sections of a report.
  if (indent === 0 && gap < 0) return '';
  return (gap > 0 ? text.slice(0, gap) : text).replace(/[0-9a-f]*\d[0-9a-f]*/g, '#').slice(0, 40);
}
