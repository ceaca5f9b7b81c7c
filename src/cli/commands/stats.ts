import { readExpansions, readRuns } from '../../app/ledger.ts';
import { type Stats, statsOf, type Sums } from '../../app/stats.ts';
import { duration } from '../../config/kinds.ts';
import { loadConfig } from '../../config/load.ts';
import { printable } from '../../core/address.ts';
import type { Wire } from '../../wire.ts';
import { columns } from '../columns.ts';
import { say, writeOut } from '../io.ts';
import { NO_STORE } from './store.ts';

interface Options {
  readonly since?: string;
  readonly json?: boolean;
}

/** `ctxzip stats`: what the records of runs and expansions add up to. */
export async function statsCommand(wire: Wire, { since, json }: Options): Promise<number> {
  const span = since === undefined ? undefined : duration.read(since);
  if (span !== undefined && span.value === undefined) {
    say(`--since ${printable(JSON.stringify(since))}: give ${duration.allowed}`);
    return 2;
  }
  const { stateFolder } = await loadConfig(wire.world);
  if (stateFolder === undefined) {
    say(NO_STORE);
    return 1;
  }
  const sinceMs = span?.value === undefined ? undefined : wire.now() - span.value;
  const isIn = ({ at }: { readonly at: number }): boolean => sinceMs === undefined || at >= sinceMs;
  const reach = sinceMs === undefined ? {} : { sinceMs };
  const stats = statsOf(
    readRuns(stateFolder, reach).filter(isIn),
    readExpansions(stateFolder, reach).filter(isIn),
  );
  if (json === true) writeOut(`${JSON.stringify(jsonOf(stats, sinceMs), null, 2)}\n`);
  else if (stats.total.runs + stats.total.expansions === 0) say('nothing is recorded yet');
  else writeOut(textOf(stats));
  return 0;
}

function jsonOf(stats: Stats, sinceMs: number | undefined): object {
  return {
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
    tokens: 'estimated',
    total: stats.total,
    expansionMisses: stats.misses,
    untouched: Object.fromEntries(stats.reasons),
    byTool: Object.fromEntries(stats.byTool),
    byShape: Object.fromEntries(stats.byShape),
    byDay: Object.fromEntries(stats.byDay),
  };
}

const HEADS = ['RUNS', 'UNTOUCHED', 'TOKENS', 'AFTER', 'EXPANDED', 'SAVED', 'SHARE', 'MS/RUN'];
const MOST_ROWS = 20;

function textOf(stats: Stats): string {
  const blocks = [
    tableOf('TOOL', stats.byTool),
    tableOf('SHAPE', stats.byShape),
    tableOf('DAY', new Map([...stats.byDay].slice(-MOST_ROWS))),
    columns([
      ['UNTOUCHED', 'RUNS'],
      ...[...stats.reasons].map(([why, runs]) => [printable(why), number(runs)]),
    ]),
    tableOf('ALL', new Map([['', stats.total]])),
  ];
  const misses = stats.misses > 0 ? `${stats.misses} expansions found nothing\n` : '';
  return `${blocks.join('\n')}${misses}Tokens are estimated; what expansions brought back is subtracted.\n`;
}

function tableOf(name: string, table: ReadonlyMap<string, Sums>): string {
  const rows = [...table]
    .slice(0, MOST_ROWS)
    .map(([key, sums]) => [printable(key).slice(0, 48), ...cells(sums)]);
  const more = table.size > MOST_ROWS ? `and ${table.size - MOST_ROWS} more: --json\n` : '';
  return (
    columns(
      [[name, ...HEADS], ...rows],
      HEADS.map((_, i) => i + 1),
    ) + more
  );
}

function cells(sums: Sums): string[] {
  const { runs, untouched, tokensBefore, tokensAfter, tokensExpanded, tokensSaved, ms } = sums;
  const share = tokensBefore === 0 ? '-' : `${Math.round((100 * tokensSaved) / tokensBefore)}%`;
  const each = runs === 0 ? '-' : number(Math.round(ms / runs));
  return [
    ...[runs, untouched, tokensBefore, tokensAfter, tokensExpanded, tokensSaved].map(number),
    share,
    each,
  ];
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
