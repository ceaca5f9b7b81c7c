import type { Tape } from '../core/json/tape.ts';
import { late } from '../core/late.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { tapeOf } from './json.ts';
import { recordsOf } from './ndjson.ts';

/** Share of the text that is output in strings. */
const LEAST_SHARE = 0.3;

export const envelope: Strategy = {
  name: 'envelope',
  describe:
    'JSON around the output of tools (`stdout`, `content`, any long text): compressed inside its strings',
  fits: (view) => {
    const found = enveloped(view);
    if (found === undefined) return undefined;
    const { tape } = found;
    return late().outputBytes(tape) >= LEAST_SHARE * (tape.end[0]! - tape.start[0]!)
      ? 'output in its strings'
      : undefined;
  },
  outline: (view, reason) => late().jsonOutlines(view, { shape: 'envelope', reason, ...enveloped(view)! }),
};

function enveloped(view: SectionView): { tape: Tape; base: number; isLines: boolean } | undefined {
  const one = tapeOf(view);
  if (one !== undefined) return { ...one, isLines: false };
  const many = recordsOf(view);
  return many && { ...many, isLines: true };
}
