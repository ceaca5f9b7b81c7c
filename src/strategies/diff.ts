import { late } from '../core/late.ts';
import type { Strategy } from '../core/strategy.ts';

export const diff: Strategy = {
  name: 'diff',
  describe:
    'Diffs, commits and lists of changes: headers and changed lines stay; far context and generated files become gaps',
  fits: ({ section }) => (section.kind === 'diff' ? 'headers and hunks of a diff' : undefined),
  outline: (view, reason, policy) => {
    const { diffFacts, namedOutline } = late();
    return namedOutline(view, 'diff', reason, diffFacts(view, policy));
  },
};
