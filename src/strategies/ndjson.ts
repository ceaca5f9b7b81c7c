import { isPrefixed } from '../core/json/prefix.ts';
import { TEXT } from '../core/json/kinds.ts';
import type { Tape } from '../core/json/tape.ts';
import { late } from '../core/late.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { DEEPEST, LARGEST_JSON } from './json.ts';

export const ndjson: Strategy = {
  name: 'ndjson',
  describe: 'A JSON record a line, also behind a prefix (`pod-1 | {…}`), compared field by field',
  fits: (view) => (recordsOf(view) === undefined ? undefined : 'JSON values one after the other'),
  outline: (view, reason) =>
    late().jsonOutlines(view, { shape: 'ndjson', reason, ...recordsOf(view)!, isLines: true }),
};

/** The tape of a section that is JSON values one after the other. */
export function recordsOf(view: SectionView): { tape: Tape; base: number } | undefined {
  const tape = tapeOf(view);
  return tape && { tape, base: baseOf(view) };
}

const tapes = new WeakMap<SectionView, { readonly tape: Tape | undefined }>();

function tapeOf(view: SectionView): Tape | undefined {
  let known = tapes.get(view);
  if (known === undefined) {
    known = { tape: read(view) };
    tapes.set(view, known);
  }
  return known.tape;
}

function baseOf({ index, section }: SectionView): number {
  return index.starts[section.from]!;
}

function read(view: SectionView): Tape | undefined {
  const { index, section } = view;
  const prefixed = section.kind === 'lines' && isPrefixed(index, section.from, section.to);
  if (section.kind !== 'json' && !prefixed) return undefined;
  const base = baseOf(view);
  const size = index.starts[section.to]! - base;
  if (size > LARGEST_JSON) return undefined;
  const tape = late().readTape(index.source.read(base, base + size), 0, size, {
    many: true,
    prefixed,
    mixed: true,
  });
  if (tape === undefined || tape.size[0]! < LEAST_RECORDS || tape.depth > DEEPEST) return undefined;
  let texts = 0;
  for (let n = 1; n < tape.count; n = tape.next[n]!) if (tape.kind[n] === TEXT) texts += 1;
  return texts * 2 > tape.size[0]! ? undefined : tape;
}

const LEAST_RECORDS = 2;
