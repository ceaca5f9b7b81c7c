/** One record among many is odd in one way; whatever the shape of the text, its view shows which one it is. */
import { describe, expect, it } from 'vitest';
import { Dice } from '../support-e2e/arbitrary.ts';
import { viewOf } from '../support-e2e/law-kit.ts';

type Value = string | number | boolean | null | readonly string[];
type Berth = Readonly<Record<string, Value>> & { readonly id: string };

function berth(dice: Dice, i: number): Berth {
  return {
    id: `b-${dice
      .below(2 ** 31)
      .toString(16)
      .padStart(8, '0')}`,
    zone: dice.pick(['north', 'south', 'east']),
    depth: 3 + dice.below(400) / 100,
    ready: true,
    replicas: 3,
    image: 'registry.local/tide:2.7.1',
    tags: ['a', 'b'],
    owner: dice.pick(['mira', 'jonas']),
    updated: new Date(Date.UTC(2026, 2, 17, 6, i)).toISOString(),
  };
}

function without(key: string, own: Berth): Berth {
  return Object.fromEntries(Object.entries(own).filter(([name]) => name !== key)) as Berth;
}

/** In which way it is odd. */
const ODD: Readonly<Record<string, (own: Berth) => Berth>> = {
  'a flag that is false': (own) => ({ ...own, ready: false }),
  'another version': (own) => ({ ...own, image: 'registry.local/tide:2.6.9' }),
  'a field that is missing': (own) => without('owner', own),
  'one field more': (own) => ({ ...own, drained: 'yes' }),
  null: (own) => ({ ...own, owner: null }),
  'an empty list': (own) => ({ ...own, tags: [] }),
  'an empty text': (own) => ({ ...own, owner: '' }),
  'a negative number': (own) => ({ ...own, depth: -40 }),
  'a zero': (own) => ({ ...own, replicas: 0 }),
  'a large number': (own) => ({ ...own, depth: 99.5 }),
  'another type': (own) => ({ ...own, replicas: 'three' }),
  'an old date': (own) => ({ ...own, updated: '2019-01-01T00:00:00.000Z' }),
  'a capital letter': (own) => ({ ...own, zone: 'North' }),
};

function nested({ id, zone, image, tags, ...status }: Berth): unknown {
  return { metadata: { name: id }, spec: { zone, image, tags }, status };
}

function entries(own: Berth): Array<[string, Value]> {
  return Object.entries(own).filter(([key]) => key !== 'id');
}

function yamlItem(own: Berth): string {
  const rest = entries(own).map(
    ([key, value]) => `  ${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}\n`,
  );
  return `- id: ${own.id}\n${rest.join('')}`;
}

function section(own: Berth): string {
  const rest = entries(own).map(([key, value]) => {
    const text = Array.isArray(value) ? value.join(',') || '<none>' : (value ?? '<unset>');
    return `  ${`${key}:`.padEnd(12)} ${text}\n`;
  });
  return `Berth ${own.id}:\n${rest.join('')}`;
}

const SHAPES: Readonly<Record<string, (all: readonly Berth[]) => string>> = {
  JSON: (all) => JSON.stringify(all),
  'indented JSON': (all) => JSON.stringify({ kind: 'List', items: all }, null, 2),
  'nested JSON': (all) => JSON.stringify({ items: all.map(nested) }),
  'a map': (all) => JSON.stringify(Object.fromEntries(all.map(({ id, ...rest }) => [id, rest]))),
  NDJSON: (all) => all.map((each) => `${JSON.stringify(each)}\n`).join(''),
  'NDJSON behind a prefix': (all) => all.map((each) => `api-1  | ${JSON.stringify(each)}\n`).join(''),
  'an envelope': (all) =>
    JSON.stringify({ stdout: all.map((each) => `${JSON.stringify(each)}\n`).join(''), code: 0 }),
  'JSON in an envelope': (all) => JSON.stringify({ code: 0, result: JSON.stringify({ items: all }) }),
  YAML: (all) => `items:\n${all.map(yamlItem).join('')}`,
  documents: (all) =>
    all.map((each) => `---\n${yamlItem(each).replace('- ', '').replaceAll(/^ {2}/gm, '')}`).join(''),
  'a report': (all) => `Harbour: quay-03\n\n${all.map(section).join('\n')}`,
};

describe.each(Object.entries(SHAPES))('%s', (_, write) => {
  it.each(Object.entries(ODD))('%s', (_way, odd) => {
    const missed: string[] = [];
    for (const count of [40, 150]) {
      const dice = new Dice(count);
      const at = 10 + dice.below(count - 25);
      const all = Array.from({ length: count }, (_item, i) =>
        i === at ? odd(berth(dice, i)) : berth(dice, i),
      );
      const view = viewOf(Buffer.from(write(all)));
      const shown = view === undefined ? '' : view.bytes.toString('utf8');
      if (!shown.includes(all[at]!.id)) missed.push(`${count}: ${all[at]!.id}`);
    }
    expect(missed).toEqual([]);
  });
});

// A line that begins with a bracket is not looked at for a prefix.
it('records behind [web] have a view', () => {
  const dice = new Dice(1);
  const lines = Array.from({ length: 80 }, (_, i) => `[web] ${JSON.stringify(berth(dice, i))}\n`);
  expect(viewOf(Buffer.from(lines.join('')))).toBeDefined();
});
