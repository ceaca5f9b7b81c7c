import type { Strategy } from '../core/strategy.ts';
import { logOutline } from './log.ts';
export const search: Strategy = {
  name: 'search',
  describe: 'Search results, messages of compilers and linters, and lists of files: each file stays with its first line',
  fits: ({ section }) => (section.kind === 'search' ? 'places in files' : undefined),
  outline: (view, reason) => logOutline(view, reason),
};
