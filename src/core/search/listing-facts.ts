import { Field } from '../fields.ts';
import type { Policy } from '../model.ts';
import type { NamedFacts } from '../named-lines.ts';
import { type Odd, oddOf, outliers, rareValues } from '../odd.ts';
import { EMPTY, PINNED, WHOLE } from '../outline.ts';
import type { SectionView } from '../strategy.ts';
import type { ListForm } from './list-form.ts';
import { type Entry, LISTED, type Listing, readListing } from './listing.ts';

/** So many directories stay; of more the rest is counted. */
const MOST_DIRECTORIES = 400;
const MOST_NOTES = 40;
/** A directory of so many entries has sizes of its own. */
const LEAST_ENTRIES = 20;
const MOST_SPECIAL = 40;

/** What stays of a list of files: directories, and entries of a rare kind, mode, owner or size. */
export function listingFacts(view: SectionView, form: ListForm, policy: Policy): NamedFacts {
  const { index, section } = view;
  const columns = new Columns(section.to - section.from);
  const listing = readListing(index, { from: section.from, to: section.to, form }, (unit, entry, directory) =>
    columns.add(unit, entry, directory),
  );
  const { role, of, under, directories } = listing;
  const flags = flagsOf(listing, form, policy.budgetAsked ? WHOLE : PINNED);
  return {
    // Under the line that names a directory its name would say nothing new.
    lines: { of, names: form === 'paths' ? directories : [] },
    kind: columns.kind,
    flags,
    severity: new Uint8Array(role.length),
    parents: under,
    odd: columns.odd(),
  };
}

function flagsOf(listing: Listing, form: ListForm, kept: number): Uint8Array {
  const { role } = listing;
  const flags = new Uint8Array(role.length);
  const notes = role.reduce((sum, what) => sum + (what === LISTED.note ? 1 : 0), 0);
  for (let i = 0; i < role.length; i += 1) {
    if (role[i] === LISTED.blank) flags[i] = EMPTY;
    else if (role[i] === LISTED.note && notes <= MOST_NOTES) flags[i] = kept;
  }
  for (const unit of directoryLines(listing, form).slice(0, MOST_DIRECTORIES)) flags[unit] = kept;
  return flags;
}

/** The lines that name directories; of one that no line names, its first entry. */
function directoryLines({ role, of }: Listing, form: ListForm): number[] {
  const lines: number[] = [];
  const known = new Set<number>();
  for (let i = 0; i < role.length; i += 1) {
    const isNew = form === 'paths' && role[i] === LISTED.entry && !known.has(of[i]!);
    if (!isNew && role[i] !== LISTED.directory) continue;
    if (form === 'paths') known.add(of[i]!);
    lines.push(i);
  }
  return lines;
}

/** The columns of a list: what is told of each entry. */
class Columns {
  readonly kind: Uint32Array;
  private readonly words = new Map<string, { readonly field: Field; readonly ids: Map<string, number> }>();
  private readonly kinds = new Map<string, number>();
  private readonly special: number[] = [];
  private readonly sizes = new Field();
  private readonly byDirectory = new Map<number, Field>();
  private readonly counts = new Map<number, number>();

  constructor(count: number) {
    this.kind = new Uint32Array(count);
  }

  add(unit: number, { name, type, mode, owner, group, size }: Entry, directory: number): void {
    const extension = extensionOf(name);
    const key = `${type} ${extension}`;
    if (!this.kinds.has(key)) this.kinds.set(key, this.kinds.size + 1);
    this.kind[unit] = this.kinds.get(key)!;
    if (name === '.' || name === '..') return;
    if (type !== 'd') this.word('extension', extension, unit);
    if (mode !== '') {
      this.word('mode', type + mode, unit);
      this.word('owner', owner, unit);
      this.word('group', group, unit);
      if (isSpecial(type, mode) && this.special.length < MOST_SPECIAL) this.special.push(unit);
    }
    if (size !== undefined && type === '-') {
      this.sizes.number(size, unit);
      const entries = (this.counts.get(directory) ?? 0) + 1;
      this.counts.set(directory, entries);
      if (entries === 1) this.byDirectory.set(directory, new Field());
      this.byDirectory.get(directory)!.number(size, unit);
    }
  }

  odd(): Odd[] {
    return [
      ...this.special.map((unit): Odd => ({ unit, kind: 'rare value', worth: 1 })),
      ...[...this.words.values()].flatMap(({ field }) => rareValues(field)),
      ...oddOf(this.sizes),
      ...[...this.byDirectory].flatMap(([directory, field]) =>
        this.counts.get(directory)! >= LEAST_ENTRIES ? outliers(field).slice(0, 1) : [],
      ),
    ];
  }

  private word(column: string, text: string, unit: number): void {
    let known = this.words.get(column);
    if (known === undefined) this.words.set(column, (known = { field: new Field(), ids: new Map() }));
    let id = known.ids.get(text);
    if (id === undefined) known.ids.set(text, (id = known.ids.size));
    known.field.word(id, unit);
  }
}

/** Files that run as another user or that anyone may write. */
function isSpecial(type: string, mode: string): boolean {
  return (type === '-' && /[sS]/.test(mode)) || (type !== 'l' && mode[7] === 'w' && !/[tT]$/.test(mode));
}

function extensionOf(name: string): string {
  const end = name.replace(/[*@=|/]$/, '').replace(/(?:\.\d+)+$/, '');
  return /[^/\\.]\.([A-Za-z][\w+-]{0,9})$/.exec(end)?.[1]?.toLowerCase() ?? '';
}
