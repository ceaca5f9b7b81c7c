import type { LineIndex } from '../line-index.ts';
import { walkLines } from '../line-walk.ts';
import { type DiffFile, DiffReader } from './reader.ts';
import { ROLE } from './role.ts';

/** The lines of a diff, and what they belong to. */
export interface DiffLines {
  readonly role: Uint8Array;
  /** Number of the file in `files`; -1 before the first. */
  readonly file: Int32Array;
  readonly files: readonly DiffFile[];
  /** The line that another one belongs under: its hunk's header, or the first about its file; -1. */
  readonly under: Int32Array;
  /** What a hunk changes, as a number, by the line of its header: equal where it takes out and puts in the same. */
  readonly change: Map<number, number>;
  /** Lines that hold nothing. */
  readonly blank: Uint8Array;
}

/** Reads the lines `[from, to)` as a diff. */
export function readDiff(index: LineIndex, from: number, to: number): DiffLines {
  const count = to - from;
  const role = new Uint8Array(count);
  const file = new Int32Array(count).fill(-1);
  const under = new Int32Array(count).fill(-1);
  const blank = new Uint8Array(count);
  const change = new Map<number, number>();
  const reader = new DiffReader();
  let head = -1;
  let hunk = -1;
  walkLines(index, from, to, (line, text, at, end) => {
    const i = line - from;
    const what = reader.read(text, at, end);
    const newHead = what === ROLE.head ? i : reader.isLate ? i - 1 : -1;
    if (newHead >= 0) {
      head = newHead;
      role[head] = ROLE.head;
      file[head] = reader.files.length - 1;
      hunk = -1;
    }
    role[i] = what;
    blank[i] = Number(at === end);
    if (OUTSIDE.has(what)) return;
    file[i] = reader.files.length - 1;
    if (what === ROLE.hunk) hunk = i;
    if (i !== head) under[i] = what !== ROLE.hunk && hunk >= 0 ? hunk : head;
    if (what === ROLE.plus || what === ROLE.minus)
      change.set(hunk, hashOf(change.get(hunk) ?? 0, text, at, end));
  });
  return { role, file, files: reader.files, under, change, blank };
}

/** What belongs to no file's changes. */
const OUTSIDE: ReadonlySet<number> = new Set([ROLE.other, ROLE.commit, ROLE.stat, ROLE.total, ROLE.entry]);

/** A hash that goes on over the bytes of a line. */
function hashOf(before: number, b: Uint8Array, at: number, end: number): number {
  let hash = before ^ 0x811c9dc5;
  for (let i = at; i < end; i += 1) hash = Math.imul(hash ^ b[i]!, 0x01000193);
  return Math.imul(hash ^ 10, 0x01000193);
}
