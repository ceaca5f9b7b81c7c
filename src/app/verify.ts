/**
 * The verb `verify`: proves that a view is its original with spans cut out. It needs no policy and trusts no record but
 * the hash: between two markers the view must be the original, byte for byte (without control sequences, if those were
 * stripped), and each marker must stand where the span that it names was.
 */
import { formatAddress } from '../core/address.ts';
import { latin1 } from '../core/chars.ts';
import { wrapsAround } from './verify-wraps.ts';
import { stripEscapes } from '../core/escapes.ts';
import { outlinesOf } from '../core/compress.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';
import { memorySource } from '../core/source.ts';
import { outlineSection } from './shapes.ts';
import { findMarkers, type FoundMarker } from '../core/marker.ts';
import { spanOf } from './expand-range.ts';
import { openOriginal, type Original } from './expand-read.ts';
import type { Reader } from '../store/port.ts';

export interface VerifiedGap {
  readonly address: string;
  readonly bytes: readonly [number, number];
  readonly count: number;
  readonly unit: string;
  readonly failures: number;
}

export type Verified =
  | {
      readonly kind: 'proven';
      readonly size: number;
      readonly hiddenBytes: number;
      readonly strippedBytes: number;
      readonly gaps: readonly VerifiedGap[];
      readonly failures: { readonly visible: number; readonly all: number };
    }
  | { readonly kind: 'broken'; readonly reason: string };

/** Compares a view with its original. Reads all of the original. */
export function verify(view: Uint8Array, reader: Reader): Verified {
  const original = openOriginal(reader);
  const placed = placeAll(original, view, findMarkers(latin1(view)));
  if (typeof placed === 'number')
    return { kind: 'broken', reason: `behind byte ${placed} the view is not its original` };
  const { gaps, stripped } = placed;
  return {
    kind: 'proven',
    size: original.size,
    hiddenBytes: gaps.reduce((sum, gap) => sum + gap.bytes[1] - gap.bytes[0], 0),
    strippedBytes: stripped,
    gaps,
    failures: countFailures(original, gaps),
  };
}

/** What a minimal view that decoded to `original` proves: all of it is in view. */
export function verifyDecoded(original: Uint8Array): Extract<Verified, { kind: 'proven' }> {
  const source = memorySource(original);
  const failures = countFailures({ size: source.length, read: source.read }, []);
  return { kind: 'proven', size: original.length, hiddenBytes: 0, strippedBytes: 0, gaps: [], failures };
}

/** A marker that stands in the original, too, was no gap: markers are never hidden. */
function isData(original: Original, at: number, marker: Uint8Array): boolean {
  const there = original.read(at, Math.min(original.size, at + marker.length));
  return Buffer.compare(there, marker) === 0;
}

interface Place {
  readonly viewAt: number;
  readonly at: number;
}

/** A gap that a marker was placed as; without one the marker is data of the input. */
interface Step extends Place {
  readonly gap?: VerifiedGap;
  readonly stripped: number;
}

/** More steps a marker than any view takes that is what it says. */
const MOST_STEPS = 64;

/**
 * Finds for each marker what stands around it, so that the view between the gaps is the original; where the next
 * marker shows that a guess was wrong, takes it back. Gives the byte up to which they agree where none fits.
 */
function placeAll(
  original: Original,
  view: Uint8Array,
  markers: readonly FoundMarker[],
): { gaps: VerifiedGap[]; stripped: number } | number {
  const taken: Step[] = [];
  const open = [placesOf(original, view, { viewAt: 0, at: 0 }, markers[0])];
  let furthest = 0;
  for (let steps = 0; open.length > 0 && steps < MOST_STEPS * (markers.length + 1); steps += 1) {
    const next = open.at(-1)!.next();
    if (next.done === true) {
      open.pop();
      taken.pop();
      continue;
    }
    const step = next.value;
    furthest = Math.max(furthest, step.at);
    taken.push(step);
    if (open.length > markers.length) {
      const gaps = taken.flatMap(({ gap }) => gap ?? []);
      return { gaps, stripped: taken.reduce((sum, { stripped }) => sum + stripped, 0) };
    }
    open.push(placesOf(original, view, step, markers[open.length]));
  }
  return furthest;
}

