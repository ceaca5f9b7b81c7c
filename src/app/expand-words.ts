import { printable } from '../core/address.ts';
import type { Lookup, Tombstone } from '../store/port.ts';

/** What a verb ended with: an exit code, and lines for stderr without a prefix. */
export interface Outcome {
  /** 0 done, 1 nothing there or damaged, 2 wrong or ambiguous request, 3 expired. */
  readonly exit: 0 | 1 | 2 | 3;
  readonly notes: readonly string[];
}

const MAX_SHOWN = 8;
const MAX_COMMAND = 300;

/** Why there is no original under `asked`, and what to do about it. */
export function lookupMessage(lookup: Exclude<Lookup, { kind: 'found' }>, asked: string): Outcome {
  switch (lookup.kind) {
    case 'unknown':
      return {
        exit: 1,
        notes: [
          `no original is stored under ${asked}`,
          'ctxzip list shows what is: another user, machine or CTXZIP_HOME has a store of its own. Else run what made it again if that is safe',
        ],
      };
    case 'ambiguous':
      return { exit: 2, notes: ambiguousNotes(lookup.shas, asked) };
    case 'expired':
      return { exit: 3, notes: goneNotes(lookup.tombstone) };
    case 'damaged':
      return {
        exit: 1,
        notes: [
          `the original ${lookup.sha.slice(0, 12)} is damaged in the store and is not shown: ${printable(lookup.reason)}`,
          `run what made it again if that is safe; ctxzip forget ${lookup.sha.slice(0, 12)} removes the damaged copy`,
        ],
      };
  }
}

/** A size as a person reads it: `512 bytes`, `14.2 KB`, `1.0 GB`; powers of 1,024. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} byte${bytes === 1 ? '' : 's'}`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1023.95 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${size.toFixed(1)} ${units[unit]}`;
}

function ambiguousNotes(shas: readonly string[], asked: string): string[] {
  const digits = distinctDigits(shas);
  const shown = shas.slice(0, MAX_SHOWN).map((sha) => sha.slice(0, digits));
  const more = shas.length > MAX_SHOWN ? ` and ${shas.length - MAX_SHOWN} more` : '';
  return [`${asked} fits ${shas.length} originals: ${shown.join(' ')}${more}`, 'give more digits'];
}

/** 12, or as many digits as tell the originals apart. */
function distinctDigits(shas: readonly string[]): number {
  let digits = 12;
  while (digits < 64 && new Set(shas.map((sha) => sha.slice(0, digits))).size < shas.length) digits += 4;
  return digits;
}

const GONE = {
  expired: 'expired',
  evicted: 'was removed to make room in the store',
  forgotten: 'was removed by ctxzip forget',
} as const;

function goneNotes(tombstone: Tombstone): string[] {
  const when = new Date(tombstone.goneMs).toISOString().slice(0, 16).replace('T', ' ');
  const first = `${tombstone.sha.slice(0, 12)} ${GONE[tombstone.why]} on ${when} UTC, with its ${formatSize(tombstone.size)}`;
  if (tombstone.command === undefined)
    return [first, 'what made it is not known: run it again if that is safe'];
  const command = printable(tombstone.command);
  const shown = command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND - 3)}...` : command;
  return [first, `it came from this command; run it again if that is safe: ${shown}`];
}
