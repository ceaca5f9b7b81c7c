// Inputs that are made again from a shape and a number, so that nothing of them has to be remembered.
import { createHash } from 'node:crypto';
import { logLines, podTable } from '../inputs.mjs';

/** A generator of whole numbers under `n`; the same for a seed. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

function records(bytes, seed) {
  const next = numbers(seed);
  const list = [];
  for (let size = 0; size < bytes; size += 110)
    list.push({
      id: `item-${next(100_000)}`,
      state: next(60) === 0 ? 'failed' : 'ready',
      zone: `eu-${next(3)}`,
      ms: next(9000),
    });
  return list;
}

const SHAPES = {
  log: { head: (n) => `2026-01-01T00:00:00.000Z INFO soak input number=${n}\n`, make: logLines },
  coloured: {
    head: (n) => `2026-01-01T00:00:00.000Z \x1b[32mINFO\x1b[0m soak input number=${n}\n`,
    make: (bytes, seed) => logLines(bytes, seed).replaceAll(' INFO ', ' \x1b[32mINFO\x1b[0m '),
  },
  table: { head: (n) => `context soak-${n}\n\n`, make: podTable },
  json: {
    head: (n) => `{"number":${n},`,
    make: (bytes, seed) => `"items":${JSON.stringify(records(bytes, seed), undefined, 1)}}\n`,
  },
  ndjson: {
    head: (n) => `{"number":${n},"id":"item-0","state":"ready","zone":"eu-0","ms":1}\n`,
    make: (bytes, seed) =>
      `${records(bytes, seed)
        .map((each) => JSON.stringify(each))
        .join('\n')}\n`,
  },
};

/** Kinds of inputs: `few` texts of a shape and size, each with a number of its own. */
export const CLASSES = [
  ...[200, 700, 1900].map((bytes) => ({ size: 'tiny', shape: 'log', bytes: bytes - 60 })),
  ...['log', 'table', 'json', 'coloured'].map((shape) => ({ size: 'small', shape, bytes: 4000 })),
  ...['log', 'table', 'json', 'ndjson'].map((shape) => ({ size: '10 KB', shape, bytes: 10_000 })),
  ...['log', 'json', 'coloured'].map((shape) => ({ size: 'medium', shape, bytes: 60_000 })),
  ...['log', 'ndjson'].map((shape) => ({ size: '1 MB', shape, bytes: 1_000_000 })),
];

const TEXTS = 6;
const made = new Map();

/** The input of a kind (its index in CLASSES) with a number. */
export function bodyOf(kind, number) {
  const { shape, bytes } = CLASSES[kind];
  const seed = 1 + (number % TEXTS);
  const key = `${kind}:${seed}`;
  if (!made.has(key)) made.set(key, SHAPES[shape].make(bytes, seed));
  return Buffer.from(SHAPES[shape].head(number) + made.get(key));
}

export function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
