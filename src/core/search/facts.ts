import { latin1 } from '../chars.ts';
import { severityAt } from '../failures.ts';
import { Field } from '../fields.ts';
import { hashBytes } from '../hash.ts';
import { walkLines } from '../line-walk.ts';
import type { Policy } from '../model.ts';
import type { NamedFacts } from '../named-lines.ts';
import { type Odd, outliers, rareValues } from '../odd.ts';
import { EMPTY, PINNED, WHOLE } from '../outline.ts';
import { rareWords } from '../rare-words.ts';
import { Shapes } from '../shapes.ts';
import type { SectionView } from '../strategy.ts';
import { HIT } from './hit.ts';
import type { Hits } from './hits.ts';
import { messageSeverity } from './severity.ts';

/** So many files stay with their first match; of more the rest is counted. */
const MOST_FILES = 200;
/** So many remarks of the tool stay. */
const MOST_NOTES = 40;
/** Bytes of a text that are looked at for what it says. */
const MOST_TEXT = 400;
/** Texts that are gathered before the kernel scans them. */
const CHUNK = 1 << 20;

/** What stays of search results and of the messages of compilers and linters. */
export function searchFacts(view: SectionView, hits: Hits, policy: Policy): NamedFacts {
  const { role } = hits;
  const texts = readTexts(view, hits);
  const areMessages = texts.messages * 10 >= texts.matches * 3;
  const severity = areMessages
    ? texts.severity
    : texts.severity.map((level, i) => (role[i] === HIT.note ? level : 0));
  const flags = flagsOf(hits, policy.budgetAsked ? WHOLE : PINNED);
  const { kind, coarse, middle } = kindsOf(hits, texts.shapes, flags, policy.budgetAsked);
  return {
    lines: { of: hits.file, names: hits.paths, isCounted: (line) => role[line] === HIT.match },
    kind,
    coarse,
    middle,
    flags,
    severity,
    parents: parentsOf(hits),
    odd: texts.odd.filter(({ unit }) => role[unit] === HIT.match),
    hasContext: areMessages && role.includes(HIT.attached),
  };
}

interface Texts {
  readonly shapes: Shapes;
  readonly severity: Uint8Array;
  readonly matches: number;
  /** Matches that say a level or a rule. */
  readonly messages: number;
  readonly odd: readonly Odd[];
}

/** Scans the texts of matches and remarks, without their places. */
function readTexts(view: SectionView, { role, text }: Hits): Texts {
  const { index, section } = view;
  const severity = new Uint8Array(role.length);
  const shapes = new Shapes(role.length);
  const same = new Field();
  const ids = new Map<number, number>();
  const gathered = new Gathered(shapes);
  let matches = 0;
  let messages = 0;
  walkLines(index, section.from, section.to, (line, b, at, end) => {
    const i = line - section.from;
    const what = role[i]!;
    const start = Math.min(end, at + text[i]!);
    if (what === HIT.match) {
      matches += 1;
      const level = messageSeverity(latin1(b, start, Math.min(end, start + MOST_TEXT)));
      if (level !== undefined) {
        messages += 1;
        severity[i] = level;
      }
      const hash = hashBytes(b, start, end);
      if (!ids.has(hash)) ids.set(hash, ids.size);
      same.word(ids.get(hash)!, i);
    } else if (what === HIT.note) severity[i] = severityAt(b, at, end);
    gathered.add(b, what === HIT.match || what === HIT.note ? start : end, end);
  });
  gathered.flush();
  shapes.finish();
  const odd = [...rareValues(same), ...rareWords(shapes, shapes.kind), ...shapes.fields.flatMap(outliers)];
  return { shapes, severity, matches, messages, odd };
}

/** Texts that become lines of their own. */
class Gathered {
  private bytes = new Uint8Array(CHUNK);
  private size = 0;
  private readonly shapes: Shapes;

  constructor(shapes: Shapes) {
    this.shapes = shapes;
  }

