import { type Around, NUMBERS } from './policy.ts';
import type { FailureGroup } from './floor.ts';
import { costOfShown, type Measured, measuredOf } from './measured.ts';
import { Nested } from './nested.ts';
import { NewWords } from './new-words.ts';
import { type Outline, parentOf, REASON, type Tree } from './outline.ts';

/** How many units each profile of an outline has, at each of the three levels. */
export interface Counts {
  readonly exact: Uint32Array;
  readonly middle: Uint32Array;
  readonly coarse: Uint32Array;
}

function countProfiles(outline: Outline): Counts {
  const exact = new Uint32Array(outline.coarse.length);
  for (let i = 0; i < outline.count; i += 1) exact[outline.kind[i]!]! += 1;
  const middle = new Uint32Array(most(outline.middle) + 1);
  const coarse = new Uint32Array(most(outline.coarse) + 1);
  for (let k = 0; k < exact.length; k += 1) {
    middle[outline.middle[k]!]! += exact[k]!;
    coarse[outline.coarse[k]!]! += exact[k]!;
  }
  return { exact, middle, coarse };
}

function most(ids: Uint32Array): number {
  let top = 0;
  for (let k = 0; k < ids.length; k += 1) if (ids[k]! > top) top = ids[k]!;
  return top;
}

/**
 * The running state of a selection: what is kept, what it costs with its markers, and which profiles are shown.
 * A gap costs a marker; a unit between two gaps makes one more, a unit that closes a gap saves one.
 */
export class Kept extends Nested {
  readonly outline: Outline;
  readonly counts: Counts;
  readonly groups: readonly FailureGroup[];
  readonly around: Around;
  readonly reasons: Uint8Array;
  readonly shown: Counts;
  /** The words of lines that the view may show. */
  readonly words: NewWords | undefined;
  /** Estimated tokens of the units that stay. */
  tokens = 0;
  gaps: number;
  /** In a tree: how many gaps a unit has inside when it is all that stays of it, where that was asked for. */
  private readonly runs = new Map<number, number>();
  private rarity: boolean | undefined;
  private headRarity: boolean | undefined;
  /** What tells how to read the others comes with the first of them. */
  private heads: readonly number[] = [];
  private priceOfHeads = 0;
  /** What was measured; undefined where rough costs will do. */
  private readonly measured: Measured | undefined;

  /** `isExact` counts the tokens of the units that are looked at, for a budget. */
  constructor(outline: Outline, groups: readonly FailureGroup[], around: Around, isExact: boolean) {
    super();
    const counts = countProfiles(outline);
    this.outline = outline;
    this.counts = counts;
    this.groups = groups;
    this.around = around;
    this.reasons = new Uint8Array(outline.count);
    this.measured = isExact ? measuredOf(outline) : undefined;
    this.gaps = outline.count > 0 ? 1 : 0;
    this.words = NewWords.of(outline, counts);
    this.shown = {
      exact: new Uint32Array(counts.exact.length),
      middle: new Uint32Array(counts.middle.length),
      coarse: new Uint32Array(counts.coarse.length),
    };
  }

  /** The units come with the first other one that is kept. */
  keepWithFirst(units: readonly number[]): void {
    this.heads = units;
    this.priceOfHeads = units.reduce((sum, head) => sum + this.cost(head), 0);
  }

  /** Keeps a unit and its parents, and what all of it is inside of; the first reason stands. */
  add(unit: number, reason: number): void {
    this.open();
    const { heads } = this;
    this.heads = [];
    for (const head of heads) this.add(head, REASON.pinned);
    this.addWithParents(unit, reason);
  }

  /** Keeps what this is inside of. */
  open(): void {
    if (!this.isOpen) this.host!.kept.add(this.host!.unit, REASON.parent);
  }

  private addWithParents(unit: number, reason: number): void {
    const { outline, reasons } = this;
    let why = reason;
    for (let u = unit; u >= 0; u = parentOf(outline, u)) {
      if (reasons[u] !== 0) return;
      this.gaps += this.gapChange(u);
      reasons[u] = why;
      this.tokens += this.cost(u);
      const k = outline.kind[u]!;
      if (this.shown.exact[k] === 0) this.words?.show(k);
      this.shown.exact[k]! += 1;
      this.shown.middle[outline.middle[k]!]! += 1;
      this.shown.coarse[outline.coarse[k]!]! += 1;
      why = REASON.parent;
      if (this.hasOutputs) for (const text of this.textsIn(u)) text.keepRoot();
    }
  }

  /** Of a text in a string that stays, the value around all others does. */
  private keepRoot(): void {
    if (this.outline.tree !== undefined) this.addWithParents(0, REASON.pinned);
  }

