import { walkLines } from '../line-walk.ts';
import type { NamedFacts } from '../named-lines.ts';
import type { Odd } from '../odd.ts';
import { EMPTY, PINNED, WHOLE } from '../outline.ts';
import type { Policy } from '../model.ts';
import type { SectionView } from '../strategy.ts';
import { type DiffLines, readDiff } from './lines.ts';
import { isLockPath } from './generated.ts';
import { markLists } from './lists.ts';
import { LockedLines, Nesting } from './locked.ts';
import { ROLE } from './role.ts';

/** A change that so many hunks have, word for word, is shown in the first few and the last. */
const LEAST_REPEATS = 8;
const FIRST_REPEATS = 3;

/** What stays of a diff, and what it may be cut by. */
export function diffFacts(view: SectionView, policy: Policy): NamedFacts {
  const { index, section } = view;
  const diff = readDiff(index, section.from, section.to);
  const flags = new Uint8Array(diff.role.length);
  const kept = policy.budgetAsked ? WHOLE : PINNED;
  markHeads(diff, flags, kept);
  markChanges(diff, flags, kept);
  markLists(view, diff.role, flags, kept);
  const locked = readLocked(view, diff);
  return {
    lines: { of: diff.file, names: diff.files.map(({ name }) => name) },
    kind: kindsOf(diff, flags, locked),
    flags,
    severity: new Uint8Array(diff.role.length),
    parents: diff.under,
    odd: locked.odd,
  };
}

function markHeads({ role, blank }: DiffLines, flags: Uint8Array, kept: number): void {
  for (let i = 0; i < role.length; i += 1) {
    if (STAYING.has(role[i]!)) flags[i] = kept | (blank[i] === 1 ? EMPTY : 0);
  }
}

const STAYING: ReadonlySet<number> = new Set([
  ROLE.other,
  ROLE.commit,
  ROLE.head,
  ROLE.header,
  ROLE.note,
  ROLE.total,
]);

/** Changed lines of ordinary files with the lines next to them. */
function markChanges(diff: DiffLines, flags: Uint8Array, kept: number): void {
  const { role, file, files, under } = diff;
  const repeated = repeatedHunks(diff);
  foldHeads(diff, repeated, flags);
  const isKept = (i: number): boolean => !repeated.has(under[i]!) && files[file[i]!]?.isGenerated !== true;
  for (let i = 0; i < role.length; i += 1) {
    if ((role[i] !== ROLE.plus && role[i] !== ROLE.minus) || !isKept(i)) continue;
    flags[i] = kept;
    for (const near of [i - 1, i + 1]) if (role[near] === ROLE.context) flags[near] = kept;
  }
}

/** Of a file that has no other hunks than repeated ones only the first line stays: it names the file. */
function foldHeads(
  { role, file, change }: DiffLines,
  repeated: ReadonlySet<number>,
  flags: Uint8Array,
): void {
  const hunks = [...change.keys()];
  const own = new Set(hunks.filter((hunk) => !repeated.has(hunk)).map((hunk) => file[hunk]!));
  const folded = new Set(hunks.map((hunk) => file[hunk]!).filter((of) => !own.has(of)));
  for (let i = 0; i < role.length; i += 1) {
    if (role[i] === ROLE.header && folded.has(file[i]!)) flags[i] = 0;
  }
}

/** Headers of the hunks that change what others change, too: all but the first few and the last. */
function repeatedHunks({ change }: DiffLines): Set<number> {
  const alike = new Map<number, number[]>();
  for (const [hunk, key] of change) {
    const hunks = alike.get(key);
    if (hunks === undefined) alike.set(key, [hunk]);
    else hunks.push(hunk);
  }
  const repeated = new Set<number>();
  for (const hunks of alike.values()) {
    if (hunks.length >= LEAST_REPEATS) for (const hunk of hunks.slice(FIRST_REPEATS, -1)) repeated.add(hunk);
  }
  return repeated;
}

/** Lines of lock files with their kinds; each goes under the lines that it is nested in. */
function readLocked(
  view: SectionView,
  { role, file, files, under }: DiffLines,
): { odd: Odd[]; kinds: Map<number, number> } {
  const { from, to } = view.section;
  const kinds = new Map<number, number>();
  const isLock = files.map(({ name }) => isLockPath(name));
  if (!isLock.includes(true)) return { odd: [], kinds };
  const locked = new LockedLines();
  const nesting = new Nesting();
  walkLines(view.index, from, to, (line, text, at, end) => {
    const i = line - from;
    const what = role[i]!;
    if (what < ROLE.context || what > ROLE.minus || isLock[file[i]!] !== true) return;
    under[i] = nesting.under(i, under[i]!, text, at, end);
    const kind = locked.read(i, text, at, end);
    if (what !== ROLE.context) kinds.set(i, kind);
  });
  return { odd: locked.odd(), kinds };
}

/** Everything that needs no example has the kind 0. */
function kindsOf(
  { role, file, files }: DiffLines,
  flags: Uint8Array,
  locked: { kinds: Map<number, number> },
): Uint32Array {
  const kind = new Uint32Array(role.length);
  const first = 1 + 2 * files.length;
  const others = first + [...locked.kinds.values()].reduce((top, k) => Math.max(top, k + 1), 0);
  let next = others;
  for (let i = 0; i < role.length; i += 1) {
    const known = locked.kinds.get(i);
    if (known !== undefined) kind[i] = first + known;
    else if (flags[i] === 0) kind[i] = 0;
    else if (role[i] === ROLE.head) kind[i] = 1 + 2 * file[i]!;
    else if (role[i] === ROLE.plus || role[i] === ROLE.minus) kind[i] = 2 + 2 * file[i]!;
    else if (role[i] === ROLE.commit && role[i - 1] !== ROLE.commit) kind[i] = next++;
  }
  return kind;
}
