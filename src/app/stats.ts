/** What runs and expansions add up to. Tokens are estimated. */
import { dayOf } from '../store/records.ts';
import type { Expansion } from '../learn/tally.ts';
import type { Run } from './ledger.ts';

/** Sums of some runs. */
export interface Sums {
  runs: number;
  /** Runs whose input came out as it was. */
  untouched: number;
  tokensBefore: number;
  tokensAfter: number;
  expansions: number;
  /** Tokens that expansions brought back. */
  tokensExpanded: number;
  /** What was saved in the end; below 0 where more was brought back than left out. */
  tokensSaved: number;
  /** Milliseconds from the end of the inputs to the end of the outputs. */
  ms: number;
}

export interface Stats {
  readonly total: Sums;
  readonly misses: number;
  readonly byTool: ReadonlyMap<string, Sums>;
  readonly byShape: ReadonlyMap<string, Sums>;
  readonly byDay: ReadonlyMap<string, Sums>;
  /** Why inputs came out unchanged, commonest first. */
  readonly reasons: ReadonlyMap<string, number>;
}

/** The name of what is not known. */
const NONE = '-';
/** Tokens a byte of what nobody counted. */
const USUAL_DENSITY = 0.25;

/** Sums up; expansions count for the tool and the shape of their original, where that run is known. */
export function statsOf(runs: readonly Run[], expansions: readonly Expansion[]): Stats {
  const total = noSums();
  const tables = {
    byTool: new Map<string, Sums>(),
    byShape: new Map<string, Sums>(),
    byDay: new Map<string, Sums>(),
  };
  const reasons = new Map<string, number>();
  const origins = new Map<string, Run>();
  for (const run of runs) {
    if (run.hash !== undefined) origins.set(run.hash, run);
    if (run.reason !== undefined) count(reasons, run.reason.replace(/\b[0-9a-f]*\d[0-9a-f]*\b/g, 'N'));
    const { byTool, byShape, byDay } = tables;
    const places = [total, sums(byTool, run.tool), sums(byShape, shapeOf(run)), sums(byDay, dayOf(run.at))];
    for (const place of places) addRun(place, run);
  }
  const hits = expansions.filter(({ hit }) => hit);
  for (const expansion of hits) {
    const origin = origins.get(expansion.hash);
    const { byTool, byShape, byDay } = tables;
    addExpansion(total, expansion);
    addExpansion(sums(byTool, expansion.tool ?? origin?.tool), expansion);
    addExpansion(sums(byShape, origin && shapeOf(origin)), expansion);
    addExpansion(sums(byDay, dayOf(expansion.at)), expansion);
  }
  return {
    total,
    misses: expansions.length - hits.length,
    byTool: sorted(tables.byTool, ([, a], [, b]) => b.tokensSaved - a.tokensSaved || b.runs - a.runs),
    byShape: sorted(tables.byShape, ([, a], [, b]) => b.tokensSaved - a.tokensSaved || b.runs - a.runs),
    byDay: sorted(tables.byDay, ([a], [b]) => (a < b ? -1 : 1)),
    reasons: new Map([...reasons].sort((a, b) => b[1] - a[1])),
  };
}

/** The shapes of a run in a word. */
export function shapeOf({ shapes }: Run): string | undefined {
  return shapes === undefined || shapes.length === 0
    ? undefined
    : shapes.length > 2
      ? 'mixed'
      : shapes.join('+');
}

function addRun(place: Sums, run: Run): void {
  const before = run.before ?? Math.round(run.bytes * USUAL_DENSITY);
  const after = run.after ?? before;
  place.runs += 1;
  if (run.reason !== undefined) place.untouched += 1;
  place.tokensBefore += before;
  place.tokensAfter += after;
  place.tokensSaved += before - after;
  place.ms += run.ms;
}

function addExpansion(place: Sums, { tokens }: Expansion): void {
  place.expansions += 1;
  place.tokensExpanded += tokens;
  place.tokensSaved -= tokens;
}

function noSums(): Sums {
  return {
    runs: 0,
    untouched: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    expansions: 0,
    tokensExpanded: 0,
    tokensSaved: 0,
    ms: 0,
  };
}

function sums(table: Map<string, Sums>, name = NONE): Sums {
  const place = table.get(name) ?? noSums();
  table.set(name, place);
  return place;
}

function count(table: Map<string, number>, name: string): void {
  table.set(name, (table.get(name) ?? 0) + 1);
}

type Row = readonly [string, Sums];

function sorted(table: ReadonlyMap<string, Sums>, order: (a: Row, b: Row) => number): Map<string, Sums> {
  return new Map([...table].sort(order));
}
