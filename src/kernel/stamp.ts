// Finds the time stamp that starts a line: ISO and its relatives, syslog, Apache, klog, logfmt `ts=`, dmesg, epochs, plain
// clock times. Lines of one log share a layout, so the layout found last is tried first.
import { alloc, enlarged } from './memory';
import { sixteen, BLANK, classAt, classOf, DIGIT, isDigitAt, LETTER } from './chars';
import { stampEnd } from './stamp-forms';

/** Of each byte of a stamp: must it be a digit (plane 0), a letter (1), or this very byte (2, the byte in plane 3)? */
@unmanaged
export class Layout {
  size: u32;
  room: u32;
  planes: usize;
}

/** A layout that knows no stamp. */
export function newLayout(): Layout {
  const layout = changetype<Layout>(alloc(16));
  layout.size = 0;
  layout.room = 64;
  layout.planes = alloc(64 * 4);
  return layout;
}

/** Where the stamp of the line `[from, end)` ends; `from` where there is none. `base` is the first byte of the text. */
export function findStamp(layout: Layout, base: usize, from: usize, end: usize): usize {
  const first: u32 = load<u8>(from);
  // No stamp begins with a blank or a brace, as most lines of indented text and of records do.
  if (first === 32 || first === 9 || first === 123) return from;
  const size = <usize>layout.size;
  if (size > 0 && from + size <= end && matches(layout, from)) {
    const next = from + size < end ? classAt(from + size) : BLANK;
    if (next !== DIGIT && next !== LETTER) return from + size;
  }
  const at = stampEnd(base, from, end);
  if (at > from) learn(layout, from, at);
  return at;
}

function learn(layout: Layout, from: usize, to: usize): void {
  const size = to - from;
  if (size > layout.room) {
    layout.room = <u32>((size + 15) & ~15);
    layout.planes = enlarged(0, 0, layout.room << 2);
  }
  layout.size = <u32>size;
  const room = layout.room;
  memory.fill(layout.planes, 0, room << 2);
  for (let i: usize = 0; i < size; i += 1) {
    const kind = classAt(from + i);
    const plane: usize = kind === DIGIT ? 0 : kind === LETTER ? 1 : 2;
    store<u8>(layout.planes + plane * room + i, 0xff);
    store<u8>(layout.planes + 3 * room + i, load<u8>(from + i));
  }
}

/** Reads up to 15 bytes behind the line; what is no part of the stamp matches anything. */
function matches(layout: Layout, from: usize): bool {
  const room = <usize>layout.room;
  for (let i: usize = 0; i < layout.size; i += 16) {
    const v = v128.load(from + i);
    const p = layout.planes + i;
    const digit = v128.load(p);
    const letter = v128.load(p + room);
    const mark = v128.load(p + 2 * room);
    const isDigit = i8x16.le_u(i8x16.sub(v, sixteen(48)), sixteen(9));
    const isLetter = v128.or(
      i8x16.le_u(i8x16.sub(v128.or(v, sixteen(32)), sixteen(97)), sixteen(25)),
      i8x16.lt_s(v, sixteen(0)),
    );
    const isMark = i8x16.eq(v, v128.load(p + 3 * room));
    const wrong = v128.or(
      v128.or(v128.andnot(digit, isDigit), v128.andnot(letter, isLetter)),
      v128.andnot(mark, isMark),
    );
    if (v128.any_true(wrong)) return false;
  }
  return true;
}
