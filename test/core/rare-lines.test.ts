/** What a small budget shows of the rare lines of a log. */
import { expect, it } from 'vitest';
import { outlineSection } from '../../src/app/shapes.ts';
import { compress, outlinesOf } from '../../src/core/compress.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { memorySource } from '../../src/core/source.ts';

const stamp = (i: number): string =>
  `2026-05-01T12:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}Z`;

/** A log of these messages, one a second. */
const logOf = (messages: readonly string[]): string => messages.map((m, i) => `${stamp(i)} ${m}\n`).join('');

/** Puts each of `rare` behind 90 more of the common ones. */
function among(common: (i: number) => string, rare: readonly string[]): string[] {
  const messages = Array.from({ length: 90 * (rare.length + 1) }, (_, i) => common(i));
  rare.forEach((message, n) => messages.splice(91 * (n + 1), 0, message));
  return messages;
}

function view(text: string, maxTokens: number): string {
  const policy = { ...DEFAULT_POLICY, maxTokens, budgetAsked: true };
  const made = compress(memorySource(Buffer.from(text)), policy, () => 'abcdefabcdef', outlineSection);
  if (made.kind !== 'view') throw new Error(made.reason);
  return Buffer.concat(made.chunks).toString();
}

/** How many templates the lines of a log that hold `part` have, at the coarse level. */
function templatesOf(text: string, part: string): number {
  const [outline] = outlinesOf(memorySource(Buffer.from(text)), DEFAULT_POLICY, outlineSection);
  expect(outline!.shape).toBe('log');
  const { coarse, kind } = outline!;
  const lines = text.split('\n').flatMap((line, i) => (line.includes(part) ? [coarse[kind[i]!]!] : []));
  return new Set(lines).size;
}

/** So many words, other ones from each start. */
const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => ALPHABET.slice((from + n) % 20, ((from + n) % 20) + 5)).join(' ');
/** Three letters, seldom the same ones. */
const letters = (i: number): string => [i, Math.floor(i / 26), i * 7].map((n) => ALPHABET[n % 26]).join('');

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const PREFIX = 'rack-1 board-7 CORE KERNEL INFO';
const SHORT = ['clock drift corrected', 'watchdog timer armed', 'page table dumped', 'lane width reduced'];

it('short messages behind a long constant prefix are events of their own', () => {
  const others = Array.from({ length: 30 }, (_, i) => `${PREFIX} ${words(i * 3, 4 + i)}`);
  const text = logOf([...others, ...SHORT.map((message) => `${PREFIX} ${message}`), ...others]);
  expect(SHORT.map((message) => templatesOf(text, message))).toEqual([1, 1, 1, 1]);
  expect(templatesOf(text, PREFIX)).toBe(others.length + SHORT.length);
});

it('a message in which one word of many differs is one event, whatever its prefix', () => {
  const users = Array.from({ length: 200 }, (_, i) => `user${String.fromCharCode(97 + (i % 26))}ab`);
  const text = logOf(users.map((user) => `${PREFIX} session of ${user} was opened over the wire by rule`));
  expect(templatesOf(text, 'session of')).toBe(1);
});

it('the words of a parameter do not crowd out rare events', () => {
  const rare = ['cache was rebuilt from the replica', 'leader changed while a vote was open'];
  const logins = among((i) => (i % 2 === 0 ? `auth: no account ${letters(i)}` : 'auth: closed'), rare);
  const made = view(logOf(logins), 220);
  for (const message of rare) expect(made).toContain(message);
});

it('a line that says only what other lines say yields to one with a word of its own', () => {
  const hosts = ['alpha', 'beta', 'gamma', 'delta', 'kappa'];
  const jobs = ['index', 'report', 'backup', 'mirror'];
  const common = (i: number): string =>
    `${hosts[i % 5]} scheduler ran ${jobs[Math.floor(i / 5) % 4]} for ${hosts[Math.floor(i / 20) % 5]}`;
  const rare = ['alpha scheduler ran defragmentation for beta', 'gamma scheduler ran quarantine for delta'];
  const made = view(logOf(among(common, rare)), 110);
  for (const message of rare) expect(made).toContain(message);
});
