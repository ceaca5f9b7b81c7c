import { BLANK_LINE } from '../core/line-class.ts';
import type { Policy } from '../core/model.ts';
import { EMPTY, type Outline, PINNED, WHOLE } from '../core/outline.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { logOutline } from './log.ts';

/** Lines of one template in a row from which on they are near-duplicates. */
const LEAST_RUN = 8;

export const text: Strategy = {
  name: 'text',
  describe: 'Everything else: stays whole, but for long runs of near-duplicate lines',
  fits: ({ look }) => look ?? 'no other shape',
  outline: textOutline,
};

/**
 * Text stays whole, but for long runs of near-duplicate lines where it is no other shape, and for what a budget takes.
 * What a parser reads is not touched at all; other shapes only for a budget that was asked for.
 */
function textOutline(view: SectionView, reason: string, policy: Policy): Outline {
  const { look, lines } = view;
  const { kind, shapes } = lines;
  const isFast = look !== undefined && !(policy.budgetAsked && MAY_BE_CUT.has(look));
  const flags = new Uint8Array(kind.length).fill(isFast ? PINNED : WHOLE);
  if (look === undefined) freeRuns(view, flags);
  for (let i = 0; i < kind.length; i += 1) {
    if (shapes.infos[kind[i]!]!.bits & BLANK_LINE) flags[i]! |= EMPTY;
  }
  for (const line of lines.markers) flags[line]! |= PINNED;
  const { parents: _, ...outline } = logOutline(view, reason);
  return { ...outline, shape: 'text', flags, ...(isFast && { uncut: true }) };
}

const MAY_BE_CUT: ReadonlySet<string> = new Set(['diff', 'search results', 'Markdown', 'code']);

/** Lines in a long run of one template may go. */
function freeRuns({ lines: { kind, shapes } }: SectionView, flags: Uint8Array): void {
  const template = (i: number): number => shapes.infos[kind[i]!]!.coarse;
  for (let i = 0; i < kind.length;) {
    let end = i + 1;
    while (end < kind.length && template(end) === template(i)) end += 1;
    if (end - i >= LEAST_RUN) flags.fill(0, i, end);
    i = end;
  }
}
