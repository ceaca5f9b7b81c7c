/** The file of a code cache. */

/** Size and time of the chunk; what the cache has learnt; behind that V8's data. */
export const HEAD = 32;

export interface Build {
  readonly size: number;
  readonly mtimeMs: number;
}

/** A cache to be written. */
export interface News {
  readonly folder: string;
  readonly file: string;
  readonly build: Build;
  readonly data: Uint8Array;
  readonly lessons: number;
}
