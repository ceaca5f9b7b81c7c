/**
 * What only some shapes need (src/core/late-parts.ts), loaded when a text may have one of them: the pipe keeps it in a chunk
 * of its own, so that a log or a table does not pay for reading JSON.
 */
type Parts = typeof import('./late-parts.ts');

let load: (() => Parts) | undefined;
let parts: Parts | undefined;

/** Says where the parts come from; the first one who says it counts. */
export function useLate(read: () => Parts): void {
  load ??= read;
}

/** The parts. Throws where none were provided. */
export function late(): Parts {
  if (parts === undefined) {
    if (load === undefined) throw new Error('no parts were provided');
    parts = load();
  }
  return parts;
}
