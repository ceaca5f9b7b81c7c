import { branchHeads } from '../core/branches.ts';
import { BLANK_LINE } from '../core/line-class.ts';
import type { Policy } from '../core/model.ts';
import { EMPTY, type Outline, PINNED, WHOLE } from '../core/outline.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { logOutline } from './log.ts';

/** From so many lines of one template on they are near-duplicates. */
const LEAST_ALIKE = 8;

export const text: Strategy = {
  name: 'text',
  describe: 'Everything else: stays whole, but for near-duplicate lines',
  fits: ({ look }) => look ?? 'no other shape',
  outline: textOutline,
};

/**
 * Text stays whole, but for near-duplicate lines where it is no other shape, and for what a budget takes.
 * Of other shapes only what can hold a marker is touched, and only for a budget that was asked for; keys and values may be YAML.
 */
function textOutline(view: SectionView, reason: string, policy: Policy): Outline {
  const { look, lines } = view;
  const { kind, shapes } = lines;
  const isFast = look !== undefined && !(policy.budgetAsked && MAY_BE_CUT.has(look));
  const flags = new Uint8Array(kind.length).fill(isFast ? PINNED : WHOLE);
  if (look === undefined) freeAlike(view, flags);
  for (let i = 0; i < kind.length; i += 1) {
    if (shapes.infos[kind[i]!]!.bits & BLANK_LINE) flags[i]! |= EMPTY;
  }
  for (const line of lines.markers) flags[line]! |= PINNED;
  const { parents: _, ...outline } = logOutline(view, reason);
  const made: Outline = {
    ...outline,
    shape: 'text',
    flags,
    ...(isFast && { uncut: true }),
    ...readingOf(view),
  };
  return look === 'settings' ? inComments(made) : made;
}

/** Markers in comments, as all that reads settings knows them. */
function inComments(outline: Outline): Outline {
  return {
    ...outline,
    wrapping: COMMENT.length,
    hole: (run, gaps) => {
      const hole = outline.hole(run, gaps);
      return { ...hole, before: `${hole.before}${COMMENT}` };
    },
  };
}

const COMMENT = '# ';

/** What is true of a text that people read. */
function readingOf({ look, lines, index, section }: SectionView): Partial<Outline> {
  if (look === 'Markdown') return { reading: { markers: lines.markers } };
  if (look !== undefined) return {};
  const parents = branchHeads(index, section.from, section.to);
  return { reading: { markers: lines.markers }, ...(parents !== undefined && { parents }) };
}

const MAY_BE_CUT: ReadonlySet<string> = new Set(['diff', 'search results', 'Markdown', 'settings']);

/** Of many lines of one template all but the first may go. */
function freeAlike({ lines: { kind, shapes } }: SectionView, flags: Uint8Array): void {
  const counts = new Uint32Array(shapes.coarse.count);
  shapes.infos.forEach(({ coarse, bits }, s) => {
    if ((bits & BLANK_LINE) === 0) counts[coarse]! += shapes.counts[s]!;
  });
  const shown = new Uint8Array(counts.length);
  for (let i = 0; i < kind.length; i += 1) {
    const { coarse } = shapes.infos[kind[i]!]!;
    if (counts[coarse]! < LEAST_ALIKE) continue;
    if (shown[coarse] === 1) flags[i] = 0;
    shown[coarse] = 1;
  }
}
