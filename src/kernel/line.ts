// What the scan found of the line it stands on.

export const MOST_NUMBERS: u32 = 24;
export const MOST_WORDS: u32 = 160;

/** Values of the numbers, their place (word from 0, number in the word), whether they are a measure. */
export const VALUES: usize = memory.data(24 * 8, 8);
export const SLOTS: usize = memory.data(24 * 2, 2);
export const MEASURES: usize = memory.data(24);
/** Hashes of the words, keys odd. */
export const WORDS: usize = memory.data(160 * 4, 4);

@unmanaged
export class Line {
  start: usize;
  /** Without the line end. */
  end: usize;
  /** End of the time stamp; `start` where there is none. */
  body: usize;
  numbers: u32;
  words: u32;
}
export const LINE: Line = changetype<Line>(memory.data(20, 4));