/** The gaps that a marker may be, the likeliest first; last, that it is data. Behind the last marker: the end. */
function* placesOf(
  original: Original,
  view: Uint8Array,
  place: Place,
  marker: FoundMarker | undefined,
): Generator<Step> {
  if (marker === undefined) {
    const stripped = matches(original, view, place, original.size, view.length);
    if (stripped !== undefined) yield { at: original.size, viewAt: view.length, stripped };
    return;
  }
  const span = spanOf(original, marker.address);
  if (span !== undefined && span.start >= place.at && marker.start >= place.viewAt)
    yield* gapsOf(original, view, place, { marker, span });
  yield { at: place.at, viewAt: place.viewAt, stripped: 0 };
}

function* gapsOf(
  original: Original,
  view: Uint8Array,
  place: Place,
  { marker, span }: { readonly marker: FoundMarker; readonly span: { start: number; end: number } },
): Generator<Step> {
  const { count, unit, failures } = marker;
  const gap: VerifiedGap = {
    address: formatAddress(marker.address),
    bytes: [span.start, span.end],
    count,
    unit,
    failures,
  };
  for (const { before, after } of wrapsAround(view, marker, original, span)) {
    const from = marker.start - before.length;
    if (from < place.viewAt) continue;
    if (isData(original, span.start + before.length, view.subarray(marker.start, marker.end))) return;
    const stripped = matches(original, view, place, span.start, from);
    if (stripped !== undefined) yield { gap, at: span.end, viewAt: marker.end + after.length, stripped };
  }
}

/** Is the original from `place` to `end` the view from `place` to `viewEnd`? Gives the bytes of control sequences in it. */
function matches(
  original: Original,
  view: Uint8Array,
  place: Place,
  end: number,
  viewEnd: number,
): number | undefined {
  if (end < place.at || viewEnd < place.viewAt) return undefined;
  let viewAt = place.viewAt;
  for (const piece of linePieces(original, place.at, end)) {
    const exact = samePiece(piece, view, viewAt, viewEnd);
    const plain = exact ? piece : stripEscapes(piece);
    if (!exact && !samePiece(plain, view, viewAt, viewEnd)) return undefined;
    viewAt += plain.length;
  }
  return viewAt === viewEnd ? end - place.at - (viewEnd - place.viewAt) : undefined;
}

function samePiece(piece: Uint8Array, view: Uint8Array, at: number, end: number): boolean {
  return at + piece.length <= end && Buffer.compare(piece, view.subarray(at, at + piece.length)) === 0;
}

/** The range in pieces that end at line ends, so that no control sequence is torn. */
function* linePieces(original: Original, from: number, to: number): Generator<Uint8Array> {
  let at = from;
  let size = 1 << 16;
  while (at < to) {
    const bytes = original.read(at, Math.min(to, at + size));
    const whole = at + bytes.length >= to ? bytes.length : bytes.lastIndexOf(10) + 1;
    if (whole === 0) {
      size *= 2;
      continue;
    }
    yield bytes.subarray(0, whole);
    at += whole;
  }
}

/** Lines and records that report a failure: in all, and those that no gap hides. The model is that of the view. */
function countFailures(
  original: Pick<Original, 'size' | 'read'>,
  gaps: readonly VerifiedGap[],
): { visible: number; all: number } {
  if (original.size > LARGEST) return { visible: 0, all: 0 };
  const source = { length: original.size, read: (start: number, end: number) => original.read(start, end) };
  const places: number[] = [];
  for (const { severity, count, placeOf } of outlinesOf(source, DEFAULT_POLICY, outlineSection)) {
    for (let unit = 0; unit < count; unit += 1) if (severity[unit]! > 1) places.push(placeOf(unit));
  }
  places.sort((a, b) => a - b);
  let gap = 0;
  let visible = 0;
  for (const place of places) {
    while (gap < gaps.length && gaps[gap]!.bytes[1] <= place) gap += 1;
    if (gap === gaps.length || gaps[gap]!.bytes[0] > place) visible += 1;
  }
  return { visible, all: places.length };
}

/** Offsets are kept in 32 bits. */
const LARGEST = 0xffff_ffff;
