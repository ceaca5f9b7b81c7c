import { ARRAY, DEEPEST } from '../core/json/kinds.ts';
import type { Tape } from '../core/json/tape.ts';
import { isRecordLine, type JsonBlock } from '../core/json-blocks.ts';
import { late } from '../core/late.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';

/** Larger JSON is text: its tape would take more memory than it is worth. */
export const LARGEST_JSON = 256 << 20;

export const json: Strategy = {
  name: 'json',
  describe: 'JSON: elements and members compared field by field, over the whole document',
  fits: (view) => {
    const found = tapeOf(view);
    if (found === undefined) return undefined;
    return found.tape.isTorn ? 'a JSON value that was cut off' : 'one JSON value';
  },
  outline: (view, reason) => {
    const found = tapeOf(view)!;
    return late().jsonOutlines(view, { shape: 'json', reason, ...found, isLines: false });
  },
};

const tapes = new WeakMap<SectionView, { tape: Tape; base: number } | undefined>();

/** The tape of a section that is one JSON value, perhaps one that was cut off at the end of the text. */
export function tapeOf(view: SectionView): { tape: Tape; base: number } | undefined {
  const { section, index } = view;
  if (section.kind !== 'json') return undefined;
  if (!tapes.has(view)) {
    const base = index.starts[section.from]!;
    const end = index.starts[section.to]!;
    const mayBe = end - base <= LARGEST_JSON && !areRecords(view, section);
    tapes.set(view, mayBe ? read(view, section, base, end) : undefined);
  }
  return tapes.get(view);
}

/** What follows a value on a line of its own is another one. */
function areRecords({ index }: SectionView, { span, from, to }: JsonBlock): boolean {
  return span === undefined && to - from > 1 && isRecordLine(index, from);
}

function read(
  { index }: SectionView,
  section: JsonBlock,
  base: number,
  end: number,
): { tape: Tape; base: number } | undefined {
  const bytes = index.source.read(base, end);
  const mark = base === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const [from, to] = section.span ?? [base + mark, end];
  const mayBeTorn = section.span === undefined && section.to === index.count;
  const tape = late().readTape(bytes, from - base, to - base, { mayBeTorn });
  return tape !== undefined && tape.depth <= DEEPEST && tape.kind[0]! <= ARRAY ? { tape, base } : undefined;
}
