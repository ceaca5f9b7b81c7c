import type { Outliner } from '../core/compress.ts';
import type { Policy } from '../core/model.ts';
import { logOutline, shapeLines } from './log.ts';
import { tableOutline } from './table.ts';
import { isHeaded, lookalike, mixOf, textOutline } from './text.ts';

/** Gives a section to the strategy that fits it. */
export const outlineSection: Outliner = (index, section, policy) => {
  const { from, to } = section;
  if (section.kind === 'table') return tableOutline(index, from, to, section.layout, 'columns line up');
  const lines = shapeLines(index, from, to);
  const mix = mixOf(lines);
  const seems = section.kind === 'json' ? 'JSON' : lookalike(index, from, to, mix);
  const isLog = seems === undefined && (isHeaded(mix) || mix.repeated * 10 >= mix.lines * 6);
  if (isLog) return logOutline(index, from, to, lines, 'time stamps, levels or repeated lines');
  const outline = logOutline(index, from, to, lines, seems ?? 'no other shape');
  if (seems === undefined) return textOutline(outline, lines, 'runs');
  return textOutline(outline, lines, mayBeCut(seems, policy) ? 'whole' : 'fast');
};

/** Lines of text that a parser reads may not go; other text only for a budget that was asked for. */
function mayBeCut(seems: string, policy: Policy): boolean {
  return policy.budgetAsked && !['JSON', 'CSV', 'key-value text'].includes(seems);
}
