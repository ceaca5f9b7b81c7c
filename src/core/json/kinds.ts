/** What a value on a tape is. */
export const OBJECT = 1;
export const ARRAY = 2;
export const STRING = 3;
export const NUMBER = 4;
// 5 is `true`, `false`, `null`.
/** A line between records that is no JSON. */
export const TEXT = 6;

/** JSON with more values in one another is no data that anybody reads. */
export const DEEPEST = 500;
