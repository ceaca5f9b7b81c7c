import { latin1 } from '../core/chars.ts';
import { stripEscapes } from '../core/escapes.ts';
import { measureLine } from '../core/line-index.ts';
import { late } from '../core/late.ts';
import { lineUnits } from '../core/line-units.ts';
import { isForeignMarker } from '../core/marker.ts';
import type { Policy } from '../core/model.ts';
import { EMPTY, type Outline, PINNED, WHOLE } from '../core/outline.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { densityOf } from '../core/tokens.ts';

/** A larger file is nobody's reading. */
const LARGEST = 16 << 20;

export const code: Strategy = {
  name: 'code',
  describe:
    'Source code stays whole; asked for (`--as code`), bodies of TypeScript, JavaScript, Python and Go go, signatures and types stay',
  fits: ({ look }) => (look === 'code' ? 'source code' : undefined),
  outline: codeOutline,
};

/** A unit a line, all of one profile. Words of failure mean nothing in what is said to be code. */
function codeOutline(view: SectionView, reason: string, policy: Policy): Outline {
  const { index, section, frame } = view;
  const { from, to } = section;
  const { source, starts } = index;
  const count = to - from;
  const isWanted = policy.as === 'code' || policy.budgetAsked;
  const lines = isWanted && starts[to]! - starts[from]! <= LARGEST ? linesOf(view) : [];
  const hidden = policy.as === 'code' && lines.length > 0 ? late().outlineOf(lines) : undefined;
  const flags = new Uint8Array(count).fill(policy.budgetAsked && hidden === undefined ? WHOLE : PINNED);
  lines.forEach((line, i) => {
    if (hidden?.[i] === 1) flags[i] = 0;
    if (line.trim() === '') flags[i]! |= EMPTY;
    if (isForeignMarker(line)) flags[i]! |= PINNED;
  });
  const severity = policy.as === 'code' ? new Uint8Array(count) : severityOf(view);
  const density = densityOf(source, starts[from]!, starts[to]!);
  return {
    shape: 'code',
    ...lineUnits(index, from, to, { facts: { severity }, frame }),
    kind: new Uint32Array(count),
    coarse: new Uint32Array(1),
    middle: new Uint32Array(1),
    severity,
    flags,
    costs: Float32Array.from(
      { length: count },
      (_, i) => density * (starts[from + i + 1]! - starts[from + i]!),
    ),
    measure: (unit) => measureLine(index, from + unit),
    odd: [],
    failures: { first: 3, last: 1, allUpTo: 0 },
    hasContext: false,
    purse: 0,
    uncut: true,
    reason: hidden === undefined ? reason : `${reason}: an outline`,
  };
}

function severityOf({ lines: { kind, shapes } }: SectionView): Uint8Array {
  return Uint8Array.from(kind, (shape) => shapes.infos[shape]!.severity);
}

function linesOf({ index: { source, starts }, section: { from, to } }: SectionView): string[] {
  const text = latin1(stripEscapes(source.read(starts[from]!, starts[to]!)));
  return text.split('\n', to - from);
}
