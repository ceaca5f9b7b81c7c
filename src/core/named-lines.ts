import { lineUnits } from './line-units.ts';
import { measureLine } from './line-index.ts';
import type { Shape } from './model.ts';
import type { Outline } from './outline.ts';
import type { SectionView } from './strategy.ts';
import { densityOf } from './tokens.ts';

/** Lines of a section that belong to files or directories. */
export interface NamedLines {
  /** Which file a line belongs to; -1 none, as a separator. */
  readonly of: Int32Array;
  /** None: gaps are not named. */
  readonly names: readonly string[];
  /** Lines that count under their name; all of them, where absent. */
  readonly isCounted?: (line: number) => boolean;
}

/** Tokens that a name adds to a marker. */
const NAME_TOKENS = 6;

/** What an outline says of lines that belong to files: gaps within one file name it. */
export function namedUnits(
  { index, section, frame }: SectionView,
  { of, names, isCounted }: NamedLines,
  severity: Uint8Array,
): Omit<ReturnType<typeof lineUnits>, 'wrapping'> & Pick<Outline, 'costs' | 'measure' | 'wrapping'> {
  const { from, to } = section;
  const units = lineUnits(index, from, to, { facts: { severity }, frame });
  const density = densityOf(index.source, index.starts[from]!, index.starts[to]!);
  const costs = new Float32Array(to - from);
  for (let i = 0; i < to - from; i += 1) costs[i] = density * units.sizeOf(i);
  return {
    ...units,
    costs,
    measure: (unit) => measureLine(index, from + unit),
    wrapping: names.length > 0 ? NAME_TOKENS : 0,
    hole: (run, gaps) => {
      let file = -1;
      let count = 0;
      for (let i = run.first; i <= run.last; i += 1) {
        if (of[i]! < 0) continue;
        if (file >= 0 && of[i] !== file) return units.hole(run, gaps);
        file = of[i]!;
        if (isCounted?.(i) ?? true) count += 1;
      }
      const name = /([A-Za-z0-9_.+-]{1,24})[/\\]?$/.exec((names[file] ?? '').replace(/^.*[/\\](?=.)/, ''));
      const hole = units.hole(run, gaps);
      return name === null || name.index > 0 || count === 0 ? hole : { ...hole, values: [[name[1]!, count]] };
    },
  };
}

/** The outline of lines that belong to files, from what is known of them. */
export type NamedFacts = Pick<Outline, 'kind' | 'flags' | 'severity' | 'odd' | 'parents'> &
  Partial<Pick<Outline, 'coarse' | 'middle' | 'hasContext' | 'failures' | 'failureKeys'>> & {
    readonly lines: NamedLines;
  };

export function namedOutline(view: SectionView, shape: Shape, reason: string, facts: NamedFacts): Outline {
  const { lines, ...rest } = facts;
  let top = 0;
  for (const k of rest.kind) top = Math.max(top, k);
  const plain = Uint32Array.from({ length: top + 1 }, (_, k) => k);
  return {
    shape,
    ...namedUnits(view, lines, rest.severity),
    coarse: plain,
    middle: plain,
    failures: { first: 3, last: 1, allUpTo: 0 },
    hasContext: false,
    isEdgeless: true,
    ...rest,
    reason,
  };
}
