/** Ids, addresses and generated names are no words and no numbers: lines that differ in nothing else are of one kind. */
import { describe, expect, it } from 'vitest';
import { outlineSection } from '../../src/app/shapes.ts';
import { outlinesOf } from '../../src/core/compress.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { memorySource } from '../../src/core/source.ts';
import { sha, viewOf } from '../support-e2e/law-kit.ts';

/** Hex digits that follow from a number; some groups of them have no digit, some no letter. */
const hex = (i: number, size: number): string => sha(Buffer.from(`id ${i}`)).slice(0, size);
const groups = (i: number, sizes: readonly number[], joint: string): string => {
  let at = 0;
  return sizes.map((size) => hex(i, 64).slice(at, (at += size))).join(joint);
};
const uuid = (i: number): string => groups(i, [8, 4, 4, 4, 12], '-');
const mac = (i: number): string => groups(i, [2, 2, 2, 2, 2, 2], ':');
const ip = (i: number): string =>
  [0, 2, 4, 6].map((at) => parseInt(hex(i, 8).slice(at, at + 2), 16)).join('.');
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const safe = (i: number, size: number): string =>
  [...Buffer.from(hex(i, 2 * size), 'hex')].map((byte) => LETTERS[byte % LETTERS.length]).join('');

const stamp = (i: number): string => new Date(Date.UTC(2026, 4, 1) + 1000 * i).toISOString();
const logOf = (id: (i: number) => string, count = 1200): string =>
  Array.from({ length: count }, (_, i) => `${stamp(i)} INFO job ${id(i)} done in pool main\n`).join('');

function shownLines(text: string): string[] {
  const view = viewOf(Buffer.from(text));
  expect(view).toBeDefined();
  return view!.bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('<<ctxzip'));
}

describe('a log whose lines differ in an id', () => {
  it.each<[string, (i: number) => string]>([
    ['UUID', uuid],
    ['UUID in capitals', (i) => `{${uuid(i).toUpperCase()}}`],
    ['three groups', (i) => groups(i, [8, 4, 8], '-')],
    ['address of hardware', mac],
    ['IPv6', (i) => `2001:db8::${groups(i, [4, 4, 4], ':')}`],
    ['IPv6 in full', (i) => groups(i, [4, 4, 4, 4, 4, 4, 4, 4], ':')],
    ['pointer', (i) => `0x${hex(i, 8)}`],
    ['pod', (i) => `api-${safe(i, 10)}-${safe(i + 9999, 5)}`],
    ['letters that mean nothing', (i) => safe(i, 9)],
  ])('shows its ends: %s', (_, id) => {
    const text = logOf(id);
    expect(shownLines(text).length).toBeLessThan(22);
    const odd = text.replace(
      /^(.*\n){700}/,
      (head) => `${head}${stamp(700)} INFO job ${id(5000)} given up in pool main\n`,
    );
    expect(shownLines(odd).join('\n')).toContain('given up');
  });

  it.each([
    ['names of hex letters', (i: number) => `cafe-${i % 9}`, 'feed-3'],
    ['two groups', (i: number) => `dead-${1000 + (i % 50)}`, 'face-1007'],
    ['words of four letters', () => 'fade-deed-cafe', 'deed-fade-cafe'],
    ['keys and a time', () => 'bad:12:30:45', 'fed:12:30:45'],
    ['programs without vowels', (i: number) => `db-${i % 5}-mysql`, 'db-3-pgsql'],
  ])('has words all the same: %s', (_, common, rare) => {
    const text = logOf((i) => (i === 800 ? rare : common(i)));
    expect(shownLines(text).join('\n')).toContain(rare);
  });
});

/** What the sections of a text are. */
const shapes = (text: string): string[] =>
  outlinesOf(memorySource(Buffer.from(text)), DEFAULT_POLICY, outlineSection).map(
    ({ shape, reason }) => `${shape}: ${reason}`,
  );
const table = (id: (i: number) => string): string =>
  `${'ADDRESS'.padEnd(40)}STATE    ZONE\n${Array.from({ length: 600 }, (_, i) => `${id(i).padEnd(40)}active   eu-1\n`).join('')}`;

describe('what begins like a stamp', () => {
  it.each([
    ['IPv4', ip],
    ['IPv4 of small numbers', (i: number) => `10.${i % 60}.${i % 50}.${i % 40}`],
    ['addresses of hardware', mac],
    ['addresses of hardware without letters', (i: number) => mac(i).replaceAll(/[a-f]/g, '1')],
    ['versions', (i: number) => `1.${10 + (i % 40)}.${10 + (i % 30)}`],
  ])('and is none leaves a table in one piece: %s', (_, id) => {
    expect(shapes(table(id))).toEqual(['table: columns line up']);
  });

  it.each([
    '2026-05-01 12:30:45.123 ',
    '01.05.2026 12:30:45 ',
    '26/05/01 12:30:45 ',
    '05/31/2026 12:30:45 ',
    '[12:30:45] ',
    '12:30:45:123 ',
    '12:30:45:07 ',
    '12.30.45 ',
    '12:30:45.678:INFO:',
    '2026-05-01 12:30:45.678:INFO:',
  ])('and is one stays one: %s', (form) => {
    const text = Array.from(
      { length: 60 },
      (_, i) =>
        `${form.replace('45', String(10 + (i % 50)))}the ${['door', 'gate', 'lock'][i % 3]} of ${['hall', 'yard'][i % 2]} moves\n`,
    ).join('');
    expect(shapes(text)).toEqual(['log: time stamps or levels']);
  });
});
