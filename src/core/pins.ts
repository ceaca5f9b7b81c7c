import { keepFlagged } from './floor.ts';
import { totalTokens } from './gaps.ts';
import { lineText } from './line-index.ts';
import { isForeignMarker } from './marker.ts';
import { linkTexts } from './nested.ts';
import { HEAD, type Outline, PINNED, REASON } from './outline.ts';
import type { Kept } from './worth.ts';

/** Share of a budget that all that is pinned may take, and the last output alone. */
const MOST_PINNED = 0.8;
const LAST_OPENED = 0.25;
/** Tokens of a line that names what is described. */
const MOST_NAME = 30;

/**
 * Keeps what is pinned. Where that would leave too little of `room`, only what nothing can be read without: outputs in strings
 * may then go with the units that they are in, the last one not. Under a budget that nobody asked for (not `isAsked`) nothing
 * but outputs gives way: the lines of a patch are pinned, as nothing tells which of them matter.
 */
export function pinned(make: () => readonly Kept[], room: number, isAsked: boolean): readonly Kept[] {
  const all = make();
  for (const kept of all) keepFlagged(kept, PINNED, REASON.pinned);
  if (totalTokens(all) <= room * MOST_PINNED) return all;
  const least = make();
  linkTexts(least);
  if (!isAsked && !least.some(({ isInside }) => isInside)) return all;
  for (const kept of least) pinLeast(kept);
  const last = least.findLast(({ isInside }) => isInside);
  if (last !== undefined && last.priceToOpen() <= room * LAST_OPENED) last.open();
  return least;
}

/** The heads of tables come with the first row that stays, and all that a text in a string can't be read without with its first unit. */
function pinLeast(kept: Kept): void {
  const { flags, shape, tree } = kept.outline;
  const late: number[] = [];
  if (tree !== undefined && !kept.isInside) kept.add(0, REASON.pinned);
  // What is described says so first.
  if (shape === 'describe' && !kept.isInside && kept.outline.count > 1 && kept.cost(1) <= MOST_NAME)
    kept.add(1, REASON.pinned);
  for (const unit of vital(kept.outline)) {
    if (kept.isInside || (shape !== 'csv' && (flags[unit]! & HEAD) !== 0)) late.push(unit);
    else kept.add(unit, REASON.pinned);
  }
  kept.keepWithFirst(late);
}

/** Of the pinned units those that hold a shape together, and markers of other tools. */
function vital(outline: Outline): number[] {
  const { flags, shape, outputs, uncut } = outline;
  const texts = new Set(outputs?.values());
  const isWhole = uncut === true || shape === 'csv' || (outline.tree !== undefined && shape !== 'describe');
  const units: number[] = [];
  for (const [unit, own] of flags.entries()) {
    if ((own & PINNED) === 0 || texts.has(unit)) continue;
    if (isWhole || (own & HEAD) !== 0 || isMarker(outline, unit)) units.push(unit);
  }
  return units;
}

function isMarker({ index, lines, text }: Outline, unit: number): boolean {
  if (text !== undefined) return isForeignMarker(text(unit));
  return index !== undefined && isForeignMarker(lineText(index, lines[0] - 1 + unit));
}
