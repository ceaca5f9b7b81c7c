import type { LineIndex } from './line-index.ts';
import { lookalike, type Lookalike } from './lookalike.ts';
import type { Policy, Shape } from './model.ts';
import type { Outline } from './outline.ts';
import type { Section } from './sections.ts';
import { type LineMix, mixOf, shapeLines, type ShapedLines } from './shaped-lines.ts';

/** Knows one shape: tells whether a section has it, and names its units. It writes no text and decides nothing alone. */
export interface Strategy {
  readonly name: Shape;
  /** One line for `docs/strategies.md`. */
  readonly describe: string;
  /** Why a section is of this shape; undefined where it is not. */
  fits(view: SectionView): string | undefined;
  outline(view: SectionView, reason: string, policy: Policy): Outline;
}

/** A section and what several strategies want to know of it, found when it is first asked for. */
export class SectionView {
  readonly index: LineIndex;
  readonly section: Section;
  private shaped: ShapedLines | undefined;
  private counted: LineMix | undefined;
  private seen: { readonly look: Lookalike | 'JSON' | undefined } | undefined;

  constructor(index: LineIndex, section: Section) {
    this.index = index;
    this.section = section;
  }

  get lines(): ShapedLines {
    this.shaped ??= shapeLines(this.index, this.section.from, this.section.to);
    return this.shaped;
  }

  get mix(): LineMix {
    this.counted ??= mixOf(this.lines);
    return this.counted;
  }

  /** A shape that must not be cut by lines. */
  get look(): Lookalike | 'JSON' | undefined {
    const { index, section } = this;
    this.seen ??= {
      look: section.kind === 'json' ? 'JSON' : lookalike(index, section.from, section.to, this.mix),
    };
    return this.seen.look;
  }
}
