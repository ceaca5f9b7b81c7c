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
import { outlineSection } from '../strategies/index.ts';
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
  const text = latin1(view);
  const gaps: VerifiedGap[] = [];
  let viewAt = 0;
  let at = 0;
  let stripped = 0;
  const markers = findMarkers(text);
  for (const [i, marker] of markers.entries()) {
    const until = (markers[i + 1]?.start ?? view.length + WIDEST_WRAP) - WIDEST_WRAP;
    const step = placeMarker(original, view, { viewAt, at, until }, marker);
    if (step === undefined) continue;
    stripped += step.stripped;
    gaps.push(step.gap);
    viewAt = step.viewAt;
    at = step.gap.bytes[1];
  }
  const tail = matches(original, view, { viewAt, at }, original.size, view.length);
  if (tail === undefined) return { kind: 'broken', reason: `behind byte ${at} the view is not its original` };
  return {
    kind: 'proven',
    size: original.size,
    hiddenBytes: gaps.reduce((sum, gap) => sum + gap.bytes[1] - gap.bytes[0], 0),
    strippedBytes: stripped + tail,
    gaps,
    failures: countFailures(original, gaps),
  };
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

/** More bytes than any wrap before a marker has. */
const WIDEST_WRAP = 64;

/** The gap of a marker, if the view before it is the original up to the gap; a marker that is data of the input is none. */
function placeMarker(
  original: Original,
  view: Uint8Array,
  place: Place & { readonly until: number },
  marker: FoundMarker,
): { readonly gap: VerifiedGap; readonly viewAt: number; readonly stripped: number } | undefined {
  const span = spanOf(original, marker.address);
  if (span === undefined || span.start < place.at || marker.start < place.viewAt) return undefined;
  for (const { before, after } of wrapsAround(view, marker, original, span)) {
    const from = marker.start - before.length;
    if (from < place.viewAt) continue;
    if (isData(original, span.start + before.length, view.subarray(marker.start, marker.end)))
      return undefined;
    if (!goesOn(original, view, { at: span.end, viewAt: marker.end + after.length }, place.until)) continue;
    const stripped = matches(original, view, place, span.start, from);
    if (stripped === undefined) continue;
    const { count, unit, failures } = marker;
    const gap = {
      address: formatAddress(marker.address),
      bytes: [span.start, span.end] as const,
      count,
      unit,
      failures,
    };
    return { gap, viewAt: marker.end + after.length, stripped };
  }
  return undefined;
}

/** Does the view behind a marker begin as the original does behind the gap? Up to an escape, or what may be a marker. */
function goesOn(original: Original, view: Uint8Array, { at, viewAt }: Place, until: number): boolean {
  const size = Math.max(0, Math.min(LOOKED_AT, until - viewAt));
  const there = original.read(at, Math.min(original.size, at + size));
  for (let i = 0; i < there.length; i += 1) {
    if (there[i] === 27 || there[i] === 0xc2) return true;
    if (there[i] !== view[viewAt + i]) return false;
  }
  return true;
}

const LOOKED_AT = 16;

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
function countFailures(original: Original, gaps: readonly VerifiedGap[]): { visible: number; all: number } {
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