  add(b: Uint8Array, from: number, end: number): void {
    const need = end - from + 1;
    if (this.size + need > this.bytes.length) {
      this.flush();
      if (need > this.bytes.length) this.bytes = new Uint8Array(need);
    }
    this.bytes.set(b.subarray(from, end), this.size);
    this.size += need;
    this.bytes[this.size - 1] = 10;
  }

  flush(): void {
    if (this.size > 0) this.shapes.push(this.bytes.subarray(0, this.size));
    this.size = 0;
  }
}

function flagsOf(hits: Hits, kept: number): Uint8Array {
  const { role } = hits;
  const flags = new Uint8Array(role.length);
  const notes = role.reduce((sum, what) => sum + (what === HIT.note ? 1 : 0), 0);
  for (let i = 0; i < role.length; i += 1) {
    if (role[i] === HIT.blank || role[i] === HIT.separator) flags[i] = EMPTY;
    else if (role[i] === HIT.note && notes <= MOST_NOTES) flags[i] = kept;
  }
  for (const unit of firstOfFiles(hits)) flags[unit]! |= kept;
  return flags;
}

/**
 * The first match of each file and what separates it from the file before, so that a gap lies in one file. Where a file
 * comes up again and again, as in the output of parallel compilers, each time counts, if that is not too often.
 */
function firstOfFiles({ role, file }: Hits): number[] {
  const runs = runsOf(role, file);
  if (runs.length <= MOST_FILES) return runs.flat();
  const known = new Set<number>();
  const firsts = runs.filter((run) => {
    const of = file[run[0]!]!;
    if (known.has(of)) return false;
    known.add(of);
    return true;
  });
  return firsts.slice(0, MOST_FILES).flat();
}

/** Of each stretch of lines of one file: its heading or separator, and its first match. */
function runsOf(role: Uint8Array, file: Int32Array): number[][] {
  const runs: number[][] = [];
  let open = -1;
  let last = -1;
  for (let i = 0; i < role.length; i += 1) {
    if (file[i]! < 0) continue;
    if (file[i] !== open) {
      open = file[i]!;
      const edge = role[i] === HIT.context && i > 0 && role[i - 1] === HIT.separator ? i - 1 : i;
      runs.push(role[i] === HIT.match ? [i] : [i, edge]);
      last = role[i] === HIT.match ? i : -1;
    } else if (last < 0 && role[i] === HIT.match) {
      runs.at(-1)!.push(i);
      last = i;
    }
  }
  return runs;
}

/** Matches are alike by their texts; all else needs no example. */
function kindsOf(
  { role }: Hits,
  shapes: Shapes,
  flags: Uint8Array,
  isBudget: boolean,
): { kind: Uint32Array; coarse: Uint32Array; middle: Uint32Array } {
  const kind = new Uint32Array(role.length);
  const coarse = [0, ...shapes.infos.map((info) => info.coarse + 1)];
  const middle = [0, ...shapes.infos.map((info) => info.middle + 1)];
  let next = middle.reduce((top, id) => Math.max(top, id), shapes.coarse.count) + 1;
  for (let i = 0; i < role.length; i += 1) {
    if (role[i] !== HIT.match && role[i] !== HIT.note) continue;
    kind[i] = shapes.kind[i]! + 1;
    if (!isBudget || (flags[i]! & WHOLE) === 0) continue;
    kind[i] = coarse.length;
    coarse.push(next);
    middle.push(next);
    next += 1;
  }
  return { kind, coarse: Uint32Array.from(coarse), middle: Uint32Array.from(middle) };
}

/** A match stands under the heading of its file, an excerpt under its message. */
function parentsOf({ role, file }: Hits): Int32Array {
  const parents = new Int32Array(role.length).fill(-1);
  let heading = -1;
  let match = -1;
  for (let i = 0; i < role.length; i += 1) {
    if (role[i] === HIT.heading) heading = i;
    else if (role[i] === HIT.attached) parents[i] = match;
    else if (heading >= 0 && file[i] === file[heading]) parents[i] = heading;
    if (role[i] === HIT.match) match = i;
    else if (role[i] === HIT.note || role[i] === HIT.blank) match = role[i] === HIT.note ? -1 : match;
  }
  return parents;
}
