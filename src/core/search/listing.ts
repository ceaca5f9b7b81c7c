import { latin1 } from '../chars.ts';
import type { LineIndex } from '../line-index.ts';
import { walkLines } from '../line-walk.ts';
import { BRANCH, isPlainPath, type ListForm, LONG, TOTAL } from './list-form.ts';

/** What a line of a list of files is. */
export const LISTED = { note: 0, directory: 1, entry: 2, total: 3, blank: 4 } as const;

const DIRECTORY = /^("?)([^\s:][^:]*|[A-Za-z]:[^:]+)\1:$/;

/** An entry of a list. */
export interface Entry {
  readonly name: string;
  /** `-`, `d`, `l` …; empty where the list does not say. */
  readonly type: string;
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
  readonly size: number | undefined;
}

/** The lines of a list of files. */
export interface Listing {
  readonly role: Uint8Array;
  /** Number of the directory in `directories`; -1. */
  readonly of: Int32Array;
  readonly directories: readonly string[];
  /** The line that names the directory of a line; -1. */
  readonly under: Int32Array;
}

/** Reads the lines `[from, to)` as a list and tells each entry as it comes. */
export function readListing(
  index: LineIndex,
  { from, to, form }: { readonly from: number; readonly to: number; readonly form: ListForm },
  found: (unit: number, entry: Entry, directory: number) => void,
): Listing {
  const reader = new ListReader(to - from, found);
  walkLines(index, from, to, (line, b, at, end) => {
    const text = latin1(b, at, Math.min(end, at + 1000));
    if (text.trim() === '') reader.blank(line - from);
    else reader[form](line - from, text);
  });
  if (form === 'paths') reader.nameDirectories();
  return reader;
}

class ListReader implements Listing {
  readonly role: Uint8Array;
  readonly of: Int32Array;
  readonly under: Int32Array;
  readonly directories: string[] = [];
  private readonly ids = new Map<string, number>();
  private readonly found: (unit: number, entry: Entry, directory: number) => void;
  /** Lines of the directories that are open, outermost first, with their depth. */
  private readonly open: Array<{ readonly line: number; readonly depth: number; readonly name: string }> = [];
  private wasBlank = true;
  /** Paths without an extension. */
  private readonly bare: Array<readonly [unit: number, path: string]> = [];

  constructor(count: number, found: ListReader['found']) {
    this.role = new Uint8Array(count);
    this.of = new Int32Array(count).fill(-1);
    this.under = new Int32Array(count).fill(-1);
    this.found = found;
  }

  blank(unit: number): void {
    this.role[unit] = LISTED.blank;
    this.wasBlank = true;
  }

  ls(unit: number, text: string): void {
    const directory = this.wasBlank ? DIRECTORY.exec(text) : null;
    this.wasBlank = false;
    if (directory !== null) {
      this.open.splice(0, 1, { line: unit, depth: 0, name: directory[2]! });
      this.role[unit] = LISTED.directory;
      this.of[unit] = this.id(directory[2]!);
      return;
    }
    const above = this.open[0];
    this.under[unit] = above?.line ?? -1;
    this.of[unit] = above === undefined ? -1 : this.id(above.name);
    if (TOTAL.test(text)) {
      this.role[unit] = LISTED.total;
      return;
    }
    const entry = longEntry(text);
    if (entry === undefined && /^[\w-]+: .*: /.test(text)) return;
    this.role[unit] = LISTED.entry;
    this.found(unit, entry ?? plain(text), this.of[unit]!);
  }

  paths(unit: number, text: string): void {
    if (!isPlainPath(text) && /^[\w-]+: /.test(text)) return;
    const cut = Math.max(text.lastIndexOf('/', text.length - 2), text.lastIndexOf('\\', text.length - 2));
    this.role[unit] = LISTED.entry;
    this.of[unit] = this.id(text.slice(0, cut + 1));
    if (!/\.\w+$/.test(text))
      this.bare.push([unit, text.replace(/[/\\]?$/, text.includes('/') ? '/' : '\\')]);
    this.found(unit, plain(text.slice(cut + 1)), this.of[unit]!);
  }

  /** Paths that others lie under are directories. */
  nameDirectories(): void {
    for (const [unit, path] of this.bare) {
      const id = this.ids.get(path);
      if (id === undefined) continue;
      this.role[unit] = LISTED.directory;
      this.of[unit] = id;
    }
  }

  tree(unit: number, text: string): void {
    const branch = BRANCH.exec(text);
    if (branch === null) {
      if (unit > 0) return;
      this.directory({ line: unit, depth: 0, name: text });
      return;
    }
    const depth = 1 + Math.ceil(branch[1]!.replace(/\xc2(\xa0)|\xe2\x94\x82/g, ' ').length / 4);
    while (this.open.length > 0 && this.open.at(-1)!.depth >= depth) this.open.pop();
    const above = this.open.at(-1);
    // What a line above opened is a directory: it was taken for a file.
    if (above !== undefined && this.role[above.line] !== LISTED.directory) this.directory(above);
    this.role[unit] = LISTED.entry;
    this.under[unit] = above?.line ?? -1;
    this.of[unit] = above === undefined ? -1 : this.id(`${above.line} ${above.name}`, above.name);
    const name = branch[2]!;
    this.open.push({ line: unit, depth, name: name.replace(/\/$/, '') });
    if (name.endsWith('/')) this.role[unit] = LISTED.directory;
    this.found(unit, plain(name), this.of[unit]!);
  }

  private directory(of: { readonly line: number; readonly depth: number; readonly name: string }): void {
    this.role[of.line] = LISTED.directory;
    if (!this.open.includes(of)) this.open.push(of);
  }

  private id(key: string, name = key): number {
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.directories.length;
      this.ids.set(key, id);
      this.directories.push(name);
    }
    return id;
  }
}

function longEntry(text: string): Entry | undefined {
  const match = LONG.exec(text);
  if (match === null) return undefined;
  const [, type, mode, owner, group, size, name] = match;
  return { name: name!, type: type!, mode: mode!, owner: owner!, group: group!, size: sizeOf(size!) };
}

function plain(name: string): Entry {
  return { name, type: name.endsWith('/') ? 'd' : '', mode: '', owner: '', group: '', size: undefined };
}

const UNITS = 'KMGTP';

function sizeOf(text: string): number | undefined {
  if (text === '') return undefined;
  const unit = UNITS.indexOf(text.at(-1)!.toUpperCase()) + 1;
  return Number(text.replace(/,/g, '').replace(/[A-Za-z]$/, '')) * 1024 ** unit;
}
