import { lineText, type LineIndex } from './line-index.ts';
import { mostRare, type Odd, ODD, rareValue } from './odd.ts';
import { NUMBERS } from './policy.ts';

/** More remarks than this are no states, but descriptions. */
const MOST_DISTINCT = 8;
/** Rows with a remark that are read, at most. */
const MOST = 20_000;
/** Bytes of a row that are read. */
const LONGEST = 4000;
/** `/usr/sbin/agent (deleted)`, `*:443 (LISTEN)`: words in brackets at the end of a row. */
const REMARK = /\s\(([A-Za-z][A-Za-z _-]{1,30})\)\s*$/;

/** The rows with a remark that hardly any other has; `closed` are those of `rows` rows that end with a bracket. */
export function oddRemarks(index: LineIndex, from: number, closed: readonly number[], rows: number): Odd[] {
  if (closed.length === 0 || closed.length > MOST || rows < ODD.rareFrom) return [];
  const units = new Map<string, number[]>();
  for (const unit of closed) {
    const remark = REMARK.exec(lineText(index, from + unit, LONGEST))?.[1];
    if (remark === undefined) continue;
    const of = units.get(remark);
    if (of === undefined) units.set(remark, [unit]);
    else of.push(unit);
  }
  if (units.size > MOST_DISTINCT) return [];
  const most = Math.min(NUMBERS.rareUnits, mostRare(rows, rows - closed.length));
  const rare = [...units.values()].filter((of) => of.length <= most);
  return rare.flatMap((of) => of.map((unit) => rareValue(unit, of, of.length, rows)));
}
