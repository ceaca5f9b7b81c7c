import { stripEscapes } from '../core/escapes.ts';
import { lineText, type LineIndex } from '../core/line-index.ts';
import type { Section } from '../core/sections.ts';
import { late } from '../core/late.ts';
import { isHeaded, type LineMix } from '../core/shaped-lines.ts';
import type { SectionView, Strategy } from '../core/strategy.ts';

/** What never folds: who it is, how it is, what it is made of. */
const TELLING = [
  'Name Status State Phase Reason Health Ready Severity Image Type Active Loaded Process',
  'Exit Code|Last State|Image ID|Container ID|Restart Count',
].flatMap((keys) => keys.split(keys.includes('|') ? '|' : ' '));

export const describe: Strategy = {
  name: 'describe',
  describe:
    'Reports by indentation: `Key: value` lines under headings, as of kubectl describe and systemctl status',
  fits: (view) => (isReport(view) ? 'keys and headings with deeper lines under them' : undefined),
  outline: (view, reason) => {
    const { index, section } = view;
    const start = index.starts[section.from]!;
    const bytes = index.source.read(start, index.starts[section.to]!);
    const lines = index.starts.slice(section.from, section.to + 1).map((at) => at - start);
    const { hashKey, indentOutline, readDescribe } = late();
    return indentOutline(view, {
      shape: 'describe',
      reason,
      tape: readDescribe(bytes, lines),
      telling: new Set(TELLING.map(hashKey)),
      // Without a line that only a report has it may be YAML: its view is some, too.
      comment: sampled(index, section).bare === 0 ? '# ' : '',
    });
  },
};

/** Keys and indentation all over, or values in a column of their own; no log, no help text, nothing overwritten. */
function isReport(view: SectionView): boolean {
  return mayBe(view) && (repeatsSections(view) || isOneReport(view));
}

function mayBe(view: SectionView): boolean {
  const { section, index } = view;
  if (section.kind !== 'lines') return false;
  if (index.starts[section.to]! - index.starts[section.from]! > LARGEST) return false;
  return view.mix.lines >= LEAST_LINES && !isHeaded(view.mix) && REPORT_LOOKS.has(view.look);
}

function isOneReport({ index, section, mix }: SectionView): boolean {
  const { bare, aligned, bullets, isHelp } = sampled(index, section);
  if (isHelp || bullets > 0.3 || bare + aligned < 0.1 || !isNested(mix)) return false;
  return mix.indented * 100 >= mix.lines * 15 || (aligned >= 0.4 && mix.lines >= 12);
}

/** Larger reports are lines. */
const LARGEST = 32 << 20;
const REPORT_LOOKS: ReadonlySet<string | undefined> = new Set([undefined, 'key-value text']);

/** Has it keys in many of its lines, or in some that deeper lines stand under? */
function isNested({ lines, keyed, indented }: LineMix): boolean {
  return keyed * 10 >= lines * 4 || (indented * 2 > lines && keyed * 10 >= lines);
}

const LEAST_LINES = 8;

/** Do its first lines have sections that say the same of different things, one after the other? */
function repeatsSections({ index, section: { from, to }, mix }: SectionView): boolean {
  if (mix.code * 5 > mix.lines) return false;
  const end = Math.min(to, from + SAMPLED_LINES);
  const start = index.starts[from]!;
  const bytes = stripEscapes(index.source.read(start, index.starts[end]!));
  if (bytes.length !== index.starts[end]! - start) return false;
  const { hasAlikeSections, reportLines } = late();
  const lines = reportLines(
    bytes,
    index.starts.slice(from, end + 1).map((at) => at - start),
  );
  return hasAlikeSections(lines);
}

const SAMPLED_LINES = 2000;

/** What YAML does not have, as shares of the lines: lines without a key, and values in a column of their own. */
function sampled(
  index: LineIndex,
  { from, to }: Section,
): { bare: number; aligned: number; bullets: number; isHelp: boolean } {
  const step = Math.max(1, Math.floor((to - from) / SAMPLE));
  let lines = 0;
  let bare = 0;
  let aligned = 0;
  let bullets = 0;
  let isHelp = false;
  for (let line = from; line < to; line += step) {
    const text = lineText(index, line, 500);
    if (text.trim() === '') continue;
    lines += 1;
    isHelp ||= /^usage:/i.test(text);
    if (/^\s*[-*] \S/.test(text)) bullets += 1;
    if (!/^\s*(?:#|- |-$|[^\s:][^:]*:(?:\s|$))/.test(text)) bare += 1;
    if (/^\s*[^\s:][^:]*:\s{2,}\S/.test(text)) aligned += 1;
  }
  const share = (count: number): number => count / Math.max(1, lines);
  return { bare: share(bare), aligned: share(aligned), bullets: share(bullets), isHelp };
}

const SAMPLE = 400;
