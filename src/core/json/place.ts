import type { PathAddress } from '../address.ts';
import type { GapCounts, Hole } from '../outline.ts';
import type { Counts } from './counts.ts';
import { decodeString } from './decode.ts';
import { ARRAY, closingQuote, OBJECT, type Tape } from './tape.ts';
import type { JsonUnits } from './units.ts';

/** What a place in JSON is called, and what its marker looks like. */
export class JsonPlaces {
  private readonly tape: Tape;
  private readonly units: JsonUnits;
  private readonly options: PlaceOptions;

  constructor(tape: Tape, units: JsonUnits, options: PlaceOptions) {
    this.tape = tape;
    this.units = units;
    this.options = options;
  }

  /** The hole of the units `first` to `last`, which are neighbours, with what is counted of them. */
  hole({ first, last }: { first: number; last: number }, gaps: GapCounts, counts: Counts): Hole {
    const { tape, units } = this;
    const { placeOf } = this.options;
    const from = units.nodes[first]!;
    const to = units.nodes[last]!;
    const lines = tape.parent[from] === 0 ? this.options.wholeLines(first, last) : undefined;
    if (lines !== undefined) return { ...counts, ...lines, unit: 'records', before: '{"_ctxzip":"' };
    const address = this.address(from, to);
    return {
      ...counts,
      start: placeOf(tape.fromOf(from)),
      end: placeOf(tape.end[to]!),
      ...(address !== undefined && { address }),
      ...this.wrapping(from, gaps),
    };
  }

  /** What stands around the marker of neighbours that begin with `from`. */
  private wrapping(from: number, gaps: GapCounts): Pick<Hole, 'unit' | 'before' | 'after'> {
    const { key, kind, parent } = this.tape;
    if (key[from] !== 0)
      return { unit: 'fields', before: `"${this.name(parent[from]!, gaps)}":"`, after: '"' };
    return kind[from] === OBJECT || kind[from] === ARRAY
      ? { unit: 'records', before: '{"_ctxzip":"', after: '"}' }
      : { unit: 'values', before: '"', after: '"' };
  }

  /** A name that no member of the object has, and no other gap of it. */
  private name(object: number, gaps: GapCounts): string {
    const place = this.options.placeOf(this.tape.start[object]!);
    const count = (gaps.get(place) ?? 0) + 1;
    gaps.set(place, count);
    let name = count === 1 ? '_ctxzip' : `_ctxzip${count}`;
    const { key, next, bytes } = this.tape;
    const taken = new Set<string>();
    for (let c = object + 1; c < next[object]!; c = next[c]!) {
      const first = bytes[key[c]! + 1];
      if (first === UNDERSCORE) taken.add(this.tape.keyOf(c));
      else if (first === BACKSLASH) taken.add(this.keyText(c));
    }
    while (taken.has(name)) name = `${name}_`;
    return name;
  }

  /** The address of neighbours: their path, with a range where there are several. Absent where paths mean nothing. */
  address(from: number, to: number): PathAddress | undefined {
    if (!this.options.hasPaths) return undefined;
    const { parent } = this.tape;
    if (from === to) return this.pathOf(from);
    const above = this.pathOf(parent[from]!);
    const range = { from: this.indexOf(from), to: this.indexOf(to) };
    return above && { ...above, range };
  }

  pathOf(node: number): PathAddress | undefined {
    const { parent, key } = this.tape;
    const segments: string[] = [];
    for (let n = node; parent[n]! >= 0; n = parent[n]!) {
      if (segments.length > MOST_SEGMENTS) return undefined;
      if (key[n] === 0) segments.push(String(this.indexOf(n)));
      else {
        if (this.isRepeated(n)) return undefined;
        const text = this.keyText(n);
        if (text.length > MOST_KEY) return undefined;
        segments.push(text);
      }
    }
    return { kind: 'path', segments: segments.toReversed() };
  }

  /** The key of a member without its escapes. */
  private keyText(node: number): string {
    const { key, bytes } = this.tape;
    const end = closingQuote(bytes, key[node]! + 1);
    return Buffer.from(decodeString(bytes, key[node]! + 1, end).bytes).toString('utf8');
  }

  /** Does the key stand twice in its object? Then no path tells which is meant. */
  private isRepeated(node: number): boolean {
    const { parent, keyHash, next } = this.tape;
    const object = parent[node]!;
    if (this.tape.size[object]! > MOST_LOOKED_AT) return true;
    for (let c = object + 1; c < next[object]!; c = next[c]!)
      if (c !== node && keyHash[c] === keyHash[node]) return true;
    return false;
  }

  private lastIndex = { node: -1, index: 0 };

  /** How many members or elements come before; neighbours are asked for in order. */
  private indexOf(node: number): number {
    const { parent, next } = this.tape;
    const known = this.lastIndex;
    const isNear = known.node >= 0 && known.node <= node && parent[known.node] === parent[node];
    let index = isNear ? known.index : 0;
    for (let at = isNear ? known.node : parent[node]! + 1; at < node; at = next[at]!) index += 1;
    this.lastIndex = { node, index };
    return parent[node] === this.options.list ? index + this.options.firstIndex : index;
  }
}

export interface PlaceOptions {
  /** Is the JSON all of its text, so that paths lead into it? */
  readonly hasPaths: boolean;
  /** The place in the source of an offset in the tape. */
  readonly placeOf: (offset: number) => number;
  /** How many elements of the list, which is the root or in it, come before those of the tape. */
  readonly firstIndex: number;
  readonly list: number;
  /** The hole of values of the root, by their units, where they are records on lines of their own. */
  readonly wholeLines: (first: number, last: number) => LineHole | undefined;
}

/** What of a hole tells where whole lines are. */
export type LineHole = Pick<Hole, 'start' | 'end' | 'address' | 'after'>;

const UNDERSCORE = 95;
const BACKSLASH = 92;
const MOST_SEGMENTS = 24;
const MOST_KEY = 80;
/** A duplicate of a key is looked for among so many. */
const MOST_LOOKED_AT = 5000;
