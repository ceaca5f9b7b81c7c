// Gives the lines of a text the ids of their shapes, and those that are one shape too many a coarse one.
import { LINE, WORDS } from './line';
import { mix, pending, scanLine, SEED } from './scan-line';
import { addShape, findShape, MOST_SHAPES, shapeCount, shapesStart, takeNumbers } from './shapes';
import { Layout, newLayout } from './stamp';

let layout: Layout = changetype<Layout>(0);
let text: usize = 0;
let limit: usize = 0;
let at: usize = 0;
let line: u32 = 0;
let isStuck = false;

/** Starts a section: no shapes, line 0. */
export function scanStart(): void {
  shapesStart();
  layout = newLayout();
  line = 0;
}

/** Starts a chunk of whole lines, `size` bytes at `from`, of which the first `skip` are no text. */
export function scanChunk(from: usize, size: usize, skip: usize): void {
  text = from;
  limit = from + size;
  at = from + skip;
}

/** Writes the shapes of the next lines, `room` at most; returns how many. It stops before a line that `isCrowded`. */
export function scanLines(out: usize, room: u32): u32 {
  const first = line;
  isStuck = false;
  while (at < limit && line - first < room) {
    const next = scanLine(LINE, layout, text, at, limit);
    let shape = findShape(pending);
    if (shape < 0) {
      if (shapeCount >= MOST_SHAPES) {
        isStuck = true;
        break;
      }
      shape = <i32>addShape(pending, LINE, text, true);
    }
    store<u32>(out + ((line - first) << 2), shape);
    if (LINE.numbers > 0) takeNumbers(shape, LINE, line);
    at = next;
    line += 1;
  }
  return line - first;
}

/** Does the scan stand before a line that is one shape too many? */
export function isCrowded(): bool {
  return isStuck;
}

/** Where the line that is one too many starts and ends, from the start of its chunk. */
export function crowdedStart(): u32 {
  return <u32>(LINE.start - text);
}
export function crowdedEnd(): u32 {
  return <u32>(LINE.end - text);
}
export function crowdedBody(): u32 {
  return <u32>(LINE.body - text);
}

/** Gives the line that is one too many a shape by its first word, its severity and whether it has a stamp. */
export function crowd(severity: u32): u32 {
  const first: u32 = LINE.words > 0 ? load<u32>(WORDS) & 0xffff : 0;
  const low = (severity << 8) | (LINE.body > LINE.start ? 1 : 0);
  const hash = mix(mix(SEED, 0x5a000000 | first), low);
  let shape = findShape(hash);
  if (shape < 0) shape = <i32>addShape(hash, LINE, text, false);
  if (LINE.numbers > 0) takeNumbers(shape, LINE, line);
  at = lineEndAfter(at);
  line += 1;
  return shape;
}

function lineEndAfter(from: usize): usize {
  let p = from;
  while (p < limit && load<u8>(p) !== 10) p += 1;
  return min(p + 1, limit);
}

/** A line that holds nothing, for those at the end that held nothing but control sequences. */
export function emptyLine(): u32 {
  LINE.start = text;
  LINE.end = text;
  LINE.body = text;
  LINE.words = 0;
  LINE.numbers = 0;
  const found = findShape(1);
  return found >= 0 ? found : addShape(1, LINE, text, true);
}
