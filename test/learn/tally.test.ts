import { describe, expect, it } from 'vitest';
import { type Decision, type Expansion, firstSaid, tally } from '../../src/learn/tally.ts';

const DAY = 86_400_000;
const NOW = 400 * DAY;

function expansion(hash: string, words: string[], more: Partial<Expansion> = {}): Expansion {
  return { at: NOW, hash, hit: true, bytes: 10, tokens: 3, words, ...more };
}

function decision(word: string, what: Decision['what'], by = 'a'): Decision {
  return { at: NOW, word, what, by };
}

describe('a word is suggested', () => {
  it('when three originals wanted it, not when one did three times', () => {
    const thrice = [1, 2, 3].map(() => expansion('a', ['Pending']));
    expect(tally(thrice, [], NOW)).toMatchObject([
      { word: 'Pending', expansions: 3, originals: 1, isSuggested: false },
    ]);
    const three = ['a', 'b', 'c'].map((hash) => expansion(hash, ['Pending']));
    expect(tally(three, [], NOW)).toMatchObject([{ originals: 3, count: 3, isSuggested: true }]);
  });

  it('in any case, with the writing that came first, and the tools', () => {
    const all = [
      expansion('a', ['Pending'], { tool: 'kubectl' }),
      expansion('b', ['PENDING'], { tool: 'docker' }),
      expansion('c', ['pending'], { tool: 'kubectl' }),
    ];
    expect(tally(all, [], NOW)).toMatchObject([
      { word: 'Pending', originals: 3, tools: ['docker', 'kubectl'] },
    ]);
  });
});

describe('counts', () => {
  it('halve for every 30 days since an original was last expanded', () => {
    const at = (days: number): Expansion => expansion(`h${days}`, ['Pending'], { at: NOW - days * DAY });
    expect(tally([at(0), at(29), at(30), at(60), at(90)], [], NOW)[0]!.count).toBe(
      1 + 1 + 0.5 + 0.25 + 0.125,
    );
    const [both] = tally([at(60), { ...at(0), hash: 'h60' }], [], NOW);
    expect(both!.count).toBe(1);
  });

  it('do not suffer from a clock that was set back', () => {
    const later = ['a', 'b', 'c'].map((hash) => expansion(hash, ['Pending'], { at: NOW + 90 * DAY }));
    expect(tally(later, [], NOW)).toMatchObject([{ count: 3, isSuggested: true }]);
  });
});

it('keeps 512 candidates: of the least wanted the oldest go', () => {
  const often = ['a', 'b'].map((hash) => expansion(hash, ['OldButOften'], { at: NOW - 20 * DAY }));
  const many = Array.from({ length: 600 }, (_, i) =>
    expansion(`h${i}`, [`Word${String.fromCodePoint(97 + (i % 26), 97 + Math.floor(i / 26))}`], {
      at: NOW - i * 1000,
    }),
  );
  const words = tally([...many, ...often], [], NOW).map(({ word }) => word);
  expect(words).toHaveLength(512);
  expect(words[0]).toBe('OldButOften');
  expect(words).toContain(many[510]!.words![0]);
  expect(words).not.toContain(many[511]!.words![0]);
});

it('leaves out what was dismissed or applied, and what is a secret in spite of all', () => {
  const token = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
  const all = ['a', 'b', 'c'].map((hash) => expansion(hash, ['Pending', 'Evicting', 'Draining', token]));
  const decisions = [
    decision('pending', 'dismissed'),
    decision('Evicting', 'applied'),
    decision('Draining', 'suggested'),
  ];
  expect(tally(all, decisions, NOW).map(({ word }) => word)).toEqual(['Draining']);
});

it('says a word once: who was first says it', () => {
  const decisions = [decision('Pending', 'suggested', 'a'), decision('PENDING', 'suggested', 'b')];
  expect(firstSaid(['Pending'], decisions, 'a')).toEqual(['Pending']);
  expect(firstSaid(['Pending'], decisions, 'b')).toEqual([]);
});
