import { indentOutline } from '../core/indent/outline.ts';
import type { TextTape } from '../core/indent/nodes.ts';
import { readYaml } from '../core/indent/yaml.ts';
import { JSON_UNITS } from '../core/json/units.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { DEEPEST, LARGEST_JSON } from './json.ts';

export const yaml: Strategy = {
  name: 'yaml',
  describe: 'Block YAML, many documents: entries and items compared field by field; markers are comments',
  fits: (view) => (tapeOf(view) === undefined ? undefined : 'block YAML'),
  outline: (view, reason) =>
    indentOutline(view, { shape: 'yaml', reason, tape: tapeOf(view)!, ...JSON_UNITS, comment: '# ' }),
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
  return (
    (look === undefined || look === 'key-value text' || look === 'Markdown') &&
    mix.keyed * 10 >= mix.lines * 3
  );
}

function read({ index, section: { from, to } }: SectionView): TextTape | undefined {
  const start = index.starts[from]!;
  const end = index.starts[to]!;
  if (end - start > LARGEST_JSON) return undefined;
  const bytes = index.source.read(start, end);
  const tape = readYaml(
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
