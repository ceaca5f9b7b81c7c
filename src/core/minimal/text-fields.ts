/** How a line is cut into fields. */
import { cellEnd, type Separator } from './text-pattern.ts';

/** By runs of blanks, by runs of two blanks and more, or by a separator. */
export type Cut = 'words' | 'wide' | Exclude<Separator, ' '>;

/** The fields of a line and what stands between them: `gaps[i]` before `fields[i]`, the last one behind all. */
export interface Fields {
  readonly fields: readonly string[];
  readonly gaps: readonly string[];
}

/** Cuts off the first `most` fields; with more of them, the rest is one. */
export function cutLine(line: string, cut: Cut, most: number): Fields {
  return cut === 'words' || cut === 'wide'
    ? byBlanks(line, cut === 'wide' ? 2 : 1, most)
    : bySeparator(line, cut, most);
}

function byBlanks(line: string, least: number, most: number): Fields {
  const fields: string[] = [];
  const gaps: string[] = [];
  let at = blanksEnd(line, 0);
  gaps.push(line.slice(0, at));
  while (at < line.length) {
    let end = fields.length === most ? line.length : at;
    let next = end;
    if (least === 1 && line.charCodeAt(at) === 34 && end < line.length) end = quotedEnd(line, at);
    while (end < line.length) {
      end = line.indexOf(' ', end);
      if (end < 0) end = line.length;
      next = blanksEnd(line, end);
      if (next - end >= least || next === line.length) break;
      end = next;
    }
    fields.push(line.slice(at, end));
    gaps.push(line.slice(end, next));
    at = next;
  }
  return { fields, gaps };
}

/** Behind the closing quote of a field in quotes, as `cellEnd` finds it. */
function quotedEnd(line: string, at: number): number {
  const end = line.indexOf('" ', at + 1);
  return end < 0 ? at : end + 1;
}

function blanksEnd(line: string, at: number): number {
  let end = at;
  while (line.charCodeAt(end) === 32) end += 1;
  return end;
}

function bySeparator(line: string, separator: Exclude<Separator, ' '>, most: number): Fields {
  const fields: string[] = [];
  const gaps = [''];
  let at = 0;
  while (fields.length < most) {
    const end = cellEnd(line, at, separator);
    if (end < 0) break;
    fields.push(line.slice(at, end));
    gaps.push(separator);
    at = end + 1;
  }
  fields.push(line.slice(at));
  gaps.push('');
  return { fields, gaps };
}
