/** What values of one field have in common. */
export interface Ends {
  /** All of the value. */
  readonly constant?: string;
  /** Else the text that it begins and ends with. */
  readonly before: string;
  readonly behind: string;
}

/** Shorter ends are not worth a place in a pattern. */
const LEAST_END = 2;

/** What at least `share` of the values have in common. */
export function commonEnds(values: readonly string[], share: number): Ends {
  const [constant, count] = mostCommon(values);
  if (constant === undefined) return PLAIN;
  if (count >= values.length * share) return { constant, before: '', behind: '' };
  const references = [values[0]!, values[values.length >> 1]!, values.at(-1)!];
  const before = longest(references.map((value) => commonStart(value, values, share)));
  const rests = values.filter((value) => value.startsWith(before)).map((value) => value.slice(before.length));
  const behind = longest(references.map((value) => commonEnd(value.slice(before.length), rests, share)));
  const ends = { before: worthy(before), behind: worthy(behind) };
  return ends.before === '' && ends.behind === '' ? PLAIN : ends;
}

/** Nothing in common. */
export const PLAIN: Ends = { before: '', behind: '' };

/** Addresses and numbers stay whole: they are looked for. */
function worthy(end: string): string {
  return end.length < LEAST_END || /^[\d.]+$/.test(end) ? '' : end;
}

function longest(found: readonly string[]): string {
  return found.reduce((best, each) => (each.length > best.length ? each : best), '');
}

/** The longest start of `value` that enough of the values have, up to where a word or a number ends. */
function commonStart(value: string, values: readonly string[], share: number): string {
  let size = sharedSize(values, share, (other) => {
    let at = 0;
    while (at < value.length && value.charCodeAt(at) === other.charCodeAt(at)) at += 1;
    return at;
  });
  while (size > 0 && isInside(value, size)) size -= 1;
  return value.slice(0, size);
}

function commonEnd(value: string, values: readonly string[], share: number): string {
  let size = sharedSize(values, share, (other) => {
    let at = 0;
    const most = Math.min(value.length, other.length);
    while (at < most && value.charCodeAt(value.length - 1 - at) === other.charCodeAt(other.length - 1 - at))
      at += 1;
    return at;
  });
  while (size > 0 && isInside(value, value.length - size)) size -= 1;
  return value.slice(value.length - size);
}

function sharedSize(values: readonly string[], share: number, sizeOf: (other: string) => number): number {
  const sizes = values.map(sizeOf).sort((a, b) => a - b);
  return sizes[Math.floor(values.length * (1 - share))] ?? 0;
}

/** Is the place inside of a word, a number or a character? */
function isInside(value: string, at: number): boolean {
  if (at <= 0 || at >= value.length) return false;
  const kind = kindOf(value.charCodeAt(at));
  return kind > 1 && kind === kindOf(value.charCodeAt(at - 1));
}

/** 3 for bytes of letters, 2 for digits, 1 for marks. */
function kindOf(c: number): number {
  if (c >= 48 && c <= 57) return 2;
  return c >= 128 || (c >= 97 && c <= 122) || (c >= 65 && c <= 90) ? 3 : 1;
}

/** The commonest of the values, the first of several, and how often it is there. */
export function mostCommon<T>(values: readonly T[]): readonly [value: T | undefined, count: number] {
  const counts = new Map<T, number>();
  let best: T | undefined;
  let most = 0;
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > most) {
      most = count;
      best = value;
    }
  }
  return [best, most];
}
