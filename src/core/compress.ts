import { beginInput } from './kernel.ts';
import { indexLines, type LineIndex } from './line-index.ts';
import { markUnits } from './marks.ts';
import { compilePatterns, type Patterns, placesOf, queryTerms, termRegex } from './match.ts';
import type { Gap, Policy, Source } from './model.ts';
import { KEEP, type Outline } from './outline.ts';
import { NUMBERS } from './policy.ts';
import { render, type RenderOptions } from './render.ts';
import { ScaleSearch } from './scale.ts';
import { sectionsOf, type Section } from './sections.ts';
import { withoutSeen } from './seen.ts';
import { select } from './select.ts';
import { lineChunks } from './source.ts';
import { estimateChunks, estimateSource, estimateTokens } from './tokens.ts';
import type { Kept } from './worth.ts';

/** Offsets are kept in 32 bits. */
const LARGEST = 0xffff_ffff;

/** Gives a section its outline, and those of the texts inside of it. */
export type Outliner = (index: LineIndex, section: Section, policy: Policy) => readonly Outline[];

export type Compressed =
  | {
      readonly kind: 'passthrough';
      readonly reason: string;
      readonly tokensBefore?: number;
      /** A budget was asked for, and the input is over it. */
      readonly isOver?: boolean;
    }
  | {
      readonly kind: 'view';
      readonly chunks: readonly Uint8Array[];
      readonly size: number;
      readonly gaps: readonly Gap[];
      readonly kept: readonly Kept[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly notes: readonly string[];
    };

/**
 * The straight line: sections, outlines, selection, view, gates. `hash` gives the first 12 hex digits of the SHA-256 of
 * the input; it is asked for only when there is something to mark.
 */
export function compress(source: Source, policy: Policy, hash: () => string, outline: Outliner): Compressed {
  const early = reasonToPass(source, policy);
  if (early !== undefined) return { kind: 'passthrough', reason: early };
  const patterns = compilePatterns(policy.keepPatterns);
  const options = renderOptions(policy, hash, patterns);
  const tokensBefore = sizeOf(source, policy);
  const wanted = { ...policy, maxTokens: usefulBudget(policy, tokensBefore) };
  const made = (under: Policy): Fitted => {
    const outlines = withoutSeen(outlinesOf(source, under, outline));
    markUnits(outlines, policy, patterns);
    return fitted(source, outlines, wanted, options);
  };
  const shaped = made(policy);
  const { kept, view, tokensAfter } = isOver(shaped, wanted)
    ? smaller(shaped, made({ ...policy, as: 'log' }))
    : shaped;
  const saved = tokensBefore - tokensAfter;
  if (view.size === 0) return pass('nothing would be left of it', tokensBefore, policy);
  if (saved < NUMBERS.leastSaved || saved < NUMBERS.leastShare * tokensBefore) {
    return pass('a view would save too little', tokensBefore, policy);
  }
  return {
    kind: 'view',
    ...view,
    kept,
    tokensBefore,
    tokensAfter,
    notes: notesOf(kept, tokensAfter, policy),
  };
}

function pass(reason: string, tokensBefore: number, policy: Policy): Compressed {
  if (!isTooMuch(tokensBefore, policy)) return { kind: 'passthrough', reason, tokensBefore };
  return { kind: 'passthrough', reason: tooSmall(tokensBefore, policy), tokensBefore, isOver: true };
}

/** Is it more than the budget that was asked for? */
function isTooMuch(tokens: number, { budgetAsked, maxTokens }: Policy): boolean {
  return budgetAsked && tokens > maxTokens * MOST_OVER;
}

function tooSmall(tokens: number, { maxTokens }: Policy): string {
  return `the budget of ${maxTokens} tokens is too small: what can't be left out is ${Math.round(tokens)}`;
}

/** Estimated tokens of an input; of one that a budget may just not hold, all of it is read. */
function sizeOf(source: Source, { budgetAsked, maxTokens }: Policy): number {
  if (!budgetAsked || source.length > maxTokens * MOST_BYTES) return estimateSource(source);
  let tokens = 0;
  for (const { bytes } of lineChunks(source, 0, source.length))
    tokens += estimateTokens(bytes, 0, bytes.length);
  return tokens;
}

/** Bytes of a token, at most. */
const MOST_BYTES = 8;

/** The budget, or less where a view of that size would save too little to be used, and its input is larger than was asked for. */
function usefulBudget({ budgetAsked, maxTokens }: Policy, before: number): number {
  if (!budgetAsked || before <= maxTokens) return maxTokens;
  const most = Math.min(before - NUMBERS.leastSaved, before * (1 - NUMBERS.leastShare));
  return Math.min(maxTokens, Math.max(1, Math.floor(most)));
}

/** What the strategies say of an input, section by section. */
export function outlinesOf(source: Source, policy: Policy, outline: Outliner): Outline[] {
  beginInput();
  const index = indexLines(source);
  return cut(index, policy).flatMap((section) => outline(index, section, policy));
}

/** The sections of an input; one, where its shape is given. */
function cut(index: LineIndex, policy: Policy): Section[] {
  if (policy.as === undefined) return sectionsOf(index);
  return index.count === 0 ? [] : [{ kind: 'lines', from: 0, to: index.count }];
}

function renderOptions(policy: Policy, hash: () => string, patterns: Patterns): RenderOptions {
  const anchors = policy.query === undefined ? [] : queryTerms(policy.query).map(termRegex);
  return {
    policy,
    hash,
    places: (line, limit) => placesOf([...patterns.all(), ...anchors])(line, limit),
  };
}

interface Fitted {
  readonly kept: readonly Kept[];
  readonly view: ReturnType<typeof render>;
  readonly tokensAfter: number;
}

/** What holds the shape of an input together may be more than a budget: then it is lines. Data stays data. */
function isOver({ kept, tokensAfter }: Fitted, policy: Policy): boolean {
  if (!isTooMuch(tokensAfter, policy) || policy.as !== undefined) return false;
  const sections = kept.flatMap(({ outline }) => (outline.frame === undefined ? [outline] : []));
  const areJson = sections.some(({ shape }) => JSON_SHAPES.has(shape));
  return !sections.every((outline) => (areJson ? JSON_SHAPES.has(outline.shape) : mayBeYaml(outline)));
}

const MOST_OVER = 1.05;
const JSON_SHAPES: ReadonlySet<string> = new Set(['json', 'ndjson', 'envelope']);

/** YAML, CSV and what may be some that was not understood; a report whose markers are comments, too. */
function mayBeYaml({ shape, wrapping }: Outline): boolean {
  return TEXTS.has(shape) || (shape === 'describe' && wrapping > 0);
}

const TEXTS: ReadonlySet<string> = new Set(['yaml', 'csv', 'code', 'text']);

function smaller(a: Fitted, b: Fitted): Fitted {
  return b.tokensAfter < a.tokensAfter ? b : a;
}

/**
 * Selects and renders. A view that came out over its budget is made again with a smaller one, and one that left some of it, where
 * more was wanted, with a larger one.
 */
function fitted(
  source: Source,
  outlines: readonly Outline[],
  policy: Policy,
  options: RenderOptions,
): Fitted {
  const search = new ScaleSearch();
  let best: Fitted | undefined;
  for (;;) {
    const { kept, budget, isFull } = select(outlines, policy, search.scale);
    const view = render(source, kept, options);
    const tokensAfter = estimateChunks(view.chunks);
    const made = { kept, view, tokensAfter };
    if (budget === undefined) return made;
    if (tokensAfter <= budget && tokensAfter > (best?.tokensAfter ?? 0)) best = made;
    if (!search.goOn(tokensAfter / budget, isFull === true)) return best ?? made;
  }
}

/** What is to be said of a budget: what it hid, and that it was too small for even the least. */
function notesOf(kept: readonly Kept[], tokensAfter: number, policy: Policy): string[] {
  const notes = overflow(kept, policy);
  return isTooMuch(tokensAfter, policy) ? [...notes, tooSmall(tokensAfter, policy)] : notes;
}

/** What a budget hid that the floor would have kept. */
function overflow(all: readonly Kept[], { maxTokens }: Policy): string[] {
  let patterns = 0;
  let failures = 0;
  for (const { outline, reasons, groups } of all) {
    for (let i = 0; i < outline.count; i += 1)
      if (outline.flags[i]! & KEEP && reasons[i] === 0) patterns += 1;
    for (const { severity, units } of groups) if (severity > 1 && reasons[units[0]!] === 0) failures += 1;
  }
  const hidden = [
    ...counted(patterns, 'unit', 'of keep patterns'),
    ...counted(failures, 'kind', 'of failures'),
  ];
  return hidden.length === 0 ? [] : [`the budget of ${maxTokens} tokens hides ${hidden.join(' and ')}`];
}

function counted(count: number, noun: string, rest: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'} ${rest}`];
}

function reasonToPass(source: Source, policy: Policy): string | undefined {
  if (source.length > LARGEST) return 'over 4 GB';
  if (policy.level === 'none') return 'level none';
  if (source.length < policy.minChars && !policy.budgetAsked) return `under ${policy.minChars} characters`;
  return undefined;
}
