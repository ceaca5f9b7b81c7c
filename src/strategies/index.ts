import type { Outliner } from '../core/compress.ts';
import { type Strategy, SectionView } from '../core/strategy.ts';
import { log } from './log.ts';
import { table } from './table.ts';
import { text } from './text.ts';

/** All strategies; order is precedence. */
export const STRATEGIES: readonly Strategy[] = [table, log, text];

/** Gives a section to the first strategy that it fits, or to the one that was asked for. */
export const outlineSection: Outliner = (index, section, policy) => {
  const view = new SectionView(index, section);
  for (const strategy of STRATEGIES) {
    const reason = policy.as === strategy.name ? 'asked for' : strategy.fits(view);
    const isWanted = policy.as === undefined || policy.as === strategy.name;
    if (reason !== undefined && isWanted) return strategy.outline(view, reason, policy);
  }
  return text.outline(view, 'no other shape', policy);
};
