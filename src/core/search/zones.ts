import { latin1 } from '../chars.ts';
import { GLANCE, lineBytes, type LineIndex, lineText } from '../line-index.ts';
import { late } from '../late.ts';
import { walkLines } from '../line-walk.ts';
import type { Zone } from '../diff/zones.ts';
import { HIT } from './hit.ts';
import { type ListForm, showsForm } from './list-form.ts';
import { isDigit, placeAt } from './located.ts';

/** What places in files come as. */
export type SearchForm = 'hits' | ListForm;
export interface SearchZone extends Zone {
  readonly form: SearchForm;
}

/** Lines that are looked at first: where few of them show a form, the text has none worth a section. */
const SAMPLE = 300;
const LEAST_SAMPLED = 0.15;
/** Bytes of a line that are looked at. */
const LOOKED_AT = 1000;
const LEAST_LINES = 8;
/** Lines of no form in a row that end a zone: an excerpt with its hints is shorter. */
const MOST_OTHERS = 12;
/** Share of the lines of a zone that must have its form. */
const LEAST_SHARE = { hits: 0.4, ls: 0.5, paths: 0.9, tree: 0.8 } as const;

/** Stretches of search results, and lists of files. */
export function searchZones(index: LineIndex): SearchZone[] {
  return formsOf(index).flatMap((form) => (form === 'hits' ? hitZones(index) : listZone(index, form)));
}

/** The form that the text seems to have. */
function formsOf(index: LineIndex): SearchForm[] {
  const seen: Record<SearchForm, number> = { hits: 0, ls: 0, paths: 0, tree: 0 };
  const step = Math.max(1, Math.floor(index.count / SAMPLE));
  let lines = 0;
  for (let line = 0; line < index.count; line += step) {
    if (index.glances[line]! & GLANCE.blank) continue;
    lines += 1;
    if (index.glances[line]! & GLANCE.stamped) continue;
    const text = lineText(index, line, LOOKED_AT);
    if (isHit(index, line, text)) seen.hits += 1;
    if (showsForm('ls', text)) seen.ls += 1;
    if (showsForm('paths', text)) seen.paths += 1;
    if (showsForm('tree', text)) seen.tree += 1;
  }
  const best = (['hits', 'ls', 'tree', 'paths'] as const).toSorted((a, b) => seen[b] - seen[a])[0]!;
  return seen[best] >= 2 && seen[best] >= lines * LEAST_SAMPLED ? [best] : [];
}

function isHit(index: LineIndex, line: number, text: string): boolean {
  return (
    (mayHavePlace(text) && hasPlace(lineBytes(index, line, LOOKED_AT))) || isNumbered(text.slice(0, 300))
  );
}

function hasPlace(line: Uint8Array): boolean {
  return placeAt(line, 0, line.length) !== undefined;
}

/** A colon or a bracket before a digit, by searches that are native. */
function mayHavePlace(text: string): boolean {
  return stands(text, ':') || stands(text, '(');
}

/** Does a digit stand behind one of these marks? */
function stands(text: string, mark: string): boolean {
  for (let at = text.indexOf(mark, 1); at > 0; at = text.indexOf(mark, at + 1)) {
    if (isDigit(text.charCodeAt(at + 1))) return true;
  }
  return false;
}

/** A number first (`12:`, `12-`, `  12:5 `), or between dashes behind a name (`a/b.ts-12-`), as a context line has. */
function isNumbered(text: string): boolean {
  if (/^[\d\s]/.test(text) && /^(?:\d+[:-]|\s+\d+:\d+ )/.test(text)) return true;
  // No name has a quote in it.
  const quote = text.indexOf('"');
  const stop = quote < 0 ? text.length : quote;
  for (let at = text.indexOf('-', 1); at > 0 && at < stop; at = text.indexOf('-', at + 1)) {
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (end > at + 1 && text[end] === '-' && !/[\s:]/.test(text[at - 1]!)) return true;
  }
  return false;
}

