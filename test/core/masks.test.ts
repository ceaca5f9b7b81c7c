/** The masked hash of a cell, against regular expressions: two texts have one hash where what is left of them is the same. */
import { expect, it } from 'vitest';
import { hashMasked } from '../../src/core/hash.ts';
import { seeded } from '../support-e2e/inputs.ts';

const GROUPS = /^[0-9a-f]{4,}(?:-[0-9a-f]{4,}){2,}(?![\w\x80-\xff-])/i;
const PARTS = /^[0-9a-f]{1,4}(?::[0-9a-f]{0,4})*(?![\w\x80-\xff:])/i;

/** The id that a text begins with, '' where it begins with none. */
function idOf(text: string): string {
  const groups = GROUPS.exec(text)?.[0] ?? '';
  if (/\d/.test(groups)) return groups;
  const parts = PARTS.exec(text)?.[0] ?? '';
  const left = parts.split(':').filter((part) => part === '').length;
  const count = parts.split(':').length;
  return /\d/.test(parts) && (left === 0 ? count >= 6 : left === 1 && count >= 3) ? parts : '';
}

/** The text with `#` for each id and for each run of letters and digits that has a digit. */
function masked(text: string): string {
  let out = '';
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const run = /^[0-9A-Za-z\x80-\xff]*/.exec(rest)![0];
    const id = run === '' ? '' : idOf(rest);
    if (id.length > run.length || /\d/.test(run)) out += '#';
    else out += run === '' ? rest[0] : run;
    at += Math.max(1, run.length, id.length);
  }
  return out;
}

const ATOMS =
  'abc fa12 dead 12 beef12 - - : : :a1 :bb ~ _ x 0 aaaa 1234 / job~ ffffffffffffffffffffffff 00000000000 \xe9'
    .split(' ')
    .map((atom) => atom.replace('~', ' '));

it('masks digits, and ids with all of their groups', () => {
  const random = seeded(7);
  const pick = (count: number): number => Math.floor(random() * count);
  const hashes = new Map<string, number>();
  const texts = new Map<number, string>();
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: 1 + pick(14) }, () => ATOMS[pick(ATOMS.length)]).join('');
    const bytes = Buffer.from(text, 'latin1');
    const hash = hashMasked(bytes, 0, bytes.length);
    const mask = masked(text);
    expect({ text, hash: hashes.get(mask) ?? hash }).toEqual({ text, hash });
    expect({ text, mask: texts.get(hash) ?? mask }).toEqual({ text, mask });
    hashes.set(mask, hash);
    texts.set(hash, mask);
  }
  expect(hashes.size).toBeGreaterThan(5000);
  expect(hashes.size).toBeLessThan(19_000);
});
