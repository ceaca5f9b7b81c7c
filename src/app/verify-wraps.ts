import { latin1 } from '../core/chars.ts';
import { lineEndOf } from '../core/edges.ts';
import type { FoundMarker } from '../core/marker.ts';
import type { Original } from './expand-read.ts';

/** What stands around a marker in a view. */
export interface Wrap {
  readonly before: string;
  readonly after: string;
}

/** Strings in strings are read so deep. */
const DEEPEST = 4;
/** Bytes that are looked at on each side: an indentation may be wide, and a record have many cells. */
const WIDEST = 4096;

/**
 * What may stand around a marker: the braces and quotes of JSON, escaped as often as it is inside of strings; the other
 * cells of a record or a row; or, where it takes the place of whole lines, their indentation, the `# ` of a comment, and the
 * line end. Longest first.
 */
export function* wrapsAround(
  view: Uint8Array,
  marker: FoundMarker,
  original: Original,
  span: { readonly start: number; readonly end: number },
): Generator<Wrap> {
  const ahead = latin1(view, Math.max(0, marker.start - WIDEST), marker.start);
  const behind = latin1(view, marker.end, Math.min(view.length, marker.end + WIDEST));
  const end = lineEndOf(original.read(Math.max(0, span.end - 2), span.end));
  const inString = escapedEnd(latin1(original.read(Math.max(span.start, span.end - 64), span.end)));
  if (inString !== undefined && behind.startsWith(inString.text)) {
    yield* wholeLine(ahead, inString.text, literal(escaped('\t', inString.depth)));
  }
  const lineEnds = [end, inString?.text ?? '', ''];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    for (const { before, closing } of wrapsAt(ahead, behind, depth)) {
      for (const after of lineEnds.map((lineEnd) => closing + lineEnd))
        if (behind.startsWith(after)) yield { before, after };
    }
  }
  if (behind.startsWith(end)) yield* wholeLine(ahead, end, '\t');
}

/** Braces and quotes of JSON that a string at a depth has before a marker, and what closes them. */
function wrapsAt(ahead: string, behind: string, depth: number): Array<{ before: string; closing: string }> {
  const quote = escaped('"', depth);
  const own = literal(quote);
  const forms = [
    ...cellsAt(behind, depth),
    [`\\{${own}_ctxzip${own}:${own}$`, `${quote}}`],
    [`${own}_ctxzip\\d*_*${own}:${own}$`, quote],
    [`${own}$`, quote],
  ] as const;
  return forms.flatMap(([opening, closing]) => {
    const before = new RegExp(opening).exec(ahead)?.[0];
    return before === undefined ? [] : [{ before, closing }];
  });
}

/** A whole line: the quote of a record or the bar of a row of Markdown, and behind the marker their empty cells. */
function cellsAt(behind: string, depth: number): Array<readonly [opening: string, closing: string]> {
  const [own, tab, feed] = ['"', '\t', '\n'].map((text) => literal(escaped(text, depth)));
  const outer = depth === 0 ? '^' : literal(escaped('"', depth - 1));
  const ending = `(?=\\r|\\n|\\\\+[rn]|${depth === 0 ? '$' : outer})`;
  const cells = new RegExp(`^${own}(?:,+|;+|\\|+|(?:${tab})+)${ending}`).exec(behind)?.[0];
  const bars = new RegExp(`^(?: \\|)+${ending}`).exec(behind)?.[0];
  return [
    ...(cells === undefined ? [] : [[`(?<=^|${outer}|${feed})${own}$`, cells] as const]),
    ...(bars === undefined ? [] : [[`(?<=^|${outer}|${feed})(?: |${tab})*\\| $`, bars] as const]),
  ];
}

/** An indentation, with or without a comment sign. */
function* wholeLine(ahead: string, after: string, tab: string): Generator<Wrap> {
  const comment = ahead.endsWith('# ') ? '# ' : '';
  const indent = new RegExp(`(?: |${tab})*$`).exec(ahead.slice(0, ahead.length - comment.length))![0];
  if (indent + comment !== '') yield { before: indent + comment, after };
  if (indent !== '' && comment !== '') yield { before: comment, after };
  yield { before: '', after };
}

/** The line end that an escaped text closes with, at the depth of its escapes. */
function escapedEnd(hidden: string): { text: string; depth: number } | undefined {
  for (let depth = DEEPEST; depth > 0; depth -= 1) {
    for (const lineEnd of ['\r\n', '\n']) {
      const text = escaped(lineEnd, depth);
      if (hidden.endsWith(text)) return { text, depth };
    }
  }
  return undefined;
}

function escaped(text: string, depth: number): string {
  let out = text;
  for (let i = 0; i < depth; i += 1) out = JSON.stringify(out).slice(1, -1);
  return out;
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
