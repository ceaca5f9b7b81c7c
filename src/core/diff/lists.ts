import { latin1 } from '../chars.ts';
import { walkLines } from '../line-walk.ts';
import { EMPTY } from '../outline.ts';
import type { SectionView } from '../strategy.ts';
import { ROLE } from './role.ts';

/** Lists of so many files stay whole. */
const FEW_FILES = 40;
const MOST_ENTRIES = 200;
/** Of all files those that changed most stay: this share, but not more than so many and not fewer than three. */
const LARGEST_SHARE = 0.02;
const MOST_LARGEST = 30;

/**
 * Files of `--stat` and of a status: each stays where it is named first, and where it changed most. A total goes with the
 * files that it sums up, if all of them do.
 */
export function markLists(view: SectionView, role: Uint8Array, flags: Uint8Array, kept: number): void {
  const entries = role.reduce((sum, what) => sum + (what === ROLE.entry ? 1 : 0), 0);
  const stats = readStats(view, role);
  const named = new Set<string>();
  for (const { unit, name } of stats) {
    const key = role[unit] === ROLE.entry ? name.replace(/[^/]*\/?$/, '') : name;
    const isFew = role[unit] === ROLE.entry ? entries <= MOST_ENTRIES : stats.length - entries <= FEW_FILES;
    if (isFew || !named.has(key)) flags[unit] = kept;
    named.add(key);
  }
  const most = Math.min(MOST_LARGEST, Math.max(3, Math.ceil(stats.length * LARGEST_SHARE)));
  const largest = stats.filter(({ size }) => size > 1).sort((a, b) => b.size - a.size || a.unit - b.unit);
  for (const { unit } of largest.slice(0, most)) flags[unit] = kept;
  freeAround(role, flags);
}

interface Stat {
  readonly unit: number;
  readonly name: string;
  /** Changed lines. */
  readonly size: number;
}

function readStats(view: SectionView, role: Uint8Array): Stat[] {
  const { from, to } = view.section;
  const stats: Stat[] = [];
  if (!role.includes(ROLE.stat) && !role.includes(ROLE.entry)) return stats;
  walkLines(view.index, from, to, (line, text, at, end) => {
    const unit = line - from;
    if (role[unit] !== ROLE.stat && role[unit] !== ROLE.entry) return;
    const words = latin1(text, at, end);
    const name = words.replace(/^ (\S.*?)\s+\|.*$/, '$1').replace(/^.*\t/, '');
    stats.push({ unit, name, size: Number(/\|\s+(\d+)/.exec(words)?.[1] ?? 0) });
  });
  return stats;
}

/** Frees what stands around files that may all go: the total behind them, blank lines before them. */
function freeAround(role: Uint8Array, flags: Uint8Array): void {
  for (let first = 0; first < role.length; first += 1) {
    if (role[first] !== ROLE.stat) continue;
    let end = first;
    while (end < role.length && role[end] === ROLE.stat) end += 1;
    if (flags.subarray(first, end).every((flag) => flag === 0)) {
      if (role[end] === ROLE.total) flags[end] = 0;
      for (let i = first - 1; i >= 0 && flags[i]! & EMPTY; i -= 1) flags[i] = EMPTY;
    }
    first = end;
  }
}
