import { latin1Bytes } from './native.ts';
import { markerAddress } from './address.ts';
import { stripEscapes } from './escapes.ts';
import { inputHole } from './frame.ts';
import { hiddenRuns } from './gaps.ts';
import { countFailures } from './line-units.ts';
import type { Places } from './long-lines.ts';
import { formatMarker } from './marker.ts';
import type { Gap, Policy, Source } from './model.ts';
import type { GapCounts, Hole } from './outline.ts';
import { lineChunks } from './source.ts';
import type { Kept } from './worth.ts';

/** A view: its bytes in pieces, and where they are not the input's. */
export interface Rendered {
  readonly chunks: readonly Uint8Array[];
  readonly size: number;
  readonly gaps: readonly Gap[];
}

export interface RenderOptions {
  readonly policy: Policy;
  /** First 12 hex digits of the SHA-256 of the input. */
  readonly hash: () => string;
  readonly places: Places;
}

/** Writes the view: the input with the units that went cut out and a marker in each place. */
export function render(source: Source, all: readonly Kept[], options: RenderOptions): Rendered {
  const holes = joined(
    all.flatMap((kept) => holesOf(kept, options.places)).sort((a, b) => a.start - b.start),
  );
  const isCutUpstream = all.some(({ outline }) => outline.isTorn === true);
  const chunks: Uint8Array[] = [];
  const gaps: Gap[] = [];
  let size = 0;
  let at = 0;
  const push = (chunk: Uint8Array): void => {
    if (chunk.length > 0) chunks.push(chunk);
    size += chunk.length;
  };
  const text = (from: number, to: number): void => {
    for (const { bytes } of lineChunks(source, from, to)) {
      push(options.policy.escapes === 'strip' ? stripEscapes(bytes) : bytes);
    }
  };
  const hash = holes.length === 0 ? '' : options.hash();
  holes.forEach((hole, i) => {
    text(at, hole.start);
    const { start, end, before, after, count, unit, values, failures } = hole;
    const address = markerAddress(hole.address, [start, end]);
    const hasCommand = options.policy.hint && hole.hasNoCommand !== true;
    const form = formOf(i, holes.length, hasCommand, options.policy);
    const isCut = isCutUpstream && i === holes.length - 1;
    const facts = { address, count, unit, values, failures, hash, form, isCutUpstream: isCut };
    const marker = formatMarker(facts);
    const begin = size;
    push(latin1Bytes(`${before}${marker}${after}`));
    gaps.push({ address, count, unit, values, failures, bytes: [start, end], view: [begin, size] });
    at = end;
  });
  text(at, source.length);
  return { chunks, size, gaps };
}

/** The form of the marker of gap `i` of `count`. */
function formOf(
  i: number,
  count: number,
  hasCommand: boolean,
  { markers }: Policy,
): 'first' | 'full' | 'short' {
  if (i === 0 && hasCommand) return 'first';
  return markers === 'full' || i === 0 || i === count - 1 ? 'full' : 'short';
}

/** Lines that went one behind the other are one gap, though they were under different parents. */
function joined(holes: readonly Hole[]): Hole[] {
  const out: Hole[] = [];
  for (const hole of holes) {
    const last = out.at(-1);
    const both = last && joinedTwo(last, hole);
    if (both === undefined) out.push(hole);
    else out[out.length - 1] = both;
  }
  return out;
}

/** Two gaps as one; undefined where they are none. */
function joinedTwo(a: Hole, b: Hole): Hole | undefined {
  if (a.end !== b.start || a.address?.kind !== 'lines' || b.address?.kind !== 'lines') return undefined;
  if (!isBare(a) || !isBare(b) || !areAlike(a, b)) return undefined;
  const address = { kind: 'lines', from: a.address.from, to: b.address.to } as const;
  return {
    ...b,
    start: a.start,
    address,
    count: address.to + 1 - address.from,
    unit: 'lines',
    values: [],
    failures: a.failures + b.failures,
    before: a.before.length < b.before.length ? a.before : b.before,
  };
}

/** A line of a block scalar of YAML and a comment are none of one kind. */
function areAlike(a: Hole, b: Hole): boolean {
  return a.before.endsWith('# ') === b.before.endsWith('# ');
}

/** Is its marker a line of its own that says no more than how many lines went? */
function isBare({ before, after, values }: Hole): boolean {
  return values.length === 0 && /^[ \t]*(?:# )?$/.test(before) && /^\r?\n?$/.test(after);
}

/** Failures in the outputs that went with the units `[first, end)`, beyond those that the units count for themselves. */
function failuresInside(
  kept: Kept,
  { first, end }: { readonly first: number; readonly end: number },
): number {
  let failures = 0;
  if (!kept.hasTexts(first, end)) return failures;
  for (let unit = first; unit < end; unit += 1) {
    let inside = 0;
    for (const text of kept.textsIn(unit)) {
      const all = { first: 0, end: text.outline.count };
      inside += countFailures(text.outline.severity, all.first, all.end) + failuresInside(text, all);
    }
    // A unit that fails for what its output says is no failure more.
    if (inside > 0 && kept.outline.severity[unit]! > 1) inside -= 1;
    failures += inside;
  }
  return failures;
}

/** The gaps of a section, and the parts that go of its kept units. */
function holesOf(kept: Kept, places: Places): Hole[] {
  const { outline, reasons } = kept;
  const counts: GapCounts = new Map();
  const holes: Hole[] = [];
  for (const run of hiddenRuns(kept)) {
    const hole = outline.hole(run, counts);
    const inside = kept.hasOutputs ? failuresInside(kept, run) : 0;
    holes.push(inside === 0 ? hole : { ...hole, failures: hole.failures + inside });
  }
  if (outline.uncut !== true && kept.isOpen) {
    for (let unit = 0; unit < outline.count; unit += 1)
      if (reasons[unit] !== 0) holes.push(...outline.parts(unit, places));
  }
  return holes.map((hole) => inputHole(outline.frame, hole));
}
