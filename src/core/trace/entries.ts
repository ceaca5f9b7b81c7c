import { isFrame, isHead, TRACE } from './roles.ts';

/** A stack with what is said of it: an exception with its chain, a crash report, a thread of a dump. */
export interface Entry {
  readonly from: number;
  /** The first line behind it. */
  readonly to: number;
  readonly kind: 'thread' | 'exception' | 'report' | 'deadlock';
}

/** The lines of a section as the entries see them. */
export interface Reading {
  readonly roles: Uint8Array;
  readonly isBlank: (line: number) => boolean;
  /** Has the line an indentation, behind what logs write before it? */
  readonly isIndented: (line: number) => boolean;
}

/** Lines of a message between an exception and its first frame. */
const MESSAGE = 12;
/** Lines that are no frames, in a report one after the other. */
const PROSE = 40;
/** Lines that a part about a deadlock has at most. */
const DEADLOCK = 400;

/** The entries of a section, in order. */
export function entriesOf(reading: Reading): Entry[] {
  const { roles } = reading;
  const entries: Entry[] = [];
  for (let i = 0; i < roles.length;) {
    const entry = entryAt(reading, i);
    if (entry !== undefined) entries.push(entry);
    i = entry?.to ?? i + 1;
  }
  return entries;
}

function entryAt(reading: Reading, at: number): Entry | undefined {
  const role = reading.roles[at]!;
  if (role === TRACE.deadlock) return { from: at, to: deadlockEnd(reading, at), kind: 'deadlock' };
  if (role === TRACE.report) return { from: at, to: reportEnd(reading, at), kind: 'report' };
  if (role === TRACE.thread || role === TRACE.task)
    return { from: at, to: stackEnd(reading, at, false), kind: 'thread' };
  if (role === TRACE.traceback) return { from: at, to: stackEnd(reading, at, true), kind: 'exception' };
  if (role !== TRACE.exception || !hasFrames(reading, at)) return undefined;
  return { from: at, to: stackEnd(reading, at, false), kind: 'exception' };
}

/** Do frames follow within the lines of a message? */
function hasFrames({ roles }: Reading, at: number): boolean {
  for (let i = at + 1; i < Math.min(roles.length, at + MESSAGE); i += 1) {
    const role = roles[i]!;
    if ((isFrame(role) && role !== TRACE.half) || role === TRACE.chain || role === TRACE.traceback)
      return true;
    if (role === TRACE.exception || role === TRACE.report) return false;
  }
  return false;
}

/** Frames, with what is between them and behind them, as long as it is the same chain. */
// oxlint-disable-next-line complexity -- a scanner: a branch a kind of line
function stackEnd(reading: Reading, at: number, isTraceback: boolean): number {
  const { roles, isBlank } = reading;
  let frames = 0;
  let prose = 0;
  let isNamed = false;
  let i = at + 1;
  for (; i < roles.length; i += 1) {
    const role = roles[i]!;
    if (isBlank(i)) {
      if (!goesOn(reading, i, frames === 0)) break;
    } else if (isFrame(role)) {
      frames += 1;
      isNamed = false;
    } else if (isChain(reading, i)) isNamed = false;
    else if (frames === 0) {
      if (role === TRACE.thread && roles[at] === TRACE.exception) continue;
      prose += 1;
      if (isHead(role) || prose > MESSAGE) break;
    } else if (!reading.isIndented(i) || isHead(role)) {
      // The exception stands behind its frames.
      if (!isTraceback || isNamed) break;
      isNamed = true;
    }
  }
  return trimmed(reading, at, i);
}

/** Does the same stack go on behind blank lines? */
function goesOn({ roles, isBlank }: Reading, blank: number, isNew: boolean): boolean {
  let next = blank;
  while (next < roles.length && isBlank(next)) next += 1;
  const role = roles[next] ?? TRACE.other;
  if (role === TRACE.chain) return true;
  return isNew && (isFrame(role) || role === TRACE.thread) && next - blank <= 2;
}

/** Is it a cause, or the traceback behind `During handling of …`? */
function isChain({ roles, isBlank }: Reading, at: number): boolean {
  if (roles[at] !== TRACE.traceback) return roles[at] === TRACE.chain;
  let before = at - 1;
  while (before > 0 && isBlank(before)) before -= 1;
  return roles[before] === TRACE.chain;
}

/** To where it says so, to the next head, or to where it stops to have frames. */
function reportEnd(reading: Reading, at: number): number {
  const { roles } = reading;
  let prose = 0;
  let frames = 0;
  let i = at + 1;
  for (; i < roles.length && prose <= PROSE; i += 1) {
    const role = roles[i]!;
    if (role === TRACE.end) return i + 1;
    const isInside = frames === 0 && i < at + MESSAGE && IN_REPORT.has(role);
    if (ENDS_REPORT.has(role) && !isInside) break;
    if (isFrame(role)) frames += 1;
    prose = isFrame(role) || role === TRACE.noise ? 0 : prose + 1;
  }
  return trimmed(reading, at, prose > PROSE ? i - prose : i);
}

/** Heads that stand in a report before its first frame … */
const IN_REPORT: ReadonlySet<number> = new Set([TRACE.report, TRACE.task]);
/** … and else begin another. */
const ENDS_REPORT: ReadonlySet<number> = new Set([
  TRACE.thread,
  TRACE.task,
  TRACE.report,
  TRACE.deadlock,
  TRACE.summary,
]);

function deadlockEnd({ roles }: Reading, at: number): number {
  const last = Math.min(roles.length, at + DEADLOCK);
  for (let i = at + 1; i < last; i += 1) if (roles[i] === TRACE.end) return i + 1;
  return last;
}

function trimmed({ isBlank }: Reading, from: number, to: number): number {
  let end = to;
  while (end > from + 1 && isBlank(end - 1)) end -= 1;
  return end;
}
