import { late } from '../core/late.ts';
import type { Strategy } from '../core/strategy.ts';
import { valueOf, valueOutline } from './json.ts';
import { outputBytesOf, recordsOf, recordsOutline } from './ndjson.ts';

/** Share of the text that is output in strings. */
const LEAST_SHARE = 0.3;

export const envelope: Strategy = {
  name: 'envelope',
  describe:
    'JSON around the output of tools (`stdout`, `content`, any long text): compressed inside its strings',
  fits: (view) => {
    const one = valueOf(view);
    if (one?.kind === 'tape')
      return reasonOf(late().outputBytes(one.tape), one.tape.end[0]! - one.tape.start[0]!);
    if (one !== undefined) return reasonOf(one.windows.outputs, one.windows.span[1] - one.windows.span[0]);
    const many = recordsOf(view);
    if (many === undefined) return undefined;
    const { starts } = view.index;
    return reasonOf(outputBytesOf(many), starts[view.section.to]! - starts[view.section.from]!);
  },
  outline: (view, reason) =>
    valueOf(view) === undefined
      ? recordsOutline(view, 'envelope', reason)
      : valueOutline(view, 'envelope', reason),
};

function reasonOf(outputs: number, size: number): string | undefined {
  return outputs >= LEAST_SHARE * size ? 'output in its strings' : undefined;
}
