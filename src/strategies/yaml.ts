import type { TextTape } from '../core/indent/nodes.ts';
import { lineText, type LineIndex } from '../core/line-index.ts';
import { late } from '../core/late.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { DEEPEST } from '../core/json/kinds.ts';
import { LARGEST_JSON } from './json.ts';

export const yaml: Strategy = {
  name: 'yaml',
  describe: 'Block YAML, many documents: entries and items compared field by field; markers are comments',
  fits: (view) => (tapeOf(view) === undefined ? undefined : 'block YAML'),
  outline: (view, reason) => {
    const { indentOutline, JSON_UNITS } = late();
    return indentOutline(view, { shape: 'yaml', reason, tape: tapeOf(view)!, ...JSON_UNITS, comment: '# ' });
  },
};

const tapes = new WeakMap<SectionView, { readonly tape: TextTape | undefined }>();

function tapeOf(view: SectionView): TextTape | undefined {
  let known = tapes.get(view);
  if (known === undefined) {
    known = { tape: mayBe(view) ? read(view) : undefined };
    tapes.set(view, known);
  }
  return known.tape;
}

/** Nearly all lines are entries, items or deeper than one; and no value stands in a column of its own, as in reports. */
function mayBe(view: SectionView): boolean {
  const { section } = view;
  if (section.kind !== 'lines' || section.to - section.from < LEAST_LINES) return false;
  const { look, mix } = view;
  if (!YAML_LOOKS.has(look)) return false;
  return mix.keyed * 10 >= mix.lines * (look === 'code' ? 4 : 3) || hasBlocks(view);
}

const YAML_LOOKS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'key-value text',
  'Markdown',
  'settings',
  // Flow parts and managed fields end as statements do.
  'code',
]);

/** Block scalars hold any text: does it begin with a key, and has it several of them? */
function hasBlocks({ index, section: { from, to } }: SectionView): boolean {
  if (!beginsWithKey(index, from, to)) return false;
  let blocks = 0;
  for (let line = from; line < to && blocks < LEAST_BLOCKS; line += 1) {
    const text = lineText(index, line, 300);
    if (/^\s*(?:- )?[\w."'/-]+:\s*[|>][-+\d]*\s*(?:#.*)?$/.test(text)) blocks += 1;
    if (line - from > MOST_LOOKED_AT && blocks === 0) return false;
  }
  return blocks >= LEAST_BLOCKS;
}

/** Is the first line that says something, and is no comment, an entry or an item? */
function beginsWithKey(index: LineIndex, from: number, to: number): boolean {
  for (let line = from; line < Math.min(to, from + MOST_LOOKED_AT); line += 1) {
    const text = lineText(index, line, 300);
    if (/^\s*[^#\s]/.test(text)) return /^(?:---|%|- |[\w."'/-]+:)(?:\s|$)/.test(text);
  }
  return false;
}

const LEAST_BLOCKS = 1;
const MOST_LOOKED_AT = 500;

function read({ index, section: { from, to } }: SectionView): TextTape | undefined {
  const start = index.starts[from]!;
  const end = index.starts[to]!;
  if (end - start > LARGEST_JSON) return undefined;
  const bytes = index.source.read(start, end);
  const tape = late().readYaml(
    bytes,
    index.starts.slice(from, to + 1).map((at) => at - start),
  );
  return tape !== undefined && tape.depth <= DEEPEST && !repeatsKeys(tape) ? tape : undefined;
}

/** Lines of a log that begin with a level are no mapping: its keys differ. */
function repeatsKeys({ count, parent, key, keyHash }: TextTape): boolean {
  const seen = new Set<number>();
  let repeated = 0;
  for (let n = 0; n < count; n += 1) {
    if (key[n] === 0) continue;
    const member = parent[n]! * 0x1_0000_0000 + keyHash[n]!;
    if (seen.has(member)) repeated += 1;
    seen.add(member);
  }
  return repeated * 20 > seen.size;
}

const LEAST_LINES = 8;
