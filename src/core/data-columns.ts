import type { Field } from './fields.ts';

/** What the columns of data say that those of a report don't: whole numbers are quantities, three digits are HTTP codes. */

/** Whole numbers that name something. */
const ID_NAME =
  /(?:^|[^a-z])(?:id|ids|no|num|nr|number|index|idx|line|port|pid|uid|gid|zip|code|year|key|ts|version)$|[a-z](?:Id|No|Num|Nr|Key)$|^(?:time|date|epoch)/i;

/** The largest of many counts is news: the hottest day, the most requests. Of ids and of what only grows it is none. */
export function measureCounts(name: string, numbers: Field, rows: number): void {
  if (numbers.measure || ID_NAME.test(name)) return;
  const [first] = numbers.highest(1);
  const [least] = numbers.lowest(1);
  if (first === undefined || least === undefined) return;
  const ends = new Set([0, rows - 1]);
  if (!ends.has(first.unit) || !ends.has(least.unit)) numbers.measure = true;
}

const CODE_NAME = /^(?:sc-|(?:http|resp|response|elb|target|edge)[_ -]?)?(?:status|code)(?:[_ -]?code)?$/i;
const CODE = /^[1-5]\d\d$|^[-0]?$/;

/** Does a column of this name and these values hold HTTP codes? */
export function holdsCodes(name: string, texts: readonly string[]): boolean {
  return CODE_NAME.test(name) && texts.every((text) => CODE.test(text));
}

/** Severity of an HTTP code. */
export function codeSeverity(text: string): number {
  return /^[45]/.test(text) ? 2 : 0;
}
