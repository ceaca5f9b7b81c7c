import { late } from '../core/late.ts';
import type { Strategy } from '../core/strategy.ts';

export const search: Strategy = {
  name: 'search',
  describe:
    'Search results, messages of compilers and linters, lists of files: each file or directory stays with its first line',
  fits: ({ section }) => {
    if (section.kind !== 'search') return undefined;
    return section.form === 'hits' ? 'places in files' : 'a list of files';
  },
  outline: (view, reason, policy) => {
    const { index, section } = view;
    const { listingFacts, namedOutline, readHits, searchFacts } = late();
    const form = section.kind === 'search' ? section.form : 'hits';
    const facts =
      form === 'hits'
        ? searchFacts(view, readHits(index, section.from, section.to), policy)
        : listingFacts(view, form, policy);
    return namedOutline(view, 'search', reason, facts);
  },
};
