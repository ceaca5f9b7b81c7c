// Writes src/app/vocabulary.bin: which runs of letters are one o200k token, as an xor filter of 8 bits a key
// (Graf and Lemire, "Xor Filters", 2020; about 0.4 % of other words pass, too). From gpt-tokenizer's rank table.
//
//   node scripts/vocabulary.mjs           writes the file
//   node scripts/vocabulary.mjs --check   fails where the file is not what it would write
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'src/app/vocabulary.bin');
const ranks = createRequire(import.meta.url)(
  join(root, 'node_modules/gpt-tokenizer/cjs/bpeRanks/o200k_base.js'),
).default;

/** Runs of 2 to 16 letters, alone, behind a blank, a tab or one mark; runs of marks, alone or behind a blank. */
const words = ranks.filter(
  (token) =>
    typeof token === 'string' &&
    (/^[\t -/:-@[-`{-~]?[A-Za-z]{2,16}$/.test(token) || /^ ?[!-/:-@[-`{-~]{2,16}$/.test(token)),
);

/** The two hashes of src/core/word-filter.ts. */
function hashes(word) {
  let h1 = 0x811c9dc5 | 0;
  let h2 = 0x1234567;
  for (let i = 0; i < word.length; i += 1) {
    h1 = Math.imul(h1 ^ word.charCodeAt(i), 0x01000193);
    h2 = (Math.imul(h2, 31) + word.charCodeAt(i)) | 0;
  }
  return [h1, h2];
}

function places(h1, h2, seed, segment) {
  const a = mixed(h1 ^ seed);
  const b = mixed(h2 + seed);
  return [
    (a >>> 0) % segment,
    segment + ((b >>> 0) % segment),
    2 * segment + ((mixed(a ^ b) >>> 0) % segment),
  ];
}

function fingerprint(h1, h2) {
  return mixed(h1 + Math.imul(h2, 7)) & 255;
}

function mixed(h) {
  let x = h | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

function filter(keys) {
  const segment = Math.ceil((keys.length * 1.23 + 32) / 3);
  for (let seed = 1; ; seed += 1) {
    const order = peel(keys, seed, segment);
    if (order === undefined) continue;
    const bytes = new Uint8Array(3 * segment);
    for (const { key, at } of order.toReversed()) {
      const [p, q, r] = places(...key, seed, segment);
      bytes[at] =
        fingerprint(...key) ^
        (at === p ? 0 : bytes[p]) ^
        (at === q ? 0 : bytes[q]) ^
        (at === r ? 0 : bytes[r]);
    }
    return { seed, segment, bytes };
  }
}

/** Takes keys out one after the other, each at a place that no other key has. */
function peel(keys, seed, segment) {
  const counts = new Int32Array(3 * segment);
  const xors = new Int32Array(3 * segment);
  keys.forEach((key, i) => {
    for (const p of places(...key, seed, segment)) {
      counts[p] += 1;
      xors[p] ^= i;
    }
  });
  const queue = [];
  counts.forEach((count, p) => count === 1 && queue.push(p));
  const order = [];
  while (queue.length > 0) {
    const at = queue.pop();
    if (counts[at] !== 1) continue;
    const i = xors[at];
    order.push({ key: keys[i], at });
    for (const p of places(...keys[i], seed, segment)) {
      counts[p] -= 1;
      xors[p] ^= i;
      if (counts[p] === 1) queue.push(p);
    }
  }
  return order.length === keys.length ? order : undefined;
}

const { seed, segment, bytes } = filter([
  ...new Map(words.map((word) => [hashes(word).join(), hashes(word)])).values(),
]);
const head = Buffer.alloc(8);
head.writeUInt32LE(seed, 0);
head.writeUInt32LE(segment, 4);
const file = Buffer.concat([head, bytes]);
if (process.argv.includes('--check')) {
  if (!readFileSync(target).equals(file)) {
    console.error('src/app/vocabulary.bin is stale: node scripts/vocabulary.mjs');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, file);
  console.log(`${words.length} words, ${file.length} bytes`);
}
