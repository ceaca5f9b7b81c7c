/** Is a text CSV, with commas, semicolons, tabs or bars? Quoted cells may hold delimiters and line ends. */

const LEAST_RECORDS = 5;
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * As many cells in nearly all records. Two columns are CSV only under a head of two names; with the heads of a log more
 * columns are asked for, as messages have commas, too. `isWhole`: the text does not end in the middle of a record.
 */
export function isCsv(text: string, least: number, isWhole: boolean): boolean {
  return DELIMITERS.some((delimiter) => {
    if (!text.includes(delimiter)) return false;
    const { count, first, spaced, times } = recordsOf(text, delimiter, isWhole);
    if (count < LEAST_RECORDS) return false;
    const [usual, alike] = [...times].reduce((top, each) => (each[1] > top[1] ? each : top));
    if (usual < 2 || usual - 1 < least)
      return usual === 2 && least <= 2 && alike >= count * 0.97 && isHead(first, delimiter);
    return alike >= count * 0.8 && spaced * 2 < count;
  });
}

interface Records {
  count: number;
  /** The text of the first one. */
  first: string;
  /** How many have a blank behind a delimiter. */
  spaced: number;
  /** How many have so many cells. */
  readonly times: Map<number, number>;
}

/** Goes from delimiter to delimiter and from line end to line end: a look at each character takes 3 ms in the cold. */
// oxlint-disable-next-line complexity -- a scanner: one branch a kind of mark
function recordsOf(text: string, delimiter: string, isWhole: boolean): Records {
  const records: Records = { count: 0, first: '', spaced: 0, times: new Map() };
  let start = 0;
  let cells = 1;
  let isSpaced = false;
  const add = (end: number): void => {
    if (records.count === 0) records.first = text.slice(start, end);
    records.count += 1;
    records.times.set(cells, (records.times.get(cells) ?? 0) + 1);
    if (isSpaced) records.spaced += 1;
  };
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
      if (feed > start + 1) add(feed);
      start = feed + 1;
      cells = 1;
      isSpaced = false;
      at = start;
    } else break;
  }
  if (isWhole && start < text.length) add(text.length);
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
