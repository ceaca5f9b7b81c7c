/** Lines as a minimal body: docs/minimal-format.md. Texts are of one character a byte. */
import { latin1 } from '../chars.ts';
import { estimateTokens } from '../tokens.ts';
import { foldRepeats } from './repeats.ts';
import type { Cut } from './text-fields.ts';
import { type Frame, frameOf, rowOf } from './text-frame.ts';
import { jsonIn } from './text-json.ts';
import { patternLine } from './text-pattern.ts';

/** So many lines are looked at for a pattern. */
const WINDOW = 200;
const LEAST_LINES = 6;
/** Tokens that a pattern must save in its window, a line, and in all. */
const LEAST_PER_LINE = 1.5;
const LEAST_SAVED = 10;
/** Another pattern is looked for when there are as many rows again, or after so many. */
const MOST_UNCHECKED = 5000;
/** Shares of the lines that may have fewer fields than a pattern: it is tried with each. */
const SHORTER = [0.08, 0.3];
/** Lines that don't fit, in a row, end a pattern. */
const MOST_ODD = 24;

/** The lines of a text, and what its head says of them: `crlf`, `no-newline`. */
export function writeText(bytes: Uint8Array): { readonly style: string; readonly body: Uint8Array } {
  const text = latin1(bytes);
  const isOpen = !text.endsWith('\n');
  const isCrlf = /^[^\n]*\r\n/.test(text) && !/(?:^|[^\r])\n/.test(text);
  const lines = (isOpen ? text : text.slice(0, isCrlf ? -2 : -1)).split(isCrlf ? '\r\n' : '\n');
  const style = [...(isCrlf ? ['crlf'] : []), ...(isOpen ? ['no-newline'] : [])].join(' ');
  return { style, body: Buffer.from(`${bodyOf(lines).join('\n')}\n`, 'latin1') };
}

/** The lines with JSON, patterns and repeats in their places. */
function bodyOf(lines: readonly string[]): string[] {
  const out: string[] = [];
  let at = 0;
  const add = (more: readonly string[]): void => {
    for (const line of more) out.push(line);
  };
  for (const block of lines.some((line) => line.startsWith('{') || line.startsWith('['))
    ? jsonIn(`${lines.join('\n')}\n`)
    : []) {
    add(blocksOf(lines.slice(at, block.from)));
    add(block.lines);
    at = block.to;
  }
  add(blocksOf(lines.slice(at)));
  return out;
}

function blocksOf(lines: readonly string[]): string[] {
  const out: string[] = [];
  let plain: string[] = [];
  const flush = (): void => {
    for (const line of foldRepeats(plain.map(literal))) out.push(line);
    plain = [];
  };
  for (let at = 0; at < lines.length;) {
    const frame = bestFrame(lines.slice(at, at + WINDOW))?.frame;
    if (frame === undefined) {
      const step = Math.min(lines.length, at + (WINDOW >> 1));
      while (at < step) plain.push(lines[at++]!);
      continue;
    }
    while (rowOf(frame, lines[at]!) === undefined) plain.push(lines[at++]!);
    flush();
    const rows = rowsFrom(lines, at, frame);
    out.push(patternLine(frame.pattern, rows.length));
    for (const row of foldRepeats(rows)) out.push(row);
    at += rows.length;
  }
  flush();
  return out;
}

/** A line that stands for itself; where it looks like something else, behind a `=`. */
function literal(line: string): string {
  return line.startsWith('=') || line.startsWith('<<') ? `=${line}` : line;
}

/** The rows of the lines that a frame fits, with others between them as they are; up to where another one fits better. */
function rowsFrom(lines: readonly string[], from: number, frame: Frame): string[] {
  const rows: string[] = [];
  let odd = 0;
  let check = WINDOW;
  for (let at = from; at < lines.length && odd < MOST_ODD; at += 1) {
    if (rows.length === check) {
      check += Math.min(check, MOST_UNCHECKED);
      if (isBeaten(frame, lines.slice(at, at + WINDOW))) break;
    }
    const row = rowOf(frame, lines[at]!);
    odd = row === undefined ? odd + 1 : 0;
    rows.push(row === undefined ? `=${lines[at]!}` : rowText(row, lines[at]!));
  }
  return rows.slice(0, rows.length - odd);
}

function rowText(row: string, line: string): string {
  return row.startsWith('=') || row.startsWith('<<') ? `=${line}` : row;
}

/** Is there a frame that saves a tenth more? */
function isBeaten(frame: Frame, lines: readonly string[]): boolean {
  const best = bestFrame(lines);
  return best !== undefined && best.saved > 1.1 * savedBy(frame, lines, foldRepeats(lines.map(literal)));
}

/** The frame that saves most in a window. */
function bestFrame(lines: readonly string[]): { readonly frame: Frame; readonly saved: number } | undefined {
  if (lines.length < LEAST_LINES) return undefined;
  const plain = foldRepeats(lines.map(literal));
  let best: Frame | undefined;
  let most = Math.max(LEAST_SAVED, LEAST_PER_LINE * plain.length);
  for (const cut of cutsFor(lines)) {
    for (const shorter of SHORTER) {
      const frame = frameOf(lines, cut, shorter);
      if (frame === undefined) continue;
      const saved = savedBy(frame, lines, plain);
      if (saved <= most) continue;
      most = saved;
      best = frame;
    }
  }
  return best === undefined ? undefined : { frame: best, saved: most };
}

/** Tokens that a frame saves; `plain`: the same lines without it. */
function savedBy(frame: Frame, lines: readonly string[], plain: readonly string[]): number {
  const rows = foldRepeats(lines.map((line) => rowOf(frame, line) ?? `=${line}`));
  return tokensOf(plain) - tokensOf([patternLine(frame.pattern, lines.length), ...rows]);
}

/** The ways to cut that most of the lines allow. */
function cutsFor(lines: readonly string[]): Cut[] {
  const enough = lines.length / 2;
  const has = (text: string): boolean => lines.filter((line) => line.includes(text)).length > enough;
  const cuts: Cut[] = ['words'];
  if (has('  ')) cuts.push('wide');
  for (const separator of [',', '\t', ';', '|'] as const) if (has(separator)) cuts.push(separator);
  return cuts;
}

function tokensOf(lines: readonly string[]): number {
  const bytes = Buffer.from(lines.join('\n'), 'latin1');
  return estimateTokens(bytes, 0, bytes.length);
}
