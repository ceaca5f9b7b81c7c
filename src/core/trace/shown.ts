import { FRAME, frameOf, isForeign } from './frames.ts';

/** Frames of a segment that stay whosever they are, and own ones beside them. */
const FIRST = 2;
const OWN = 5;

interface Frame {
  readonly lines: number[];
  readonly isOwn: boolean;
  readonly shape: number;
}

/**
 * Which lines of a trace stay: all that is no frame; of each run of frames the two nearest to the failure, the first own
 * ones of those that come next, and where it starts. `texts` are the lines without what logs write before them, `shapes`
 * tell frames apart; a frame that was there already is a repetition.
 */
export function shownLines(texts: readonly string[], shapes: (line: number) => number): Uint8Array {
  const shown = new Uint8Array(texts.length);
  const frames = framesOf(texts);
  for (let i = 0; i < texts.length;) {
    if (frames[i] === FRAME.none) {
      shown[i] = 1;
      i += 1;
      continue;
    }
    let end = i + 1;
    while (end < texts.length && frames[end] !== FRAME.none) end += 1;
    const isUpsideDown = PYTHON.test(texts[i]!);
    for (const line of shownFrames(segment(texts, frames, shapes, [i, end]), isUpsideDown)) shown[line] = 1;
    i = end;
  }
  return shown;
}

/** Python's tracebacks end with the frame that failed. */
const PYTHON = /^\s*(?:\| +)*File "|^\S+\.py:\d+: in /;

/** The frame kind of each line; a source line under a Python frame is a detail. */
export function framesOf(texts: readonly string[]): Uint8Array {
  const kinds = Uint8Array.from(texts, (text) => frameOf(text));
  for (let i = 1; i < texts.length; i += 1) {
    if (kinds[i] !== FRAME.none || kinds[i - 1] === FRAME.none) continue;
    const isSource = PYTHON.test(texts[i - 1]!) && /^\s{4}\s*\S/.test(texts[i]!);
    if (isSource) kinds[i] = FRAME.detail;
  }
  for (let i = 0; i < texts.length; i += 1) {
    if (kinds[i] !== FRAME.half) continue;
    if (kinds[i + 1] !== FRAME.detail) kinds[i] = /^ +\d+: /.test(texts[i]!) ? whose(texts[i]!) : FRAME.none;
  }
  return kinds;
}

function whose(text: string): number {
  return isForeign(text) ? FRAME.foreign : FRAME.own;
}

function segment(
  texts: readonly string[],
  kinds: Uint8Array,
  shapes: (line: number) => number,
  [from, to]: readonly [number, number],
): Frame[] {
  const frames: Frame[] = [];
  for (let i = from; i < to; i += 1) {
    if (kinds[i] === FRAME.detail && frames.length > 0) {
      frames.at(-1)!.lines.push(i);
      continue;
    }
    const isOwn =
      kinds[i] === FRAME.half
        ? !isForeign(texts[i]!) && !isForeign(texts[i + 1] ?? '')
        : kinds[i] === FRAME.own;
    frames.push({ lines: [i], isOwn, shape: shapes(i) });
  }
  return frames;
}

function shownFrames(frames: readonly Frame[], isUpsideDown: boolean): number[] {
  const nearest = isUpsideDown ? frames.toReversed() : frames;
  const seen = new Set<number>();
  let own = 0;
  return nearest.flatMap(({ lines, isOwn, shape }, n) => {
    const isNew = !seen.has(shape);
    seen.add(shape);
    if (n < FIRST) return lines;
    if (!isNew || !isOwn || own >= OWN) return n === nearest.length - 1 && isOwn && isNew ? lines : [];
    own += 1;
    return lines;
  });
}
