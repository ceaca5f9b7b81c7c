import { late } from '../core/late.ts';
import { runnerEvidence } from '../core/runner/evidence.ts';
import type { Strategy } from '../core/strategy.ts';
import { logOutline } from './log.ts';

export const test: Strategy = {
  name: 'test',
  describe:
    'Output of test runners, builds and CI: failures with message, place and trace stay, and the totals; passes are counted',
  fits: runnerEvidence,
  outline: (view, reason) => {
    const { reportOutline, runnerReport } = late();
    return { ...reportOutline(view, logOutline(view, reason), runnerReport(view)), shape: 'test' };
  },
};
