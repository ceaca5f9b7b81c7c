// npm run bench:fidelity: planted needles by kind and shape, ours beside others; bench/fidelity/usage.txt says how.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { external } from './external.mjs';
import { plantedInput, SHAPES } from './inputs.mjs';
import { measure } from './measure.mjs';
import { intoDocs } from '../docs.mjs';
import { externalTables, tables } from './report.mjs';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    shapes: { type: 'string', default: '' },
    seeds: { type: 'string', default: '4' },
    peer: { type: 'string', multiple: true, default: [] },
    external: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(readFileSync(new URL('usage.txt', import.meta.url)));
else if (values.external !== undefined) {
  const results = external(values.external, peersOf(values.peer));
  console.log(values.json ? JSON.stringify(results) : externalTables(results));
} else {
  const results = planted();
  if (values.write) intoDocs('fidelity', tables(results));
  else console.log(values.json ? JSON.stringify(results) : tables(results));
}

function planted() {
  const sizes = values.sizes.split(',').map(Number);
  const peers = peersOf(values.peer);
  return SHAPES.filter(({ name }) => values.shapes.split(',').some((part) => name.includes(part))).flatMap(
    (shape) =>
      sizes.flatMap((n) =>
        Array.from({ length: Number(values.seeds) }, (_, seed) => {
          const { needles, ...input } = plantedInput(shape, n, seed);
          const facts = measure({ needles, ...input }, peers);
          return {
            shape: shape.name,
            n,
            seed,
            needles: needles.map(({ kind, place, units }) => ({ kind, place, units })),
            ...facts,
          };
        }),
      ),
  );
}

/** `NAME=COMMAND` by name. */
function peersOf(list) {
  return Object.fromEntries(
    list.map((peer) => {
      const [, name, command] = /^([^=]+)=(.+)$/s.exec(peer) ?? [];
      if (name === undefined) throw new Error(`--peer takes NAME="COMMAND", not ${peer}`);
      return [name, command];
    }),
  );
}
