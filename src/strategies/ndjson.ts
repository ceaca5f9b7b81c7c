import { latin1 } from '../core/chars.ts';
import { jsonOutlines } from '../core/json/outline.ts';
import { readTape, TEXT, type Tape } from '../core/json/tape.ts';
import { lineBytes } from '../core/line-index.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';
import { DEEPEST, LARGEST_JSON } from './json.ts';

export const ndjson: Strategy = {
  name: 'ndjson',
  describe: 'A JSON record a line, also behind a prefix (`pod-1 | {…}`), compared field by field',
  fits: (view) => (recordsOf(view) === undefined ? undefined : 'JSON values one after the other'),
  outline: (view, reason) =>
    jsonOutlines(view, { shape: 'ndjson', reason, ...recordsOf(view)!, isLines: true }),
};

/** The tape of a section that is JSON values one after the other. */
export function recordsOf(view: SectionView): { tape: Tape; base: number } | undefined {
  const tape = tapeOf(view);
  return tape && { tape, base: baseOf(view) };
}

const tapes = new WeakMap<SectionView, { readonly tape: Tape | undefined }>();

function tapeOf(view: SectionView): Tape | undefined {
  let known = tapes.get(view);
  if (known === undefined) {
    known = { tape: read(view) };
    tapes.set(view, known);
  }
  return known.tape;
}

function baseOf({ index, section }: SectionView): number {
  return index.starts[section.from]!;
}

function read(view: SectionView): Tape | undefined {
  const { index, section } = view;
  const prefixed = section.kind === 'lines' && isPrefixed(view);
  if (section.kind !== 'json' && !prefixed) return undefined;
  const base = baseOf(view);
  const size = index.starts[section.to]! - base;
  if (size > LARGEST_JSON) return undefined;
  const tape = readTape(index.source.read(base, base + size), 0, size, { many: true, prefixed, mixed: true });
  if (tape === undefined || tape.size[0]! < LEAST_RECORDS || tape.depth > DEEPEST) return undefined;
  let texts = 0;
  for (let n = 1; n < tape.count; n = tape.next[n]!) if (tape.kind[n] === TEXT) texts += 1;
  return texts * 2 > tape.size[0]! ? undefined : tape;
}

const LEAST_RECORDS = 2;
/** Lines that are looked at for a prefix. */
const SAMPLE = 50;
/** A short prefix without a bracket, then an object to the end of the line. */
const PREFIXED = /^[^{}[\]"]{1,60}[\s|:>\]-]\s*\{\s*".*\}\s*$|^\[[^\]]{1,80}\]\s*\{\s*".*\}\s*$/s;

/** Are all lines JSON behind a prefix that is the same or nearly so? A log that ends with JSON says more before it. */
function isPrefixed({ index, section: { from, to } }: SectionView): boolean {
  if (to - from < 3) return false;
  const words = new Set<string>();
  const step = Math.max(1, Math.floor((to - from) / SAMPLE));
  let seen = 0;
  for (let line = from; line < to; line += step) {
    const text = latin1(lineBytes(index, line));
    if (text.trim() === '') continue;
    if (!PREFIXED.test(text)) return false;
    seen += 1;
    words.add(text.slice(0, text.indexOf('{')).replace(/[\d:.TZ+-]+/g, '#'));
  }
  return seen >= 3 && words.size <= Math.max(8, seen / 4);
}
