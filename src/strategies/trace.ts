import { late } from '../core/late.ts';
import { traceEvidence } from '../core/trace/evidence.ts';
import type { Strategy } from '../core/strategy.ts';
import { logOutline } from './log.ts';

export const trace: Strategy = {
  name: 'trace',
  describe:
    'Stack traces and dumps of threads: exceptions, causes and own frames stay, frames of frameworks go, of equal threads the first stays',
  fits: traceEvidence,
  outline: (view, reason) => {
    const { reportOutline, traceReport } = late();
    return {
      ...reportOutline(view, logOutline(view, reason), traceReport(view)),
      shape: 'trace',
      failures: { first: 2, last: 1, allUpTo: 0 },
    };
  },
};
