/** What a line of search results is. */
export const HIT = {
  /** Remarks of the tool, and whatever else there is. */
  note: 0,
  match: 1,
  /** A line around a match. */
  context: 2,
  /** A path that stands above the lines of its file. */
  heading: 3,
  /** `--` between groups. */
  separator: 4,
  blank: 5,
  /** An excerpt, a caret: part of the message above. */
  attached: 6,
} as const;
