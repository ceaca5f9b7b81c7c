import type { Outliner } from '../core/compress.ts';
import type { LineIndex } from '../core/line-index.ts';
import { logOutline, shapeLines } from './log.ts';
import { tableOutline } from './table.ts';
import { isHeaded, lookalike, mixOf, textOutline } from './text.ts';

/** Gives a section to the strategy that fits it. */
export const outlineSection: Outliner = (index, section) => {
  const { from, to } = section;
  if (section.kind === 'table') return tableOutline(index, from, to, section.layout, 'columns line up');
  if (section.kind === 'json') return linesOutline(index, from, to, 'JSON');
  return linesOutline(index, from, to);
};

function linesOutline(index: LineIndex, from: number, to: number, other?: string) {
  const lines = shapeLines(index, from, to);
  const mix = mixOf(lines);
  const seems = other ?? lookalike(index, from, to, mix);
  const isLog = seems === undefined && (isHeaded(mix) || mix.repeated * 10 >= mix.lines * 6);
  const outline = logOutline(index, from, to, lines, isLog ? 'time stamps, levels or repeated lines' : (seems ?? 'no other shape'));
  return isLog ? outline : textOutline(outline, lines, seems !== undefined);
}
