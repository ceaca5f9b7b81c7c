/**
 * What is remembered of runs and expansions: append-only JSON lines in the signed state folder, a file a day and kind.
 * Nothing is locked and nothing is rewritten: a record is one write, and readers tally. A failure is ignored: the output
 * has been printed, and a count is not worth a word.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, writeSync } from 'node:fs';
import { namesIn, readSmall, unlinkIfThere } from './files.ts';
import { findFolder, type Folder, folderAt, makeFolder, withSub } from './folder.ts';

/** `decisions` is what was said about suggested words; it is one file, for it is small and must outlive the others. */
export type RecordKind = 'runs' | 'expansions' | 'decisions';

/** A write of fewer bytes is never torn by that of another process. */
export const RECORD_BYTES = 4095;

/** A day takes no more than this, whatever runs wild. */
const DAY_BYTES = 32 << 20;
const DAY_MS = 86_400_000;
const KEPT_MS = 400 * DAY_MS;
const KEPT_BYTES = 64 << 20;
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/**
 * Adds a record to the state folder at `root`; false where that failed or it is too long. It begins with its line end, so
 * that one which a full disk cut short spoils no other.
 */
export function appendRecord(root: string, kind: RecordKind, nowMs: number, record: object): boolean {
  const bytes = Buffer.from(`\n${JSON.stringify(record)}`);
  if (bytes.length > RECORD_BYTES) return false;
  try {
    const folder = existsSync(root) ? findFolder(root) : undefined;
    const { records } = folder ?? makeFolder(root);
    const path = `${records}/${fileName(kind, nowMs)}`;
    const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
    const fd = withSub(records, () => openSync(path, flags, 0o600));
    try {
      return fstatSync(fd).size < DAY_BYTES && writeSync(fd, bytes) === bytes.length;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

/** The file of a kind that is written at a time. */
export function recordFile(root: string, kind: RecordKind, nowMs: number): string {
  return `${folderAt(root).records}/${fileName(kind, nowMs)}`;
}

/** Days are those of UTC, so that no time zone and no summer time makes one twice. */
function fileName(kind: RecordKind, nowMs: number): string {
  return kind === 'decisions' ? kind : `${kind}-${dayOf(nowMs)}`;
}

/** `2026-05-01`, by Hinnant's days to civil algorithm: the first `Date` of a process costs it the time zones, 1 ms. */
export function dayOf(ms: number): string {
  const days = Math.floor(ms / DAY_MS) + 719_468;
  const era = Math.floor(days / 146_097);
  const inEra = days - era * 146_097;
  const year = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const inYear = inEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * month + 2) / 5) + 1;
  const civil = month < 10 ? month + 3 : month - 9;
  return `${year + era * 400 + (civil <= 2 ? 1 : 0)}-${two(civil)}-${two(day)}`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

export interface Reach {
  /** Days before this are not read. */
  readonly sinceMs?: number;
  /** The oldest go unread when all are larger. */
  readonly mostBytes?: number;
  /** Only records that hold this text somewhere. */
  readonly holding?: string;
}

/** The records of a kind, the oldest day first, in the order of their writing. What is no record is skipped. Never throws. */
export function readRecords(root: string, kind: RecordKind, reach: Reach = {}): unknown[] {
  return readLines(root, kind, reach).flatMap((line) => parsed(line) ?? []);
}

function parsed(line: string): object | undefined {
  if (line === '') return undefined;
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === 'object' && record !== null ? record : undefined;
  } catch {
    return undefined;
  }
}

function readLines(root: string, kind: RecordKind, reach: Reach): string[] {
  const { sinceMs, mostBytes = KEPT_BYTES, holding = '' } = reach;
  const days: string[][] = [];
  let left = mostBytes;
  try {
    const folder = findFolder(root);
    if (folder === undefined) return [];
    const first = sinceMs === undefined ? '' : fileName(kind, sinceMs);
    for (const { name, size } of filesOf(folder, kind).toReversed()) {
      if (name < first || left <= 0) break;
      const bytes = readSmall(`${folder.records}/${name}`, left);
      if (bytes !== undefined) days.push(linesOf(bytes, holding));
      left -= size;
    }
  } catch {
    // What could be read counts.
  }
  return days.toReversed().flat();
}

/** Lines that hold a text. They are looked for before anything is decoded: a day may have megabytes, and one that does. */
function linesOf(bytes: Buffer, holding: string): string[] {
  if (holding === '') return bytes.toString().split('\n');
  const lines: string[] = [];
  for (let at = bytes.indexOf(holding); at >= 0;) {
    const start = bytes.lastIndexOf(10, at) + 1;
    const end = bytes.indexOf(10, at);
    const stop = end < 0 ? bytes.length : end;
    lines.push(bytes.toString('utf8', start, stop));
    at = bytes.indexOf(holding, stop);
  }
  return lines;
}

interface RecordFile {
  readonly name: string;
  readonly size: number;
}

/** The files of a kind, or of all that have a day, the oldest first. */
function filesOf({ records }: Folder, kind?: RecordKind): RecordFile[] {
  const names = namesIn(records).filter((name) =>
    kind === 'decisions' ? name === kind : DAY_FILE.test(name) && name.startsWith(kind ?? ''),
  );
  const files = names.flatMap((name) => {
    const stats = lstatSync(`${records}/${name}`, { throwIfNoEntry: false });
    return stats?.isFile() === true ? [{ name, size: stats.size }] : [];
  });
  return files.sort((a, b) => (dayIn(a) < dayIn(b) ? -1 : 1));
}

const DAY_FILE = /^(?:runs|expansions)-\d{4}-\d\d-\d\d$/;

function dayIn({ name }: RecordFile): string {
  return name.slice(-10);
}

/** Removes days over 400 days old, and the oldest where all take over 64 MiB. Never throws. */
export function sweepRecords(root: string, nowMs: number): void {
  try {
    const folder = findFolder(root);
    if (folder === undefined) return;
    let total = 0;
    for (const file of filesOf(folder).toReversed()) {
      total += file.size;
      if (total > KEPT_BYTES || dayIn(file) < dayOf(nowMs - KEPT_MS))
        unlinkIfThere(`${folder.records}/${file.name}`);
    }
  } catch {
    // The next gc tries again.
  }
}
