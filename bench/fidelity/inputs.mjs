// Inputs with planted needles: units of one shape, one of each kind of needle among them.
import { generator } from '../random.mjs';
import { describe, diff, log, search, tests } from './lines.mjs';
import { jsonArray, jsonList, ndjson, yamlList } from './records.mjs';
import { df, docker, kubectl, ps } from './tables.mjs';

export const SHAPES = [
  kubectl,
  docker,
  df,
  ps,
  jsonArray,
  jsonList,
  ndjson,
  log,
  yamlList,
  describe,
  tests,
  diff,
  search,
];

/** What a needle is, by the name that the shapes' `plants` give it. */
export const KINDS = {
  failure: 'failure word',
  state: 'state word',
  outlier: 'numeric outlier',
  missing: 'missing field',
  extra: 'extra field',
  type: 'type change',
  duplicate: 'duplicate id',
  unicode: 'unicode',
  long: 'long line',
  ratio: '`n/m` mismatch',
};

/**
 * An input of `n` units: `{ text, keys, shown, needles: [{ kind, place, parts, units }] }`. A needle is found where all of its parts are
 * in view; each part is in the text once. Seeds move the kinds around over the first, middle, last and random places.
 */
export function plantedInput(shape, n, seed) {
  const random = generator(7919 * seed + n);
  const units = Array.from({ length: n }, (_, i) => shape.unit(random, i));
  const taken = new Set();
  const needles = [];
  Object.keys(KINDS).forEach((kind, k) => {
    const plant = shape.plants[kind];
    if (plant === undefined) return;
    const place = PLACES[(k + seed) % PLACES.length];
    const unit = free(taken, n, () => at(place, n, random));
    const other = free(taken, n, () => random.next(n));
    const parts = plant(units[unit], random, units[other]);
    needles.push({ kind, place, parts, units: kind === 'duplicate' ? 2 : 1 });
  });
  const text = shape.render(units);
  for (const { kind, parts } of needles)
    for (const part of parts) assertOnce(text, part, `${shape.name}: ${kind}`);
  return { shape, n, seed, text, shown: shape.shown?.(n) ?? 0, keys: units.map(({ key }) => key), needles };
}

const PLACES = ['first', 'middle', 'last', 'random'];

function at(place, n, { next }) {
  if (place === 'first') return 0;
  if (place === 'middle') return n >> 1;
  return place === 'last' ? n - 1 : next(n);
}

/** The place, or the nearest behind or before it that no needle has. */
function free(taken, n, place) {
  const wanted = place();
  for (let d = 0; d < n; d += 1) {
    for (const unit of [wanted + 2 * d, wanted - 2 * d]) {
      if (unit < 0 || unit >= n || taken.has(unit)) continue;
      taken.add(unit);
      return unit;
    }
  }
  throw new Error('more needles than units');
}

function assertOnce(text, part, what) {
  const first = text.indexOf(part);
  if (first < 0 || text.includes(part, first + 1)) throw new Error(`${what} is not there once: ${part}`);
}
