import { lineUnits } from './line-units.ts';
import { DULL, EMPTY, type Outline } from './outline.ts';
import type { Odd } from './odd.ts';
import type { SectionView } from './strategy.ts';

/** A failure and the lines that explain it: its message, assertion, place and trace. */
export interface Block {
  /** The unit that names it. */
  readonly head: number;
  readonly severity: 1 | 2 | 3;
  /** Failures with the same key say the same. */
  readonly key: number;
  /** Units that stay with it, beside the head. */
  readonly body: readonly number[];
}

/** What a reader of reports knows of the lines of a section, beyond what every log says of itself. */
export interface Report {
  readonly blocks: readonly Block[];
  /** 0: the line is judged as in a log. Else it says nothing of its own: lines of one number are of one profile. */
  readonly quiet: Uint8Array;
  /** Flags of units, beside those of a log. */
  readonly flags: Uint8Array;
  /** The verdict of each line, for the counts in markers; 255 where it has none. */
  readonly states: NonNullable<Outline['states']>;
  readonly parents?: Int32Array;
  /** Odd lines among those that say nothing of their own. */
  readonly odd?: readonly Odd[];
}

/** What is no failure and no verdict of a report is chatter: the share of the tokens that it may cost, and the tokens. */
const PURSE = 0.01;
const MOST_PURSE = 1500;

/** The outline of a log, with what a report says of its lines. */
export function reportOutline(view: SectionView, log: Outline, report: Report): Outline {
  const { index, section, frame } = view;
  const { quiet, parents, states } = report;
  const { parents: _, ...rest } = log;
  const profiles = quietProfiles(log, quiet);
  const severity = log.severity.map((level, i) => (quiet[i] === 0 ? level : 0));
  const flags = log.flags.map(
    (own, i) => ((own & EMPTY) === 0 ? own | report.flags[i]! : own) | (quiet[i] === 0 ? 0 : DULL),
  );
  const failureKeys = Uint32Array.from(log.kind, (kind) => log.coarse[kind]!);
  const bodies = new Map<number, readonly number[]>();
  for (const { head, key, body, severity: level } of report.blocks) {
    severity[head] = level;
    failureKeys[head] = log.coarse.length + key;
    bodies.set(head, body);
  }
  return {
    ...rest,
    ...profiles,
    purse: Math.min(PURSE, MOST_PURSE / log.costs.reduce((sum, cost) => sum + cost, 1)),
    ...lineUnits(index, section.from, section.to, { facts: { severity, states }, frame }),
    severity,
    flags,
    failureKeys,
    states,
    bodyOf: (unit) => bodies.get(unit),
    odd: [...log.odd.filter(({ unit }) => quiet[unit] === 0), ...(report.odd ?? [])],
    ...(parents !== undefined && { parents }),
  };
}

/** The profiles of a log, and one more for each number of quiet lines. */
function quietProfiles(log: Outline, quiet: Uint8Array): Pick<Outline, 'kind' | 'coarse' | 'middle'> {
  const most = quiet.reduce((top, number) => Math.max(top, number), 0);
  const more = Uint32Array.from({ length: most }, (_, i) => log.coarse.length + i);
  return {
    kind: log.kind.map((kind, i) => (quiet[i] === 0 ? kind : log.coarse.length + quiet[i]! - 1)),
    coarse: Uint32Array.from([...log.coarse, ...more]),
    middle: Uint32Array.from([...log.middle, ...more]),
  };
}
