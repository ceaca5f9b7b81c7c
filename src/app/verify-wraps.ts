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
const LOOKED_AT = 160;

/**
 * What may stand around a marker: the braces and quotes of JSON, escaped as often as it is inside of strings; or, where it
 * takes the place of whole lines, their indentation, the `# ` of a comment, and the line end. Longest first.
 */
export function* wrapsAround(
  view: Uint8Array,
  marker: FoundMarker,
  original: Original,
  span: { readonly start: number; readonly end: number },
): Generator<Wrap> {
  const ahead = latin1(view, Math.max(0, marker.start - LOOKED_AT), marker.start);
  const behind = latin1(view, marker.end, Math.min(view.length, marker.end + 24));
  const end = lineEndOf(original.read(Math.max(0, span.end - 2), span.end));
  const hidden = latin1(original.read(Math.max(span.start, span.end - 64), span.end));
  const inString = escapedEnd(hidden);
  if (inString !== undefined && behind.startsWith(inString.text)) {
    const tab = literal(escaped('\t', inString.depth));
    const before = new RegExp(`(?: |${tab})*$`).exec(ahead)![0];
    if (before !== '') yield { before, after: inString.text };
    yield { before: '', after: inString.text };
  }
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    const quote = escaped('"', depth);
    for (const [opening, closing] of [
      [new RegExp(`\\{${literal(quote)}_ctxzip${literal(quote)}:${literal(quote)}$`), `${quote}}`],
      [new RegExp(`${literal(quote)}_ctxzip\\d*_*${literal(quote)}:${literal(quote)}$`), quote],
      [new RegExp(`${literal(quote)}$`), quote],
    ] as const) {
      const before = opening.exec(ahead)?.[0];
      if (before === undefined || !behind.startsWith(closing)) continue;
      if (end !== '' && behind.startsWith(`${closing}${end}`)) yield { before, after: `${closing}${end}` };
      yield { before, after: closing };
    }
  }
  if (!behind.startsWith(end)) return;
  const indent = /[ \t]*(?:# )?$/.exec(ahead)![0];
  const comment = /# $/.exec(indent)?.[0];
  if (indent !== '') yield { before: indent, after: end };
  if (comment !== undefined) yield { before: comment, after: end };
  yield { before: '', after: end };
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
