import { isPrefixed } from '../core/json/prefix.ts';
import { DEEPEST } from '../core/json/kinds.ts';
import type { RecordWindows } from '../core/json/record-windows.ts';
import type { Tape } from '../core/json/tape.ts';
import { late } from '../core/late.ts';
import type { Shape } from '../core/model.ts';
import type { Outline } from '../core/outline.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { LARGEST_JSON, ONE_TAPE } from './json.ts';

export const ndjson: Strategy = {
  name: 'ndjson',
  describe: 'A JSON record a line, also behind a prefix (`pod-1 | {…}`), compared field by field',
  fits: (view) => (recordsOf(view) === undefined ? undefined : 'JSON values one after the other'),
  outline: (view, reason) => recordsOutline(view, 'ndjson', reason),
};

/** JSON values one after the other: on one tape, or, where they are many, in windows. */
export type Records =
  | { readonly kind: 'tape'; readonly tape: Tape }
  | { readonly kind: 'windows'; readonly windows: RecordWindows };

const known = new WeakMap<SectionView, { readonly records: Records | undefined }>();

/** The records of a section, if it is that. */
export function recordsOf(view: SectionView): Records | undefined {
  let found = known.get(view);
  if (found === undefined) {
    found = { records: read(view) };
    known.set(view, found);
  }
  return found.records;
}

/** The outlines of a section that is records. */
export function recordsOutline(view: SectionView, shape: Shape, reason: string): readonly Outline[] {
  const records = recordsOf(view)!;
  if (records.kind === 'windows')
    return late().recordOutlines(view, { shape, reason, windows: records.windows });
  const base = view.index.starts[view.section.from]!;
  return late().jsonOutlines(view, { shape, reason, tape: records.tape, base, isLines: true });
}

/** Bytes of the strings that hold the output of tools. */
export function outputBytesOf(records: Records): number {
  return records.kind === 'tape' ? late().outputBytes(records.tape) : records.windows.outputs;
}

function read(view: SectionView): Records | undefined {
  const { index, section } = view;
  const prefixed = section.kind === 'lines' && isPrefixed(index, section.from, section.to);
  if (section.kind !== 'json' && !prefixed) return undefined;
  const base = index.starts[section.from]!;
  const size = index.starts[section.to]! - base;
  const { readTape, RecordWindows, textLines } = late();
  if (size > ONE_TAPE) {
    const windows = new RecordWindows(index, [section.from, section.to], prefixed ? 'prefixed' : 'lines');
    if (!windows.isUnfit)
      return areRecords(windows.records, windows.texts) ? { kind: 'windows', windows } : undefined;
  }
  if (size > LARGEST_JSON) return undefined;
  const tape = readTape(index.source.read(base, base + size), 0, size, { many: true, prefixed, mixed: true });
  const isFit = tape !== undefined && tape.depth <= DEEPEST && areRecords(tape.size[0]!, textLines(tape));
  return isFit ? { kind: 'tape', tape } : undefined;
}

function areRecords(records: number, texts: number): boolean {
  return records >= LEAST_RECORDS && texts * 2 <= records;
}

const LEAST_RECORDS = 2;
