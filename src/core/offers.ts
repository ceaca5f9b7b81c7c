import { Heap } from './heap.ts';
import type { Odd } from './odd.ts';
import { DULL, EMPTY, REASON, SEEN } from './outline.ts';
import { NUMBERS } from './policy.ts';
import { novelty } from './novelty.ts';
import type { Kept } from './worth.ts';

/** A unit that may stay, and what that is worth beside what it shows of its profiles. */
export interface Offer {
  readonly kept: Kept;
  readonly unit: number;
  readonly base: number;
  readonly reason: number;
  /** The rare value that the unit stands for. */
  readonly value?: object | undefined;
}

/** What the rare head of a record is worth beside its profile: it says what all that is under it is about. */
const HEAD = 0.5;
/** The same of units of a rare profile: a record of it has a shape of its own, a line of one that is known often other words only. */
const RARE = { first: 0.3, other: 0.3 } as const;
const RARE_LINE = { first: 0, other: 0.1 } as const;

/** One unit of each profile, all of the rare ones, the edges. */
export function* profileOffers(kept: Kept): Generator<Offer> {
  const { outline, counts } = kept;
  if (outline.purse === 0) return;
  const seen = new Uint8Array(counts.exact.length);
  const bases = kept.words === undefined ? RARE : RARE_LINE;
  for (let unit = 0; unit < outline.count; unit += 1) {
    const k = outline.kind[unit]!;
    if (outline.flags[unit]! & (EMPTY | SEEN)) continue;
    const isHead = kept.isRareHead(unit);
    const isFirst = seen[k] === 0;
    seen[k] = 1;
    if (isHead && isFirst) yield { kept, unit, base: HEAD, reason: REASON['rare profile'] };
    else if (isHead || isRare(kept, k))
      yield { kept, unit, base: isFirst ? bases.first : bases.other, reason: REASON['rare profile'] };
    else if (isFirst) yield { kept, unit, base: 0, reason: REASON.exemplar };
  }
  if (outline.isEdgeless !== true) yield* edgeOffers(kept);
}

function isRare({ outline, counts, isRarityNews }: Kept, kind: number): boolean {
  return isRarityNews && counts.coarse[outline.coarse[kind]!]! <= NUMBERS.rareUnits;
}

/** The first units and the last. */
function* edgeOffers(kept: Kept): Generator<Offer> {
  const { flags, count: units } = kept.outline;
  for (let i = 0; i < Math.min(NUMBERS.edgeFirst, units); i += 1) {
    if ((flags[i]! & DULL) === 0) yield { kept, unit: i, base: 0.3 / (i + 1), reason: REASON.edge };
  }
  for (let i = 0; i < Math.min(NUMBERS.edgeLast, units); i += 1) {
    const unit = units - 1 - i;
    if ((flags[unit]! & DULL) === 0) yield { kept, unit, base: 0.4 / (i + 1), reason: REASON.edge };
  }
}

/** The odd units, of each rare value a few: what is kept already counts. */
export function* fewOfEach(kept: Kept): Generator<Odd> {
  const shown = new Map<object, number>();
  for (const odd of kept.outline.odd) {
    if (odd.value !== undefined && kept.reasons[odd.unit] !== 0) count(shown, odd.value);
  }
  for (const odd of kept.outline.odd) {
    if (odd.value !== undefined) {
      if ((shown.get(odd.value) ?? 0) >= NUMBERS.rareValueUnits || kept.reasons[odd.unit] !== 0) continue;
      count(shown, odd.value);
    }
    yield odd;
  }
}

function count(shown: Map<object, number>, value: object): void {
  shown.set(value, (shown.get(value) ?? 0) + 1);
}

/**
 * Takes offers by worth per token, the marker included, as long as `fits` allows their price. What is taken changes the
 * worth of the rest, so each is weighed again when its turn comes. What is worth less than `least` stays out.
 */
export function takeBest(offers: readonly Offer[], fits: (price: number) => boolean, least = 0): void {
  const heap = new Heap();
  const shown = new Map<object, number>();
  const score = ({ kept, unit, base, value }: Offer): number => {
    const own = value === undefined ? base : base / (1 + 3 * (shown.get(value) ?? 0));
    const worth = own + novelty(kept, unit);
    return worth < least ? 0 : worth / Math.max(1, kept.price(unit));
  };
  offers.forEach((offer, i) => heap.push(i, score(offer)));
  for (let at = heap.pop(); at !== undefined; at = heap.pop()) {
    const offer = offers[at]!;
    const { kept, unit, value } = offer;
    if (kept.reasons[unit] === 0) {
      const now = score(offer);
      if (now <= 0) continue;
      if (now < heap.topScore() * 0.999) {
        heap.push(at, now);
        continue;
      }
      if (!fits(kept.price(unit))) continue;
      kept.add(unit, offer.reason);
    }
    if (value !== undefined) count(shown, value);
  }
}
