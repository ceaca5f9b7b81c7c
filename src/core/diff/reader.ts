import { latin1 } from '../chars.ts';
import {
  DATA,
  FILE_LINE,
  FILE_START,
  HUNK,
  NAME_STATUS,
  NUMSTAT,
  STAT,
  STATUS_HEAD,
  STATUS_LINE,
  SUMMARY,
  TOTAL,
  pathOf,
} from './forms.ts';
import { isGeneratedMark, isGeneratedPath } from './generated.ts';
import { ROLE } from './role.ts';

const IDLE = 0;
const COMMIT = 1;
const HEADER = 2;
const HUNKS = 3;
const BINARY = 4;
const STATUS = 5;

const BLANK = 32;
const PLUS = 43;
const MINUS = 45;
const BACKSLASH = 92;

/** Lines at the top of a file that may say that it is generated. */
const TOP = 20;
/** Lines of a commit without any change in them, at most. */
const LONGEST_MESSAGE = 1000;

/** A file of a diff; `isGenerated` may turn true while its first lines are read. */
export interface DiffFile {
  readonly name: string;
  isGenerated: boolean;
}

/** Reads a diff line by line: unified and combined ones, with what git, svn and diff print around them. */
export class DiffReader {
  readonly files: DiffFile[] = [];
  /** The line before was the head of a file, as this one shows: `--- a` before `+++ b`. */
  isLate = false;
  private state = IDLE;
  private before = 0;
  private after = 0;
  private columns = 1;
  private top = 0;
  private old: string | undefined;
  private messageLines = 0;
  private isPatch = false;

  /** The role of the next line, `[at, end)`. */
  read(b: Uint8Array, at: number, end: number): number {
    this.isLate = false;
    if (this.before > 0 || this.after > 0) {
      const role = this.columns > 1 ? this.inCombined(b, at, end) : this.inHunk(b, at, end);
      if (role !== undefined) return role;
      this.before = 0;
      this.after = 0;
    }
    return this.outside(b, at, end);
  }

  private inHunk(b: Uint8Array, at: number, end: number): number | undefined {
    const c = at < end ? b[at]! : BLANK;
    if (c === BACKSLASH) return ROLE.note;
    if (this.top > 0) this.lookForMark(b, at, end);
    if (c === BLANK || c === 9) {
      if (this.before === 0 || this.after === 0) return undefined;
      this.before -= 1;
      this.after -= 1;
      return ROLE.context;
    }
    if (c === PLUS && this.after > 0) {
      this.after -= 1;
      return ROLE.plus;
    }
    if (c === MINUS && this.before > 0) {
      this.before -= 1;
      return ROLE.minus;
    }
    return undefined;
  }

  /** Only lines of the result are counted: what a merge took out may follow them. */
  private inCombined(b: Uint8Array, at: number, end: number): number | undefined {
    let role: number = ROLE.context;
    for (let i = at; i < Math.min(end, at + this.columns); i += 1) {
      const c = b[i]!;
      if (c === BACKSLASH && i === at) return ROLE.note;
      if (c === MINUS) role = ROLE.minus;
      else if (c === PLUS && role !== ROLE.minus) role = ROLE.plus;
      else if (c !== BLANK && c !== PLUS) return undefined;
    }
    if (role === ROLE.minus) return role;
    if (this.after === 0) return undefined;
    this.after -= 1;
    return role;
  }

  private lookForMark(b: Uint8Array, at: number, end: number): void {
    this.top -= 1;
    const file = this.files.at(-1);
    if (file === undefined || file.isGenerated || end - at > 300) return;
    file.isGenerated = isGeneratedMark(latin1(b, at + this.columns, Math.max(at + this.columns, end)));
  }

  private outside(b: Uint8Array, at: number, end: number): number {
    if (at === end) return this.blank();
    const text = latin1(b, at, Math.min(end, at + 600));
    const old = this.old;
    this.old = undefined;
    return (
      this.fileStart(text, old) ??
      this.hunkStart(text) ??
      this.commitLine(text) ??
      this.fileLine(text) ??
      this.statLine(text) ??
      this.statusLine(text) ??
      this.other()
    );
  }

