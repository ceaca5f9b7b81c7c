import type { Outliner } from '../core/compress.ts';
import type { Frame } from '../core/frame.ts';
import { indexLines, type LineIndex } from '../core/line-index.ts';
import type { Policy, Shape, Source } from '../core/model.ts';
import type { Outline } from '../core/outline.ts';
import { type Section, sectionsOf } from '../core/sections.ts';
import { type InnerOutliner, type Strategy, SectionView } from '../core/strategy.ts';
import { code } from './code.ts';
import { csv } from './csv.ts';
import { describe } from './describe.ts';
import { diff } from './diff.ts';
import { envelope } from './envelope.ts';
import { json } from './json.ts';
import { log } from './log.ts';
import { ndjson } from './ndjson.ts';
import { search } from './search.ts';
import { table } from './table.ts';
import { test } from './test.ts';
import { text } from './text.ts';
import { trace } from './trace.ts';
import { yaml } from './yaml.ts';

/** All strategies; order is precedence. */
export const STRATEGIES: readonly Strategy[] = [
  envelope,
  json,
  ndjson,
  diff,
  search,
  test,
  trace,
  yaml,
  describe,
  table,
  csv,
  log,
  code,
  text,
];

/** Has a strategy outline, or refuses by throwing. */
export type Guard = (name: Shape, outline: () => readonly Outline[]) => readonly Outline[];

/** Gives a section to the first strategy that it fits, or to the one that was asked for. */
export const outlineSection: Outliner = guardedOutliner((_, outline) => outline());

/** The same, where each strategy is called through a guard. */
export function guardedOutliner(guard: Guard): Outliner {
  return (index, section, policy) => outlineIn({ index, section }, policy, undefined, guard);
}

function outlineIn(
  { index, section }: { readonly index: LineIndex; readonly section: Section },
  policy: Policy,
  frame: Frame | undefined,
  guard: Guard,
): readonly Outline[] {
  const view = new SectionView(index, section, { frame, outlineInner: innerOutliner(policy, guard) });
  for (const strategy of STRATEGIES) {
    const reason = policy.as === strategy.name ? 'asked for' : strategy.fits(view);
    const isWanted = policy.as === undefined || policy.as === strategy.name;
    if (reason !== undefined && isWanted)
      return guard(strategy.name, () => [strategy.outline(view, reason, policy)].flat());
  }
  return guard('text', () => [text.outline(view, 'no other shape', policy)].flat());
}

function innerOutliner(policy: Policy, guard: Guard): InnerOutliner {
  const { as: _, ...inner } = policy;
  return (source: Source, frame: Frame) => {
    const index = indexLines(source);
    return sectionsOf(index).flatMap((section) => outlineIn({ index, section }, inner, frame, guard));
  };
}
