import type { Frame } from './frame.ts';
import type { LineIndex } from './line-index.ts';
import { lookalike, type Lookalike } from './lookalike.ts';
import type { Policy, Shape, Source } from './model.ts';
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
  /** The outline of the section, first; then those of texts inside of it. */
  outline(view: SectionView, reason: string, policy: Policy): Outline | readonly Outline[];
}

/** Outlines the decoded text of a string as an output of its own. */
export type InnerOutliner = (source: Source, frame: Frame) => readonly Outline[];

/** A section and what several strategies want to know of it, found when it is first asked for. */
export class SectionView {
  readonly index: LineIndex;
  readonly section: Section;
  /** The string that the text is in. */
  readonly frame: Frame | undefined;
  private shaped: ShapedLines | undefined;
  private counted: LineMix | undefined;
  private seen: { readonly look: Lookalike | 'JSON' | undefined } | undefined;

  readonly outlineInner: InnerOutliner;

  constructor(
    index: LineIndex,
    section: Section,
    around: { readonly frame: Frame | undefined; readonly outlineInner: InnerOutliner },
  ) {
    this.index = index;
    this.section = section;
    this.frame = around.frame;
    this.outlineInner = around.outlineInner;
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
