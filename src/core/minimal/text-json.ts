/** JSON between other lines: a warning before it, a summary behind it. Texts are of one character a byte. */
import { latin1 } from '../chars.ts';
import { indexLines } from '../line-index.ts';
import { sectionsOf } from '../sections.ts';
import { memorySource } from '../source.ts';
import { estimateTokens } from '../tokens.ts';
import { decodeJson, encodeJson, type JsonKind } from './json-body.ts';
import { RESPACED } from './spacing.ts';

/** Tokens that a block must save. */
const LEAST_SAVED = 20;

/** Lines `[from, to)` of a text that are JSON. */
export interface JsonLines {
  readonly from: number;
  readonly to: number;
  /** What takes their place. */
  readonly lines: readonly string[];
}

/** The JSON in lines that end with `\n`. */
export function jsonIn(text: string): JsonLines[] {
  const bytes = Buffer.from(text, 'latin1');
  const index = indexLines(memorySource(bytes));
  return sectionsOf(index).flatMap(({ kind, from, to }) => {
    if (kind !== 'json') return [];
    const part = bytes.subarray(index.starts[from]!, index.starts[to]!);
    const lines = blockOf(part, 'json') ?? blockOf(part, 'ndjson');
    return lines === undefined ? [] : [{ from, to, lines }];
  });
}

function blockOf(part: Uint8Array, kind: JsonKind): string[] | undefined {
  const made = encodeJson(part, kind);
  if (made === undefined || made.style === RESPACED) return undefined;
  if (estimateTokens(part, 0, part.length) < estimateTokens(made.body, 0, made.body.length) + LEAST_SAVED)
    return undefined;
  const lines = latin1(made.body).slice(0, -1).split('\n');
  return [`<<${lines.length} lines of ${kind}${made.style === '' ? '' : ` ${made.style}`}>>`, ...lines];
}

const BLOCK = /^<<(\d{1,9}) lines of (json|ndjson)((?: [a-z0-9-]+)*)>>$/;

/** What the first line of a block says. */
export interface BlockHead {
  readonly lines: number;
  readonly kind: JsonKind;
  readonly style: string;
}

/** Reads it; undefined where it is none. */
export function readBlockHead(line: string): BlockHead | undefined {
  const match = BLOCK.exec(line);
  if (match === null) return undefined;
  return { lines: Number(match[1]), kind: match[2] as JsonKind, style: match[3]!.trim() };
}

/** The lines that a block stands for. Throws `DamagedView`. */
export function readBlock(lines: readonly string[], kind: JsonKind, style: string): string[] {
  const body = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
  return latin1(decodeJson(body, 0, kind, style))
    .slice(0, -1)
    .split('\n');
}
