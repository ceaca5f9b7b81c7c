import { ARRAY, DEEPEST } from '../core/json/kinds.ts';
import type { RecordWindows } from '../core/json/record-windows.ts';
import type { Tape } from '../core/json/tape.ts';
import { isRecordLine, type JsonBlock } from '../core/json-blocks.ts';
import { late } from '../core/late.ts';
import type { Shape } from '../core/model.ts';
import type { Outline } from '../core/outline.ts';
import { markSize } from '../core/source.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';

/** Larger JSON is text: its tape would take more memory than it is worth. */
export const LARGEST_JSON = 256 << 20;

/** Records of more bytes are read in windows, twice: those on lines, and those in a list that most of a value is. */
export const ONE_TAPE = 32 << 20;

/** A list of fewer records shows them all, where that can be. */
const LEAST_RECORDS = 13;

export const json: Strategy = {
  name: 'json',
  describe: 'JSON: elements and members compared field by field, over the whole document',
  fits: (view) => {
    const found = valueOf(view);
    if (found === undefined) return undefined;
    return found.kind === 'tape' && found.tape.isTorn ? 'a JSON value that was cut off' : 'one JSON value';
  },
  outline: (view, reason) => valueOutline(view, 'json', reason),
};

/** One JSON value: on a tape, or, where it is a long list, in windows. */
type Value =
  | { readonly kind: 'tape'; readonly tape: Tape; readonly base: number }
  | { readonly kind: 'windows'; readonly windows: RecordWindows };

const values = new WeakMap<SectionView, { readonly value: Value | undefined }>();

/** The value of a section that is one, perhaps one that was cut off at the end of the text. */
export function valueOf(view: SectionView): Value | undefined {
  let found = values.get(view);
  if (found === undefined) {
    found = { value: read(view) };
    values.set(view, found);
  }
  return found.value;
}

/** The outlines of a section that is one value. */
export function valueOutline(view: SectionView, shape: Shape, reason: string): readonly Outline[] {
  const found = valueOf(view)!;
  if (found.kind === 'windows') return late().recordOutlines(view, { shape, reason, windows: found.windows });
  const { tape, base } = found;
  return late().jsonOutlines(view, { shape, reason, tape, base, isLines: false });
}

/** What follows a value on a line of its own is another one. */
function areRecords({ index }: SectionView, { span, from, to }: JsonBlock): boolean {
  return span === undefined && to - from > 1 && isRecordLine(index, from);
}

function read(view: SectionView): Value | undefined {
  const { section, index } = view;
  if (section.kind !== 'json' || areRecords(view, section)) return undefined;
  const base = index.starts[section.from]!;
  const end = index.starts[section.to]!;
  if (end - base > ONE_TAPE && section.span === undefined) {
    const windows = readList(view, base + (base === 0 ? markSize(index.source) : 0), end);
    if (windows !== undefined) return { kind: 'windows', windows };
  }
  return end - base > LARGEST_JSON ? undefined : readAll(view, section, base, end);
}

/** The records of the list that all of the value or most of it is. */
function readList({ index }: SectionView, start: number, end: number): RecordWindows | undefined {
  const { RecordWindows, shellAround } = late();
  const isList = index.source.read(start, start + 1)[0] === BRACKET;
  const shell = isList ? undefined : shellAround(index, [start, end]);
  if (!isList && shell === undefined) return undefined;
  const windows = new RecordWindows(index, shell?.elements ?? [start, end], 'list', { shell });
  return windows.isUnfit || windows.records < LEAST_RECORDS ? undefined : windows;
}

const BRACKET = 91;

function readAll({ index }: SectionView, section: JsonBlock, base: number, end: number): Value | undefined {
  const bytes = index.source.read(base, end);
  const [from, to] = section.span ?? [base + (base === 0 ? markSize(index.source) : 0), end];
  const mayBeTorn = section.span === undefined && section.to === index.count;
  const tape = late().readTape(bytes, from - base, to - base, { mayBeTorn });
  return tape !== undefined && tape.depth <= DEEPEST && tape.kind[0]! <= ARRAY
    ? { kind: 'tape', tape, base }
    : undefined;
}
