// npm run bench:speed: latency, throughput, memory, growth and the store, beside tools that everybody knows.
import { parseArgs } from 'node:util';
import { intoDocs } from '../docs.mjs';
import { startup } from '../startup.mjs';
import { speedTables } from './report.mjs';
import { storeSpeed } from './store.mjs';
import { missingPeers, SHAPES, throughput } from './throughput.mjs';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,10,100,1000' },
    shapes: { type: 'string', default: Object.keys(SHAPES).join(',') },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(`npm run bench:speed -- [flags]

  --sizes 1,10      megabytes of an input (1,10,100,1000); 1000 MB need 4 GB of room in the temporary folder
  --shapes log      of ${Object.keys(SHAPES).join(', ')} (all)
  --quick           sizes 1 and 10
  --write           put the tables into docs/benchmarks.md`);
} else {
  const sizes = values.quick ? [1, 10] : values.sizes.split(',').map(Number);
  const shapes = values.shapes.split(',');
  const unknown = shapes.filter((shape) => SHAPES[shape] === undefined);
  if (unknown.length > 0) throw new Error(`no such shape: ${unknown.join(', ')}`);
  const text = speedTables({
    startup: startup(),
    throughput: await throughput(sizes, shapes),
    store: await storeSpeed(sizes),
    missing: missingPeers(),
  });
  if (values.write) intoDocs('speed', text);
  else console.log(text);
}
