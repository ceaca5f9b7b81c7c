/** Is a text CSV, with commas, semicolons, tabs or bars? Quoted cells may hold delimiters and line ends. */

const LEAST_RECORDS = 5;
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * As many cells in nearly all records. Two columns are CSV only under a head of two names; with the heads of a log more
 * columns are asked for, as messages have commas, too. `isWhole`: the text does not end in the middle of a record.
 */
export function isCsv(text: string, least: number, isWhole: boolean): boolean {
  return DELIMITERS.some((delimiter) => {
    const records = recordsOf(text, delimiter, isWhole);
    if (records.length < LEAST_RECORDS) return false;
    const counts = new Map<number, number>();
    for (const { cells } of records) counts.set(cells, (counts.get(cells) ?? 0) + 1);
    const [usual, times] = [...counts].reduce((top, each) => (each[1] > top[1] ? each : top));
    if (usual < 2 || usual - 1 < least) {
      return (
        usual === 2 && least <= 2 && times >= records.length * 0.97 && isHead(records[0]!.text, delimiter)
      );
    }
    const spaced = records.filter(({ isSpaced }) => isSpaced).length;
    return times >= records.length * 0.8 && spaced * 2 < records.length;
  });
}

interface Record {
  readonly text: string;
  readonly cells: number;
  /** A blank stands behind a delimiter. */
  readonly isSpaced: boolean;
}

/** Goes from delimiter to delimiter and from line end to line end: a look at each character takes 3 ms in the cold. */
function recordsOf(text: string, delimiter: string, isWhole: boolean): Record[] {
  const records: Record[] = [];
  let start = 0;
  let cells = 1;
  let isSpaced = false;
  let feed = text.indexOf('\n');
  let next = text.indexOf(delimiter);
  for (let at = 0; at < text.length;) {
    if (text[at] === '"') {
      const close = closing(text, at + 1);
      if (close < 0) break;
      at = close + 1;
    }
    if (feed >= 0 && feed < at) feed = text.indexOf('\n', at);
    if (next >= 0 && next < at) next = text.indexOf(delimiter, at);
    if (next >= 0 && (feed < 0 || next < feed)) {
      cells += 1;
      isSpaced ||= text[next + 1] === ' ';
      at = next + 1;
    } else if (feed >= 0) {
      if (feed > start + 1) records.push({ text: text.slice(start, feed), cells, isSpaced });
      start = feed + 1;
      cells = 1;
      isSpaced = false;
      at = start;
    } else break;
  }
  if (isWhole && start < text.length) records.push({ text: text.slice(start), cells, isSpaced });
  return records;
}

/** The quote that closes a cell; two quotes stand for one. -1 where none does. */
function closing(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

/** Names: words without numbers, no sentence. */
function isHead(text: string, delimiter: string): boolean {
  return text
    .trimEnd()
    .split(delimiter)
    .every((cell) => /^"?[A-Za-z_][\w .()/%-]{0,40}"?$/.test(cell) && cell.split(' ').length <= 4);
}
