import type { Address, PathAddress } from './address.ts';
import type { Hole } from './outline.ts';

/** A string of JSON whose decoded text is read as an output of its own. */
export interface Frame {
  /** The string around it, if this one is in the text of another. */
  readonly outer?: Frame;
  /** Where the string is; absent where no path leads to it. */
  readonly path?: PathAddress;
  /** The place, in the text around the string, of a place in the decoded text. */
  readonly placeOf: (offset: number) => number;
}

/** The place in the input of a place in the text of a frame. */
export function inputPlace(frame: Frame | undefined, offset: number): number {
  let place = offset;
  for (let at = frame; at !== undefined; at = at.outer) place = at.placeOf(place);
  return place;
}

/** A hole in the text of a frame as one in the input: its marker stands in the escaped text of a string. */
export function inputHole(frame: Frame | undefined, hole: Hole): Hole {
  if (frame === undefined) return hole;
  let { start, end, address, before, after } = hole;
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    start = at.placeOf(start);
    end = at.placeOf(end);
    address = inside(at.path, address);
    before = escaped(before);
    after = escaped(after);
  }
  const { address: _, ...rest } = hole;
  return { ...rest, start, end, before, after, ...(address !== undefined && { address }) };
}

function inside(path: PathAddress | undefined, inner: Address | undefined): Address | undefined {
  return path === undefined || inner === undefined ? undefined : { kind: 'inside', path, inner };
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
