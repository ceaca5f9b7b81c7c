import type { Field } from './fields.ts';

/** Why an odd unit stays: design §5, reason 4. */
export type OddKind = 'rare value' | 'outlier' | 'extreme';

export interface Odd {
  readonly unit: number;
  readonly kind: OddKind;
  /** What showing it is worth, from 0 to about 1: a tenth of the surprise in bits. */
  readonly worth: number;
  /** Units of one rare value stand for each other: a few of them are enough. */
  readonly value?: object;
}

/** The numbers of design §5; found by the selection spike, where their effect was measured. */
export const ODD = {
  /** A rare value has at most this share of the units … */
  rareShare: 0.03,
  /** … and of the commonest value … */
  rareOfTop: 0.25,
  /** … and all rare values of the field together this share. */
  rareTogether: 0.12,
  /** Fields of fewer units than this have no rare values. */
  rareFrom: 6,
  /** From so many units on two of them may share a rare value. */
  rarePairFrom: 12,
  outlierFrom: 8,
  extremeFrom: 3,
  /** Numbers that make a counter. */
  counterFrom: 5,
  /** Times the median absolute deviation. */
  outlierMads: 6,
} as const;

/** The odd units of one field, worst first; each kind has its own cap. */
export function oddOf(field: Field, measureOnly = false): Odd[] {
  field.finish();
  return [...(measureOnly ? [] : rareValues(field)), ...outliers(field), ...extremes(field)];
}

/** Units that hold a rare value of a categorical field, rarest first; of a run of one value only its ends. */
export function rareValues(field: Field): Odd[] {
  field.finish();
  const { distinct, count } = field;
  if (distinct === undefined || count < ODD.rareFrom || !categorical(distinct, count)) return [];
  const rare = field.rare(mostRare(count, field.commonest)).sort((a, b) => a.count - b.count);
  const cap = Math.max(6, Math.min(30, Math.floor(count / 100)));
  return rarest(rare, count)
    .flatMap((c) => c.places.map((unit) => rareValue(unit, c, c.count, count)))
    .slice(0, cap);
}

/** The rarest values, as long as they are at most 12 % of the units together: where most values are rare, none is odd. */
export function rarest<T extends { readonly count: number }>(sorted: readonly T[], count: number): T[] {
  let together = 0;
  return sorted.filter((value) => {
    together += value.count;
    return together <= Math.max(2, ODD.rareTogether * count);
  });
}

/** A unit of a rare value that `units` of `count` have. */
export function rareValue(unit: number, value: object, units: number, count: number): Odd {
  return { unit, kind: 'rare value', worth: surprise(units, count), value };
}

/** What one of `units` among `count` is worth: a tenth of its surprise in bits. */
export function surprise(units: number, count: number): number {
  return Math.min(1.2, Math.log2(count / units) / 10);
}

/** How many units a rare value has at most. */
export function mostRare(count: number, top: number): number {
  return Math.min(count < ODD.rarePairFrom ? 1 : Math.max(2, ODD.rareShare * count), ODD.rareOfTop * top);
}

/** At most max(3, min(40, 20 %)) distinct values make a field categorical. */
export function categorical(distinct: number, count: number): boolean {
  return distinct <= Math.max(3, Math.min(40, Math.floor(count / 5)));
}

/**
 * The three highest and the lowest value, as far as they are over 6 MAD (median absolute deviations) from the median;
 * where more than half of the values are equal, as far as they are outside of the range from 5 % to 95 %.
 */
export function outliers(field: Field): Odd[] {
  if (field.count < ODD.outlierFrom) return [];
  const sample = field.sorted();
  if (sample.length < ODD.outlierFrom) return [];
  const [low5, median, high95] = [quantile(sample, 0.05), quantile(sample, 0.5), quantile(sample, 0.95)];
  const deviations = new Float64Array(sample.length);
  for (let i = 0; i < sample.length; i += 1) deviations[i] = Math.abs(sample[i]! - median);
  const mad = quantile(deviations.sort(), 0.5);
  const far = (value: number): boolean =>
    mad > 0 ? Math.abs(value - median) > ODD.outlierMads * mad : value > high95 || value < low5;
  const high = field.highest(3).filter((h) => h.value > median && far(h.value));
  const low = field.lowest(1).filter((l) => l.value < median && far(l.value));
  const worth = surprise(1, field.count);
  return [
    ...high.map((h, rank) => outlier(h.unit, worth - rank * 0.1)),
    ...low.map((l) => outlier(l.unit, worth - 0.2)),
  ];
}

function outlier(unit: number, worth: number): Odd {
  return { unit, kind: 'outlier', worth };
}

function quantile(sorted: Float64Array, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** The two largest values of a measure: what has a decimal or a unit. */
export function extremes(field: Field): Odd[] {
  if (!field.measure || field.count < ODD.extremeFrom) return [];
  const [first, second] = field.highest(2);
  if (first === undefined || second === undefined || first.value === field.lowest(1)[0]?.value) return [];
  const worth = surprise(1, field.count);
  return [first, second].map(({ unit }, rank) => ({
    unit,
    kind: 'extreme',
    worth: worth * (rank === 0 ? 0.7 : 0.4),
  }));
}

/**
 * How far a counter got: the highest of numbers that begin at 0 or 1, leave none out and hardly come twice (attempts,
 * restarts, parts of a whole). `isWord`: the number stands for itself in the text of the unit, and is no part of a name.
 */
export function counterEnd(field: Field, isWord: (unit: number, value: number) => boolean): Odd[] {
  const { distinct, count } = field;
  const top = field.highest(1)[0];
  const bottom = field.lowest(1)[0];
  if (distinct === undefined || distinct < ODD.counterFrom || count > 2 * distinct) return [];
  if (top === undefined || bottom === undefined || bottom.value < 0 || bottom.value > 1) return [];
  if (top.value - bottom.value + 1 !== distinct || !isWord(top.unit, top.value)) return [];
  return [{ unit: top.unit, kind: 'extreme', worth: surprise(1, count) * 0.7 }];
}