function hitZones(index: LineIndex): SearchZone[] {
  const reader = new (late().HitReader)();
  const open = new OpenHits();
  walkLines(index, 0, index.count, (line, b, at, end) => {
    const isStamped = (index.glances[line]! & GLANCE.stamped) !== 0;
    const role = isStamped ? HIT.note : reader.read(b, at, end);
    if (role === HIT.match || role === HIT.context) open.hit(line, role === HIT.match, reader.isLate);
    else if (role === HIT.attached) open.attached(line);
    else if (role === HIT.note && !isContextLike(b, at, end)) open.other();
  });
  open.close();
  const [first, second] = open.zones;
  return first === undefined || second !== undefined ? open.zones : [widened(index, first)];
}

/** A stretch of search results while it is read. */
class OpenHits {
  readonly zones: SearchZone[] = [];
  private from = -1;
  private to = 0;
  private hits = 0;
  private matches = 0;
  private lines = 0;
  /** Lines of another form since the last one of it. */
  private others = 0;

  /** `isLate`: the line before is its heading. */
  hit(line: number, isMatch: boolean, isLate: boolean): void {
    if (this.from < 0) this.from = isLate ? line - 1 : line;
    this.to = line + 1;
    this.hits += 1;
    if (isMatch) this.matches += 1;
    this.lines += 1 + this.others;
    this.others = 0;
  }

  attached(line: number): void {
    if (this.from >= 0 && this.others === 0) this.to = line + 1;
  }

  other(): void {
    if (this.from < 0) return;
    this.others += 1;
    if (this.others > MOST_OTHERS) this.close();
  }

  close(): void {
    const { from, to } = this;
    const isDense = this.hits >= this.lines * LEAST_SHARE.hits;
    if (from >= 0 && this.matches >= 2 && to - from >= LEAST_LINES && isDense)
      this.zones.push({ from, to, form: 'hits' });
    this.from = -1;
    this.hits = this.matches = this.lines = this.others = 0;
  }
}

/** `path-12-text`: whether it is one the whole zone tells. */
function isContextLike(b: Uint8Array, at: number, end: number): boolean {
  const stop = Math.min(end, at + 300);
  for (let i = at; i < stop && b[i] !== COLON && b[i] !== BLANK; i += 1)
    if (b[i] === DASH) return /^[^\s:]+-\d+-/.test(latin1(b, at, stop));
  return false;
}

const COLON = 58;
const BLANK = 32;
const DASH = 45;

/** Excerpts and remarks at both ends belong to the results, where these are all there is. */
function widened(index: LineIndex, zone: SearchZone): SearchZone {
  const from = zone.from <= MOST_OTHERS ? 0 : zone.from;
  const to = index.count - zone.to <= MOST_OTHERS ? index.count : zone.to;
  return { ...zone, from, to };
}

/** From the first line of the form to the last, if nearly all between have it. */
function listZone(index: LineIndex, form: ListForm): SearchZone[] {
  const zone = { from: -1, to: 0, shown: 0, lines: 0 };
  const facts = { tops: new Set<string>(), directories: 0, longest: 0 };
  walkLines(index, 0, index.count, (line, b, at, end) => {
    if (at === end) return;
    const text = latin1(b, at, Math.min(end, at + 1000));
    if (zone.from >= 0) zone.lines += 1;
    if (!showsForm(form, text)) return;
    if (zone.from < 0) Object.assign(zone, { from: line, lines: 1 });
    zone.to = line + 1;
    zone.shown += 1;
    if (form === 'paths' && facts.tops.size < 1000) facts.tops.add(/^[./\\]*[^/\\]*/.exec(text)![0]);
    if (text.endsWith(':')) facts.directories += 1;
  });
  if (zone.shown < LEAST_LINES || zone.shown < zone.lines * LEAST_SHARE[form]) return [];
  if (form === 'paths' && facts.tops.size * 5 > zone.shown) return [];
  if (form === 'ls' && facts.directories < 2) return [];
  return [widened(index, { form, from: zone.from, to: zone.to })];
}
