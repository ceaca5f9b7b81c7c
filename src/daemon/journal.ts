/**
 * What the records of today add up to, and the last of them. Files are read in small pieces from where the last reading
 * ended, so that asking often costs little and no large day holds anybody up.
 */
import { open } from 'node:fs/promises';
import { isExpansion, isRun, type Run } from '../app/ledger.ts';
import { shapeOf } from '../app/stats.ts';
import type { Expansion } from '../learn/tally.ts';
import { dayOf, recordFile, type RecordKind } from '../store/records.ts';
import type { DaemonStats, Recent, Tally } from './protocol.ts';

const PIECE_BYTES = 1 << 16;
/** So much of yesterday is read, for the last of its records. */
const TAIL_BYTES = 1 << 18;
const DAY_MS = 86_400_000;
/** Records that are remembered, and names that are told apart. */
export const MOST_RECENT = 500;
const MOST_NAMES = 500;
/** Tokens a byte of what nobody counted. */
const USUAL_DENSITY = 0.25;

interface Sums {
  runs: number;
  tokensBefore: number;
  tokensAfter: number;
}

export class Journal {
  private readonly state: string;
  private readonly now: () => number;
  private day = '';
  private readonly runs: Tail<Run>;
  private readonly expansions: Tail<Expansion>;
  private today = noSums();
  private reading: Promise<void> | undefined;

  constructor(state: string, now: () => number) {
    this.state = state;
    this.now = now;
    this.runs = new Tail((run) => this.today.add(run));
    this.expansions = new Tail(({ hit }) => void (this.today.expansions += Number(hit)));
  }

  /** Reads what was written since; those who ask at the same time wait for the same reading. */
  refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  sums(): DaemonStats['today'] {
    const { all, views, expansions, byTool, byShape } = this.today;
    return { ...all, views, expansions, byTool: listed(byTool), byShape: listed(byShape) };
  }

  recent(limit: number): Recent {
    return {
      compressions: this.runs.last(limit).map(compressionOf),
      expansions: this.expansions.last(limit).map(expansionOf),
    };
  }

  private async read(): Promise<void> {
    const nowMs = this.now();
    if (dayOf(nowMs) !== this.day) await this.turn(nowMs);
    await this.runs.follow(this.path('runs', nowMs), isRun);
    await this.expansions.follow(this.path('expansions', nowMs), isExpansion);
  }

  /** A new day: the last of the old one stay in sight. */
  private async turn(nowMs: number): Promise<void> {
    const yesterday = nowMs - DAY_MS;
    const isFirst = this.day === '';
    await this.runs.follow(this.path('runs', yesterday), isRun, isFirst ? TAIL_BYTES : undefined);
    await this.expansions.follow(
      this.path('expansions', yesterday),
      isExpansion,
      isFirst ? TAIL_BYTES : undefined,
    );
    this.day = dayOf(nowMs);
    this.today = noSums();
    this.runs.rewind();
    this.expansions.rewind();
  }

  private path(kind: RecordKind, atMs: number): string {
    return recordFile(this.state, kind, atMs);
  }
}

/** Follows a file that grows. */
class Tail<T> {
  private at = 0;
  private rest = '';
  private kept: T[] = [];
  private readonly add: (record: T) => void;

  constructor(add: (record: T) => void) {
    this.add = add;
  }

  rewind(): void {
    this.at = 0;
    this.rest = '';
  }

  last(limit: number): T[] {
    return limit <= 0 ? [] : this.kept.slice(-limit).toReversed();
  }

  /** Reads what is new; `mostBytes`: no more than the end. A file that can't be read has nothing new. */
  async follow(path: string, isOne: (value: unknown) => boolean, mostBytes = Infinity): Promise<void> {
    let file;
    try {
      file = await open(path, 'r');
    } catch {
      return;
    }
    try {
      const { size } = await file.stat();
      this.at = Math.max(this.at, size - mostBytes);
      const piece = Buffer.alloc(PIECE_BYTES);
      while (this.at < size) {
        const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, this.at);
        if (bytesRead === 0) break;
        this.at += bytesRead;
        this.take(piece.toString('latin1', 0, bytesRead), isOne);
      }
      // A record is one write, so that the last one is whole.
      this.take('\n', isOne);
    } catch {
      // The next reading goes on.
    } finally {
      await file.close();
    }
  }

  private take(text: string, isOne: (value: unknown) => boolean): void {
    const lines = `${this.rest}${text}`.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      const record = parsed(line);
      if (record === undefined || !isOne(record)) continue;
      this.add(record as T);
      this.kept.push(record as T);
    }
    if (this.kept.length > 4 * MOST_RECENT) this.kept = this.kept.slice(-MOST_RECENT);
  }
}

/** Lines are cut as latin1, where no character lies across pieces. */
function parsed(line: string): object | undefined {
  try {
    const value: unknown = line === '' ? undefined : JSON.parse(Buffer.from(line, 'latin1').toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function noSums() {
  const all: Sums = { runs: 0, tokensBefore: 0, tokensAfter: 0 };
  const byTool = new Map<string, Sums>();
  const byShape = new Map<string, Sums>();
  return {
    all,
    views: 0,
    expansions: 0,
    byTool,
    byShape,
    add(run: Run) {
      const before = run.before ?? Math.round(run.bytes * USUAL_DENSITY);
      const after = run.after ?? before;
      if (run.reason === undefined) this.views += 1;
      for (const sums of [all, named(byTool, run.tool), named(byShape, shapeOf(run))]) {
        sums.runs += 1;
        sums.tokensBefore += before;
        sums.tokensAfter += after;
      }
    },
  };
}

function named(table: Map<string, Sums>, name = '-'): Sums {
  const key = table.has(name) || table.size < MOST_NAMES ? name : 'others';
  const sums = table.get(key) ?? { runs: 0, tokensBefore: 0, tokensAfter: 0 };
  table.set(key, sums);
  return sums;
}

/** What saved most first. */
function listed(table: ReadonlyMap<string, Sums>): Tally[] {
  return [...table]
    .map(([name, sums]) => ({ name, ...sums }))
    .sort((a, b) => savedBy(b) - savedBy(a) || b.runs - a.runs);
}

function savedBy({ tokensBefore, tokensAfter }: Tally): number {
  return tokensBefore - tokensAfter;
}

function expansionOf({ at, hash, hit, bytes, tokens, tool }: Expansion): Recent['expansions'][number] {
  return { at, hash, hit, bytes, tokens, ...(tool !== undefined && { tool }) };
}

function compressionOf(run: Run): Recent['compressions'][number] {
  const { at, ms, bytes, tool, shapes = [], before, after, hash, reason } = run;
  return {
    at,
    ms,
    bytes,
    shapes,
    ...(tool !== undefined && { tool }),
    ...(before !== undefined && { tokensBefore: before }),
    ...(after !== undefined && { tokensAfter: after }),
    ...(hash !== undefined && { hash }),
    ...(reason !== undefined && { reason }),
  };
}
