import type { Outline } from './outline.ts';
import type { Kept } from './worth.ts';

const NONE: readonly Kept[] = [];

/** The outputs in the strings of units, where a budget may let them go with those. */
export class Nested {
  /** The unit whose string the text is in. */
  protected host: { readonly kept: Kept; readonly unit: number } | undefined;
  private readonly texts = new Map<number, Kept[]>();

  /** Is what it is inside of in the view? Else nothing of it is, not even a marker. */
  get isOpen(): boolean {
    return this.host === undefined || this.host.kept.reasons[this.host.unit] !== 0;
  }

  get isInside(): boolean {
    return this.host !== undefined;
  }

  get hasOutputs(): boolean {
    return this.texts.size > 0;
  }

  /** The texts in the strings of a unit. */
  textsIn(unit: number): readonly Kept[] {
    return this.texts.get(unit) ?? NONE;
  }

  /** Does one of the units `[first, end)` hold an output? */
  hasTexts(first: number, end: number): boolean {
    for (const unit of this.texts.keys()) if (unit >= first && unit < end) return true;
    return false;
  }

  static link(text: Kept, kept: Kept, unit: number): void {
    text.host = { kept, unit };
    kept.texts.set(unit, [...(kept.texts.get(unit) ?? []), text]);
  }
}

/** Lets the texts in strings go with the units that hold them. */
export function linkTexts(all: readonly Kept[]): void {
  const byFrame = new Map<Outline['frame'], Kept[]>();
  for (const kept of all) {
    const { frame } = kept.outline;
    if (frame !== undefined) byFrame.set(frame, [...(byFrame.get(frame) ?? []), kept]);
  }
  for (const kept of all)
    for (const [frame, unit] of kept.outline.outputs ?? [])
      for (const text of byFrame.get(frame) ?? []) Nested.link(text, kept, unit);
}