  private blank(): number {
    if (this.state === HEADER) this.state = HUNKS;
    return this.state === COMMIT ? ROLE.commit : ROLE.other;
  }

  private other(): number {
    this.state = IDLE;
    return ROLE.other;
  }

  private fileStart(text: string, old: string | undefined): number | undefined {
    const git = FILE_START.exec(text);
    if (git !== null) {
      this.open(git.slice(1).find((name) => name !== undefined)!);
      return ROLE.head;
    }
    const isOld = text.startsWith('--- ');
    if (!isOld && !text.startsWith('+++ ')) return undefined;
    if (this.state === HEADER) {
      this.rename(text);
      return ROLE.header;
    }
    if (isOld) {
      this.old = pathOf(text);
      return this.state === COMMIT && this.isPatch ? ROLE.commit : ROLE.other;
    }
    if (old === undefined) return undefined;
    const name = pathOf(text);
    this.open(name === '/dev/null' ? old : name);
    this.isLate = true;
    return ROLE.header;
  }

  private open(name: string): void {
    this.files.push({ name, isGenerated: isGeneratedPath(name) });
    this.state = HEADER;
  }

  /** The header of a file may name it better than its first line: `diff -u a b`. */
  private rename(text: string): void {
    const name = pathOf(text);
    if (text[0] === '-' || name === '/dev/null') return;
    this.files[this.files.length - 1] = { name, isGenerated: isGeneratedPath(name) };
  }

  private hunkStart(text: string): number | undefined {
    if (text[0] !== '@') return undefined;
    const match = HUNK.exec(text);
    if (match === null) return undefined;
    if (this.files.length === 0) this.files.push({ name: '', isGenerated: false });
    this.columns = match[1]!.length - 1;
    this.before = Number(match[3] ?? '1');
    this.after = Number(match[5] ?? '1');
    this.top = Number(match[4]) <= 1 || Number(match[2]) <= 1 ? TOP : 0;
    this.state = HUNKS;
    return ROLE.hunk;
  }

  private commitLine(text: string): number | undefined {
    const starts = /^commit [0-9a-f]{7,64}\b/.test(text);
    if (starts || /^From [0-9a-f]{40,64} /.test(text)) {
      this.state = COMMIT;
      this.isPatch = !starts;
      this.messageLines = 0;
      return ROLE.commit;
    }
    if (this.state !== COMMIT || (this.messageLines += 1) > LONGEST_MESSAGE) return undefined;
    if (this.statLine(text) !== undefined) return undefined;
    return this.isPatch || text.startsWith('    ') || /^[A-Z][\w-]*:/.test(text) ? ROLE.commit : undefined;
  }

  private fileLine(text: string): number | undefined {
    if (this.state === BINARY) return DATA.test(text) ? ROLE.data : undefined;
    if (this.state === HUNKS && text.startsWith('\\ ')) return ROLE.note;
    if (
      /^(?:Binary files? .* differ|Only in .+: .+|Files .* differ|Submodule \S+ .*|\* Unmerged path )/.test(
        text,
      )
    )
      return this.state === HEADER ? ROLE.header : ROLE.note;
    if (this.state !== HEADER) return undefined;
    if (text.startsWith('GIT binary patch')) {
      this.state = BINARY;
      return ROLE.header;
    }
    return FILE_LINE.test(text) ? ROLE.header : undefined;
  }

  private statLine(text: string): number | undefined {
    if (text[0] === ' ' && text[1] !== ' ') {
      if (STAT.test(text) || SUMMARY.test(text)) return ROLE.stat;
      if (TOTAL.test(text)) return ROLE.total;
      return undefined;
    }
    const isListed = this.state === COMMIT && (NUMSTAT.test(text) || NAME_STATUS.test(text));
    return isListed ? ROLE.stat : undefined;
  }

  private statusLine(text: string): number | undefined {
    if (STATUS_HEAD.test(text)) {
      this.state = STATUS;
      return ROLE.commit;
    }
    if (this.state !== STATUS) return undefined;
    if (text[0] === '\t') return ROLE.entry;
    return STATUS_LINE.test(text) ? ROLE.commit : undefined;
  }
}
