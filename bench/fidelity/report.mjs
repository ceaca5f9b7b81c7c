// The facts as Markdown.
import { KINDS } from './inputs.mjs';
import { count, markdown } from '../markdown.mjs';
import { BUDGETS } from './measure.mjs';

/** Three tables of planted inputs: methods by kind of needle, ours by shape and size, budgets and estimates. */
export function tables(results) {
  return [byKind(results), byShape(results), byBudget(results)].join('\n\n');
}

export function externalTables(results) {
  return [byKind(results, { needle: 'needles', hard: 'hard needles' }), byBudget(results)].join('\n\n');
}

/** Needles found by each method. A method has a cell where it has an output for some input with such needles. */
function byKind(results, kinds = KINDS) {
  const methods = [...new Set(results.flatMap((r) => Object.keys(r.methods)))];
  const rows = Object.entries(kinds).map(([kind, label]) => [
    label,
    ...methods.map((method) => recall(results, method, (needle) => needle.kind === kind)),
  ]);
  const tokens = methods.map((method) => {
    const of = results.filter((r) => r.methods[method]);
    return percent(sum(of, (r) => r.methods[method].tokens) / sum(of, (r) => r.tokens));
  });
  const whole = methods.map((method) => {
    const of = results.filter((r) => r.methods[method]);
    return of.every((r) => r.methods[method].isSpliced) ? 'yes' : 'no';
  });
  const bound = `Information bound: ${percent(sum(results, (r) => r.brotli) / sum(results, bytesOf))} of the bytes (brotli).`;
  return `${markdown(
    ['needle', ...methods],
    [...rows, ['tokens of the input', ...tokens], ['every byte accounted for', ...whole]],
  )}\n\n${bound}`;
}

const bytesOf = ({ bytes }) => bytes;

function recall(results, method, wanted) {
  let planted = 0;
  let found = 0;
  for (const { needles, methods } of results) {
    if (methods[method] === undefined) continue;
    needles.forEach((needle, i) => {
      if (!wanted(needle)) return;
      planted += 1;
      if (methods[method].found[i]) found += 1;
    });
  }
  return planted === 0 ? '–' : percent(found / planted);
}

const neededUnits = ({ needles }) => sum(needles, ({ units }) => units);
const foundUnits = ({ needles, methods: { ctxzip } }) =>
  sum(needles, ({ units }, i) => (ctxzip.found[i] ? units : 0));

const OTHERS = Object.keys(KINDS).slice(3);

/** Ours by shape and size; means over the seeds. */
function byShape(results) {
  const groups = groupsOf(results, ({ shape, n }) => `${shape}|${n}`);
  const rows = groups.map((group) => {
    const mean = (pick) => Math.round(sum(group, pick) / group.length);
    const of = (...kinds) => recall(group, 'ctxzip', ({ kind }) => kinds.includes(kind));
    return [
      group[0].shape,
      count(group[0].n),
      of('failure'),
      of('state'),
      of('outlier'),
      of(...OTHERS),
      count(mean((r) => r.units - foundUnits(r))),
      count(mean((r) => neededUnits(r) + r.samples)),
      count(mean((r) => r.tokens)),
      count(mean((r) => r.methods.ctxzip.tokens)),
      count(mean((r) => r.expanded)),
      count(mean((r) => r.brotli)),
    ];
  });
  const head = [
    'shape',
    'units',
    'failure',
    'state',
    'outlier',
    'others',
    'false keeps',
    'allowed',
    'tokens',
    'view',
    '+ one gap',
    'brotli bytes',
  ];
  return markdown(head, rows);
}

/** Views under budgets, for the inputs that are larger, and the estimator on the views. */
function byBudget(results) {
  const groups = groupsOf(results, ({ shape }) => shape);
  const rows = groups.map((group) => {
    const errors = group
      .filter((r) => r.estimate !== undefined)
      .map((r) => Math.abs(r.estimate / r.methods.ctxzip.tokens - 1));
    const cells = BUDGETS.flatMap((budget, b) => {
      const ratios = group.filter((r) => r.tokens > budget).map((r) => r.budgets[b] / budget);
      return ratios.length === 0
        ? ['–', '–']
        : [
            `${ratios.filter((ratio) => ratio <= 1.05).length}/${ratios.length}`,
            percent(Math.max(...ratios)),
          ];
    });
    const [mean, worst] =
      errors.length === 0
        ? ['–', '–']
        : [sum(errors, (e) => e) / errors.length, Math.max(...errors)].map(percent);
    return [group[0].shape, ...cells, mean, worst];
  });
  const head = [
    'shape',
    ...BUDGETS.flatMap((b) => [`≤ ${count(b)} + 5 %`, 'largest']),
    'estimate: mean error',
    'worst',
  ];
  return markdown(head, rows);
}

function groupsOf(list, key) {
  const groups = new Map();
  for (const each of list) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return [...groups.values()];
}

const sum = (list, pick) => list.reduce((total, each, i) => total + pick(each, i), 0);
const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