  /** Tokens that keeping the unit would add: its text, its parents', what comes with it, and the marker it splits off or saves. */
  price(unit: number): number {
    const { outline, reasons, heads } = this;
    let tokens = this.priceToOpen();
    if (heads.length > 0) tokens += this.priceOfHeads;
    for (let u = unit; u >= 0 && reasons[u] === 0; u = parentOf(outline, u)) {
      tokens += this.cost(u) + this.gapChange(u) * this.marker;
      if (this.hasOutputs) for (const text of this.textsIn(u)) tokens += text.priceOfNone();
    }
    return tokens;
  }

  /** Tokens that keeping what this is inside of would add. */
  priceToOpen(): number {
    return this.isOpen ? 0 : this.host!.kept.price(this.host!.unit);
  }

  /** Tokens of a text in a string that stays, when all of it goes that may. */
  private priceOfNone(): number {
    const { tree } = this.outline;
    return tree === undefined ? this.gaps * this.marker : this.cost(0) + this.runsIn(tree, 0) * this.marker;
  }

  /** Tokens of a marker in the text. */
  private get marker(): number {
    return NUMBERS.shortMarker + this.outline.wrapping;
  }

  /** Tokens that a unit costs in the view: long ones are cut inside. */
  cost(unit: number): number {
    const { outline, measured } = this;
    if (measured !== undefined && measured.isExact[unit] === 0) {
      measured.isExact[unit] = 1;
      outline.costs[unit] = outline.measure(unit);
    }
    const cost = outline.costs[unit]!;
    const size = outline.sizeOf(unit);
    if (outline.uncut === true || outline.tree !== undefined || size <= NUMBERS.longLine || cost < 180)
      return cost;
    if (measured !== undefined) return costOfShown(outline, measured, unit);
    const shown = NUMBERS.longHead + NUMBERS.longTail;
    return Math.min(cost, (cost * shown) / size + NUMBERS.shortMarker + 4);
  }

  /** Are the units of rare profiles a minority? Where they are not, rarity says nothing. */
  get isRarityNews(): boolean {
    this.rarity ??= rareShare(this.outline, this.counts) <= 0.5;
    return this.rarity;
  }

  /** Does the unit head a record of a log that has records of several lines, of a profile that is rare where most records are not? */
  isRareHead(unit: number): boolean {
    const { outline, counts } = this;
    const { parents, shape, kind, coarse } = outline;
    if (shape !== 'log' || parents === undefined || parents[unit]! >= 0) return false;
    if (counts.coarse[coarse[kind[unit]!]!]! > NUMBERS.rareUnits) return false;
    this.headRarity ??= rareHeads(outline, parents, counts) <= 0.5;
    return this.headRarity;
  }

  private runsIn({ afterOf, beforeOf }: Tree, unit: number): number {
    const behind = afterOf(unit);
    if (behind === unit + 1) return 0;
    let runs = this.runs.get(unit);
    if (runs !== undefined) return runs;
    runs = 0;
    for (let inner = unit + 1; inner < behind; inner = afterOf(inner)) if (beforeOf(inner) < 0) runs += 1;
    this.runs.set(unit, runs);
    return runs;
  }

  private isHidden(unit: number): boolean {
    return unit >= 0 && unit < this.reasons.length && this.reasons[unit] === 0;
  }

  /** +1 where the unit splits a gap in two, -1 where it fills one; and the gaps inside of it. */
  private gapChange(unit: number): number {
    const { outline } = this;
    if (outline.tree === undefined) {
      return hiddenSides(this.isHidden(unit - 1), this.isHidden(unit + 1));
    }
    const { beforeOf, afterOf } = outline.tree;
    const next = afterOf(unit);
    const goesOn = next < outline.count && beforeOf(next) === unit && this.isHidden(next);
    return this.runsIn(outline.tree, unit) + hiddenSides(this.isHidden(beforeOf(unit)), goesOn);
  }
}

/** Share of the units whose coarse profile is rare. */
function rareShare(outline: Outline, counts: Counts): number {
  let rare = 0;
  for (let k = 0; k < counts.exact.length; k += 1) {
    if (counts.coarse[outline.coarse[k]!]! <= NUMBERS.rareUnits) rare += counts.exact[k]!;
  }
  return rare / Math.max(1, outline.count);
}

/** The same of the heads of records alone: what stands under them may be prose, in which everything is rare. */
function rareHeads({ kind, coarse, count }: Outline, parents: Int32Array, counts: Counts): number {
  let heads = 0;
  let rare = 0;
  for (let unit = 0; unit < count; unit += 1) {
    if (parents[unit]! >= 0) continue;
    heads += 1;
    if (counts.coarse[coarse[kind[unit]!]!]! <= NUMBERS.rareUnits) rare += 1;
  }
  return rare / Math.max(1, heads);
}

/** What a kept unit changes of the number of gaps, by what lies beside it. */
function hiddenSides(before: boolean, after: boolean): number {
  return (before ? 1 : 0) + (after ? 1 : 0) - 1;
}
