/** A strategy is one file, one line of the registry and one folder of fixtures; here is where a piece is missed. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHAPES } from '../src/core/model.ts';
import { STRATEGIES } from '../src/strategies/index.ts';
import { KINDS, readFixtures, ROOT } from './support/fixtures.ts';

const names = STRATEGIES.map((strategy) => strategy.name);
const files = readdirSync(join(ROOT, 'src/strategies')).filter((file) => file !== 'index.ts');
const fixtures = readFixtures();

describe('the registry', () => {
  it('has every file of src/strategies, under its name', () => {
    expect(names.toSorted()).toEqual(files.map((file) => basename(file, '.ts')).sort());
  });

  it('names no strategy twice', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it('has the shapes of the model', () => {
    expect(names.toSorted()).toEqual(SHAPES.toSorted());
  });

  it('says of each strategy what it is for', () => {
    for (const { describe: words } of STRATEGIES) expect(words).toMatch(/\S.{20}/);
  });

  it('has no fixtures of other strategies', () => {
    const strange = fixtures.filter((f) => !names.some((name) => name === f.strategy));
    expect(strange.map((f) => f.strategy)).toEqual([]);
  });
});

describe.each(names)('%s', (name) => {
  it.each(KINDS)('has a fixture of the kind %s', (kind) => {
    expect(fixtures.some((f) => f.strategy === name && f.facts.kind === kind)).toBe(true);
  });
});
