import { count, markdown } from '../markdown.mjs';

/** The measured as Markdown tables. */
export function speedTables({ startup, throughput, store, missing }) {
  return [
    startupTable(startup),
    throughputTable(throughput),
    growth(throughput),
    storeTable(store),
    ...(missing.length > 0 ? [`Not installed here, left out: ${missing.join(', ')}.`] : []),
  ].join('\n\n');
}

export function startupTable(rows) {
  return markdown(
    ['whole process', 'ms', 'of `node -e 0`'],
    rows.map(({ name, ms, ratio }) => [name, ms.toFixed(1), ratio.toFixed(2)]),
  );
}

/** MB/s of each command by shape and size; of ours also by time on the processor, and the peak memory. */
export function throughputTable(rows) {
  const names = [...new Set(rows.map(({ name }) => name))];
  const groups = grouped(rows);
  return markdown(
    ['MB/s', 'MB', ...names, 'ctxzip, a CPU second', 'ctxzip, peak MB'],
    [...groups.values()].map((group) => {
      const by = new Map(group.map((row) => [row.name, row]));
      const { megabytes, cpu, peak } = by.get('ctxzip');
      return [
        group[0].shape,
        count(megabytes),
        ...names.map((name) => by.get(name)?.mbPerSecond.toFixed(0) ?? '–'),
        cpu >= 100 ? (megabytes / (cpu / 1000)).toFixed(0) : '–',
        peak > 0 ? peak.toFixed(0) : '–',
      ];
    }),
  );
}

const keyOf = ({ shape, megabytes }) => `${shape} ${megabytes}`;

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** The exponent of the time between the two largest sizes of each shape: 1 is linear. */
function growth(rows) {
  const ours = rows.filter(({ name }) => name === 'ctxzip');
  const shapes = [...new Set(ours.map(({ shape }) => shape))];
  const parts = shapes.flatMap((shape) => {
    const [a, b] = ours.filter((row) => row.shape === shape).slice(-2);
    if (b === undefined) return [];
    return [`${shape} ${(Math.log(b.ms / a.ms) / Math.log(b.megabytes / a.megabytes)).toFixed(2)}`];
  });
  return parts.length === 0
    ? 'Growth needs two sizes.'
    : `Growth of the time with the size, as an exponent between the two largest: ${parts.join(', ')}.`;
}

export function storeTable(rows) {
  return markdown(
    [
      'store, ms',
      'range from the spool',
      'all from the spool',
      'import into LMDB',
      'range from LMDB',
      'all from LMDB',
    ],
    rows.map(({ megabytes, spool, imported, lmdb }) => [
      `${count(megabytes)} MB`,
      ...[spool.range, spool.all, imported, lmdb.range, lmdb.all].map((ms) => ms.toFixed(0)),
    ]),
  );
}
